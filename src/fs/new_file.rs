//! A file that this run made.

use std::fs::File;
use std::io::{self, Write};

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

impl NewFile for DiskFile {
    fn writer(&mut self) -> &mut dyn Write {
        &mut self.file
    }

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
