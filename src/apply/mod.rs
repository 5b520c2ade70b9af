//! Applies a plan to the disk: all changes or nothing. [`Plan::apply_to`](crate::plan::Plan::apply_to) does so in memory.
//!
//! ```
//! # use apply_patch::apply::Roots;
//! # use apply_patch::plan::Change;
//! # let folder = tempfile::tempdir()?;
//! # let folder = camino::Utf8Path::from_path(folder.path()).ok_or("not UTF-8")?;
//! let roots = Roots::open(folder)?;
//! let change = Change::of("notes/today.txt", None, Some("hello\n".into()));
//! let committed = roots.prepare(&[change])?.commit()?;
//! assert_eq!(committed.written, ["notes/today.txt"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The steps
//! 1. **Lock** ([`Roots::prepare`]): the root directories themselves are locked, so that no lock file is left behind; a
//!    second run waits, or fails ([`Options::wait`]). An interrupted run is finished or rolled back first.
//! 2. **Check**: the old content that each change names is checked against the disk, under the lock, as far
//!    as possible without reading: kind and length of each entry.
//! 3. **Stage**: a list of all new entries is written; missing directories are made; every new content is written to a
//!    *stage file* beside its target, with the mode of the target, and synced; every file that will be replaced gets a
//!    second name for a rollback. No target is touched. Dropping the [`Prepared`] removes all of this.
//! 4. **The commit point** ([`Prepared::commit`]): everything is checked byte for byte; then the list is renamed, and
//!    becomes the journal. From this rename on the patch counts as applied.
//! 5. **Publish**: the stage files replace their targets, and deletions come last. If a step fails, the journal is
//!    renamed again, and everything is rolled back.
//! 6. **Clean**: directories are synced, the second names are removed, the journal last.
//!
//! A patch that changes a single name needs no journal: its rename is the commit point.
//!
//! Side files are named `.apply-patch-…`, are created only at free names, and are never named by a patch: the
//! plan refuses such names.
//!
//! # Guarantees
//! 1. Before the commit point any error and any kill leaves the tree unchanged, except for side files that the next run
//!    removes.
//! 2. After the commit point, the next run, or [`Roots::recover`], finishes without the patch.
//! 3. If a file was changed in between, recovery stops there, changes nothing, and reports the file.
//! 4. With [`Options::sync`], all of this holds for a power cut, and a patch that was reported as applied stays
//!    applied, as far as the disk reports writes truthfully.
//! 5. After an error of the system the tree is unchanged. If the rollback also fails, [`ApplyError::RollBack`] lists
//!    the affected paths, no old content is removed, and recovery continues.
//! 6. A file is replaced by a single rename: a reader sees the old or the new content, never a part. A new file never
//!    replaces an entry that appeared meanwhile.
//! 7. Nothing outside the roots, and nothing in `.git`, is read or written through a path or a symbolic link. On Unix
//!    every call begins at a handle of its root and follows no link: a directory that another process swaps for a link
//!    makes the call fail. Fifos, sockets and devices are never opened.
//! 8. Permission bits are kept, through a move too; owner and group if the system allows. A symbolic link stays a link:
//!    its target is changed. Two spellings that the file system treats as equal are the same file.
//!
//! # Limits
//! - Readers may see some files changed and some not, for the milliseconds of step 5, because no system changes several
//!   names atomically.
//! - Between the last check and the rename of a file, a program that does not take the lock may still write to the
//!   file, and that write is lost.
//! - The lock belongs to a root: runs with different roots do not exclude each other, even if a root is inside the
//!   other. Some network file systems have no locks; outside Unix there is no lock yet.
//! - The list is in the base root. A run with another base root does not see the list.
//! - Without [`Options::sync`] a power cut may lose or tear unwritten data.
//! - Hard links are broken on purpose: the other names keep the old content. The bits set-user-id, set-group-id and
//!   sticky are not copied to the new file.
//! - Directories emptied by a delete or a move stay; so do directories that were made, once the commit is done.
//! - A file that cannot be replaced, because it is a mount point or immutable, fails the patch.

mod abandon;
mod check;
mod checksum;
mod commit;
mod committed;
mod error;
mod in_memory;
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

pub use committed::Committed;
pub(crate) use error::chain;
pub use error::{ApplyError, Leftover, Obstacle};
pub use prepare::Prepared;
pub use recover::Recovery;
pub use root::{Options, Roots};

/// What the rest of the crate uses beyond the API; public with the feature `internals`.
#[cfg_attr(not(feature = "internals"), allow(unused_imports, reason = "only the tests use some"))]
mod internals {
    pub use super::error::Left;
    pub use super::prepare::{Phase, Progress};
    #[cfg(any(test, feature = "internals"))]
    pub use crate::fs::Naming;
}
#[cfg(not(feature = "internals"))]
pub(crate) use self::internals::*;
#[cfg(feature = "internals")]
pub use self::internals::*;
