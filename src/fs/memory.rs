//! A file system in memory: for programs that want to see what a patch would do, for fuzzing, and for
//! tests of what no disk here can be.
//!
//! It can take names that differ by case, or by their Unicode form, for one name, as the file systems of
//! Windows and of a Mac do: it keeps the spelling with which a name was made.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use unicode_normalization::UnicodeNormalization;

use super::{Attributes, Fs, Held, Kind, Lock, Meta, NewFile, NewMode, OpenFile};

/// The number of a node; the first one is the top of the tree.
pub(super) type Number = usize;

/// The mode of a new file.
const USUAL_MODE: u32 = 0o644;

/// Which names are one name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Naming {
    /// Those that are alike to the byte, as on Linux.
    #[default]
    Exact,
    /// Also those that differ by case, as on Windows.
    AnyCase,
    /// Also those that differ by case or by their Unicode form, as on a Mac.
    AnyCaseAndForm,
}

impl Naming {
    fn key(self, name: &str) -> String {
        match self {
            Naming::Exact => name.to_owned(),
            Naming::AnyCase => name.to_uppercase().to_lowercase(),
            Naming::AnyCaseAndForm => name.nfd().collect::<String>().to_uppercase().to_lowercase(),
        }
    }
}

/// A file system in memory. Clones are views of one tree.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memory {
    tree: Arc<Mutex<Tree>>,
    locked: Arc<(Mutex<bool>, Condvar)>,
}

/// All nodes, and what was done to them.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) naming: Naming,
    /// What was done, in order, while somebody asks for it.
    pub(super) log: Option<Vec<Deed>>,
}

/// What has a number.
#[cfg_attr(not(test), allow(dead_code, reason = "only tests make links"))]
#[derive(Debug, Clone)]
pub(super) enum Node {
    /// By the key of the name: the name as it was made, and the number.
    Folder(BTreeMap<String, (String, Number)>),
    File {
        bytes: Vec<u8>,
        mode: u32,
    },
    Link(Utf8PathBuf),
}

/// Something that was done to the tree.
#[cfg_attr(not(test), allow(dead_code, reason = "only tests read the log"))]
#[derive(Debug, Clone)]
pub(super) enum Deed {
    /// Names of folders now stand for other nodes, or for none: all of them at once.
    Names(Vec<(Number, String, Option<Number>)>),
    /// A file holds these bytes.
    Bytes(Number, Vec<u8>),
    SyncedFile(Number),
    SyncedFolder(Number),
}

impl Default for Tree {
    fn default() -> Self {
        Tree { nodes: vec![Node::Folder(BTreeMap::new())], naming: Naming::default(), log: None }
    }
}

impl Memory {
    pub(crate) fn new(naming: Naming) -> Self {
        Memory::of(Tree { naming, ..Tree::default() })
    }

    pub(super) fn of(tree: Tree) -> Self {
        Memory { tree: Arc::new(Mutex::new(tree)), ..Memory::default() }
    }

    pub(super) fn tree(&self) -> MutexGuard<'_, Tree> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a file, and the folders on the way to it.
    pub(crate) fn put(&self, path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
        self.put_node(path, Node::File { bytes: bytes.to_vec(), mode: USUAL_MODE })
    }

    fn put_node(&self, path: &Utf8Path, node: Node) -> io::Result<()> {
        let folders: Vec<&Utf8Path> = path.ancestors().skip(1).collect();
        for folder in folders.into_iter().rev().filter(|folder| folder.file_name().is_some()) {
            if self.look(folder)?.is_none() {
                self.create_folder(folder)?;
            }
        }
        self.tree().add(path, node).map(drop)
    }
}

#[cfg(test)]
impl Memory {
    pub(crate) fn put_link(&self, path: &Utf8Path, target: &Utf8Path) -> io::Result<()> {
        self.put_node(path, Node::Link(target.to_owned()))
    }

    pub(crate) fn set_mode(&self, path: &Utf8Path, new: u32) {
        let mut tree = self.tree();
        let number = tree.find(path).unwrap().unwrap();
        if let Node::File { mode, .. } = &mut tree.nodes[number] {
            *mode = new;
        }
    }

    /// Every file and link beneath a folder, with its mode and its bytes.
    pub(crate) fn files(&self, folder: &Utf8Path) -> BTreeMap<Utf8PathBuf, (u32, Vec<u8>)> {
        let mut files = BTreeMap::new();
        let mut names = self.names(folder).unwrap();
        names.sort();
        for name in names {
            let path = folder.join(name);
            let tree = self.tree();
            let number = tree.find(&path).unwrap().unwrap();
            match tree.nodes[number].clone() {
                Node::File { bytes, mode } => drop(files.insert(path, (mode, bytes))),
                Node::Link(to) => drop(files.insert(path, (0, to.into_string().into_bytes()))),
                Node::Folder(_) => {
                    drop(tree);
                    files.extend(self.files(&path));
                }
            }
        }
        files
    }
}

