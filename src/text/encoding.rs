//! The encoding of a file: UTF-8, or UTF-16 with a byte-order mark.
//!
//! UTF-16 is decoded into bytes that are UTF-8 wherever the source is valid. Invalid units become bytes that cannot
//! occur in UTF-8, so that a UTF-8 check finds every fault in any encoding:
//!
//! * an unpaired surrogate: its three generalized UTF-8 bytes (`ED A0 80` to `ED BF BF`);
//! * an odd last byte: [`ODD_BYTE`].
//!
//! In both cases the number of UTF-16 units can be computed from the decoded bytes alone, see [`utf16_len`].

use std::borrow::Cow;
use std::fmt;

/// Represents, in decoded text, the last byte of a UTF-16 source of odd length. UTF-8 never contains this byte.
const ODD_BYTE: u8 = 0xFF;

/// The encoding of a file.
///
/// UTF-16 is recognized by its byte-order mark only; everything else, binary files included, counts as UTF-8. UTF-32 is
/// not supported: its little-endian mark begins with the mark of UTF-16, so a UTF-32 file reads as UTF-16 full of NULs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Encoding {
    /// UTF-8, with or without a mark.
    #[default]
    Utf8,
    /// UTF-16, low byte first, with the mark `FF FE`.
    Utf16Le,
    /// UTF-16, high byte first, with the mark `FE FF`.
    Utf16Be,
}

impl Encoding {
    /// Returns the encoding of these bytes, and the length in bytes (0, 2 or 3) of the byte-order mark at the
    /// beginning.
    ///
    /// ```
    /// use apply_patch::text::Encoding;
    /// assert_eq!(Encoding::detect(b"\xff\xfea\0"), (Encoding::Utf16Le, 2));
    /// assert_eq!(Encoding::detect(b"a\0"), (Encoding::Utf8, 0));
    /// ```
    pub fn detect(bytes: &[u8]) -> (Self, usize) {
        match bytes {
            [0xEF, 0xBB, 0xBF, ..] => (Self::Utf8, 3),
            [0xFF, 0xFE, ..] => (Self::Utf16Le, 2),
            [0xFE, 0xFF, ..] => (Self::Utf16Be, 2),
            _ => (Self::Utf8, 0),
        }
    }

    /// Appends `text` to `out` in this encoding, without a mark.
    pub fn encode(self, text: &str, out: &mut Vec<u8>) {
        match self {
            Self::Utf8 => out.extend_from_slice(text.as_bytes()),
            Self::Utf16Le => out.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
            Self::Utf16Be => out.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
        }
    }

    /// Returns the source without its mark as UTF-8; invalid units become the bytes described in the module
    /// documentation.
    pub(super) fn content(self, source: &[u8]) -> Cow<'_, [u8]> {
        match self {
            Self::Utf8 => Cow::Borrowed(source),
            Self::Utf16Le => Cow::Owned(from_utf16(source, u16::from_le_bytes)),
            Self::Utf16Be => Cow::Owned(from_utf16(source, u16::from_be_bytes)),
        }
    }

    /// Returns how many source bytes `content`, a piece of decoded text, was made from. An odd last byte counts as two.
    pub(super) fn source_len(self, content: &[u8]) -> usize {
        match self {
            Self::Utf8 => content.len(),
            Self::Utf16Le | Self::Utf16Be => 2 * utf16_len(content),
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16Le => "UTF-16LE",
            Self::Utf16Be => "UTF-16BE",
        })
    }
}

/// A text that is not valid in its encoding.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} is not valid {encoding}: the first bad byte is at offset {offset}")]
pub struct DecodeError {
    encoding: Encoding,
    line: usize,
    offset: usize,
}

impl DecodeError {
    /// Returns the encoding that the bytes were decoded with.
    #[cfg(any(test, feature = "internals"))]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns the line with the first invalid byte, 1-based.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Returns the offset of the first invalid byte, 0-based, in the input with the mark.
    pub fn offset(&self) -> usize {
        self.offset
    }
}

/// Decodes bytes that must be text as a whole: UTF-8, or UTF-16 with a mark. The mark is not part of the result.
///
/// # Errors
/// [`DecodeError`] names the first byte that is not valid in the encoding.
///
/// ```
/// use apply_patch::text::decode;
/// assert_eq!(decode(b"\xef\xbb\xbfone\n").unwrap(), "one\n");
/// assert_eq!(decode(b"\xfe\xff\0o\0k").unwrap(), "ok");
/// assert_eq!(decode(b"one\ntw\xff\n").unwrap_err().line(), 2);
/// ```
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, DecodeError> {
    let (encoding, mark) = Encoding::detect(bytes);
    match encoding.content(&bytes[mark..]) {
        Cow::Borrowed(content) => match str::from_utf8(content) {
            Ok(text) => Ok(Cow::Borrowed(text)),
            Err(error) => Err(bad_byte(encoding, mark, &content[..error.valid_up_to()])),
        },
        Cow::Owned(content) => match String::from_utf8(content) {
            Ok(text) => Ok(Cow::Owned(text)),
            Err(error) => {
                let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                Err(bad_byte(encoding, mark, valid))
            }
        },
    }
}

/// Returns the error for an invalid byte right after a mark of `mark` bytes and the decoded text `valid`.
fn bad_byte(encoding: Encoding, mark: usize, valid: &[u8]) -> DecodeError {
    let line = 1 + memchr::memchr_iter(b'\n', valid).count();
    DecodeError { encoding, line, offset: mark + encoding.source_len(valid) }
}

/// Decodes UTF-16 without a mark, as the module documentation describes.
fn from_utf16(source: &[u8], unit: impl Fn([u8; 2]) -> u16) -> Vec<u8> {
    let (pairs, odd) = source.as_chunks::<2>();
    // ASCII, the most common case, fits exactly; longer text grows the allocation.
    let mut content = Vec::with_capacity(pairs.len() + odd.len());
    for decoded in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        match decoded {
            Ok(c) if c.is_ascii() => content.push(c as u8),
            Ok(c) => content.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Err(error) => content.extend_from_slice(&surrogate(error.unpaired_surrogate())),
        }
    }
    content.extend(odd.iter().map(|_| ODD_BYTE));
    content
}

/// Encodes a surrogate in generalized UTF-8: the bytes of the code point if UTF-8 allowed surrogates.
fn surrogate(unit: u16) -> [u8; 3] {
    let [high, low] = unit.to_be_bytes();
    [0xE0 | high >> 4, 0x80 | (high & 0x0F) << 2 | low >> 6, 0x80 | low & 0x3F]
}

/// Returns the number of UTF-16 units that decoded bytes were made from: one for each surrogate and each character up
/// to three bytes long, two for each character of four bytes.
fn utf16_len(content: &[u8]) -> usize {
    let starts = content.iter().filter(|byte| !matches!(byte, 0x80..=0xBF)).count();
    let pairs = content.iter().filter(|byte| matches!(byte, 0xF0..=0xF7)).count();
    starts + pairs
}
