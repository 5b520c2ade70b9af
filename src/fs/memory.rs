//! A file system in memory: for programs that show the effect of a patch, for fuzzing, and for tests of properties that
//! no local disk has.
//!
//! The file system can treat names that differ by case, or by Unicode form, as equal, like the file systems of Windows
//! and macOS: a name keeps the spelling of its creation.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};

use super::tree::{Deed, Naming, Node, Number, Tree};
use super::{Attributes, Fs, Held, Kind, Lock, Meta, NewFile, NewMode, OpenFile};

/// The mode of a new file.
const USUAL_MODE: u32 = 0o644;

/// A file system in memory. Clones are views of the same tree.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memory {
    tree: Arc<Mutex<Tree>>,
    locked: Arc<(Mutex<bool>, Condvar)>,
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

    /// Creates a file, and the directories above.
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

    /// Returns every file and link below a directory, with its mode and its bytes.
    pub(crate) fn files(&self, folder: &Utf8Path) -> BTreeMap<Utf8PathBuf, (u32, Vec<u8>)> {
        let mut files = BTreeMap::new();
        let mut names = self.names(folder).unwrap();
        names.sort_unstable();
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
            let (attributes, id) =
                (Attributes { mode, owner: None, is_plain: true }, Some((0, number as u64)));
            Meta { kind, len, attributes, id, links: 1, is_sticky: false }
        }))
    }

    fn is_free(&self, path: &Utf8Path) -> bool {
        matches!(self.look(path), Ok(None))
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

    fn create(&self, path: &Utf8Path, mode: NewMode, _: Option<&Utf8Path>) -> io::Result<Box<dyn NewFile>> {
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

impl NewFile for MemoryFile {
    fn writer(&mut self) -> &mut dyn Write {
        self
    }

    fn finish(self: Box<Self>, sync: bool) -> io::Result<()> {
        if sync {
            self.memory.tree().record(Deed::SyncedFile(self.number));
        }
        Ok(())
    }
}
