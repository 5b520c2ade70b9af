//! Checks whether the disk matches a plan.

use std::io;
use std::ops::Range;

use camino::{Utf8Path, Utf8PathBuf};

use super::root::Destination;
use super::{ApplyError, Roots};
use crate::fs::{Kind, Meta, OpenFile};
use crate::parallel;
use crate::plan::Precondition;

/// What has to be true of a path.
#[derive(Debug)]
pub(super) struct Condition {
    pub(super) path: Utf8PathBuf,
    pub(super) before: Precondition,
    /// Whether the path is removed; for a link, the link itself.
    pub(super) gone: bool,
}

impl Condition {
    /// Returns the cost of the check, in bytes read.
    fn weight(&self) -> usize {
        parallel::A_FILE + self.before.len()
    }
}

impl Roots {
    /// Checks all preconditions, then drops the old contents; they are not needed any more.
    pub(super) fn check_all(&self, conditions: Vec<Condition>) -> Result<(), ApplyError> {
        let bytes = conditions.iter().map(Condition::weight).sum();
        let check = |Condition { path, before, gone }: &Condition| self.check(path, before, *gone);
        parallel::try_map(&conditions, bytes, check)?;
        let held = conditions.iter().map(|condition| condition.before.len()).sum();
        if self.options.drop_in_background {
            parallel::drop_in_background(held, conditions);
        }
        Ok(())
    }

    /// Checks a precondition against the disk, to the byte.
    fn check(&self, path: &Utf8Path, before: &Precondition, gone: bool) -> Result<(), ApplyError> {
        // Almost always the file exists, and opening the file shows that. If opening fails, a look-up finds the reason.
        if let (Precondition::MustBe(bytes), false) = (before, gone)
            && let Ok(file) = self.fs.open(&self.target(path)?)
        {
            let same = same_bytes(&*file, bytes).map_err(ApplyError::io("read", path))?;
            return if same { Ok(()) } else { Err(ApplyError::Changed { path: path.to_owned() }) };
        }
        let Seen { place, meta } = self.look_at(path, before, gone)?;
        let (Precondition::MustBe(bytes), Some(meta)) = (before, meta) else { return Ok(()) };
        let same = match meta.kind {
            Kind::Link => self.leads_to(path, bytes)?,
            _ => self.holds(&place.target, &meta, bytes).map_err(ApplyError::io("read", path))?,
        };
        if same { Ok(()) } else { Err(ApplyError::Changed { path: path.to_owned() }) }
    }

    /// Checks the part of a precondition that needs no reading: the kind of entry, and its length.
    pub(super) fn look_at(
        &self,
        path: &Utf8Path,
        before: &Precondition,
        gone: bool,
    ) -> Result<Seen, ApplyError> {
        let target = self.target(path)?;
        let looked = self.fs.look(&target);
        // The existing entry has all of its directories, and no directory is a link.
        let missing = if let Ok(Some(_)) = looked { 0 } else { self.missing_folders(path)? };
        let meta = looked.map_err(ApplyError::io("look at", path))?;
        let place = Destination { target, missing };
        let path = || path.to_owned();
        match (before, &meta) {
            (Precondition::MustNotExist, Some(_)) => return Err(ApplyError::Exists { path: path() }),
            (Precondition::MustBe(_), None) => return Err(ApplyError::Missing { path: path() }),
            (Precondition::MustBe(bytes), Some(meta)) => {
                let may_be = match meta.kind {
                    Kind::File => meta.len == bytes.len() as u64,
                    // A link is deleted by its own name, and read through its target. Writes use a resolved path, so a
                    // link found there is new.
                    Kind::Link => gone,
                    Kind::Folder | Kind::Other(_) => false,
                };
                if !may_be {
                    return Err(ApplyError::Changed { path: path() });
                }
            }
            (Precondition::MustNotExist, None) => {}
        }
        Ok(Seen { place, meta })
    }

    fn leads_to(&self, link: &Utf8Path, bytes: &[u8]) -> Result<bool, ApplyError> {
        let resolved = self.resolve(link).map_err(ApplyError::from_reading)?;
        match resolved.meta {
            Some(meta) if meta.kind == Kind::File => {
                self.holds(&resolved.path, &meta, bytes).map_err(ApplyError::io("read", link))
            }
            _ => Ok(false),
        }
    }

    fn holds(&self, file: &Utf8Path, meta: &Meta, bytes: &[u8]) -> io::Result<bool> {
        // Most changes show in the length, and then nothing has to be read.
        Ok(meta.len == bytes.len() as u64 && same_bytes(&*self.fs.open(file)?, bytes)?)
    }
}

/// What a look at a path shows.
pub(super) struct Seen {
    pub(super) place: Destination,
    pub(super) meta: Option<Meta>,
}

/// Compares a file with `bytes` in pieces, so that the file is not in memory twice.
fn same_bytes(file: &dyn OpenFile, bytes: &[u8]) -> io::Result<bool> {
    if bytes.len() < parallel::WORTH {
        return same_range(file, bytes, 0..bytes.len());
    }
    let same = |range: &Range<usize>| same_range(file, bytes, range.clone());
    let ranges = parallel::try_map(&parallel::ranges(bytes.len()), bytes.len(), same)?;
    Ok(ranges.into_iter().all(|same| same))
}

/// Compares a range; the last range must also end at the end of the file.
fn same_range(file: &dyn OpenFile, bytes: &[u8], range: Range<usize>) -> io::Result<bool> {
    let end = range.end + usize::from(range.end == bytes.len());
    let mut at = range.start;
    let mut piece = vec![0; (end - at).min(1 << 16)];
    while at < end {
        let wanted = piece.len().min(end - at);
        match file.read_at(&mut piece[..wanted], at as u64) {
            Ok(0) => return Ok(at == bytes.len()),
            Ok(count) if bytes[at..].starts_with(&piece[..count]) => {
                at += count;
                // A regular file that gives less than was asked for has ended.
                if at == bytes.len() && count < wanted {
                    return Ok(true);
                }
            }
            Ok(_) => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}
