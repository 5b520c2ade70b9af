//! The SHA-256 digest of a file.

use std::fmt::{self, Display, Formatter};

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use sha2::{Digest as _, Sha256};

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
    /// Returns the digest of bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Digest(Sha256::digest(bytes).into())
    }

    /// Returns the digest that 64 hexadecimal digits spell; `None` for any other text.
    pub(crate) fn of_digits(text: &str) -> Option<Self> {
        let bytes = HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok()?;
        bytes.try_into().map(Digest).ok()
    }
}

impl Display for Digest {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
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
            assert!(bad.parse::<Digest>().is_err(), "{bad}");
        }
    }
}
