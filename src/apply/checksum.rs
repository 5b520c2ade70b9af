//! What a file held, in 16 bytes.

use std::fmt::{self, Display, Formatter};
use std::io::{self, Read, Write};

use data_encoding::HEXLOWER;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use twox_hash::xxhash3_128::Hasher;

use crate::plan::Content;

/// The XXH3 hash of the bytes of a file, 128 bits: detects whether a file is unchanged since an interrupted run. Fast,
/// but not secure against forgery: a forger gains only that a change of their own file is not noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Checksum(u128);

impl Checksum {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Checksum(Hasher::oneshot(bytes))
    }

    /// Returns the checksum of the new content of a file.
    pub(super) fn of_content(content: &Content) -> io::Result<Self> {
        let mut taken = Taking(Hasher::new());
        content.write_to(&mut taken)?;
        Ok(taken.end())
    }

    /// Returns the checksum of everything that can be read.
    pub(super) fn of_file(mut file: impl Read) -> io::Result<Self> {
        let mut taken = Taking(Hasher::new());
        io::copy(&mut file, &mut taken)?;
        Ok(taken.end())
    }

    /// Writes 32 hexadecimal digits.
    fn digits(self, room: &mut [u8; 32]) -> &str {
        HEXLOWER.encode_mut_str(&self.0.to_be_bytes(), room)
    }

    /// Reads 32 hexadecimal digits.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let is_ours = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        u128::from_str_radix(text, 16).ok().filter(|_| is_ours).map(Checksum)
    }
}

impl Display for Checksum {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.digits(&mut [0; 32]))
    }
}

impl Serialize for Checksum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.digits(&mut [0; 32]))
    }
}

impl<'de> Deserialize<'de> for Checksum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Checksum::parse(&text).ok_or_else(|| serde::de::Error::custom("no checksum"))
    }
}

struct Taking(Hasher);

impl Taking {
    fn end(self) -> Checksum {
        Checksum(self.0.finish_128())
    }
}

impl Write for Taking {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checksum_is_read_as_it_was_written() {
        let checksum = Checksum::of(b"abc");
        // The value of the reference implementation (`xxh128sum`).
        assert_eq!(checksum.to_string(), "06b05ab6733a618578af5f94892f3950");
        assert_eq!(Checksum::parse(&checksum.to_string()), Some(checksum));
        for bad in ["", "06b0", "+6b05ab6733a618578af5f94892f3950", "06b05ab6733a618578af5f94892f39500"] {
            assert_eq!(Checksum::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn it_does_not_depend_on_how_the_bytes_come() {
        let bytes: Vec<u8> = (0..=250).cycle().take(5000).collect();
        let whole = Checksum::of(&bytes);
        assert_eq!(Checksum::of_file(&bytes[..]).unwrap(), whole);
        for size in [1, 7, 64, 1023] {
            let mut taken = Taking(Hasher::new());
            bytes.chunks(size).for_each(|piece| taken.write_all(piece).unwrap());
            assert_eq!(taken.end(), whole);
        }
    }
}
