//! Opens what is beneath a handle of a folder, through no symbolic link.

use std::io;
use std::os::fd::OwnedFd;

use camino::Utf8Path;
use rustix::fs::{self as system, Mode, OFlags};
use rustix::io::Errno;

/// A handle for resolving names below a directory, and for no other use.
#[cfg(target_os = "linux")]
pub(super) const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
#[cfg(not(target_os = "linux"))]
pub(super) const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// A folder whose names are read, or which is synced or locked.
pub(super) const READ_FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Whether the system has no `openat2`. A sandbox that does not know the call may report that it is not permitted, and
/// then the call fails for every path.
pub(super) fn is_without_openat2(error: Errno) -> bool {
    matches!(error, Errno::NOSYS | Errno::PERM)
}

#[cfg(target_os = "linux")]
pub(super) fn beneath(
    root: &OwnedFd,
    rest: &Utf8Path,
    flags: OFlags,
    mode: Mode,
) -> rustix::io::Result<OwnedFd> {
    use rustix::fs::ResolveFlags;

    let inside = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    loop {
        match system::openat2(root, rest.as_std_path(), flags, mode, inside) {
            Err(Errno::INTR) => {}
            // A concurrent rename made the result uncertain. For a non-blocking open the error may also mean a lease on
            // the file.
            Err(Errno::AGAIN) if !flags.contains(OFlags::NONBLOCK) => {}
            opened => return opened,
        }
    }
}

/// Other systems have no such call.
#[cfg(not(target_os = "linux"))]
pub(super) fn beneath(_: &OwnedFd, _: &Utf8Path, _: OFlags, _: Mode) -> rustix::io::Result<OwnedFd> {
    Err(Errno::NOSYS)
}

pub(super) fn by_steps(root: &OwnedFd, rest: &Utf8Path, flags: OFlags) -> io::Result<OwnedFd> {
    let mut at = system::openat(root, ".", FOLDER, Mode::empty())?;
    for component in rest.components() {
        at = system::openat(&at, component.as_str(), FOLDER | OFlags::NOFOLLOW, Mode::empty())?;
    }
    Ok(if flags == FOLDER { at } else { system::openat(&at, ".", flags, Mode::empty())? })
}
