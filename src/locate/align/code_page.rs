//! Detects text that was decoded with a wrong code page between the file and the quote.
//!
//! There are two directions, both treated as equality: the bytes of the file (UTF-8) were decoded with another code
//! page (`Ã©` for `é`), or the text of the file was encoded in another code page and decoded as UTF-8, which leaves
//! U+FFFD for most letters. Programs on Windows do both. Characters that a code page lacks become `?` or U+FFFD.

use std::ops::Range;

use encoding_rs::{
    BIG5, EUC_KR, Encoding, GBK, IBM866, KOI8_R, MACINTOSH, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251,
    WINDOWS_1252,
};

/// The code pages, the commonest first: 1252, 932, 1251, 936, 949, 950, 1250, 866, Macintosh, KOI8-R.
static CODE_PAGES: [&Encoding; 10] =
    [WINDOWS_1252, SHIFT_JIS, WINDOWS_1251, GBK, EUC_KR, BIG5, WINDOWS_1250, IBM866, MACINTOSH, KOI8_R];

/// The replacement for bytes that are not text.
pub(crate) const UNREADABLE: char = '\u{fffd}';

/// Checks whether a quoted text is the file's text, read through a wrong code page as a whole or in part.
pub(crate) fn is_misread(quoted: &str, actual: &str) -> bool {
    if actual.is_ascii() || quoted == actual || quoted.is_ascii() && !quoted.contains('?') {
        return false;
    }
    CODE_PAGES.iter().any(|page| is_read_as(page, quoted, actual))
        || junk(quoted, actual).is_some_and(|junk| !junk.is_empty())
}

/// Checks a code page in both directions.
fn is_read_as(page: &'static Encoding, quoted: &str, actual: &str) -> bool {
    if page.decode_without_bom_handling(actual.as_bytes()).0 == quoted {
        return true;
    }
    let (bytes, _, lossy) = page.encode(actual);
    !lossy && is_same_reading(&String::from_utf8_lossy(&bytes), quoted)
}

/// The minimum number of readable characters that must be equal if there are unreadable characters.
const READABLE: usize = 2;

/// Checks whether two lossy readings are equal. Decoders disagree about the number of U+FFFD for a run of bytes.
fn is_same_reading(one: &str, other: &str) -> bool {
    if !one.contains(UNREADABLE) || !other.contains(UNREADABLE) {
        return one == other;
    }
    one == other
        || readable(one).eq(readable(other))
            && readable(one).filter(|c| c.is_alphanumeric()).count() >= READABLE
}

fn readable(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| *c != UNREADABLE)
}

/// Returns the junk in a quoted text, as byte ranges, with the text of the file at each position. `None` if the rest is
/// not equal, or if such a range is not junk.
pub(crate) fn junk<'l>(quoted: &str, actual: &'l str) -> Option<Vec<(Range<usize>, &'l str)>> {
    let mut pairs = Vec::new();
    let (mut at, mut actual) = (0, actual);
    loop {
        let plain = actual.find(|c: char| !c.is_ascii()).unwrap_or(actual.len());
        at += quoted[at..].strip_prefix(&actual[..plain]).map(|_| plain)?;
        actual = &actual[plain..];
        if actual.is_empty() {
            return (at == quoted.len()).then_some(pairs);
        }
        let proper = actual.find(|c: char| c.is_ascii()).unwrap_or(actual.len());
        match junk_length(&quoted[at..], &actual[..proper]) {
            Some(length) => {
                pairs.extend(pieces(&quoted[at..at + length], &actual[..proper], at));
                at += length;
            }
            // Text that is not junk has to be equal.
            None => at += quoted[at..].strip_prefix(&actual[..proper]).map(|_| proper)?,
        }
        actual = &actual[proper..];
    }
}

/// Returns the length of the junk for some characters at the beginning of a quoted text, in bytes.
fn junk_length(quoted: &str, proper: &str) -> Option<usize> {
    let may_be_junk = |c: char| !c.is_ascii() || c == '?';
    let longest = quoted.find(|c| !may_be_junk(c)).unwrap_or(quoted.len());
    // Question marks at the end may be text.
    let marks = longest - quoted[..longest].trim_end_matches('?').len();
    (longest - marks..=longest).rev().find(|end| is_junk(&quoted[..*end], proper))
}

/// Checks whether a text is the remainder of some characters: only `?` and U+FFFD, or the characters decoded with a
/// wrong code page, with `?` and U+FFFD for characters that the page lacks.
fn is_junk(wrong: &str, proper: &str) -> bool {
    !wrong.is_empty()
        && (wrong.chars().all(is_lost) || CODE_PAGES.iter().any(|page| is_junk_of(page, wrong, proper)))
}

fn is_junk_of(page: &'static Encoding, wrong: &str, proper: &str) -> bool {
    let (text, _) = page.decode_without_bom_handling(proper.as_bytes());
    text.chars().count() == wrong.chars().count()
        && text.chars().zip(wrong.chars()).all(|(read, c)| read == c || is_lost(c))
}

/// Checks for a character that can replace any character.
pub(crate) fn is_lost(c: char) -> bool {
    matches!(c, '?' | UNREADABLE)
}

/// Returns junk character by character, if the characters can be separated; otherwise as a whole.
fn pieces<'l>(wrong: &str, proper: &'l str, at: usize) -> Vec<(Range<usize>, &'l str)> {
    let apart = CODE_PAGES.into_iter().find_map(|page| characters(page, wrong, proper, at));
    apart.unwrap_or_else(|| vec![(at..at + wrong.len(), proper)])
}

fn characters<'l>(
    page: &'static Encoding,
    wrong: &str,
    proper: &'l str,
    at: usize,
) -> Option<Vec<(Range<usize>, &'l str)>> {
    let mut end = 0;
    let mut pieces = Vec::new();
    for (from, c) in proper.char_indices() {
        let proper = &proper[from..from + c.len_utf8()];
        let (text, _) = page.decode_without_bom_handling(proper.as_bytes());
        let start = end;
        end += wrong[start..].starts_with(&*text).then_some(text.len())?;
        pieces.push((at + start..at + end, proper));
    }
    (end == wrong.len()).then_some(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_directions_are_known() {
        assert!(is_misread("na\u{c3}\u{af}ve", "na\u{ef}ve"));
        let (bytes, _, _) = SHIFT_JIS.encode("画像を選ぶ");
        assert!(is_misread(&format!("alt={}", String::from_utf8_lossy(&bytes)), "alt=画像を選ぶ"));
        let (bytes, _, _) = WINDOWS_1251.encode("Привет, мир 7");
        assert!(!is_misread(&String::from_utf8_lossy(&bytes), "Привет, мир 8"));
        assert!(!is_misread("la p\u{e8}che", "la p\u{ea}che"));
    }

    #[test]
    fn junk_is_paired_with_what_it_stands_for() {
        let pairs = junk("na\u{c3}\u{af}ve r\u{c3}\u{a9}", "na\u{ef}ve r\u{e9}");
        assert_eq!(pairs, Some(vec![(2..6, "\u{ef}"), (10..14, "\u{e9}")]));
    }
}
