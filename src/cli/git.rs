//! Reads the differences between two revisions, or between a revision and the work tree, from git.
//!
//! No other module starts a program. The arguments come from the command line and from git itself, never from the text
//! of a patch.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::thread;

use camino::{Utf8Path, Utf8PathBuf};

use super::pair::{Pair, name_of, too_long, unreadable};
use super::stop::Stop;
use crate::generate::{Entry, What};
use crate::run::Status;
use crate::text::{Bytes, shown};

/// Returns the differences below a folder of a work tree: between two revisions for `A..B`, otherwise between a
/// revision and the work tree.
pub(super) fn pair(dir: &Utf8Path, range: &str, untracked: bool, longest: u64) -> Result<Pair, Stop> {
    let mut git =
        Git { dir, longest, settings: vec!["core.fsmonitor=false".to_owned()], untrusted: Vec::new() };
    git.distrust_filters();
    let (old, new) = match range.split_once("..") {
        Some((old, new)) => (git.tree(old)?, Some(git.tree(new)?)),
        None => (git.tree(range)?, None),
    };
    let mut pair = Pair::default();
    let changes = git.changes(&old, new.as_deref(), &mut pair)?;
    if new.is_some() {
        git.between_revisions(&changes, &mut pair)?;
    } else {
        let changes = git.leave_out_filtered(changes, &mut pair)?;
        git.with_work_tree(&changes, untracked, &mut pair)?;
    }
    Ok(pair)
}

/// git, at work in a folder.
struct Git<'d> {
    dir: &'d Utf8Path,
    longest: u64,
    /// Settings that go before those of the repository.
    settings: Vec<String>,
    /// The names of the filters that only the repository defines. Their programs are not started.
    untrusted: Vec<String>,
}

/// A path that differs.
struct Change {
    path: Utf8PathBuf,
    old: Side,
    new: Side,
}

/// The files that git lists for a side of the comparison.
struct Side {
    mode: String,
    id: String,
}

/// The mode of what is not there.
const NOTHING: &str = "000000";
const LINK: &str = "120000";
const SUBMODULE: &str = "160000";
const PROGRAM: &str = "100755";

