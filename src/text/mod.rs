//! The bytes of one file: taken apart into lines, compared, and put back.
//!
//! A [`Document`] reads a file's bytes as lines and never changes them. What it keeps to the byte:
//!
//! * the **byte-order mark** ([`Document::mark`]), which belongs to the file and not to its first line;
//! * the **encoding**: UTF-8, or UTF-16 in either byte order where the file begins with its mark;
//! * **every line's own ending**, LF or CR LF, also where a file mixes them, and a last line that has none. A
//!   CR that no LF follows is text;
//! * **bytes that are not text**: what is not UTF-8, an unpaired UTF-16 surrogate, an odd last byte. They
//!   cost their own line its [`text`](Document::text) and touch nothing else. NUL is a character like any
//!   other.
//!
//! So for every file the mark and then [`Document::source`] of all its lines are the bytes that were read.
//! New text enters through [`Document::encode`], in the file's encoding, with the ending that
//! [`Document::ending_beside`] names.
//!
//! [`Fold`] decides when two lines are *the same but for the way they are written*: white space, dashes,
//! quotes, Unicode forms. Folding is for comparing only; folded text is never written to a file.
//!
//! [`decode`] reads a text that has to be valid as a whole, such as a patch on standard input.
//!
//! ```
//! use apply_patch::text::{Document, Ending, Fold};
//!
//! let document = Document::from("\u{feff}let a = \u{201c}x\u{201d};  \r\nend");
//! assert_eq!(document.mark(), "\u{feff}".as_bytes());
//! assert_eq!(document.ending(0), Ending::CrLf);
//! assert_eq!(document.line(1), b"end");
//! assert_eq!(Fold::LookAlikes.apply_bytes(document.line(0)), Fold::LookAlikes.apply_bytes(b"let a = \"x\";"));
//! ```

mod compare;
mod document;
mod encoding;
mod endings;
mod fold;
mod lines;
mod scan;
mod shown;
mod splice;
#[cfg(test)]
mod tests;

pub use bytes::Bytes;
pub(crate) use compare::{DiffHunk, HunkHeader, LineDiff, compare};
pub use document::Document;
pub use encoding::{DecodeError, Encoding, decode};
pub use endings::Ending;
pub use fold::{Fold, indentation, is_blank, look_alike, without_entities};
pub(crate) use scan::{HASH_FACTOR, hash_line, hash_round};
pub use shown::{Shown, shown};
pub(crate) use splice::in_order;
pub use splice::{Replacement, apply_replacements, write_replaced};
