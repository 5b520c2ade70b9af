//! The kind of quotation marks around string literals of added lines: that of the file, if the quoted lines have another kind throughout.

use crate::locate::syntax::{
    differs_in_marks, is_mark, literals, may_read_otherwise, other_mark, uncommented,
};

/// What the quoted lines show about the kind of quotation marks.
#[derive(Default)]
pub(super) struct Quotation {
    /// The quotation mark of the lines of the file.
    of_file: Option<char>,
    /// Whether a quoted line has the other kind.
    differs: bool,
    /// Whether the lines of the file have both kinds.
    is_mixed: bool,
    /// Whether a line of one kind has several characters in single quotation marks: a string in this language.
    has_single: bool,
}

impl Quotation {
    /// Learns from a quoted line and its line of the file, both without indentation.
    pub(super) fn learn(&mut self, quoted: &str, actual: &str) {
        let Some(mark) = actual.chars().find(|c| is_mark(*c)) else { return };
        if differs_in_marks(quoted, actual) {
            self.differs = true;
            let mut in_single = in_single_marks(quoted).chain(in_single_marks(actual));
            self.has_single |= in_single.any(|literal| !is_character(literal));
        }
        let is_other = self.of_file.replace(mark).is_some_and(|before| before != mark);
        self.is_mixed |= is_other || actual.contains(other_mark(mark));
    }

    /// Returns an added line with the quotation marks of the file; `None` if nothing changes.
    pub(super) fn mended(&self, line: &str) -> Option<String> {
        let to = self.of_file.filter(|_| self.differs && !self.is_mixed)?;
        let from = other_mark(to);
        if line.contains(to) || may_read_otherwise(line) || uncommented(line).1 {
            return None;
        }
        let own: Vec<&str> = literals(line).into_iter().filter(|literal| literal.starts_with(from)).collect();
        // An escape of PowerShell.
        if own.iter().any(|literal| literal.contains('`')) {
            return None;
        }
        // A character in single quotation marks is no string literal in many languages, which have no longer ones.
        if !self.has_single && (to == '\'' || in_single_marks(line).any(is_character)) {
            return None;
        }
        let mut mended = line.to_owned();
        for literal in own {
            // The literal is a part of the line.
            let start = literal.as_ptr().addr() - line.as_ptr().addr();
            if is_begun(&line[..start]) {
                for at in [start, start + literal.len() - 1] {
                    mended.replace_range(at..=at, to.encode_utf8(&mut [0; 4]));
                }
            }
        }
        (mended != line).then_some(mended)
    }
}

/// Returns the literals of a line that are in single quotation marks.
fn in_single_marks(line: &str) -> impl Iterator<Item = &str> {
    literals(line).into_iter().filter(|literal| literal.starts_with('\''))
}

/// Checks whether a single character is between quotation marks.
fn is_character(literal: &str) -> bool {
    literal.chars().count() == 3
}

/// Checks whether a quotation mark behind a text begins a literal: the text does not end in a word, except for a prefix such as `f`.
fn is_begun(before: &str) -> bool {
    let word = before.trim_end_matches(char::is_alphanumeric).len();
    matches!(&before[word..], "" | "f" | "r" | "b" | "u" | "rb" | "fr")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(pairs: &[(&str, &str)], line: &str) -> Option<String> {
        let mut quotation = Quotation::default();
        for (quoted, actual) in pairs {
            quotation.learn(quoted, actual);
        }
        quotation.mended(line)
    }

    #[test]
    fn literals_take_the_marks_that_all_quoted_lines_show() {
        let shown = [("a(\"word\")", "a('word')")];
        assert_eq!(mended(&shown, "b(\"y\", f\"z\")").as_deref(), Some("b('y', f'z')"));
        for line in ["b('y', \"z\")", "b(\"$y\")", "b(\"y`n\")", "b(\"it's\")", "# a \"word\"", "b(2)"] {
            assert_eq!(mended(&shown, line), None, "{line}");
        }
        assert_eq!(mended(&[shown[0], ("c(\"x\")", "c(\"x\")")], "b(\"y\")"), None);
        assert!(mended(&[shown[0], ("c('x')", "c('x')")], "b(\"y\")").is_some());
        assert_eq!(mended(&[("a(\"x\")", "a('x')")], "b(\"word\")"), None);
        let single = [("a('x')", "a(\"x\")")];
        assert_eq!(mended(&single, "b('yz') if it's"), Some("b(\"yz\") if it's".to_owned()));
        assert_eq!(mended(&single, "b('y')"), None);
        assert_eq!(
            mended(&[("a('x', 'word')", "a(\"x\", \"word\")")], "b('y')").as_deref(),
            Some("b(\"y\")")
        );
    }
}
