//! Whether the lines of an Add have lost their signs.

use crate::format::error::shortened;
use crate::patch::Line;

/// How the lines of an Add that are not blank begin.
#[derive(Debug, Default)]
pub(super) struct Signs {
    /// How many lines were handed out.
    pub(super) given: usize,
    pub(super) signed: usize,
    pub(super) unsigned: usize,
    /// Whether the first of them has no sign.
    pub(super) first_unsigned: bool,
    /// Whether one with a sign reads as no item of a list, `+ item`.
    pub(super) unlisted: bool,
    /// The first one with a sign behind one without, as it stood, with its line.
    pub(super) late: Option<(usize, String)>,
    /// Whether the last line, blank or not, had none.
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

    /// A line whose `+` may be a sign or text.
    ///
    /// Where the first line has its sign, `+` is a sign. Where it has none but most lines do, too, unless they read as
    /// a list (`+ item`). Otherwise `+` may as well be the first character of a line: that is not told apart.
    pub(super) fn unsure(&mut self) -> Option<(usize, String)> {
        let unsure = self.signed <= self.unsigned || !self.unlisted;
        self.late.take().filter(|_| unsure)
    }
}
