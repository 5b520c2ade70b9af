//! A transaction on a file system whose calls fail at will.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use camino::{Utf8Path, Utf8PathBuf};

use super::{ApplyError, Committed, Left, Roots};
use crate::fs::{Attributes, Fs, Meta, NewFile, Real};
use crate::plan::{After, Change, Content, Precondition};

/// Which calls fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// The n-th one.
    Once(usize),
    /// The n-th one and all behind it.
    From(usize),
}

/// The real file system, with calls that fail.
#[derive(Debug)]
struct Faulty {
    fault: Fault,
    has_links: bool,
    calls: Arc<AtomicUsize>,
}

impl Faulty {
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
    fn canonical(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        Real.canonical(path)
    }

    fn look(&self, path: &Utf8Path) -> io::Result<Option<Meta>> {
        self.call().and_then(|()| Real.look(path))
    }

    fn read_link(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        self.call().and_then(|()| Real.read_link(path))
    }

    fn names(&self, folder: &Utf8Path) -> io::Result<Vec<String>> {
        self.call().and_then(|()| Real.names(folder))
    }

    fn open(&self, path: &Utf8Path) -> io::Result<Box<dyn io::Read>> {
        self.call().and_then(|()| Real.open(path))
    }

    fn create(&self, path: &Utf8Path, like: Option<Attributes>) -> io::Result<Box<dyn NewFile>> {
        self.call()?;
        let file = Real.create(path, like)?;
        let fs = Faulty { fault: self.fault, has_links: self.has_links, calls: self.calls.clone() };
        Ok(Box::new(FaultyFile { fs, file }))
    }

    fn create_folder(&self, path: &Utf8Path) -> io::Result<()> {
        self.call().and_then(|()| Real.create_folder(path))
    }

    fn rename(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
        self.call().and_then(|()| Real.rename(from, to))
    }

    fn link(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
        if !self.has_links {
            return Err(io::ErrorKind::Unsupported.into());
        }
        self.call().and_then(|()| Real.link(from, to))
    }

    fn remove_file(&self, path: &Utf8Path) -> io::Result<()> {
        self.call().and_then(|()| Real.remove_file(path))
    }

    fn remove_folder(&self, path: &Utf8Path) -> io::Result<()> {
        self.call().and_then(|()| Real.remove_folder(path))
    }
}

struct FaultyFile {
    fs: Faulty,
    file: Box<dyn NewFile>,
}

impl Write for FaultyFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.fs.call().and_then(|()| self.file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl NewFile for FaultyFile {
    fn finish(self: Box<Self>) -> io::Result<()> {
        self.fs.call().and_then(|()| self.file.finish())
    }
}

const OLD: [(&str, &str); 6] = [
    ("a.txt", "a\n"),
    ("sub/b.txt", "b\n"),
    ("gone.txt", "gone\n"),
    ("sub/gone.txt", "gone too\n"),
    ("old/name.sh", "#!/bin/sh\n"),
    ("same.txt", "same\n"),
];

const NEW: [(&str, &str); 6] = [
    ("a.txt", "A\n"),
    ("sub/b.txt", "B\n"),
    ("new/deep/file.txt", "new\n"),
    ("top.txt", "top\n"),
    ("moved/name.sh", "#!/bin/sh\nexit\n"),
    ("same.txt", "same\n"),
];

fn shared(text: &str) -> Arc<Vec<u8>> {
    Arc::new(text.as_bytes().to_vec())
}

/// The changes that lead from `OLD` to `NEW`: updates, adds, deletes, a move, and one that is none.
fn changes() -> Vec<Change> {
    let old: BTreeMap<_, _> = OLD.into();
    let new: BTreeMap<_, _> = NEW.into();
    let before =
        |path| old.get(path).map_or(Precondition::MustNotExist, |text| Precondition::MustBe(shared(text)));
    let file = |path: &str, text: &str| After::File {
        content: Content::Bytes(shared(text)),
        mode_of: (path == "moved/name.sh").then(|| "old/name.sh".into()),
        executable: None,
    };
    let gone = OLD.into_iter().filter(|(path, _)| !new.contains_key(path));
    let gone = gone.map(|(path, _)| Change { path: path.into(), before: before(path), after: After::Gone });
    let written = NEW.into_iter().map(|(path, text)| Change {
        path: path.into(),
        before: before(path),
        after: file(path, text),
    });
    gone.chain(written).collect()
}

/// A tree as it was, in a folder of its own.
struct Tree(tempfile::TempDir);

impl Tree {
    fn new() -> Self {
        let tree = Tree(tempfile::tempdir().unwrap());
        for (path, text) in OLD {
            let path = tree.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        tree
    }

    fn path(&self) -> &Utf8Path {
        Utf8Path::from_path(self.0.path()).unwrap()
    }

    fn files(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in folder.read_dir_utf8().unwrap() {
                let path = entry.unwrap().into_path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(self.path()).unwrap().to_string();
                    files.insert(name, std::fs::read_to_string(&path).unwrap());
                }
            }
        }
        files
    }

    fn has_new_folders(&self) -> bool {
        self.path().join("new").exists() || self.path().join("moved").exists()
    }

    /// Carries the changes out, and tells how many calls that took.
    fn run(&self, fault: Fault, has_links: bool) -> (Result<Committed, ApplyError>, usize) {
        let calls = Arc::new(AtomicUsize::new(0));
        let fs = Faulty { fault: Fault::None, has_links, calls: calls.clone() };
        let mut roots = Roots::open_on(Box::new(fs), self.path()).unwrap();
        calls.store(0, Ordering::Relaxed);
        roots.fs = Box::new(Faulty { fault, has_links, calls: calls.clone() });
        let result = roots.prepare(&changes()).and_then(super::Prepared::commit);
        (result, calls.load(Ordering::Relaxed))
    }
}

