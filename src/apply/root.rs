//! The folders that a patch may touch.

#[cfg(any(test, feature = "internals"))]
use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::ApplyError;
use super::name_case::CaseSensitiveDirs;
use crate::fs::{Fs, Kind, Meta, read_whole, system, within};
#[cfg(any(test, feature = "internals"))]
use crate::fs::{Memory, Naming};
use crate::parallel;
use crate::plan::path::protection;
use crate::plan::{Files, Found, Node, ReadError};
use crate::text::Bytes;

/// How a plan is carried out.
///
/// ```
/// # use apply_patch::apply::{Naming, Options, Roots};
/// # let files = std::collections::BTreeMap::new();
/// let roots = Roots::in_memory(&files, Naming::Exact)?;
/// // A tree that nobody needs after a power cut, and a caller with something better to do than to wait.
/// let roots = roots.with_options(Options::default().with_sync(false).with_wait(false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Whether to wait until everything is on the disk, so that a power cut cannot undo or tear an applied patch.
    /// Without this option a kill still never tears a patch. On by default.
    pub sync: bool,
    /// Whether to wait for another run that is at work in a root, or to fail with [`ApplyError::Busy`].
    /// On by default.
    pub wait: bool,
    /// The longest file that is read, in bytes. 256 MiB by default.
    pub longest_file: u64,
    /// How many threads read, check and write; `None`, the default: as many as the machine has processors, 8 at the most.
    pub threads: Option<NonZeroUsize>,
    /// Whether the old contents of many or large files are dropped on a background thread: a short-lived process then
    /// ends sooner. Off by default, because the thread may outlive the call in a host process.
    pub drop_in_background: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { sync: true, wait: true, longest_file: 256 << 20, threads: None, drop_in_background: false }
    }
}

/// Where a path leads.
#[derive(Debug)]
pub(super) struct Resolved {
    /// The absolute path, without links.
    pub(super) path: Utf8PathBuf,
    /// What is there, never a link.
    pub(super) meta: Option<Meta>,
    /// Whether the last component of the path that was asked for is a link.
    pub(super) link: bool,
}

/// The number of files from which a single wait for the whole file system, which also writes data of other programs, is
/// assumed to cost less than a wait for each file: a wait for a file costs a third of a millisecond
/// (`benches/limits.sh`).
const TOGETHER: usize = 200;

/// The directories that a patch may touch: a base root, for relative paths, and optional further roots, whose files a
/// patch names by absolute paths.
///
/// As a [`Files`], the roots are the input of a plan; [`prepare`](Roots::prepare) applies the plan.
#[derive(Debug)]
pub struct Roots {
    pub(super) fs: Box<dyn Fs>,
    pub(super) options: Options,
    /// From how many files on the whole file system is synced at once, rather than file by file.
    pub(super) together: usize,
    pub(super) case_sensitive: CaseSensitiveDirs,
    /// Learns that another run holds the lock.
    pub(super) on_wait: Option<fn(&Utf8Path)>,
    /// All roots with links resolved, the base first.
    real: Vec<Utf8PathBuf>,
    /// The absolute paths that the roots were opened with, if these go through links, and the resolved paths.
    aliases: Vec<(Utf8PathBuf, Utf8PathBuf)>,
}

impl Roots {
    /// Opens a directory as the base root.
    ///
    /// # Errors
    /// [`ApplyError::Io`] if the directory does not exist, [`ApplyError::NotAFolder`] if the path is a file.
    pub fn open(base: &Utf8Path) -> Result<Self, ApplyError> {
        Self::open_on(system(), base)
    }

    /// Returns a root `/root` in memory with these files, to see the effect of a patch without a disk. The caller
    /// chooses which names are equal.
    ///
    /// # Errors
    /// [`ApplyError::Io`] if two files exclude each other, such as `a` and `a/b`.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use apply_patch::apply::{Naming, Roots};
    /// use apply_patch::plan::{Files, Node};
    ///
    /// let files = BTreeMap::from([("Notes.txt".into(), b"one\n".to_vec())]);
    /// let roots = Roots::in_memory(&files, Naming::AnyCase)?;
    /// let found = roots.look_up("notes.TXT".into())?;
    /// assert_eq!(found.path, "Notes.txt");
    /// assert!(matches!(found.node, Node::File { .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(any(test, feature = "internals"))]
    pub fn in_memory(files: &BTreeMap<Utf8PathBuf, Vec<u8>>, naming: Naming) -> Result<Self, ApplyError> {
        let memory = Memory::new(naming);
        let base = Utf8Path::new("/root");
        memory.create_folder(base).map_err(ApplyError::io("make", base))?;
        for (path, bytes) in files {
            memory.put(&base.join(path), bytes).map_err(ApplyError::io("make", path))?;
        }
        Self::open_on(Box::new(memory), base)
    }

