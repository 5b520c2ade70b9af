//! The kind of quotation marks around string literals.

/// Checks whether two lines differ in the kind of quotation marks only, and mean the same. A mark inside of the other marks is text.
pub(crate) fn differs_in_marks(quoted: &str, actual: &str) -> bool {
    let Some(mark) = quoted.chars().find(|c| is_mark(*c)) else { return false };
    let is_other =
        |(q, f): (char, char)| if q == mark { f == other_mark(mark) } else { q == f && !is_mark(q) };
    quoted.len() == actual.len()
        && quoted.chars().zip(actual.chars()).all(is_other)
        && !may_read_otherwise(quoted)
}

/// Checks whether a text may read otherwise in other quotation marks: with a variable or an escape.
pub(crate) fn may_read_otherwise(text: &str) -> bool {
    text.contains(['$', '\\']) || text.contains("#{")
}

/// Checks whether a character encloses string literals.
pub(crate) fn is_mark(c: char) -> bool {
    matches!(c, '\'' | '"')
}

/// Returns the other kind of quotation mark.
pub(crate) fn other_mark(mark: char) -> char {
    if mark == '"' { '\'' } else { '"' }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_differ_if_all_are_the_other_kind() {
        assert!(differs_in_marks("a('x', '')", "a(\"x\", \"\")"));
        for (quoted, actual) in
            [("a('\"')", "a(\"'\")"), ("a('x', \"y\")", "a(\"x\", 'y')"), ("a('x')", "a('x')")]
        {
            assert!(!differs_in_marks(quoted, actual), "{quoted} / {actual}");
        }
    }
}
