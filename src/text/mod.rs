//! The bytes of a file: split into lines, compared, and joined again.
//!
//! A [`Document`] reads the bytes of a file as lines and never changes them. A document preserves byte for byte:
//!
//! * the **byte-order mark** ([`Document::mark`]), which belongs to the file and not to its first line;
//! * the **encoding**: UTF-8, or UTF-16 in either byte order if the file begins with a byte-order mark;
//! * **the ending of every line**, LF or CR LF, also in a file with mixed endings, and a last line without an ending. A
//!   CR that no LF follows is text;
//! * **bytes that are not text**: invalid UTF-8, an unpaired UTF-16 surrogate, an odd last byte. Only the line with the
//!   invalid bytes has no [`text`](Document::text). NUL is a normal character.
//!
//! So for every file the mark followed by [`Document::source`] of all lines equals the bytes that were read. New text
//! enters through [`Document::encode`], in the encoding of the file, with the ending that [`Document::ending_beside`]
//! returns.
//!
//! `Fold` decides whether two lines are equal apart from whitespace, dashes, quotes and Unicode forms. Folding is for
//! comparison only; folded text is never written to a file.
//!
//! [`decode`] reads a text that must be valid as a whole, such as a patch on standard input.
//!
//! ```
//! use apply_patch::text::{Document, Ending};
//!
//! let document = Document::from("\u{feff}let a = \u{201c}x\u{201d};  \r\nend");
//! assert_eq!(document.mark(), "\u{feff}".as_bytes());
//! assert_eq!(document.ending(0), Ending::CrLf);
//! assert_eq!(document.line(1), b"end");
//! ```

mod compare;
mod document;
mod encoding;
mod endings;
#[cfg_attr(not(feature = "internals"), allow(dead_code, unreachable_pub))]
mod fold;
mod lines;
mod offsets;
mod scan;
#[cfg_attr(not(feature = "internals"), allow(unreachable_pub))]
mod shown;
#[cfg_attr(not(feature = "internals"), allow(unreachable_pub))]
mod splice;
#[cfg(test)]
mod tests;

pub use bytes::Bytes;
pub(crate) use compare::{DiffHunk, HunkHeader, LineDiff, compare};
pub use document::Document;
pub use encoding::{DecodeError, Encoding, decode};
pub use endings::Ending;
#[cfg(not(feature = "internals"))]
pub(crate) use fold::{Fold, indentation, is_blank, look_alike};
#[cfg(feature = "internals")]
#[doc(hidden)]
pub use fold::{Fold, indentation, is_blank, look_alike, without_entities};
pub(crate) use scan::{HASH_FACTOR, hash_line, hash_round};
#[cfg(feature = "cli")]
pub(crate) use shown::acts;
#[cfg(not(feature = "internals"))]
pub(crate) use shown::shown;
pub(crate) use shown::shown_json;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub use shown::{Shown, shown};
pub use splice::Replacement;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub use splice::{apply_replacements, write_replaced};
#[cfg(not(feature = "internals"))]
pub(crate) use splice::{apply_replacements, write_replaced};
pub(crate) use splice::{in_order, replaced};
