//! Failing calls and crashes, for tests.
//!
//! [`Faulty`] fails at chosen calls. [`crash_trees`] uses the log of the operations on a tree in memory and makes every
//! tree that a crash may leave, by the rules of real file systems: the bytes of a file that was not synced may be the
//! old bytes, empty, a part, or complete; each change of names in a directory that was not synced may or may not be on
//! the disk, in any order. Only a rename is atomic. ("All File Systems Are Not Created Equal", OSDI 2014, has these
//! rules.)

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use camino::{Utf8Path, Utf8PathBuf};

use super::tree::{Deed, Node, Number, Tree};
use super::{Fs, Lock, Memory, Meta, NewFile, NewMode, OpenFile};

/// Which calls fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    /// The n-th call.
    Once(usize),
    /// The n-th call and all later calls.
    From(usize),
}

/// The operations on a name that a file system supports in a single call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Abilities {
    All,
    /// Second names, but no rename that spares what is in the way: as over NFS.
    Links,
    None,
}

impl Abilities {
    pub(crate) const EACH: [Abilities; 3] = [Abilities::All, Abilities::Links, Abilities::None];
}

/// A file system with calls that fail.
#[derive(Debug, Clone)]
pub(crate) struct Faulty {
    inner: Memory,
    fault: Fault,
    abilities: Abilities,
    calls: Arc<AtomicUsize>,
}

impl Faulty {
    pub(crate) fn new(inner: &Memory, fault: Fault, abilities: Abilities) -> Self {
        Faulty { inner: inner.clone(), fault, abilities, calls: Arc::default() }
    }

    /// Returns the number of calls.
    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    fn call(&self) -> io::Result<()> {
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        match self.fault {
            Fault::Once(n) if number == n => Err(io::Error::other("injected")),
            Fault::From(n) if number >= n => Err(io::Error::other("injected")),
            _ => Ok(()),
        }
    }
}

impl Fs for Faulty {
    fn open_root(&mut self, dir: &Utf8Path) -> io::Result<Utf8PathBuf> {
        self.inner.open_root(dir)
    }

    fn lock(&self, wait: bool) -> io::Result<Lock> {
        self.call().and_then(|()| self.inner.lock(wait))
    }

    fn look(&self, path: &Utf8Path) -> io::Result<Option<Meta>> {
        self.call().and_then(|()| self.inner.look(path))
    }

    fn is_free(&self, path: &Utf8Path) -> bool {
        self.inner.is_free(path)
    }

    fn read_link(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        self.call().and_then(|()| self.inner.read_link(path))
    }

    fn names(&self, folder: &Utf8Path) -> io::Result<Vec<String>> {
        self.call().and_then(|()| self.inner.names(folder))
    }

    fn open(&self, path: &Utf8Path) -> io::Result<Box<dyn OpenFile>> {
        self.call().and_then(|()| self.inner.open(path))
    }

    fn create(
        &self,
        path: &Utf8Path,
        mode: NewMode,
        like: Option<&Utf8Path>,
    ) -> io::Result<Box<dyn NewFile>> {
        self.call()?;
        Ok(Box::new(FaultyFile { fs: self.clone(), file: self.inner.create(path, mode, like)? }))
    }

    fn create_folder(&self, path: &Utf8Path) -> io::Result<()> {
        self.call().and_then(|()| self.inner.create_folder(path))
    }

    fn rename(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
        self.call().and_then(|()| self.inner.rename(from, to))
    }

    fn rename_new(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
        if self.abilities != Abilities::All {
            return Err(io::ErrorKind::Unsupported.into());
        }
        self.call().and_then(|()| self.inner.rename_new(from, to))
    }

    fn link(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
        if self.abilities == Abilities::None {
            return Err(io::ErrorKind::Unsupported.into());
        }
        self.call().and_then(|()| self.inner.link(from, to))
    }

    fn remove_file(&self, path: &Utf8Path) -> io::Result<()> {
        self.call().and_then(|()| self.inner.remove_file(path))
    }

    fn remove_folder(&self, path: &Utf8Path) -> io::Result<()> {
        self.call().and_then(|()| self.inner.remove_folder(path))
    }

    fn sync_folder(&self, path: &Utf8Path) -> io::Result<()> {
        self.call().and_then(|()| self.inner.sync_folder(path))
    }

    fn syncs_contents(&self) -> bool {
        self.inner.syncs_contents()
    }

    fn sync_contents(&self, folder: &Utf8Path) -> io::Result<()> {
        self.call().and_then(|()| self.inner.sync_contents(folder))
    }
}

struct FaultyFile {
    fs: Faulty,
    file: Box<dyn NewFile>,
}

impl Write for FaultyFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.fs.call().and_then(|()| self.file.writer().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.writer().flush()
    }
}

impl NewFile for FaultyFile {
    fn writer(&mut self) -> &mut dyn Write {
        self
    }

    fn finish(self: Box<Self>, sync: bool) -> io::Result<()> {
        self.fs.call().and_then(|()| self.file.finish(sync))
    }
}

impl Memory {
    /// Records all operations from now on, and keeps a copy of the current tree.
    pub(crate) fn watch(&self) -> Watch {
        let mut tree = self.tree();
        let before = tree.clone();
        tree.log = Some(Vec::new());
        drop(tree);
        Watch { memory: self.clone(), before }
    }
}

