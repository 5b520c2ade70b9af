//! What counts as white space: the trim rules of the seeds' language.

/// Whether `String.prototype.trim` drops the character, and whether `\s` matches it: the two agree.
///
/// Not what [`char::is_whitespace`] says: the byte-order mark U+FEFF is white space here, and the next-line
/// control U+0085 is not. A carriage return is, so that a quote with `\n` fits a line that ends in `\r\n`.
///
/// ```
/// use apply_patch::baseline::cascade::is_space;
/// assert!(is_space('\r') && is_space('\u{a0}') && is_space('\u{feff}'));
/// assert!(!is_space('\u{85}') && !is_space('\u{200b}'));
/// ```
pub fn is_space(c: char) -> bool {
    matches!(
        c,
        '\t'..='\r'
            | ' '
            | '\u{a0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200a}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202f}'
            | '\u{205f}'
            | '\u{3000}'
            | '\u{feff}'
    )
}

/// The text without [white space](is_space) at both ends: `String.prototype.trim`.
///
/// ```
/// assert_eq!(apply_patch::baseline::cascade::trim("\u{feff}\t a b\r"), "a b");
/// ```
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// The text without [white space](is_space) at its beginning.
pub(super) fn trim_start(text: &str) -> &str {
    text.trim_start_matches(is_space)
}

/// Whether there is nothing but [white space](is_space).
pub(super) fn is_blank(text: &str) -> bool {
    trim_start(text).is_empty()
}
