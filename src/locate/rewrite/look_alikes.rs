//! Typographic signs in added lines: replaced if the quoted lines have such signs where the file has ASCII, refused if
//! the replacement is not known.

use std::cell::RefCell;

use crate::locate::align::file::File;
use crate::locate::explanation::Obstacle;
use crate::text::look_alike;

/// What the quoted lines show about typographic signs.
pub(super) struct LookAlikes<'a> {
    file: &'a File<'a>,
    /// A sign of the quote, and what the file has at the same position.
    shown: Vec<(char, String)>,
    /// The signs of the quote that the file has as quoted.
    kept: Vec<char>,
    /// Signs of added lines, and whether the file has each: a search reads the whole file.
    sought: RefCell<Vec<(char, bool)>>,
}

/// Signs of a kind are converted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Quote,
    Dash,
    Dots,
    Space,
}

impl<'a> LookAlikes<'a> {
    pub(super) fn new(file: &'a File<'a>) -> Self {
        LookAlikes { file, shown: Vec::new(), kept: Vec::new(), sought: RefCell::default() }
    }

    /// Learns from a quoted line and its line of the file, both without whitespace at the ends.
    pub(super) fn learn(&mut self, quoted: &str, actual: &str) {
        let Some(pairs) = sign_pairs(quoted, actual) else { return };
        for (sign, text) in pairs {
            if text.chars().eq([sign]) {
                if !self.kept.contains(&sign) {
                    self.kept.push(sign);
                }
            } else if !self.shown.iter().any(|(other, same)| *other == sign && same == text) {
                self.shown.push((sign, text.to_owned()));
            }
        }
    }

    /// Returns an added line with the signs of the file; `None` if nothing changes. `written` is the line of the patch,
    /// `line` the line with the spelling that is known so far.
    ///
    /// # Errors
    /// The quoted lines do not show what the file would have.
    pub(super) fn mended(&self, written: &str, line: &str) -> Result<Option<String>, Obstacle> {
        let is_typographic = |c: char| kind(c).is_some() && !c.is_ascii();
        if self.shown.is_empty() || !line.contains(is_typographic) || has_both(written) {
            return Ok(None);
        }
        let mut mended = String::with_capacity(line.len());
        let mut has_quotes = false;
        for c in line.chars() {
            if !is_typographic(c) {
                mended.push(c);
                continue;
            }
            let text = self.replacement(c)?;
            has_quotes |= text.is_some() && kind(c) == Some(Kind::Quote);
            match text {
                Some(text) => mended.push_str(text),
                None => mended.push(c),
            }
        }
        if has_quotes && !is_paired(written) {
            return Err(Obstacle::Garbled);
        }
        Ok((mended != line).then_some(mended))
    }

    /// Returns what the file would have for a sign; `None` for a sign that is text.
    fn replacement(&self, sign: char) -> Result<Option<&str>, Obstacle> {
        let mut shown = self.shown.iter().filter(|(other, _)| *other == sign).map(|(_, text)| text.as_str());
        let is_in_file = self.is_in_file(sign);
        let (first, second) = (shown.next(), shown.next());
        if first.is_none() && is_in_file {
            return Ok(None);
        }
        let is_quote = kind(sign) == Some(Kind::Quote);
        let is_plain = is_quote && self.kept.iter().any(|kept| look_alike(sign) == Some(ascii(*kept)));
        match first {
            Some(text) if second.is_none() && !is_plain && !is_in_file => Ok(Some(text)),
            _ => Err(Obstacle::Garbled),
        }
    }

    fn is_in_file(&self, sign: char) -> bool {
        let mut sought = self.sought.borrow_mut();
        if let Some((_, is_there)) = sought.iter().find(|(other, _)| *other == sign) {
            return *is_there;
        }
        let is_there = self.file.index.holds_text(sign.encode_utf8(&mut [0; 4]));
        sought.push((sign, is_there));
        is_there
    }
}

