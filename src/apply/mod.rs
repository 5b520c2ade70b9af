//! A plan becomes files: all of it, or none of it.
//!
//! ```
//! # use apply_patch::apply::Roots;
//! # use apply_patch::plan::{After, Change, Content, Precondition};
//! # let folder = tempfile::tempdir()?;
//! # let folder = camino::Utf8Path::from_path(folder.path()).ok_or("not UTF-8")?;
//! let roots = Roots::open(folder)?;
//! let change = Change {
//!     path: "notes/today.txt".into(),
//!     before: Precondition::MustNotExist,
//!     after: After::File { content: Content::Bytes("hello\n".into()), mode_of: None, executable: None },
//! };
//! let committed = roots.prepare(&[change])?.commit()?;
//! assert_eq!(committed.written, ["notes/today.txt"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The steps
//! 1. **Lock** ([`Roots::prepare`]): the root folders themselves are locked, so that no lock file is left
//!    behind; a second run waits, or says so ([`Options::wait`]). What an interrupted run left is finished or
//!    taken back first.
//! 2. **Check**: every [`Precondition`](crate::plan::Precondition) is checked against the disk, under the
//!    lock, as far as that takes no reading: what is there, and how long it is.
//! 3. **Stage**: a list of all that will be made is written; the missing folders are made; every new content
//!    is written to a *stage file* beside its target, with the mode that the target will have, and synced;
//!    every file that will go gets a second name, by which it could come back. No target is touched.
//!    Dropping the [`Prepared`] removes all of it.
//! 4. **The commit point** ([`Prepared::commit`]): everything is checked to the byte; then the list is renamed,
//!    and is the journal. From this one rename on the patch counts as applied.
//! 5. **Publish**: the stage files take their targets' places, and the deletions come last. If a step fails,
//!    the journal is renamed once more, and everything is put back.
//! 6. **Clean**: folders are synced, the second names are removed, the journal last.
//!
//! A patch that changes one name needs no journal: its one rename is the commit point.
//!
//! Side files are named `.apply-patch-…`, are made only where nothing is, and are never named by a patch
//! ([`path::check`](crate::plan::path::check) sees to that).
//!
//! # What is promised
//! 1. Before the commit point any error and any kill leaves the tree as it was, plus side files that the next
//!    run removes.
//! 2. After it, the next run, or [`Roots::recover`], finishes; it never needs the patch.
//! 3. If somebody changed a file in between, recovery stops there, changes nothing, and says so.
//! 4. With [`Options::sync`], all of this holds for a power cut, too; and what was reported as applied stays
//!    so. (As far as the disk does not lie about what it has written.)
//! 5. After an error that the system reports the tree is as it was. Where putting back fails as well,
//!    [`ApplyError::RollBack`] says what is where, no old content is removed, and recovery goes on with it.
//! 6. A file is replaced by one rename: whoever reads it sees the old or the new content, never a part. A new
//!    file never takes the place of something that appeared meanwhile.
//! 7. Nothing outside the roots is read or written through a path or a symbolic link, nor anything in `.git`.
//!    On Unix every call begins at a handle of its root and goes through no link: a folder that another
//!    process swaps for a link in any instant makes the call fail. Fifos, sockets and devices are never
//!    opened.
//! 8. Permission bits are kept, through a move too; owner and group where the system lets us. A symbolic link
//!    stays one: its target is what changes. Two spellings that the file system takes for one name are one
//!    file.
//!
//! # What is not
//! - Readers may see some files changed and others not, for the milliseconds of step 5. No program can do
//!   otherwise for several names.
//! - Between the last check and a file's own rename a program that does not take the lock may still write to
//!   it, and that write is lost.
//! - The lock is one root's: runs whose roots are different folders do not know of each other, also where one
//!   folder is inside the other. Some network file systems have no such lock, and then there is none; outside
//!   of Unix there is none yet.
//! - The list is in the base root. A run with another base root does not see it.
//! - Without [`Options::sync`] a power cut may lose or tear what the system had not written yet.
//! - Hard links are broken on purpose: the other names keep the old content. The bits set-user-id,
//!   set-group-id and sticky, and extended attributes (access lists among them), do not go over to the new
//!   file.
//! - Folders emptied by a delete or a move stay; so do folders that were made, once the commit is done.
//! - A file that may not be replaced, since it is a mount point itself, or immutable, fails the patch.

mod abandon;
mod check;
mod checksum;
mod commit;
mod error;
mod journal;
mod list;
mod name_case;
mod outline;
mod prepare;
mod recover;
mod resolve;
mod root;
mod stage;
mod step;

#[cfg(test)]
mod tests;

pub use commit::Committed;
pub use error::{ApplyError, Left, Leftover, Obstacle};
pub use prepare::{Phase, Prepared, Progress};
pub use recover::Recovery;
pub use root::{Options, Roots};

pub use crate::fs::Naming;