    pub(super) fn open_on(fs: Box<dyn Fs>, base: &Utf8Path) -> Result<Self, ApplyError> {
        let options = Options::default();
        Roots {
            fs,
            options,
            together: TOGETHER,
            case_sensitive: CaseSensitiveDirs::default(),
            on_wait: None,
            real: Vec::new(),
            aliases: Vec::new(),
        }
        .with_further(base)
    }

    /// Returns the roots with the given options.
    #[must_use]
    pub fn with_options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Returns the roots with a function that is called once, with the base root, if another run has held the lock for a
    /// second. The function runs on another thread, while this thread waits.
    #[must_use]
    pub fn with_on_wait(mut self, on_wait: fn(&Utf8Path)) -> Self {
        self.on_wait = Some(on_wait);
        self
    }

    /// Adds a folder whose files may be named by absolute paths.
    ///
    /// # Errors
    /// As [`Roots::open`].
    pub fn with_further(mut self, dir: &Utf8Path) -> Result<Self, ApplyError> {
        let real = match self.fs.open_root(dir) {
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(ApplyError::NotAFolder { path: dir.to_owned(), at: dir.to_owned() });
            }
            real => real.map_err(ApplyError::io("open", dir))?,
        };
        if dir.is_absolute() && dir != real {
            self.aliases.push((dir.to_owned(), real.clone()));
        }
        self.real.push(real);
        Ok(self)
    }

    /// Returns the base root, absolute and with links resolved.
    pub fn base(&self) -> &Utf8Path {
        &self.real[0]
    }

    /// Returns whether a resolved path is a root or inside a root.
    pub(super) fn hold(&self, path: &Utf8Path) -> bool {
        self.real.iter().any(|root| within(path, root).is_some())
    }

    /// Returns whether a resolved path is a root or a directory above a root: known to be a directory, so that no
    /// look-up is needed.
    pub(super) fn lead_through(&self, path: &Utf8Path) -> bool {
        self.real.iter().any(|root| within(root, path).is_some())
    }

    /// Returns the resolved path for an alias of a root.
    pub(super) fn without_alias(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        self.aliases.iter().find_map(|(alias, real)| Some(real.join(path.strip_prefix(alias).ok()?)))
    }

    /// Returns the further roots.
    pub(super) fn further_roots(&self) -> impl Iterator<Item = &Utf8Path> {
        self.real.iter().skip(1).map(|root| &**root)
    }

    /// Returns the further root that holds a resolved path; `None` inside the base root.
    pub(super) fn further_root(&self, path: &Utf8Path) -> Option<&Utf8Path> {
        if within(path, self.base()).is_some() {
            return None;
        }
        self.real.iter().map(|root| &**root).find(|root| within(path, root).is_some())
    }

    /// Returns the name of a resolved path: relative inside the base root, otherwise absolute.
    pub(super) fn name(&self, path: &Utf8Path) -> Utf8PathBuf {
        within(path, self.base()).unwrap_or(path).to_owned()
    }

    /// Returns the destination of a change. Its path is resolved, so a link among its directories was created after the
    /// plan was made; the last component may be a link.
    pub(super) fn place(&self, path: &Utf8Path) -> Result<Destination, ApplyError> {
        Ok(Destination { target: self.target(path)?, missing: self.missing_folders(path)? })
    }

    /// Returns the absolute path of a change, without a look-up.
    pub(super) fn target(&self, path: &Utf8Path) -> Result<Utf8PathBuf, ApplyError> {
        let (root, names) = self.take_apart(path)?;
        if names.is_empty() {
            return Err(ApplyError::OutsideRoot { path: path.to_owned() });
        }
        Ok(joined(root, &names))
    }

    /// Returns how many directories must be made for a change: the last ones of the path.
    ///
    /// Looks at the innermost directory first, because almost always that directory exists. If not, searches by halves: the
    /// system resolves a path from its root, so looking at each of a thousand nested directories takes seconds for a few
    /// hundred files.
    pub(super) fn missing_folders(&self, path: &Utf8Path) -> Result<usize, ApplyError> {
        let (root, mut names) = self.take_apart(path)?;
        names.pop();
        let (mut there, mut missing) = (0, names.len() + 1);
        let mut probe = names.len();
        while there + 1 < missing {
            match self.fs.look(&joined(root, &names[..probe])).map(|meta| meta.map(|meta| meta.kind)) {
                Ok(Some(Kind::Folder)) => there = probe,
                Ok(None) => missing = probe,
                // A link or a file, here or on the way: the walk finds which.
                _ => return self.missing_by_steps(path, root, &names),
            }
            probe = usize::midpoint(there, missing);
        }
        Ok(names.len() - there)
    }

    /// Returns how many of these directories are missing, or the first entry that is no directory.
    fn missing_by_steps(
        &self,
        path: &Utf8Path,
        root: &Utf8Path,
        names: &[&str],
    ) -> Result<usize, ApplyError> {
        let mut at = root.to_owned();
        for (nth, name) in names.iter().enumerate() {
            at.push(name);
            if !self.is_folder(&at, path)? {
                return Ok(names.len() - nth);
            }
        }
        Ok(0)
    }

    /// Returns the root of a path, and the names below the root. Paths that are not clean are refused again, because a
    /// plan may come from a caller that never used [`path::check`](crate::plan::path::check).
    pub(super) fn take_apart<'a>(
        &'a self,
        path: &'a Utf8Path,
    ) -> Result<(&'a Utf8Path, Vec<&'a str>), ApplyError> {
        let outside = || ApplyError::OutsideRoot { path: path.to_owned() };
        // Almost all paths are relative: that check costs less than comparing names with a root.
        let holder = self.real.iter().find(|root| path.is_absolute() && path.starts_with(root));
        let (root, rest) = match holder {
            Some(root) => (root.as_path(), path.strip_prefix(root).map_err(|_| outside())?),
            None => (self.base(), path),
        };
        let mut names = Vec::new();
        for component in rest.components() {
            match component {
                Utf8Component::Normal(name) if protection(name).is_some() => {
                    return Err(ApplyError::Protected { path: path.to_owned() });
                }
                Utf8Component::Normal(name) => names.push(name),
                _ => return Err(outside()),
            }
        }
        Ok((root, names))
    }

    /// Returns whether a directory above `path` exists.
    fn is_folder(&self, at: &Utf8Path, path: &Utf8Path) -> Result<bool, ApplyError> {
        match self.fs.look(at).map_err(ApplyError::io("look at", path))?.map(|meta| meta.kind) {
            None => Ok(false),
            Some(Kind::Folder) => Ok(true),
            Some(Kind::Link) => Err(ApplyError::Changed { path: path.to_owned() }),
            Some(_) => Err(ApplyError::NotAFolder { path: path.to_owned(), at: self.name(at) }),
        }
    }

    /// Returns the file at a path without links and with the spelling of its directories, as almost all paths are:
    /// opening such a file takes a single look-up, a walk takes a look-up for each directory. `None` if the path may be
    /// different, or cannot be opened, because the walk finds the reason.
    fn plain_file(&self, path: &Utf8Path) -> Option<Found> {
        let (root, names) = self.take_apart(path).ok()?;
        let mut at = with_room(root, &names);
        for name in names {
            if !self.case_sensitive.tell(&at, name) {
                return None;
            }
            at.push(name);
        }
        let longest = self.options.longest_file;
        let (meta, file) = self.fs.open_if_file(&at).ok()?.filter(|(meta, _)| meta.len <= longest)?;
        let bytes = read_whole(&*file, meta.len, longest).ok()?;
        Some(Found { path: self.name(&at), node: Node::File { bytes, link: false } })
    }

    /// Returns the entry at a path, plain or behind links.
    fn find(&self, path: &Utf8Path) -> Result<Found, ReadError> {
        if let Some(found) = self.plain_file(path) {
            return Ok(found);
        }
        let resolved = self.resolve(path)?;
        let limit = self.options.longest_file;
        match resolved.meta {
            Some(Meta { kind: Kind::File, len, .. }) if len > limit => {
                return Err(ReadError::TooLong { path: path.to_owned(), len, limit });
            }
            _ => {}
        }
        let io = |source| ReadError::Io { path: path.to_owned(), source };
        let node = self.node(&resolved).map_err(io)?;
        Ok(Found { path: self.name(&resolved.path), node })
    }

    fn read(&self, path: &Utf8Path, meta: &Meta) -> io::Result<Bytes> {
        read_whole(&*self.fs.open(path)?, meta.len, self.options.longest_file)
    }

    fn node(&self, resolved: &Resolved) -> io::Result<Node> {
        Ok(match &resolved.meta {
            None => Node::Missing,
            Some(Meta { kind: Kind::Folder, .. }) => Node::Folder,
            Some(Meta { kind: Kind::Other(name), .. }) => Node::Other(name),
            // A walk follows links, so a remaining link was created a moment ago.
            Some(Meta { kind: Kind::Link, .. }) => Node::Other("link"),
            Some(meta @ Meta { kind: Kind::File, .. }) => {
                let bytes = self.read(&resolved.path, meta)?;
                Node::File { bytes, link: resolved.link }
            }
        })
    }
}

