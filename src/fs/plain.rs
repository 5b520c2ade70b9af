//! The files that were read without an access list and without extended attributes.
//!
//! Almost all files have neither. Listing the attributes takes one call while a file is open for reading, but three when
//! the file is opened again for this. A file that was changed since has another time of change, which no program can set.

use std::collections::BTreeMap;
use std::fs::File;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::fs::Stat;

use super::attributes::has_extended;

/// The longest step of a file system that keeps whole seconds only.
const LONGEST_WHOLE_STEP: Duration = Duration::from_secs(3);

/// The most files that are remembered; then all are forgotten. Each takes about 50 bytes.
const MOST: usize = 100_000;

/// The files without extended attributes, by device and inode number, with the time of the last change to each.
#[derive(Debug, Default)]
pub(super) struct Plain(Mutex<BTreeMap<(u64, u64), Duration>>);

impl Plain {
    /// Remembers an open file, if the file has no extended attributes. `stat` is older than the open file.
    pub(super) fn note(&self, stat: &Stat, file: &File) {
        let Some(changed) = changed(stat) else { return };
        if !now().is_some_and(|now| is_settled(changed, now)) || has_extended(file) {
            return;
        }
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if files.len() >= MOST {
            files.clear();
        }
        files.insert(id(stat), changed);
    }

    /// Returns whether the file was read without extended attributes, and was not changed since.
    pub(super) fn holds(&self, stat: &Stat) -> bool {
        let files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.get(&id(stat)).is_some_and(|then| Some(*then) == changed(stat))
    }
}

/// Returns a time, since 1970, that no later change to a file is older than. Linux takes times of change from a clock that
/// moves in steps.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn now() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};

    clock_gettime(ClockId::RealtimeCoarse).try_into().ok()
}

/// Returns a time, since 1970, that no later change to a file is older than, if the clock has at least 100 steps a second.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn now() -> Option<Duration> {
    use std::time::SystemTime;

    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
    now.checked_sub(Duration::from_millis(10))
}

/// Returns whether every change from `now` on gets another time than `changed`.
fn is_settled(changed: Duration, now: Duration) -> bool {
    let step = if changed.subsec_nanos() == 0 { LONGEST_WHOLE_STEP } else { Duration::ZERO };
    changed.saturating_add(step) < now
}

#[allow(clippy::unnecessary_cast, clippy::cast_sign_loss, clippy::cast_lossless, reason = "widths differ")]
pub(super) fn id(stat: &Stat) -> (u64, u64) {
    (stat.st_dev as u64, stat.st_ino as u64)
}

/// Returns the time of the last change to the content or the attributes, since 1970.
fn changed(stat: &Stat) -> Option<Duration> {
    Some(Duration::new(stat.st_ctime.try_into().ok()?, stat.st_ctime_nsec.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_changed_just_now_may_change_again_without_another_time() {
        let (day, milli) = (Duration::from_secs(86_400), Duration::from_millis(1));
        for (changed, later, settled) in [
            (day + milli, Duration::ZERO, false),
            (day + milli, milli, true),
            // Perhaps the file system keeps no parts of a second.
            (day, 2999 * milli, false),
            (day, 3001 * milli, true),
        ] {
            assert_eq!(is_settled(changed, changed + later), settled, "{changed:?} {later:?}");
        }
        assert!(!is_settled(day + milli, day), "changed in the future");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_attribute_that_is_set_after_the_file_was_read_is_copied() {
        use camino::Utf8Path;
        use rustix::fs::{XattrFlags, getxattr, setxattr};

        use crate::fs::real::Real;
        use crate::fs::{Fs, NewMode};

        let folder = tempfile::tempdir().unwrap();
        let mut fs = Real::default();
        let root = fs.open_root(folder.path().try_into().unwrap()).unwrap();
        let (old, new) = (root.join("old"), root.join("new"));
        std::fs::write(&old, "").unwrap();
        let set = |path: &Utf8Path| {
            std::thread::sleep(Duration::from_millis(20));
            setxattr(path.as_std_path(), "user.note", b"kept", XattrFlags::empty()).is_ok()
        };
        let attributes = || fs.look(&old).unwrap().unwrap().attributes;
        std::thread::sleep(Duration::from_millis(20));
        assert!(!attributes().is_plain, "it was not read yet");
        drop(fs.open_if_file(&old).unwrap());
        assert!(attributes().is_plain);
        if !set(&old) {
            return; // There are no extended attributes here.
        }
        assert!(!attributes().is_plain);
        fs.create(&new, NewMode::Like(attributes()), Some(&old)).unwrap().finish(false).unwrap();
        assert_eq!(getxattr(new.as_std_path(), "user.note", &mut [0_u8; 8][..]), Ok(4));
        // A file that has an attribute when it is read is not plain either.
        std::thread::sleep(Duration::from_millis(20));
        drop(fs.open_if_file(&old).unwrap());
        assert!(!attributes().is_plain);
    }
}
