//! A file that this run made.

use std::fs::File;
use std::io::{self, BufWriter, IoSlice, Write};

use super::{Attributes, NewFile, NewMode};

/// What is done to a file once its content is handed to the system: its attributes, and the wait if there is to be one.
type Settle = fn(&File, Option<Attributes>, bool) -> io::Result<()>;

/// A file of the disk that is being written.
#[derive(Debug)]
pub(super) struct DiskFile {
    out: BufWriter<File>,
    like: Option<Attributes>,
    settle: Settle,
}

impl DiskFile {
    pub(super) fn new(file: File, mode: NewMode, settle: Settle) -> Self {
        DiskFile { out: BufWriter::with_capacity(1 << 16, file), like: mode.attributes(), settle }
    }
}

impl Write for DiskFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        self.out.write_vectored(pieces)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl NewFile for DiskFile {
    fn finish(self: Box<Self>, sync: bool) -> io::Result<()> {
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        (self.settle)(&file, self.like, sync)
    }
}
