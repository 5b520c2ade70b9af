//! The kind of quotation marks around string literals.

/// Checks whether two lines differ in the kind of quotation marks only, and mean the same. A mark inside of the other marks is text.
pub(crate) fn differs_in_marks(quoted: &str, actual: &str) -> bool {
    if quoted.len() != actual.len() {
        return false;
    }
    let mut mark = None;
    let is_other = |(q, f): (char, char)| match (is_mark(q), q == f) {
        (false, is_same) => is_same,
        (true, is_same) => !is_same && is_mark(f) && *mark.get_or_insert(q) == q,
    };
    quoted.chars().zip(actual.chars()).all(is_other) && mark.is_some() && !may_read_otherwise(quoted)
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
