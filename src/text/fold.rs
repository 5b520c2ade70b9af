//! Compares lines without regard to whitespace, punctuation variants and Unicode forms.
//!
//! No other module folds whitespace, dashes, quotes and Unicode forms. Two lines are equal under a [`Fold`] if the fold
//! maps both to the same text. Three rules hold for every line; the tests check all three:
//!
//! * a looser fold equates everything that a tighter fold equates;
//! * folding is idempotent;
//! * folding an ASCII line, or a line without anything to fold, does not allocate (except for the skeleton).

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, is_nfc};

/// How loosely two lines are compared, from exact to loose. Whitespace is defined by [`char::is_whitespace`].
///
/// ```
/// use apply_patch::text::Fold;
/// let line = "\tgo \u{2013} now\u{a0}";
/// assert_eq!(Fold::Exact.apply(line), line);
/// assert_eq!(Fold::TrailingSpace.apply(line), "\tgo \u{2013} now");
/// assert_eq!(Fold::Trim.apply(line), "go \u{2013} now");
/// assert_eq!(Fold::LookAlikes.apply(line), "go - now");
/// assert_eq!(Fold::Skeleton.apply(line), "gonow");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fold {
    /// The line unchanged.
    Exact,
    /// Without trailing whitespace.
    TrailingSpace,
    /// Without white space at both ends.
    Trim,
    /// Without white space at both ends, each [look-alike](look_alike) replaced by ASCII, and composed (NFC).
    LookAlikes,
    /// Only the ASCII letters and digits of the line; if there are no letters and digits, everything but whitespace and
    /// backslashes; if that is empty, the backslashes. Equal skeletons make a candidate position, not a match: a
    /// skeleton is independent of spacing, quotes, escapes and code page.
    Skeleton,
}

impl Fold {
    /// The folds that keep the meaning of a line, from exact to loose: all except the skeleton.
    pub const ALL: [Self; 4] = [Self::Exact, Self::TrailingSpace, Self::Trim, Self::LookAlikes];

    /// Returns the folded line. Borrows unless a character had to be replaced.
    ///
    /// ```
    /// use apply_patch::text::Fold;
    /// assert_eq!(Fold::LookAlikes.apply("  say(\u{2018}caf\u{65}\u{301}\u{2019}) "), "say('caf\u{e9}')");
    /// ```
    pub fn apply(self, line: &str) -> Cow<'_, str> {
        match self {
            Self::Exact => Cow::Borrowed(line),
            Self::TrailingSpace => Cow::Borrowed(line.trim_end()),
            Self::Trim => Cow::Borrowed(line.trim()),
            Self::LookAlikes => plain(line.trim()),
            Self::Skeleton => skeleton(line),
        }
    }

    /// Folds a line that may be invalid UTF-8, as [`apply`](Self::apply) does. From invalid lines only ASCII whitespace
    /// is dropped.
    ///
    /// ```
    /// use apply_patch::text::Fold;
    /// assert_eq!(Fold::LookAlikes.apply_bytes(b" caf\xe9\xa0 "), &b"caf\xe9\xa0"[..]);
    /// ```
    pub fn apply_bytes(self, line: &[u8]) -> Cow<'_, [u8]> {
        if self == Self::Exact {
            return Cow::Borrowed(line);
        }
        match str::from_utf8(line) {
            Ok(line) => into_bytes(self.apply(line)),
            Err(_) => Cow::Borrowed(self.trim_bytes(line)),
        }
    }

    /// Drops the ASCII white space that this fold ignores.
    fn trim_bytes(self, line: &[u8]) -> &[u8] {
        match self {
            Self::Exact => line,
            Self::TrailingSpace => line.trim_ascii_end(),
            Self::Trim | Self::LookAlikes | Self::Skeleton => line.trim_ascii(),
        }
    }
}