/// Returns a copy of a path that has room for more names.
fn with_room(root: &Utf8Path, names: &[&str]) -> Utf8PathBuf {
    let more: usize = names.iter().map(|name| 1 + name.len()).sum();
    let mut path = Utf8PathBuf::with_capacity(root.as_str().len() + more);
    path.push(root);
    path
}

/// Returns the path of these names below a root.
fn joined(root: &Utf8Path, names: &[&str]) -> Utf8PathBuf {
    let mut path = with_room(root, names);
    path.extend(names);
    path
}

/// Where a change goes.
#[derive(Debug)]
pub(super) struct Destination {
    /// The absolute path.
    pub(super) target: Utf8PathBuf,
    /// How many directories must be made: the last ones of the path.
    pub(super) missing: usize,
}

/// Symbolic links are resolved component by component below the roots. A link that stays inside is followed, also an
/// absolute link; a link that leaves the roots or leads into `.git` is refused.
impl Files for Roots {
    fn look_up(&self, path: &Utf8Path) -> Result<Found, ReadError> {
        parallel::within(self.options.threads, || self.find(path))
    }

    fn look_up_all(&self, paths: &[&Utf8Path]) -> Vec<Result<Found, ReadError>> {
        parallel::within(self.options.threads, || {
            parallel::map(paths, paths.len() * parallel::A_FILE, |path| self.find(path))
        })
    }