/// A tree, and the operations since.
pub(crate) struct Watch {
    memory: Memory,
    before: Tree,
}

/// Calls `check` with every tree that a crash may leave, and with the number of operations that were requested before
/// the crash, and the total. Returns the number of trees.
pub(crate) fn crash_trees(watch: &Watch, mut check: impl FnMut(Memory, usize, usize)) -> usize {
    let (log, nodes) = {
        let tree = watch.memory.tree();
        (tree.log.clone().unwrap_or_default(), tree.nodes.clone())
    };
    let mut count = 0;
    for asked in 0..=log.len() {
        let crash = Crash::new(&watch.before, &nodes, &log[..asked]);
        crash.each_tree(|memory| {
            count += 1;
            check(memory, asked, log.len());
        });
    }
    count
}

/// What is on the disk for certain, and what may be.
struct Crash<'l> {
    certain: Tree,
    names: Vec<&'l [(Number, String, Option<Number>)]>,
    bytes: BTreeMap<Number, &'l [u8]>,
}

impl<'l> Crash<'l> {
    fn new(before: &Tree, nodes: &[Node], log: &'l [Deed]) -> Self {
        let mut crash = Crash { certain: before.clone(), names: Vec::new(), bytes: BTreeMap::new() };
        for node in &nodes[before.nodes.len()..] {
            crash.certain.nodes.push(match node {
                Node::Folder(_) => Node::Folder(BTreeMap::new()),
                Node::File { mode, .. } => Node::File { bytes: Vec::new(), mode: *mode },
                Node::Link(target) => Node::Link(target.clone()),
            });
        }
        for deed in log {
            crash.take(deed);
        }
        crash
    }

    fn take(&mut self, deed: &'l Deed) {
        match deed {
            Deed::Names(names) => self.names.push(names),
            Deed::Bytes(file, bytes) => drop(self.bytes.insert(*file, bytes)),
            Deed::SyncedFile(file) => {
                if let Some(bytes) = self.bytes.remove(file) {
                    set_bytes(&mut self.certain, *file, bytes);
                }
            }
            Deed::SyncedFolder(folder) => {
                let touches = |names: &[(Number, String, Option<Number>)]| {
                    names.iter().any(|(number, ..)| number == folder)
                };
                let names = std::mem::take(&mut self.names);
                let (certain, open): (Vec<_>, _) = names.into_iter().partition(|names| touches(names));
                self.names = open;
                for names in certain {
                    set_names(&mut self.certain, names);
                }
            }
        }
    }

    fn each_tree(&self, mut found: impl FnMut(Memory)) {
        for chosen in 0_u32..1 << self.names.len() {
            let mut tree = self.certain.clone();
            for (nth, names) in self.names.iter().enumerate() {
                if chosen & (1 << nth) != 0 {
                    set_names(&mut tree, names);
                }
            }
            self.with_bytes(tree, &mut found);
        }
    }

    /// Each file that was not synced has its old content, no content, a part, or the new content.
    fn with_bytes(&self, tree: Tree, found: &mut impl FnMut(Memory)) {
        let mut trees = vec![tree];
        for (file, bytes) in &self.bytes {
            let states = [None, Some(0), Some(bytes.len() / 2), Some(bytes.len())];
            let with = |tree: &Tree, state: Option<usize>| {
                let mut tree = tree.clone();
                if let Some(len) = state {
                    set_bytes(&mut tree, *file, &bytes[..len]);
                }
                tree
            };
            trees = trees.iter().flat_map(|tree| states.map(|state| with(tree, state))).collect();
        }
        trees.into_iter().map(Memory::of).for_each(found);
    }
}

fn set_bytes(tree: &mut Tree, file: Number, new: &[u8]) {
    if let Node::File { bytes, .. } = &mut tree.nodes[file] {
        *bytes = new.to_vec();
    }
}

fn set_names(tree: &mut Tree, names: &[(Number, String, Option<Number>)]) {
    for (folder, name, number) in names {
        tree.set_name(*folder, name, *number);
    }
}

impl Memory {
    /// Returns an independent tree with the same nodes.
    pub(crate) fn copy(&self) -> Memory {
        Memory::of(self.tree().clone())
    }
}

impl Watch {
    /// Returns the operations as text.
    pub(crate) fn deeds(&self) -> Vec<String> {
        self.memory.tree().log.iter().flatten().map(|deed| format!("{deed:?}")).collect()
    }

    /// Returns the tree after the first operations, all of which are on the disk: the result of a kill.
    pub(crate) fn after(&self, deeds: usize) -> Memory {
        let tree = self.memory.tree();
        let log: Vec<_> = tree.log.iter().flatten().take(deeds).collect();
        let mut crash = Crash::new(&self.before, &tree.nodes, &[]);
        for deed in log {
            match deed {
                Deed::Names(names) => set_names(&mut crash.certain, names),
                Deed::Bytes(file, bytes) => set_bytes(&mut crash.certain, *file, bytes),
                Deed::SyncedFile(_) | Deed::SyncedFolder(_) => {}
            }
        }
        Memory::of(crash.certain)
    }
}
