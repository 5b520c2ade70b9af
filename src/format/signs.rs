//! Detects whether the lines of an Add have lost their signs.

use crate::format::error::shortened;
use crate::patch::Line;

/// How the lines of an Add that are not blank begin.
#[derive(Debug, Default)]
pub(super) struct Signs {
    /// How many lines were handed out.
    pub(super) given: usize,
    pub(super) signed: usize,
    pub(super) unsigned: usize,
    /// Whether the first line has no sign.
    pub(super) first_unsigned: bool,
    /// Whether a line with a sign does not look like a list item (`+ item`).
    pub(super) unlisted: bool,
    /// The first line with a sign behind a line without, unchanged, with its number.
    pub(super) late: Option<(usize, String)>,
    /// Whether the last line, blank or not, had no sign.
    pub(super) last_unsigned: bool,
}

impl Signs {
    pub(super) fn count(&mut self, line: &Line<'_>) {
        self.given += 1;
        if line.signed {
            if self.first_unsigned && self.signed == 0 {
                self.late = line.number.map(|number| (number.get(), shortened(&line.raw()).to_owned()));
            }
            self.signed += 1;
            self.unlisted |= !line.text.starts_with(' ');
        } else if line.has_text() {
            self.first_unsigned |= self.signed == 0;
            self.unsigned += 1;
        }
    }

    /// Returns a line whose `+` may be a sign or text; `None` if the signs are clear.
    ///
    /// If the first line has its sign, `+` is a sign. If the first line has no sign but most lines do, `+` is a sign
    /// too, unless the lines look like a list (`+ item`). Otherwise `+` may be the first character of the text, and the
    /// case is undecided.
    pub(super) fn unsure(&mut self) -> Option<(usize, String)> {
        let unsure = self.signed <= self.unsigned || !self.unlisted;
        self.late.take().filter(|_| unsure)
    }
}