impl Tree {
    fn folder(&self, number: Number) -> io::Result<&BTreeMap<String, (String, Number)>> {
        match &self.nodes[number] {
            Node::Folder(entries) => Ok(entries),
            Node::File { .. } | Node::Link(_) => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// The number of what is at a path, if anything is. No link is followed: it is no folder.
    pub(super) fn find(&self, path: &Utf8Path) -> io::Result<Option<Number>> {
        let mut at = 0;
        let names = path.components().filter_map(|component| match component {
            Utf8Component::Normal(name) => Some(name),
            _ => None,
        });
        let mut names = names.peekable();
        while let Some(name) = names.next() {
            match self.folder(at)?.get(&self.naming.key(name)) {
                Some((_, number)) => at = *number,
                None if names.peek().is_none() => return Ok(None),
                None => return Err(io::ErrorKind::NotFound.into()),
            }
        }
        Ok(Some(at))
    }

    fn existing(&self, path: &Utf8Path) -> io::Result<Number> {
        self.find(path)?.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// The folder of a path, and the name in it.
    fn parent(&self, path: &Utf8Path) -> io::Result<(Number, String)> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let number = self.existing(parent)?;
        self.folder(number)?;
        if name.len() > 255 {
            return Err(io::ErrorKind::InvalidFilename.into());
        }
        Ok((number, name.to_owned()))
    }

    fn add(&mut self, path: &Utf8Path, node: Node) -> io::Result<Number> {
        let (folder, name) = self.vacant(path)?;
        self.nodes.push(node);
        let number = self.nodes.len() - 1;
        self.name(vec![(folder, name, Some(number))]);
        Ok(number)
    }

    /// The folder of a path where nothing is, and the name in it.
    fn vacant(&self, path: &Utf8Path) -> io::Result<(Number, String)> {
        let place = self.parent(path)?;
        match self.find(path)? {
            Some(_) => Err(io::ErrorKind::AlreadyExists.into()),
            None => Ok(place),
        }
    }

    fn name(&mut self, names: Vec<(Number, String, Option<Number>)>) {
        for (folder, name, number) in &names {
            self.set_name(*folder, name, *number);
        }
        if let Some(log) = &mut self.log {
            log.push(Deed::Names(names));
        }
    }

    pub(super) fn set_name(&mut self, folder: Number, name: &str, number: Option<Number>) {
        let key = self.naming.key(name);
        if let Node::Folder(entries) = &mut self.nodes[folder] {
            match number {
                Some(number) => entries.insert(key, (name.to_owned(), number)),
                None => entries.remove(&key),
            };
        }
    }

    fn record(&mut self, deed: Deed) {
        if let Some(log) = &mut self.log {
            log.push(deed);
        }
    }

    fn remove(&mut self, path: &Utf8Path, is_folder: bool) -> io::Result<()> {
        let number = self.existing(path)?;
        match (&self.nodes[number], is_folder) {
            (Node::Folder(_), false) => return Err(io::ErrorKind::IsADirectory.into()),
            (Node::File { .. } | Node::Link(_), true) => return Err(io::ErrorKind::NotADirectory.into()),
            (Node::Folder(entries), true) if !entries.is_empty() => {
                return Err(io::ErrorKind::DirectoryNotEmpty.into());
            }
            _ => {}
        }
        let (folder, name) = self.parent(path)?;
        self.name(vec![(folder, name, None)]);
        Ok(())
    }

    fn rename(&mut self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
        let number = self.existing(from)?;
        let (old, new) = (self.parent(from)?, self.parent(to)?);
        match self.find(to)? {
            // Two names of one file: the system does nothing.
            Some(there) if there == number => return Ok(()),
            Some(there) if matches!(self.nodes[there], Node::Folder(_)) => {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            _ => {}
        }
        self.name(vec![(old.0, old.1, None), (new.0, new.1, Some(number))]);
        Ok(())
    }
}

impl OpenFile for io::Cursor<Vec<u8>> {
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        let behind = usize::try_from(at).ok().and_then(|at| self.get_ref().get(at..));
        io::Read::read(&mut behind.unwrap_or_default(), buffer)
    }
}

impl Fs for Memory {
    fn open_root(&mut self, dir: &Utf8Path) -> io::Result<Utf8PathBuf> {
        let tree = self.tree();
        let number = tree.existing(dir)?;
        tree.folder(number)?;
        Ok(dir.to_owned())
    }

    fn lock(&self, wait: bool) -> io::Result<Lock> {
        let (locked, freed) = &*self.locked;
        let mut locked = locked.lock().unwrap_or_else(PoisonError::into_inner);
        while *locked {
            if !wait {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            locked = freed.wait(locked).unwrap_or_else(PoisonError::into_inner);
        }
        *locked = true;
        Ok(Box::new(Locked(Arc::clone(&self.locked))))
    }

    fn look(&self, path: &Utf8Path) -> io::Result<Option<Meta>> {
        let tree = self.tree();
        let number = match tree.find(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            found => found?,
        };
        Ok(number.map(|number| {
            let (kind, len, mode) = match &tree.nodes[number] {
                Node::Folder(_) => (Kind::Folder, 0, 0o755),
                Node::File { bytes, mode } => (Kind::File, bytes.len() as u64, *mode),
                Node::Link(target) => (Kind::Link, target.as_str().len() as u64, 0o777),
            };
            Meta { kind, len, attributes: Attributes { mode, owner: None }, id: Some((0, number as u64)) }
        }))
    }

    fn read_link(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        let tree = self.tree();
        match &tree.nodes[tree.existing(path)?] {
            Node::Link(target) => Ok(target.clone()),
            Node::Folder(_) | Node::File { .. } => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    fn names(&self, folder: &Utf8Path) -> io::Result<Vec<String>> {
        let tree = self.tree();
        let entries = tree.folder(tree.existing(folder)?)?;
        Ok(entries.values().map(|(name, _)| name.clone()).collect())
    }

    fn open(&self, path: &Utf8Path) -> io::Result<Box<dyn OpenFile>> {
        let tree = self.tree();
        match &tree.nodes[tree.existing(path)?] {
            Node::File { bytes, .. } => Ok(Box::new(io::Cursor::new(bytes.clone()))),
            Node::Folder(_) | Node::Link(_) => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    fn create(&self, path: &Utf8Path, mode: NewMode) -> io::Result<Box<dyn NewFile>> {
        let mode = match mode {
            NewMode::Usual => USUAL_MODE,
            NewMode::Executable => USUAL_MODE | 0o111,
            NewMode::Like(like) => like.mode,
        };
        let number = self.tree().add(path, Node::File { bytes: Vec::new(), mode })?;
        Ok(Box::new(MemoryFile { memory: self.clone(), number }))
    }

    fn create_folder(&self, path: &Utf8Path) -> io::Result<()> {
        self.tree().add(path, Node::Folder(BTreeMap::new())).map(drop)
    }

    fn rename(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
        self.tree().rename(from, to)
    }

    fn rename_new(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
        let mut tree = self.tree();
        tree.vacant(to)?;
        tree.rename(from, to)
    }

    fn link(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
        let mut tree = self.tree();
        let number = tree.existing(from)?;
        let (folder, name) = tree.vacant(to)?;
        tree.name(vec![(folder, name, Some(number))]);
        Ok(())
    }

    fn remove_file(&self, path: &Utf8Path) -> io::Result<()> {
        self.tree().remove(path, false)
    }

    fn remove_folder(&self, path: &Utf8Path) -> io::Result<()> {
        self.tree().remove(path, true)
    }

    fn sync_folder(&self, path: &Utf8Path) -> io::Result<()> {
        let mut tree = self.tree();
        let number = tree.existing(path)?;
        tree.record(Deed::SyncedFolder(number));
        Ok(())
    }

    fn syncs_contents(&self) -> bool {
        true
    }

    fn sync_contents(&self, folder: &Utf8Path) -> io::Result<()> {
        let mut tree = self.tree();
        tree.existing(folder)?;
        let is_file = |number: &Number| matches!(tree.nodes[*number], Node::File { .. });
        let files: Vec<Number> = (0..tree.nodes.len()).filter(is_file).collect();
        for number in files {
            tree.record(Deed::SyncedFile(number));
        }
        Ok(())
    }
}

#[derive(Debug)]
struct Locked(Arc<(Mutex<bool>, Condvar)>);

impl Held for Locked {}

impl Drop for Locked {
    fn drop(&mut self) {
        let (locked, freed) = &*self.0;
        *locked.lock().unwrap_or_else(PoisonError::into_inner) = false;
        freed.notify_one();
    }
}

/// A file that is being written.
struct MemoryFile {
    memory: Memory,
    number: Number,
}

impl Write for MemoryFile {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        let mut tree = self.memory.tree();
        if let Node::File { bytes, .. } = &mut tree.nodes[self.number] {
            bytes.extend_from_slice(more);
            let bytes = if tree.log.is_some() { tree.bytes(self.number) } else { Vec::new() };
            tree.record(Deed::Bytes(self.number, bytes));
        }
        Ok(more.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Tree {
    fn bytes(&self, number: Number) -> Vec<u8> {
        match &self.nodes[number] {
            Node::File { bytes, .. } => bytes.clone(),
            Node::Folder(_) | Node::Link(_) => Vec::new(),
        }
    }
}

impl NewFile for MemoryFile {
    fn finish(self: Box<Self>, sync: bool) -> io::Result<()> {
        if sync {
            self.memory.tree().record(Deed::SyncedFile(self.number));
        }
        Ok(())
    }
}