impl Git<'_> {
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.arg("-C").arg(self.dir);
        for setting in &self.settings {
            command.arg("-c").arg(setting);
        }
        // Nothing is written, not even what git knows of the time of files. Nothing is fetched, because the repository
        // names the program that fetches.
        command.args(args).env("GIT_OPTIONAL_LOCKS", "0").env("GIT_NO_LAZY_FETCH", "1").stdin(Stdio::null());
        command
    }

    /// Returns the output of git.
    fn ask(&self, args: &[&str]) -> Result<Vec<u8>, Stop> {
        let output = self.command(args).output().map_err(|error| not_started(&error))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(Stop::new(Status::NotAPatch, format!("git {} failed: {}\n", args[0], said.trim())))
    }

    /// Switches off the filters that the repository itself defines, unless the user or the system defines them alike.
    fn distrust_filters(&mut self) {
        let all = |git: &Self, scope: &str| {
            let args = [
                "config",
                scope,
                "--includes",
                "--null",
                "--get-regexp",
                r"^filter\..*\.(clean|smudge|process)$",
            ];
            // Without a repository, or without filters, git fails.
            git.ask(&args).unwrap_or_default()
        };
        let (user, system) = (all(self, "--global"), all(self, "--system"));
        let trusted: HashSet<&[u8]> =
            [&user, &system].into_iter().flat_map(|all| all.split(|b| *b == 0)).collect();
        let mut own = all(self, "--local");
        own.extend(all(self, "--worktree"));
        for setting in own.split(|byte| *byte == 0).filter(|setting| !setting.is_empty()) {
            let key =
                String::from_utf8_lossy(setting.split(|byte| *byte == b'\n').next().unwrap_or_default());
            let Some((name, _)) = key.strip_prefix("filter.").and_then(|rest| rest.rsplit_once('.')) else {
                continue;
            };
            if trusted.contains(setting) {
                continue;
            }
            self.settings.push(format!("{key}="));
            self.settings.push(format!("filter.{name}.required=false"));
            self.untrusted.push(name.to_owned());
        }
    }

    /// Leaves out the files whose content only a filter of the repository can tell.
    fn leave_out_filtered(&self, changes: Vec<Change>, pair: &mut Pair) -> Result<Vec<Change>, Stop> {
        if self.untrusted.is_empty() {
            return Ok(changes);
        }
        let mut kept = Vec::new();
        for change in changes {
            let answer = self.ask(&["check-attr", "-z", "filter", "--", change.path.as_str()])?;
            let filter =
                answer.split(|byte| *byte == 0).nth(2).map(String::from_utf8_lossy).unwrap_or_default();
            if self.untrusted.iter().any(|untrusted| *untrusted == filter) {
                let (path, filter) = (shown(change.path.as_str()), shown(&filter));
                let words = "which the repository defines, was not started";
                pair.left_out.push(format!("left out: `{path}`: its filter `{filter}`, {words}\n"));
            } else {
                kept.push(change);
            }
        }
        Ok(kept)
    }

    /// Returns the tree of a revision, of `HEAD` if the name is empty.
    fn tree(&self, revision: &str) -> Result<String, Stop> {
        let revision = if revision.is_empty() { "HEAD" } else { revision };
        if revision.starts_with('-') {
            return Err(Stop::new(Status::NotAPatch, format!("{revision:?} is no revision\n")));
        }
        let id = self.ask(&["rev-parse", "--verify", "--quiet", &format!("{revision}^{{tree}}")]);
        let id = id.map_err(|_| {
            Stop::new(Status::NotAPatch, format!("{revision:?} is no revision that git knows here\n"))
        })?;
        Ok(String::from_utf8_lossy(&id).trim().to_owned())
    }

    /// Returns the changed paths below the folder.
    fn changes(&self, old: &str, new: Option<&str>, pair: &mut Pair) -> Result<Vec<Change>, Stop> {
        let prefix = self.ask(&["rev-parse", "--show-prefix"])?;
        let prefix = prefix.strip_suffix(b"\n").unwrap_or(&prefix);
        let mut args = vec![if new.is_some() { "diff-tree" } else { "diff-index" }];
        args.extend(["-r", "--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=dirty", old]);
        args.extend(new);
        // Behind `--` a revision is never read as a path.
        args.push("--");
        let raw = self.ask(&args)?;
        let mut fields = raw.split(|byte| *byte == 0);
        let (mut changes, mut outside) = (Vec::new(), 0);
        while let (Some(head), Some(path)) = (fields.next().filter(|head| !head.is_empty()), fields.next()) {
            let head = String::from_utf8_lossy(head);
            let Some([old_mode, new_mode, old_id, new_id]) = four(head.trim_start_matches(':')) else {
                continue;
            };
            match path.strip_prefix(prefix).map(name_of) {
                None => outside += 1,
                Some(Err(lossy)) => pair.beyond.push((lossy, What::Name)),
                Some(Ok(path)) => changes.push(Change {
                    path: path.into(),
                    old: Side { mode: old_mode, id: old_id },
                    new: Side { mode: new_mode, id: new_id },
                }),
            }
        }
        if outside > 0 {
            pair.left_out
                .push(format!("left out: what differs outside of this folder, in {outside} files\n"));
        }
        Ok(changes)
    }

    fn between_revisions(&self, changes: &[Change], pair: &mut Pair) -> Result<(), Stop> {
        let sides = || changes.iter().flat_map(|change| [&change.old, &change.new]);
        let ids: HashSet<&str> = sides().filter(|side| side.is_blob()).map(|side| &*side.id).collect();
        let blobs = self.blobs(&ids)?;
        for change in changes {
            for (side, tree) in [(&change.old, &mut pair.old), (&change.new, &mut pair.new)] {
                let entry = side.entry(|| Ok(blobs.get(&*side.id).cloned().unwrap_or_default()))?;
                tree.extend(entry.map(|entry| (change.path.clone(), entry)));
            }
        }
        Ok(())
    }

    /// Compares the work tree with the files of a check-out, because git may convert line endings.
    fn with_work_tree(&self, changes: &[Change], untracked: bool, pair: &mut Pair) -> Result<(), Stop> {
        for change in changes {
            let path = &change.path;
            let in_work_tree = format!("--path={path}");
            let checked_out = || {
                let filtered = ["cat-file", "--filters", &in_work_tree, &change.old.id];
                let plain = ["cat-file", "blob", &change.old.id];
                self.ask(if change.old.mode == LINK { &plain } else { &filtered }).map(Bytes::from)
            };
            if let Some(entry) = change.old.entry(checked_out)? {
                pair.old.insert(path.clone(), entry);
            }
            if let Some(entry) =
                change.new.entry(|| self.read(path, change.new.mode == LINK).map(Bytes::from))?
            {
                pair.new.insert(path.clone(), entry);
            }
        }
        let others = self.ask(&["ls-files", "--others", "--exclude-standard", "-z"])?;
        let others = others.split(|byte| *byte == 0).filter(|path| !path.is_empty());
        if untracked {
            return self.add_untracked(others, pair);
        }
        let count = others.count();
        if count > 0 {
            let words = "that git does not track; --untracked takes them in\n";
            pair.left_out.push(format!("left out: {} {words}", files(count)));
        }
        Ok(())
    }

    fn add_untracked<'o>(&self, paths: impl Iterator<Item = &'o [u8]>, pair: &mut Pair) -> Result<(), Stop> {
        for path in paths {
            let path = match name_of(path) {
                Ok(path) => Utf8Path::new(path),
                Err(lossy) => {
                    pair.beyond.push((lossy, What::Name));
                    continue;
                }
            };
            let meta = fs::symlink_metadata(self.dir.join(path)).map_err(|error| unreadable(path, &error))?;
            let entry = if meta.is_file() {
                let bytes = self.read(path, false)?.into();
                Entry::File { bytes, executable: super::folders::is_executable(&meta) }
            } else if meta.is_symlink() {
                Entry::Link(self.read(path, true)?)
            } else {
                // Another repository is listed as a folder.
                Entry::Other("folder")
            };
            pair.new.insert(path, entry);
        }
        Ok(())
    }

    /// Returns the contents of the work tree at a path; the target for a link.
    fn read(&self, path: &Utf8Path, link: bool) -> Result<Vec<u8>, Stop> {
        let failed = |error: io::Error| unreadable(path, &error);
        let whole = self.dir.join(path);
        if link {
            return fs::read_link(whole).map_err(failed).map(|to| to.into_os_string().into_encoded_bytes());
        }
        let len = fs::symlink_metadata(&whole).map_err(failed)?.len();
        if len > self.longest {
            return Err(too_long(path, len, self.longest));
        }
        fs::read(whole).map_err(failed)
    }

    /// Returns the contents of blobs by id, with a single git process.
    fn blobs(&self, ids: &HashSet<&str>) -> Result<HashMap<String, Bytes>, Stop> {
        let mut child = self
            .command(&["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| not_started(&error))?;
        let (asked, answers) = (child.stdin.take(), child.stdout.take());
        let read = thread::scope(|scope| {
            // git answers while requests are still being written; a writer that does not read at the same time would
            // block.
            scope.spawn(move || {
                let lines = ids.iter().flat_map(|id| [id.as_bytes(), b"\n"]).collect::<Vec<_>>().concat();
                asked.map(|mut asked| asked.write_all(&lines))
            });
            let mut answers = BufReader::new(answers.into_iter().next().ok_or(io::ErrorKind::BrokenPipe)?);
            ids.iter().map(|id| self.answer(id, &mut answers)).collect::<io::Result<_>>()
        });
        let ended = child.wait();
        let blobs: HashMap<String, Bytes> = read
            .and_then(|read| ended.map(|_| read))
            .map_err(|error| Stop::new(Status::System, format!("cannot read from git: {error}\n")))?;
        Ok(blobs)
    }

    /// Reads an answer: a line with kind and length, the bytes, a line feed.
    fn answer(&self, id: &str, answers: &mut impl BufRead) -> io::Result<(String, Bytes)> {
        let mut head = String::new();
        answers.read_line(&mut head)?;
        let len: Option<u64> =
            head.trim_end().strip_prefix(id).and_then(|rest| rest.strip_prefix(" blob ")?.parse().ok());
        let len = len.ok_or_else(|| io::Error::other(format!("git says {:?} of {id}", head.trim_end())))?;
        if len > self.longest {
            let words = format!("{id} is {len} bytes long, more than the {} that are allowed", self.longest);
            return Err(io::Error::other(words));
        }
        let mut bytes = Vec::new();
        answers.take(len).read_to_end(&mut bytes)?;
        let mut feed = [0];
        answers.read_exact(&mut feed)?;
        Ok((id.to_owned(), bytes.into()))
    }
}

impl Side {
    fn is_blob(&self) -> bool {
        !matches!(self.mode.as_str(), NOTHING | SUBMODULE)
    }

    fn entry(&self, bytes: impl FnOnce() -> Result<Bytes, Stop>) -> Result<Option<Entry>, Stop> {
        Ok(match self.mode.as_str() {
            NOTHING => None,
            SUBMODULE => Some(Entry::Submodule(self.id.clone())),
            LINK => Some(Entry::Link(bytes()?.to_vec())),
            mode => Some(Entry::File { bytes: bytes()?, executable: mode == PROGRAM }),
        })
    }
}

/// Returns the modes and the ids of a line of `--raw`.
fn four(head: &str) -> Option<[String; 4]> {
    let fields: Vec<String> = head.split(' ').take(4).map(str::to_owned).collect();
    fields.try_into().ok()
}

fn files(count: usize) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}

fn not_started(error: &io::Error) -> Stop {
    Stop::new(Status::System, format!("cannot start git: {error}\n"))
}
