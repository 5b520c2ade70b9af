//! The SHA-256 of a file: what it held, in 32 bytes.

use std::fmt::{self, Display, Formatter};
use std::io::{self, Read, Write};
use std::str::FromStr;

use serde::{Serialize, Serializer};
use sha2::{Digest as _, Sha256};

use super::Content;

/// The SHA-256 of a file's bytes; shown and read as 64 hexadecimal digits.
///
/// ```
/// use apply_patch::plan::Digest;
///
/// let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
/// assert_eq!(Digest::of(b"").to_string(), empty);
/// assert_eq!(empty.parse(), Ok(Digest::of(b"")));
/// assert!("e3b0".parse::<Digest>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Digest(Sha256::digest(bytes).into())
    }

    /// The digest of what a file is to hold.
    pub(crate) fn of_content(content: &Content) -> io::Result<Self> {
        let mut taken = Taking(Sha256::new());
        content.write_to(&mut taken)?;
        Ok(Digest(taken.0.finalize().into()))
    }

    /// The digest of all that can be read.
    pub(crate) fn of_file(mut file: impl Read) -> io::Result<Self> {
        let mut taken = Taking(Sha256::new());
        io::copy(&mut file, &mut taken)?;
        Ok(Digest(taken.0.finalize().into()))
    }
}

struct Taking(Sha256);

impl Write for Taking {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Display for Digest {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        const DIGITS: [char; 16] =
            ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
        let digit = |half: u8| DIGITS[usize::from(half)];
        let text: String = self.0.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
        f.write_str(&text)
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The text is not 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a SHA-256 has 64 hexadecimal digits")]
pub struct NotADigest;

impl FromStr for Digest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Self, NotADigest> {
        let digit = |c: u8| char::from(c).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let pair = |pair: &[u8]| Some(digit(pair[0])? << 4 | digit(pair[1])?);
        let bytes: Option<Vec<u8>> = text.as_bytes().chunks_exact(2).map(pair).collect();
        let whole = bytes.filter(|_| text.len() == 64).ok_or(NotADigest)?;
        whole.try_into().map(Digest).map_err(|_| NotADigest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_64_digits_are_a_digest() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Digest::of(b"abc").to_string(), abc);
        assert_eq!(abc.to_uppercase().parse(), Ok(Digest::of(b"abc")));
        for bad in ["", &abc[1..], &format!("{abc}0"), &format!("{abc}00"), &abc.replace('b', "g")] {
            assert_eq!(bad.parse::<Digest>(), Err(NotADigest), "{bad}");
        }
        assert_eq!(Digest::of_file(&b"abc"[..]).unwrap(), Digest::of(b"abc"));
    }
}
