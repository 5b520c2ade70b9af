//! When two lines are the same but for the way they are written.
//!
//! The only place that folds white space, dashes, quotes and Unicode forms. Two lines are equal under a
//! [`Fold`] if it turns both into the same text. Three rules hold for every line, and the tests check them:
//!
//! * a looser fold equates whatever a tighter one does;
//! * folding twice changes nothing more;
//! * an ASCII line is folded without allocating, and so is any line that has nothing to fold (but for the
//!   skeleton).

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, is_nfc};

/// How loosely two lines are compared, from exact to loose. White space is what [`char::is_whitespace`] says.
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
    /// The line as it is.
    Exact,
    /// Without white space at its end.
    TrailingSpace,
    /// Without white space at both ends.
    Trim,
    /// Without white space at both ends, each [look-alike](look_alike) replaced by ASCII, and composed (NFC).
    LookAlikes,
    /// Only the ASCII letters and digits of that; where there are none, only what is neither white space nor a
    /// backslash; where there is nothing else, the backslashes. Lines of one skeleton are alike, not the same: it
    /// serves to find where a line may stand, whatever happened to its spacing, its quotes, its escapes or its code
    /// page.
    Skeleton,
}

impl Fold {
    /// The folds under which equal lines say the same, from exact to loose: all but the skeleton.
    pub const ALL: [Self; 4] = [Self::Exact, Self::TrailingSpace, Self::Trim, Self::LookAlikes];

    /// The line as this fold sees it. Borrows unless a character had to be replaced.
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

    /// As [`apply`](Self::apply), for a line that may not be UTF-8: of such a one only ASCII white space is
    /// dropped.
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

/// What stands in ASCII for a character that looks like it; `None` for a character that is not a look-alike.
///
/// Dashes and the minus sign, quotation marks and primes, wide and narrow spaces, the ellipsis. Guillemets
/// look like nothing in ASCII and stay.
///
/// An empty text means that the character is not seen at all. These are the zero-width space, the word joiner
/// and the mark inside a text (U+200B, U+2060, U+FEFF), which only say where a line may break, and the
/// variation selectors U+FE0E and U+FE0F, which only choose between a black and a coloured glyph of the same
/// character; models drop them from emoji. The zero-width joiner and non-joiner are kept: they change the
/// spelling of a word in Persian or Hindi, and join emoji into another one.
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

/// A text with the entities of HTML and XML undone that stand for signs of code.
///
/// ```
/// use apply_patch::text::without_entities;
/// assert_eq!(without_entities("a &amp;&amp; b &lt; c"), "a && b < c");
/// ```
pub fn without_entities(text: &str) -> Cow<'_, str> {
    let entities =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&apos;", "'"), ("&amp;", "&")];
    // Nearly every text is done with one look.
    if !text.contains('&') || !entities.iter().any(|(entity, _)| text.contains(entity)) {
        return Cow::Borrowed(text);
    }
    // `&amp;` comes last: what it makes of `&amp;lt;` was text.
    Cow::Owned(entities.iter().fold(text.to_owned(), |text, (entity, sign)| text.replace(entity, sign)))
}

/// The spaces and tabs that the line begins with.
///
/// Narrower than the white space that [`Fold::Trim`] drops: only these two can be shifted.
///
/// ```
/// assert_eq!(apply_patch::text::indentation("\t  x "), "\t  ");
/// ```
pub fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Whether the line has nothing but white space: what [`Fold::Trim`] makes empty.
///
/// ```
/// use apply_patch::text::is_blank;
/// assert!(is_blank("\t \u{a0}".as_bytes()));
/// assert!(!is_blank(b" \xa0"));
/// ```
pub fn is_blank(line: &[u8]) -> bool {
    match line.trim_ascii_start() {
        [] => true,
        // Nearly every line is decided here, by one byte.
        [first, ..] if first.is_ascii_graphic() => false,
        rest => str::from_utf8(rest).is_ok_and(|rest| rest.trim_start().is_empty()),
    }
}

/// The trimmed line with its look-alikes replaced, composed.
fn plain(line: &str) -> Cow<'_, str> {
    if line.is_ascii() || (line.chars().all(|c| look_alike(c).is_none()) && is_nfc(line)) {
        return Cow::Borrowed(line);
    }
    // Composing comes last: what is dropped may have stood between a letter and its accent.
    let composed: String = replaced(line).nfc().collect();
    match composed.trim() {
        trimmed if trimmed.len() == composed.len() => Cow::Owned(composed),
        // A character that was dropped at an end had hidden white space from the first trimming.
        trimmed => Cow::Owned(trimmed.to_owned()),
    }
}

/// The line with its look-alikes replaced.
fn skeleton(line: &str) -> Cow<'_, str> {
    let line = plain(line.trim());
    if line.chars().any(|c| c.is_ascii_alphanumeric()) {
        return kept(line, |c| c.is_ascii_alphanumeric());
    }
    let signs = kept(line, |c| !c.is_whitespace());
    if signs.chars().all(|c| c == '\\') { signs } else { kept(signs, |c| c != '\\') }
}

/// A line without the characters that do not pass.
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

/// The same text as bytes, borrowed or owned as it was.
fn into_bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}
