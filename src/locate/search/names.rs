//! Whether a document has a name, or a part of one.

use memchr::memmem;

use super::index::Index;
use crate::locate::align::words::WordPair;

/// The shortest part of a name that makes the name known, in letters.
const LETTERS_OF_A_PART: usize = 4;

impl Index {
    /// Returns whether the document contains the quoted word of a pair, or the part in which the words differ. Then the word is no slip, but
    /// another name.
    pub(crate) fn knows(&self, pair: &WordPair<'_>) -> bool {
        if self.holds_word(pair.quoted) {
            return true;
        }
        let is_same_name = pair.quoted.eq_ignore_ascii_case(pair.actual) || pair.is_other_number();
        let part = pair.differing_part().filter(|part| part.len() >= LETTERS_OF_A_PART && !is_same_name);
        part.is_some_and(|part| self.holds_part(part))
    }

    /// Returns whether the document contains a part of a name: `stats` in `drop_stats` and `dropStats`.
    fn holds_part(&self, part: &str) -> bool {
        let content = self.document().content();
        let (lower, mut upper) = (part.to_ascii_lowercase(), part.to_ascii_lowercase());
        if let Some(first) = upper.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        let is_apart = |at: usize, form: &str| {
            let before = at.checked_sub(1).is_some_and(|before| content[before].is_ascii_lowercase());
            let behind = content.get(at + form.len()).is_some_and(u8::is_ascii_lowercase);
            !behind && (!before || form.starts_with(|c: char| c.is_ascii_uppercase()))
        };
        let mut forms = [&lower, &upper].into_iter();
        forms.any(|form| memmem::find_iter(content, form.as_bytes()).any(|at| is_apart(at, form)))
    }
}
