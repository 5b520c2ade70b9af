//! The kind of quotation marks around string literals of added lines: that of the file, if the quoted lines have another kind throughout.
//! Marks in a text, such as a comment or a heredoc, stay as they are.

use crate::locate::syntax::{
    begins_control, differs_in_marks, is_fence, is_mark, is_word_char, literals, long_literal_end,
    may_be_comment, may_read_otherwise, opens_yaml_text, other_mark,
};

/// The words that a literal of code may be behind, apart from those of a condition. Before a word of prose in marks, others are common.
const BEFORE_LITERALS: [&str; 9] = ["and", "or", "not", "in", "is", "from", "then", "else", "import"];

/// What the quoted lines show about the kind of quotation marks.
#[derive(Default)]
pub(super) struct Quotation {
    /// The quotation mark of the lines of the file.
    of_file: Option<char>,
    /// Whether the lines of the file have both kinds, or the added lines hold a text of several lines.
    is_unsure: bool,
    /// Whether a line of one kind has several characters in single quotation marks: a string in this language.
    has_single: bool,
    /// What is before the literals of the quoted lines that have the other kind.
    before: Vec<String>,
    /// Whether those literals are attributes of elements.
    are_attributes: bool,
    /// How many of those literals are the whole value of a key, as in YAML.
    values: usize,
}

impl Quotation {
    /// Learns from a quoted line and its line of the file, both without indentation.
    pub(super) fn learn(&mut self, quoted: &str, actual: &str) {
        let Some(mark) = actual.chars().find(|c| is_mark(*c)) else { return };
        if differs_in_marks(quoted, actual) {
            let mut in_single = in_single_marks(quoted).chain(in_single_marks(actual));
            self.has_single |= in_single.any(|literal| !is_character(literal));
            for literal in literals(quoted) {
                let before = &quoted[..offset(quoted, literal)];
                self.are_attributes |= is_attribute(before);
                self.values += usize::from(is_value(quoted, literal));
                self.before.push(last_word_of(before).to_owned());
            }
        }
        let is_other = self.of_file.replace(mark).is_some_and(|before| before != mark);
        self.is_unsure |= is_other || actual.contains(other_mark(mark));
    }

    /// Checks whether quoted lines have another kind of quotation marks than the file.
    pub(super) fn is_shown(&self) -> bool {
        !self.before.is_empty()
    }

    /// Learns from a line of the result, or above it, once all quoted lines are known: it may begin a text of several lines.
    pub(super) fn learn_text(&mut self, line: &str) {
        let begins_comment = || line.rsplit_once("/*").is_some_and(|(_, behind)| !behind.contains("*/"));
        self.is_unsure |= long_literal_end(line).is_some()
            || line.contains("<<")
            || is_fence(line)
            || opens_yaml_text(line.trim())
            || begins_comment();
    }

    /// Returns an added line with the quotation marks of the file; `None` if nothing changes.
    pub(super) fn mended(&self, line: &str) -> Option<String> {
        let to = self.of_file.filter(|_| !self.before.is_empty() && !self.is_unsure)?;
        let from = other_mark(to);
        if !line.contains(from) || line.contains(to) || may_read_otherwise(line) || may_be_comment(line) {
            return None;
        }
        let own: Vec<&str> = literals(line).into_iter().filter(|literal| literal.starts_with(from)).collect();
        // A backquote is an escape of PowerShell.
        if own.iter().any(|literal| literal.contains('`') || !self.is_of_code(line, literal)) {
            return None;
        }
        // A character in single quotation marks is no string literal in many languages, which have no longer ones.
        if !self.has_single && (to == '\'' || in_single_marks(line).any(is_character)) {
            return None;
        }
        let mut mended = line.to_owned();
        for literal in own {
            let start = offset(line, literal);
            for at in [start, start + literal.len() - 1] {
                mended.replace_range(at..=at, to.encode_utf8(&mut [0; 4]));
            }
        }
        (mended != line).then_some(mended)
    }

    /// Checks whether a literal is one of code, by what is before and behind: a sign of code, a keyword, or a word that is before a literal
    /// of the quote. An attribute may have marks of its own kind, an expression other marks than whole values, and a third mark is part of a
    /// longer one.
    fn is_of_code(&self, line: &str, literal: &str) -> bool {
        let start = offset(line, literal);
        let (before, behind) = (&line[..start], &line[start + literal.len()..]);
        let before = without_prefix(before);
        let is_shown = || self.before.iter().any(|shown| shown == last_word_of(before));
        let is_in_comment = [" //", " #", " --", "/*"].iter().any(|sign| before.contains(sign));
        let is_joined = behind.starts_with(|c| is_word_char(c) || is_mark(c)) || before.ends_with(is_mark);
        let sign = before.trim_end().chars().next_back();
        !is_in_comment
            && !is_joined
            && (self.are_attributes || !is_attribute(before))
            && (self.values < self.before.len() || is_value(line, literal))
            && match sign {
                None => !behind.trim_start().starts_with(is_word_char),
                Some(sign) if is_word_char(sign) => is_shown() || is_before_literal(last_word_of(before)),
                Some('.') => is_shown() || [" .", ".."].iter().any(|join| before.trim_end().ends_with(join)),
                Some(sign) => is_shown() || "([{,=:>&|+?".contains(sign),
            }
    }
}