/// Checks whether an added line has a quotation mark in ASCII next to its typographic form: the line was not converted.
fn has_both(written: &str) -> bool {
    let quotes = written.chars().filter(|c| !c.is_ascii() && kind(*c) == Some(Kind::Quote));
    let mut plain = quotes.filter_map(look_alike);
    plain.any(|plain| written.contains(plain))
}

/// Returns a quotation mark in ASCII; empty for another sign.
fn ascii(sign: char) -> &'static str {
    match sign {
        '"' => "\"",
        '\'' => "'",
        _ => "",
    }
}

fn kind(sign: char) -> Option<Kind> {
    match sign {
        '"' | '\'' => Some(Kind::Quote),
        _ if sign.is_ascii() => None,
        _ => match look_alike(sign)? {
            "\"" | "'" => Some(Kind::Quote),
            "-" => Some(Kind::Dash),
            "..." => Some(Kind::Dots),
            " " => Some(Kind::Space),
            _ => None,
        },
    }
}

/// Returns the signs of a quoted line, and what the file has for each; `None` if anything else differs.
fn sign_pairs<'f>(quoted: &str, actual: &'f str) -> Option<Vec<(char, &'f str)>> {
    /// What a dash may replace, the longest first.
    const DASHES: [&str; 3] = ["---", "--", "-"];
    let mut pairs = Vec::new();
    let mut rest = actual;
    for c in quoted.chars() {
        let length = if rest.starts_with(c) {
            c.len_utf8()
        } else if kind(c) == Some(Kind::Dash) {
            DASHES.iter().find(|dash| rest.starts_with(**dash))?.len()
        } else {
            look_alike(c).filter(|plain| rest.starts_with(plain))?.len()
        };
        let (text, behind) = rest.split_at(length);
        if kind(c).is_some() {
            pairs.push((c, text));
        }
        rest = behind;
    }
    rest.is_empty().then_some(pairs)
}

/// Checks whether ASCII marks are clear for the typographic quotation marks of a line: each opens and closes in turn, and no
/// apostrophe is inside single marks.
fn is_paired(line: &str) -> bool {
    let chars: Vec<char> = line.chars().collect();
    let is_letter = |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(|c| c.is_alphanumeric());
    let (mut double, mut single) = (false, false);
    for (at, c) in chars.iter().enumerate() {
        let (is_double, is_closing) = match c {
            '\u{201C}' | '\u{201F}' | '\u{201E}' => (true, false),
            '\u{201D}' | '\u{2033}' => (true, true),
            '\u{2018}' | '\u{201B}' | '\u{201A}' => (false, false),
            '\u{2019}' | '\u{2032}' => (false, true),
            _ => continue,
        };
        let is_apostrophe =
            !is_double && is_closing && is_letter(at.checked_sub(1)) && is_letter(Some(at + 1));
        if is_apostrophe && !single {
            continue;
        }
        let open = if is_double { &mut double } else { &mut single };
        if is_apostrophe || *open != is_closing {
            return false;
        }
        *open = !*open;
    }
    !double && !single
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_paired_with_the_file() {
        assert_eq!(
            sign_pairs("a \u{2013}b \u{201c}c\u{2026}\u{201d}", "a --b \"c...\""),
            Some(vec![('\u{2013}', "--"), ('\u{201c}', "\""), ('\u{2026}', "..."), ('\u{201d}', "\"")])
        );
        assert_eq!(sign_pairs("a \u{2013} b", "a - c"), None);
    }

    #[test]
    fn only_marks_that_open_and_close_are_clear() {
        for (line, is_clear) in [
            ("\u{201c}a\u{201d}: \u{201c}it\u{2019}s\u{201d}", true),
            ("\u{201c}say \u{2018}a\u{2019}\u{201d}", true),
            ("\u{201c}a 5\u{201d} tape\u{201d}", false),
            ("\u{2018}it\u{2019}s\u{2019}", false),
            ("\u{201c}a \u{201c}b\u{201d}\u{201d}", false),
        ] {
            assert_eq!(is_paired(line), is_clear, "{line}");
        }
    }
}