/// Returns the ASCII replacement of a look-alike character; `None` for a character that is not a look-alike.
///
/// Look-alikes are dashes and the minus sign, quotation marks and primes, wide and narrow spaces, the ellipsis.
/// Guillemets have no look-alike in ASCII and stay.
///
/// An empty replacement means that the character is invisible: the zero-width space, the word joiner and a mark inside
/// a text (U+200B, U+2060, U+FEFF), which only mark line break opportunities, and the variation selectors U+FE0E and
/// U+FE0F, which only select a black or a colored glyph; models drop variation selectors from emoji. The zero-width
/// joiner and non-joiner are kept, because both change the spelling of a word in Persian or Hindi, and join emoji to a
/// different emoji.
///
/// ```
/// use apply_patch::text::look_alike;
/// assert_eq!(look_alike('\u{2212}'), Some("-"));
/// assert_eq!(look_alike('\u{200b}'), Some(""));
/// assert_eq!(look_alike('\u{200d}'), None);
/// ```
pub fn look_alike(c: char) -> Option<&'static str> {
    let ascii = match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' | '\u{FF0D}' => "-",
        '\u{2018}'..='\u{201B}' | '\u{2032}' | '\u{02BC}' | '\u{FF07}' => "'",
        '\u{201C}'..='\u{201F}' | '\u{2033}' | '\u{FF02}' => "\"",
        '\u{00A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => " ",
        '\u{2026}' => "...",
        '\u{200B}' | '\u{2060}' | '\u{FEFF}' | '\u{FE0E}' | '\u{FE0F}' => "",
        _ => return None,
    };
    Some(ascii)
}

/// Decodes the HTML and XML entities of characters that occur in code.
///
/// ```
/// use apply_patch::text::without_entities;
/// assert_eq!(without_entities("a &amp;&amp; b &lt; c"), "a && b < c");
/// ```
pub fn without_entities(text: &str) -> Cow<'_, str> {
    let entities =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&apos;", "'"), ("&amp;", "&")];
    // This check settles almost every text.
    if !text.contains('&') || !entities.iter().any(|(entity, _)| text.contains(entity)) {
        return Cow::Borrowed(text);
    }
    // `&amp;` comes last, because the text `&amp;lt;` means `&lt;`.
    Cow::Owned(entities.iter().fold(text.to_owned(), |text, (entity, sign)| text.replace(entity, sign)))
}

/// Returns the leading spaces and tabs of the line.
///
/// Unlike [`Fold::Trim`], this ignores every further kind of whitespace, because only spaces and tabs can be shifted.
///
/// ```
/// assert_eq!(apply_patch::text::indentation("\t  x "), "\t  ");
/// ```
pub fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Returns whether the line is empty or only whitespace: [`Fold::Trim`] makes such a line empty.
///
/// ```
/// use apply_patch::text::is_blank;
/// assert!(is_blank("\t \u{a0}".as_bytes()));
/// assert!(!is_blank(b" \xa0"));
/// ```
pub fn is_blank(line: &[u8]) -> bool {
    match line.trim_ascii_start() {
        [] => true,
        // This byte decides for almost every line.
        [first, ..] if first.is_ascii_graphic() => false,
        rest => str::from_utf8(rest).is_ok_and(|rest| rest.trim_start().is_empty()),
    }
}

/// Returns the trimmed line with look-alikes replaced, in composed form.
fn plain(line: &str) -> Cow<'_, str> {
    if line.is_ascii() || (line.chars().all(|c| look_alike(c).is_none()) && is_nfc(line)) {
        return Cow::Borrowed(line);
    }
    // Composes last, because a dropped character may have separated a letter from its accent.
    let composed: String = replaced(line).nfc().collect();
    match composed.trim() {
        trimmed if trimmed.len() == composed.len() => Cow::Owned(composed),
        // A character that was dropped at an end had hidden white space from the first trimming.
        trimmed => Cow::Owned(trimmed.to_owned()),
    }
}

/// Returns the skeleton of the line, see [`Fold::Skeleton`].
fn skeleton(line: &str) -> Cow<'_, str> {
    let line = plain(line.trim());
    if line.chars().any(|c| c.is_ascii_alphanumeric()) {
        return kept(line, |c| c.is_ascii_alphanumeric());
    }
    let signs = kept(line, |c| !c.is_whitespace());
    if signs.chars().all(|c| c == '\\') { signs } else { kept(signs, |c| c != '\\') }
}

/// Drops the characters for which `passes` is false.
fn kept(line: Cow<'_, str>, passes: impl Fn(char) -> bool) -> Cow<'_, str> {
    if line.chars().all(&passes) { line } else { Cow::Owned(line.chars().filter(|c| passes(*c)).collect()) }
}

fn replaced(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    for c in line.chars() {
        match look_alike(c) {
            Some(ascii) => text.push_str(ascii),
            None => text.push(c),
        }
    }
    text
}

/// Converts to bytes, borrowed if borrowed and owned if owned.
fn into_bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}