    fn names(&self, dir: &Utf8Path) -> Vec<String> {
        let Ok(resolved) = self.resolve(dir) else { return Vec::new() };
        let mut names = self.fs.names(&resolved.path).unwrap_or_default();
        names.retain(|name| protection(name).is_none());
        names.sort_unstable();
        names
    }

    fn has_usual_mode(&self, path: &Utf8Path) -> bool {
        let usual = self.fs.usual_mode();
        let mode = self.resolve(path).ok().and_then(|found| Some(found.meta?.attributes.mode));
        usual.zip(mode).is_none_or(|(usual, mode)| usual == mode)
    }

    fn is_free_outside(&self, path: &Utf8Path) -> bool {
        self.fs.is_free(path)
    }

    fn borders(&self) -> Vec<(Utf8PathBuf, Utf8PathBuf)> {
        let all = self.real.iter().map(|real| (real, real));
        let all = all.chain(self.aliases.iter().map(|(alias, real)| (alias, real)));
        // Roots may be nested. A path inside the base root has a single name, the relative name.
        let (base, further): (Vec<_>, Vec<_>) = all.partition(|(_, real)| *real == self.base());
        let base = base.into_iter().map(|(name, _)| (name.clone(), Utf8PathBuf::new()));
        base.chain(further.into_iter().map(|(name, real)| (name.clone(), real.clone()))).collect()
    }
}
