//! What counts as white space: the trim rules of the seeds' language.

/// Returns whether `String.prototype.trim` drops the character and `\s` matches the character: both agree.
///
/// Differs from [`char::is_whitespace`]: the byte-order mark U+FEFF is whitespace here, and the next-line control
/// U+0085 is not. A carriage return is whitespace, so that a quote with `\n` matches a line that ends in `\r\n`.
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

/// Returns the text without leading and trailing [whitespace](is_space): `String.prototype.trim`.
///
/// ```
/// assert_eq!(apply_patch::baseline::cascade::trim("\u{feff}\t a b\r"), "a b");
/// ```
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Returns the text without leading [whitespace](is_space).
pub(super) fn trim_start(text: &str) -> &str {
    text.trim_start_matches(is_space)
}

/// Returns whether the text is only [whitespace](is_space).
pub(super) fn is_blank(text: &str) -> bool {
    trim_start(text).is_empty()
}
