//! Why a text without an envelope is refused. Recognizes the forms of edit tools that are not read, so that the refusal can
//! name the form.

use crate::format::error::{ParseError, ParseErrorKind, shortened};
use crate::format::file_name;
use crate::patch::Span;

/// What is known of a text as long as it has no envelope.
#[derive(Debug, Default)]
pub(super) struct NoEnvelope {
    /// The first line that is not blank, with its number.
    first_filled: Option<(usize, String)>,
    /// Errors before the first envelope.
    errors: Vec<ParseError>,
    form: OtherForm,
}

impl NoEnvelope {
    /// Adds the next line; `number` is 1-based.
    pub(super) fn line(&mut self, number: usize, line: &str) {
        if self.first_filled.is_none() && !line.trim().is_empty() {
            self.first_filled = Some((number, shortened(line).to_owned()));
        }
        self.form.line(number, line);
    }

    /// Adds an error.
    pub(super) fn push(&mut self, error: ParseError) {
        self.errors.push(error);
    }

    /// Returns the errors before an envelope that begins now.
    pub(super) fn take_errors(&mut self) -> Vec<ParseError> {
        std::mem::take(&mut self.errors)
    }

    /// Returns why the text is not a patch: a hunk outside, the form of another tool, or that there is no patch.
    pub(super) fn error(&mut self) -> ParseError {
        if let Some(error) = self.take_errors().into_iter().next() {
            return error;
        }
        let (number, kind, found) = self.form.found.take().unwrap_or_else(|| {
            let (number, found) = self.first_filled.take().unwrap_or((1, String::new()));
            (number, ParseErrorKind::NoEnvelope, found)
        });
        ParseError::new(Span::line(number), kind, &found)
    }
}

/// What the lines of a text without a patch have shown so far.
#[derive(Debug, Default)]
struct OtherForm {
    /// The last line that has only a file name, 1-based, and the name. A blank line may follow.
    name: Option<(usize, String)>,
    in_fence: bool,
    /// The name that belongs to the open fence.
    fence_name: Option<(usize, String)>,
    /// The first line of an edit by line numbers, 1-based.
    window: Option<(usize, String)>,
    found: Option<(usize, ParseErrorKind, String)>,
}

impl OtherForm {
    /// Adds the next line; `number` is 1-based.
    fn line(&mut self, number: usize, line: &str) {
        if self.found.is_some() {
            return;
        }
        self.windowed(number, line);
        let is_fence = ["```", "~~~"].iter().any(|fence| line.trim_start().starts_with(fence));
        if is_fence {
            self.in_fence = !self.in_fence;
            self.fence_name = if self.in_fence { self.name_of_fence(number, line) } else { None };
        } else if !self.in_fence && !line.trim().is_empty() {
            self.name = file_name::alone(line).map(|name| (number, name));
        } else if !line.trim().is_empty()
            && let Some((number, name)) = self.fence_name.take().filter(|_| !line.starts_with("@@"))
        {
            // A `@@` begins a diff: its name may be above the fence as well.
            self.found = Some((number, ParseErrorKind::WholeFile, name));
        }
    }

    /// Returns the name of the file in a fence: in the line of the fence, or above.
    fn name_of_fence(&mut self, number: usize, line: &str) -> Option<(usize, String)> {
        let above = self.name.take().filter(|(above, _)| above + 2 >= number);
        let info = line.trim().trim_start_matches(['`', '~']).trim();
        let is_diff = ["diff", "patch"].iter().any(|word| info.starts_with(word));
        let named = || file_name::in_fence(line.trim()).map(|name| (number, name));
        if is_diff { None } else { named().or(above) }
    }

    /// Reads a line of an edit that names lines by number: `edit 3:5`, the new lines, `end_of_edit`.
    fn windowed(&mut self, number: usize, line: &str) {
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let range = line.trim().strip_prefix("edit ").and_then(|range| range.split_once(':'));
        if range.is_some_and(|(first, last)| is_digits(first) && is_digits(last)) {
            self.window = Some((number, shortened(line.trim()).to_owned()));
        } else if line.trim() == "end_of_edit"
            && let Some((number, line)) = self.window.take()
        {
            self.found = Some((number, ParseErrorKind::LineRange, line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Option<&'static str> {
        let mut text_without = NoEnvelope::default();
        (1..).zip(text.lines()).for_each(|(number, line)| text_without.line(number, line));
        Some(text_without.error().kind.code()).filter(|code| *code != "no-envelope")
    }

    #[test]
    fn a_name_alone_above_a_fence_is_a_whole_file() {
        for name in [
            "app.py",
            "**src/app.py**",
            "`app.py`:",
            "### src/app.py",
            "File: app.py",
            "Makefile",
            "app.py\n",
        ] {
            assert_eq!(
                code(&format!("Here it is:\n\n{name}\n```python\nimport os\n```\n")),
                Some("whole-file"),
                "{name}"
            );
        }
        assert_eq!(code("```python src/app.py\nimport os\n```\n"), Some("whole-file"));
        assert_eq!(code("app.py\n```\nimport os\n"), Some("whole-file"));
    }

    #[test]
    fn a_code_block_in_prose_is_no_whole_file() {
        for above in [
            "Run this in `app.py`:",
            "Output:",
            "and/or",
            "3.11",
            "**Note:**",
            "app.py\nHere it is:",
            "app.py\n\n",
            "",
        ] {
            assert_eq!(code(&format!("{above}\n```sh\nls\n```\n")), None, "{above}");
        }
        for text in [
            "app.py\n",
            "app.py\n```\n```\n",
            "app.py\n```diff\n-a\n+b\n```\n",
            "app.py\n```\n@@ def f\n-a\n+b\n```\n",
        ] {
            assert_eq!(code(text), None, "{text}");
        }
    }

    #[test]
    fn an_edit_by_line_numbers_has_both_ends() {
        assert_eq!(code("edit 5:5\n    x = 1\nend_of_edit\n"), Some("line-range"));
        for text in ["edit 5:5\n    x = 1\n", "edit app.py:5\nend_of_edit\n", "end_of_edit\n"] {
            assert_eq!(code(text), None, "{text}");
        }
    }
}
