//! A plan becomes files: all of it, or none of it.
//!
//! ```
//! # use std::sync::Arc;
//! # use apply_patch::apply::Roots;
//! # use apply_patch::plan::{After, Change, Content, Precondition};
//! # let folder = tempfile::tempdir()?;
//! # let folder = camino::Utf8Path::from_path(folder.path()).ok_or("not UTF-8")?;
//! let roots = Roots::open(folder)?;
//! let change = Change {
//!     path: "notes/today.txt".into(),
//!     before: Precondition::MustNotExist,
//!     after: After::File { content: Content::Bytes(Arc::new(b"hello\n".to_vec())), mode_of: None, executable: None },
//! };
//! let committed = roots.prepare(&[change])?.commit()?;
//! assert_eq!(committed.written, ["notes/today.txt"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The steps
//! 1. **Prepare** ([`Roots::prepare`]): every [`Precondition`](crate::plan::Precondition) is checked
//!    against the disk; then the missing folders are made, and every new content is written to a *stage
//!    file* beside its target, with the mode that the target will have. No target is touched. Dropping
//!    the [`Prepared`] removes all of it.
//! 2. **Commit** ([`Prepared::commit`]): the preconditions are checked once more; then the stage files
//!    take their targets' places, and the deletions come last. Until the last step is done, each file
//!    that was replaced or deleted is kept under a stage name; if a step fails, the steps before it are
//!    undone.
//! 3. **Clean**: the kept files are removed.
//!
//! Stage files are named `.apply-patch-…`, are made only where nothing is, and are never named by a
//! patch ([`path::check`](crate::plan::path::check) sees to that).
//!
//! # What is promised
//! - After any error that the system reports (permission, full disk, a file changed by somebody else)
//!   the tree is as it was. If undoing fails as well, [`ApplyError::RollBack`] says what is where, and no
//!   old content is removed.
//! - A file is replaced by one rename: whoever reads it sees the old or the new content, never a part.
//! - A new file never takes the place of something that appeared meanwhile, not even at the last
//!   instant: it is linked or created where nothing is, not renamed over.
//! - Nothing outside the roots is read or written through a path or a symbolic link, nor anything in
//!   `.git`. Fifos, sockets and devices are never opened.
//! - Permission bits are kept, through a move too; owner and group where the system lets us. A symbolic
//!   link stays one: its target is what changes.
//!
//! # What is not
//! - **A kill or a power cut during the commit is not covered yet.** Between the first and the last
//!   rename the tree is mixed; what was replaced is beside it under a stage name, but nothing puts it
//!   back. A patch that changes one file is one rename, and has no such instant. A kill before the commit
//!   leaves stage files and new folders behind, which change nothing else. A journal, with the
//!   recovery that reads it, is to come; so is `fsync`: after a power cut the system may have lost what
//!   it reported as written.
//! - Between the second check and a file's own rename somebody else may still write to it, and that
//!   write is lost. There is no lock yet, against other programs or against a second run of this one.
//! - Links are checked component by component, and the path is used right after: a folder that is
//!   swapped for a link in between is followed. The patch cannot do that, since it makes no links; a
//!   process of the same user can.
//! - Readers may see some files changed and others not, for the milliseconds of the commit.
//! - Hard links are broken on purpose: the other names keep the old content. The bits set-user-id,
//!   set-group-id and sticky, and extended attributes, do not go over to the new file.
//! - Folders emptied by a delete or a move stay; so do folders that were made, once the commit is done.

mod commit;
mod error;
mod prepare;
mod root;
mod stage;
mod walk;

#[cfg(test)]
mod tests;

pub use commit::Committed;
pub use error::{ApplyError, Left, Leftover};
pub use prepare::Prepared;
pub use root::Roots;