/// Returns where a literal is in its line.
fn offset(line: &str, literal: &str) -> usize {
    // The literal is a part of the line.
    literal.as_ptr().addr() - line.as_ptr().addr()
}

/// Checks whether a literal is the whole value of a key or of an item of a list, with no sign behind: `cache: 'pip'`, `- 'main'`.
fn is_value(line: &str, literal: &str) -> bool {
    let start = offset(line, literal);
    let (before, behind) = (&line[..start], &line[start + literal.len()..]);
    behind.trim().is_empty() && [": ", "- "].iter().any(|sign| before.ends_with(sign))
}

/// Returns the last word of a text, with the signs behind.
fn last_word_of(text: &str) -> &str {
    let word = text.trim_end_matches(|c| !is_word_char(c)).trim_end_matches(is_word_char);
    &text[word.len()..]
}

fn is_before_literal(word: &str) -> bool {
    begins_control(word) || BEFORE_LITERALS.contains(&word.trim_end())
}

/// Checks whether a literal behind a text is an attribute of an element: `<p class=`.
fn is_attribute(before: &str) -> bool {
    let is_alone = !before.trim_start().contains(char::is_whitespace);
    (before.contains('<') || is_alone)
        && before.strip_suffix('=').is_some_and(|name| name.ends_with(is_word_char))
}

/// Returns the text before a literal without the prefix of the literal, such as `f`.
fn without_prefix(before: &str) -> &str {
    let word = before.trim_end_matches(char::is_alphanumeric).len();
    if matches!(&before[word..], "f" | "r" | "b" | "u" | "rb" | "fr") { &before[..word] } else { before }
}

/// Returns the literals of a line that are in single quotation marks.
fn in_single_marks(line: &str) -> impl Iterator<Item = &str> {
    literals(line).into_iter().filter(|literal| literal.starts_with('\''))
}

/// Checks whether a single character is between quotation marks.
fn is_character(literal: &str) -> bool {
    literal.chars().count() == 3
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
        let shown = [("say(\"word\")", "say('word')"), ("import \"x\"", "import 'x'")];
        for (line, wanted) in [
            ("b(\"y\", f\"z\")", Some("b('y', f'z')")),
            ("import \"y\"", Some("import 'y'")),
            ("return \"y\" if x", Some("return 'y' if x")),
            ("\"y\",", Some("'y',")),
            ("b('y', \"z\")", None),
            ("b(\"$y\")", None),
            ("b(\"y`n\")", None),
            ("b(\"it's\")", None),
            ("# say(\"word\")", None),
            ("b(2)", None),
            ("b(2) // as in \"y\"", None),
            ("She has \"y\"", None),
            ("\"y\" is a name", None),
            ("<p class=\"y\">", None),
            ("\"\"\"y\"\"\"", None),
            ("b(\"\"\"", None),
            ("b(/\"y\"/)", None),
        ] {
            assert_eq!(mended(&shown, line).as_deref(), wanted, "{line}");
        }
    }

    #[test]
    fn marks_that_not_all_quoted_lines_show_stay() {
        let shown = ("a(\"word\")", "a('word')");
        assert_eq!(mended(&[shown, ("c(\"x\")", "c(\"x\")")], "b(\"y\")"), None);
        assert!(mended(&[shown, ("c('x')", "c('x')")], "b(\"y\")").is_some());
        assert_eq!(mended(&[("a(\"x\")", "a('x')")], "a(\"word\")"), None);
        let single = [("a('x')", "a(\"x\")")];
        assert_eq!(mended(&single, "b('yz')"), Some("b(\"yz\")".to_owned()));
        assert_eq!(mended(&single, "b('y')"), None);
        assert_eq!(
            mended(&[("a('x', 'word')", "a(\"x\", \"word\")")], "b('y')").as_deref(),
            Some("b(\"y\")")
        );
        assert!(mended(&[("<p class=\"x\">", "<p class='x'>")], "<p class=\"yz\">").is_none());
    }

    #[test]
    fn added_texts_keep_their_marks() {
        for line in ["cat <<EOF", "say(`", "a: |", "/* a", "x = \"\"\""] {
            let mut quotation = Quotation::default();
            quotation.learn("a(\"word\")", "a('word')");
            quotation.learn_text(line);
            assert_eq!(quotation.mended("b(\"y\")"), None, "{line}");
        }
    }
}
