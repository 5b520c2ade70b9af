//! Reads a whole file, and allocates the memory.

use std::io::{self, Read};

use super::OpenFile;
use crate::text::Bytes;

/// Reads a whole file of about `length` bytes. The memory is requested at once, and the error is returned if there is
/// too little memory, because a file may claim any length. If the file has grown beyond `most` bytes, the file is too
/// large.
pub(crate) fn read_whole(file: &dyn OpenFile, length: u64, most: u64) -> io::Result<Bytes> {
    let length = usize::try_from(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
    #[cfg(target_os = "linux")]
    if length >= long::LENGTH {
        return long::read(file, length, most);
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length.saturating_add(1)).map_err(|_| io::ErrorKind::OutOfMemory)?;
    if length < SHORT {
        // Allocates an additional byte: a file that fills all other bytes has ended.
        bytes.resize(length + 1, 0);
        let filled = fill(file, &mut bytes, 0, length)?;
        bytes.truncate(filled);
    }
    if length >= SHORT || bytes.len() > length {
        let at = bytes.len() as u64;
        let more = most.saturating_add(1).saturating_sub(at);
        Behind { file, at }.take(more).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > most { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes.into()) }
}

/// A file with fewer bytes is read in a single call.
const SHORT: usize = 1 << 16;

/// Fills memory from an offset of a file, until `enough` bytes are read or the file ends; returns the number of bytes.
fn fill(file: &dyn OpenFile, room: &mut [u8], at: usize, enough: usize) -> io::Result<usize> {
    let mut filled = 0;
    while filled < enough {
        match file.read_at(&mut room[filled..], (at + filled) as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// The rest of a file from an offset.
struct Behind<'f> {
    file: &'f dyn OpenFile,
    at: u64,
}

impl Read for Behind<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(buffer, self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}

/// A large file. Half of the time for reading is spent on the first touch of each page of memory. So all pages are
/// requested at once, by each processor for its own part. Large pages would be fewer, but take twice as long to get as
/// soon as the memory was used before.
#[cfg(target_os = "linux")]
mod long {
    use std::io::{self, Read};
    use std::sync::{Mutex, PoisonError};

    use memmap2::{Advice, MmapOptions};

    use super::Behind;
    use crate::fs::OpenFile;
    use crate::parallel;
    use crate::text::Bytes;

    /// From how many bytes on a file is read so.
    pub(super) const LENGTH: usize = 1 << 20;

    pub(super) fn read(file: &dyn OpenFile, length: usize, most: u64) -> io::Result<Bytes> {
        // The memory is not touched yet, unlike with a zeroed `Vec`.
        let mut room = MmapOptions::new().len(length).map_anon()?;
        parallel::map(&parallel::ranges(length), length, |part| {
            // A system without this advice provides each page at its first touch.
            let _ = room.advise_range(Advice::PopulateWrite, part.start, part.len());
        });
        let filled = fill_all(file, &mut room)?;
        if filled < length {
            return Ok(Bytes::from_owner(room).slice(..filled));
        }
        let mut grown = Vec::new();
        let more = most.saturating_add(1).saturating_sub(length as u64);
        Behind { file, at: length as u64 }.take(more).read_to_end(&mut grown)?;
        match length + grown.len() {
            all if all as u64 > most => Err(io::ErrorKind::FileTooLarge.into()),
            _ if grown.is_empty() => Ok(Bytes::from_owner(room)),
            _ => Ok([&room[..], &grown].concat().into()),
        }
    }

    /// Fills the room from the beginning of a file, as far as that goes.
    fn fill_all(file: &dyn OpenFile, room: &mut [u8]) -> io::Result<usize> {
        let length = room.len();
        let mut parts = Vec::new();
        let mut behind = room;
        for range in parallel::ranges(length) {
            let (part, rest) = behind.split_at_mut(range.len());
            parts.push((range.start, Mutex::new(part)));
            behind = rest;
        }
        let filled = parallel::try_map(&parts, length, |(start, part)| {
            let mut part = part.lock().unwrap_or_else(PoisonError::into_inner);
            let enough = part.len();
            let filled = super::fill(file, &mut part, *start, enough)?;
            io::Result::Ok((filled, filled == enough))
        })?;
        let mut all = 0;
        for (filled, is_whole) in filled {
            all += filled;
            if !is_whole {
                break;
            }
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel;

    fn read(there: &[u8], length: u64, most: u64) -> io::Result<Bytes> {
        read_whole(&io::Cursor::new(there.to_vec()), length, most)
    }

    #[test]
    fn a_file_may_be_shorter_or_longer_than_it_was() {
        for length in [3, SHORT, 1 << 20, parallel::WORTH] {
            let whole: Vec<u8> = (0..=250).cycle().take(length + 10).collect();
            for there in [0, length / 2, length - 1, length, length + 1, length + 10] {
                let read = read(&whole[..there], length as u64, u64::MAX).unwrap();
                assert!(read == whole[..there], "{there} of {length}");
            }
        }
    }

    #[test]
    fn a_file_that_has_grown_too_long_is_not_read() {
        for length in [3, SHORT, 1 << 20, parallel::WORTH] {
            let most = length as u64 + 4;
            assert_eq!(read(&vec![b'x'; length + 4], length as u64, most).unwrap().len(), length + 4);
            let error = read(&vec![b'x'; length + 5], length as u64, most).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        }
    }

    #[test]
    fn a_length_that_no_machine_has_is_an_error() {
        assert_eq!(read(b"", u64::MAX >> 1, u64::MAX).unwrap_err().kind(), io::ErrorKind::OutOfMemory);
    }
}
