//! A file that this run made.

use std::fmt;
use std::fs::File;
use std::io::{self, IoSlice, Write};

use super::NewFile;

/// Sets the attributes of a file whose content was handed to the system, and waits for the disk if that is wanted.
type Settle = Box<dyn FnOnce(&File, bool) -> io::Result<()> + Send>;

/// A file of the disk that is being written, without a buffer.
pub(super) struct DiskFile {
    file: File,
    settle: Settle,
}

impl DiskFile {
    pub(super) fn new(file: File, settle: Settle) -> Self {
        DiskFile { file, settle }
    }
}

impl fmt::Debug for DiskFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.file.fmt(f)
    }
}

impl Write for DiskFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        self.file.write_vectored(pieces)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl NewFile for DiskFile {
    fn finish(self: Box<Self>, sync: bool) -> io::Result<()> {
        (self.settle)(&self.file, sync)?;
        close(self.file)
    }
}

/// Closes a file. A network file system may write only now, and report a full disk.
#[cfg(unix)]
fn close(file: File) -> io::Result<()> {
    match nix::unistd::close(file) {
        // The file is closed all the same.
        Ok(()) | Err(nix::errno::Errno::EINTR | nix::errno::Errno::EINPROGRESS) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "as on Unix")]
fn close(file: File) -> io::Result<()> {
    drop(file);
    Ok(())
}
