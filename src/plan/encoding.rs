//! Added text in a file of another encoding than UTF-8.

use std::ops::Range;

use crate::locate::{Doubt, Miss, Reason};
use crate::text::{Document, Replacement};

/// Returns the first replacement that adds characters beyond ASCII to a document of another encoding: the bytes of the characters
/// there are not known, and UTF-8 would be a second encoding in the file.
pub(super) fn foreign(document: &Document, replacements: &[Replacement<'_>]) -> Option<Range<usize>> {
    let mut beyond = replacements.iter().filter(|one| one.lines.iter().any(|line| !line.is_ascii()));
    let first = beyond.next()?;
    is_of_other_encoding(document).then(|| first.start..first.end())
}

/// Returns why such a replacement is not made.
pub(super) fn miss(document: &Document, place: Range<usize>) -> Miss {
    let reason = Reason::Doubt { place, line: None, doubt: Doubt::OtherEncoding };
    Miss::new(reason, document, &[])
}

/// Checks whether most bytes of a document beyond ASCII are not UTF-8.
fn is_of_other_encoding(document: &Document) -> bool {
    let content = document.content();
    if str::from_utf8(content).is_ok() {
        return false;
    }
    let (mut valid, mut invalid) = (0_usize, 0_usize);
    for chunk in content.utf8_chunks() {
        valid += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        invalid += usize::from(!chunk.invalid().is_empty());
    }
    invalid >= valid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_encoding_has_few_characters_of_utf8() {
        let is_other = |bytes: &[u8]| is_of_other_encoding(&Document::from(bytes.to_vec()));
        assert!(is_other(b"\xfcber \xe4hnlich\n"));
        assert!(!is_other("\u{fc}ber \u{e4}hnlich\n".as_bytes()));
        assert!(!is_other(b"\xc3\xbcber \xc3\xa4hnlich \xff\n"));
    }
}