fn is(files: &BTreeMap<String, String>, expected: &[(&str, &str)]) -> bool {
    files.len() == expected.len()
        && expected.iter().all(|(path, text)| files.get(*path).is_some_and(|found| found == text))
}

fn check_one_fault(n: usize, has_links: bool) {
    let tree = Tree::new();
    let (result, _) = tree.run(Fault::Once(n), has_links);
    let files = tree.files();
    match result {
        Ok(_) => assert!(is(&files, &NEW), "call {n}: {files:?}"),
        Err(ApplyError::CleanUp { left, .. }) => {
            let mut files = files;
            for leftover in left {
                assert_eq!(leftover.what, Left::StageFile);
                files.remove(
                    leftover.path.strip_prefix(tree.path().canonicalize_utf8().unwrap()).unwrap().as_str(),
                );
            }
            assert!(is(&files, &NEW), "call {n}: {files:?}");
        }
        Err(ApplyError::RollBack { .. }) => panic!("call {n}: one fault, and it is not undone"),
        Err(_) => {
            assert!(is(&files, &OLD), "call {n}: {files:?}");
            assert!(!tree.has_new_folders(), "call {n}");
        }
    }
}

#[test]
fn without_a_fault_the_tree_is_the_new_one() {
    for has_links in [true, false] {
        let tree = Tree::new();
        let committed = tree.run(Fault::None, has_links).0.unwrap();
        assert!(is(&tree.files(), &NEW), "{:?}", tree.files());
        assert_eq!(committed.unchanged, ["same.txt"]);
        assert_eq!(committed.removed, ["gone.txt", "sub/gone.txt", "old/name.sh"]);
        assert_eq!(committed.folders, ["new", "new/deep", "moved"]);
        assert!(tree.path().join("old").is_dir(), "a folder that was emptied stays");
    }
}

#[test]
fn one_call_that_fails_leaves_the_old_tree_or_the_new_one() {
    for has_links in [true, false] {
        let (_, calls) = Tree::new().run(Fault::None, has_links);
        assert!(calls > 80, "{calls} calls");
        (0..calls).for_each(|n| check_one_fault(n, has_links));
    }
}

/// Nothing can be undone then; but the old contents are there, and the error says where.
#[test]
fn when_all_calls_fail_from_one_on_no_old_content_is_lost() {
    for has_links in [true, false] {
        let (_, calls) = Tree::new().run(Fault::None, has_links);
        for n in 0..calls {
            let tree = Tree::new();
            let (result, _) = tree.run(Fault::From(n), has_links);
            match result {
                Err(ApplyError::CleanUp { .. }) => {}
                Err(error) => check_kept(&tree, &error),
                Ok(_) => panic!("call {n}: a fault that nobody reports"),
            }
        }
    }
}

fn check_kept(tree: &Tree, error: &ApplyError) {
    let base = tree.path().canonicalize_utf8().unwrap();
    let none = Vec::new();
    let left = if let ApplyError::RollBack { left, .. } = error { left } else { &none };
    for (path, text) in OLD {
        let kept = left.iter().find_map(|leftover| match &leftover.what {
            Left::KeptAt(kept) if leftover.path == base.join(path) => Some(kept.clone()),
            _ => None,
        });
        let place = kept.unwrap_or_else(|| tree.path().join(path));
        assert_eq!(std::fs::read_to_string(&place).ok().as_deref(), Some(text), "{path} at {place}: {error}");
    }
    // What is there and was not is named, file by file.
    let files = tree.files().len();
    let known = left.iter().filter(|leftover| leftover.what != Left::Folder).count();
    assert!(files <= OLD.len() + known, "{:?} {error}", tree.files());
}

#[test]
fn a_patch_of_one_file_is_one_rename() {
    let tree = Tree::new();
    let roots = Roots::open(tree.path()).unwrap();
    let update = changes().into_iter().find(|change| change.path == "a.txt").unwrap();
    let prepared = roots.prepare(&[update]).unwrap();
    assert_eq!(tree.files().len(), OLD.len() + 1, "the stage file");
    prepared.commit().unwrap();
    assert_eq!(tree.files()["a.txt"], "A\n");
    assert_eq!(tree.files().len(), OLD.len());
}
