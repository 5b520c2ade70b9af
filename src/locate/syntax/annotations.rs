//! Type annotations. Python, PHP, TypeScript and others have the same declaration with and without types.

use super::words::is_word_char;

/// The words of a declaration with parameters, whatever the line ends with.
const DECLARES: [&str; 2] = ["def", "function"];

/// Words before a parameter of PHP that declare a property.
const PROPERTY: [&str; 5] = ["public", "protected", "private", "readonly", "static"];

/// Checks whether a line declares what a plain line declares, with types that the plain line has not. Both as words and signs.
pub(crate) fn has_more_types(plain: &[&str], typed: &[&str]) -> bool {
    typed.len() > plain.len()
        && plain.first() == typed.first()
        && (declares_function(plain) || assigns(plain))
        && Walk { actual: typed, at: 0, brackets: Vec::new() }.has_the_rest_of(plain)
}

/// Checks for a line that opens a function.
fn declares_function(tokens: &[&str]) -> bool {
    // Names of Ruby and Julia may end in a sign.
    let is_call =
        |pair: &[&str]| pair[1] == "(" && pair[0].starts_with(|c| is_word_char(c) || "!?".contains(c));
    let declares = |token: &&str| DECLARES.contains(token);
    tokens.windows(2).any(is_call) && (tokens.iter().any(declares) || tokens.last() == Some(&"{"))
}

/// Checks for the assignment of a value to a variable or an attribute.
fn assigns(tokens: &[&str]) -> bool {
    let Some(sign) = tokens.iter().position(|token| *token == "=") else { return false };
    let is_target = |token: &&str| token.starts_with(is_word_char) || *token == ".";
    sign > 0
        && tokens[..sign].iter().all(is_target)
        && tokens.get(sign + 1).is_some_and(|next| !"=>".contains(next))
}

/// A position in a declaration with types.
struct Walk<'f, 't> {
    actual: &'f [&'t str],
    at: usize,
    /// The brackets that are open.
    brackets: Vec<&'t str>,
}

impl Walk<'_, '_> {
    /// Checks whether a declaration has the words and signs of a quoted declaration, and between these only types.
    fn has_the_rest_of(mut self, quoted: &[&str]) -> bool {
        for token in quoted {
            if self.actual.get(self.at) != Some(token) {
                match self.type_end() {
                    Some(end) if self.actual.get(end) == Some(token) => self.at = end,
                    _ => return false,
                }
            }
            self.enter();
        }
        self.at == self.actual.len() || self.type_end() == Some(self.actual.len())
    }

    /// Takes the next word or sign.
    fn enter(&mut self) {
        match self.actual[self.at] {
            open @ ("(" | "[" | "{") => self.brackets.push(open),
            ")" | "]" | "}" => drop(self.brackets.pop()),
            _ => {}
        }
        self.at += 1;
    }

    /// Returns where the type ends that begins at the position.
    fn type_end(&self) -> Option<usize> {
        let before = self.actual[..self.at].last()?;
        let rest = &self.actual[self.at..];
        let is_parameter = self.brackets == ["("];
        let is_named = before.starts_with(is_word_char) || matches!(*before, "}" | "]");
        match rest {
            ["?" | ":", ":", ..] if is_parameter && is_named => self.end_behind(2),
            [":", ..] if is_parameter && is_named => self.end_behind(1),
            [":", ..] if self.brackets.is_empty() && (is_named || *before == ")") => self.end_behind(1),
            ["-", ">", ..] if self.brackets.is_empty() && *before == ")" => self.end_behind(2),
            _ if is_parameter && matches!(*before, "(" | ",") => self.end_before_variable(),
            _ => None,
        }
    }

    /// Returns where a type ends that begins so many words and signs behind the position.
    fn end_behind(&self, signs: usize) -> Option<usize> {
        let start = self.at + signs;
        // A value behind a name is that of a named argument: `wait(limit: 3) {`.
        self.actual.get(start).filter(|token| !token.starts_with(|c: char| c.is_ascii_digit()))?;
        let mut depth = 0_usize;
        let mut before = "";
        for (at, token) in self.actual.iter().enumerate().skip(start) {
            let is_arrow = matches!((before, *token), ("=" | "-", ">"));
            match *token {
                "," | ")" | ":" | ";" | "{" if depth == 0 => return (at > start).then_some(at),
                "=" if depth == 0 && self.is_end(at) => return (at > start).then_some(at),
                "(" | "[" | "{" | "<" => depth += 1,
                ")" | "]" | "}" => depth = depth.checked_sub(1)?,
                ">" if !is_arrow => depth = depth.checked_sub(1)?,
                _ => {}
            }
            before = token;
        }
        (depth == 0 && self.brackets.is_empty() && start < self.actual.len()).then_some(self.actual.len())
    }

    /// Checks whether an equals sign ends a type: `=>` inside of parameters belongs to the type of a function.
    fn is_end(&self, at: usize) -> bool {
        self.brackets.is_empty() || self.actual.get(at + 1) != Some(&">")
    }

    /// Returns the position of the variable behind a type: `int $count`.
    fn end_before_variable(&self) -> Option<usize> {
        let length = self.actual[self.at..].iter().position(|token| matches!(*token, "$" | "&" | "."))?;
        let is_type = |token: &&str| token.starts_with(is_word_char) || matches!(*token, "?" | "|" | "\\");
        let words = &self.actual[self.at..self.at + length];
        let is_property = words.iter().any(|word| PROPERTY.contains(word));
        (length > 0 && words.iter().all(is_type) && !is_property).then_some(self.at + length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate::align::line_text::LineText;

    fn has_more(quoted: &str, actual: &str) -> bool {
        let (quoted, actual) = (LineText::new(quoted), LineText::new(actual));
        let (q, f): (Vec<_>, Vec<_>) = (quoted.tokens().collect(), actual.tokens().collect());
        has_more_types(&q, &f)
    }

    #[test]
    fn a_declaration_is_the_same_with_types() {
        for (quoted, actual) in [
            ("def get(self, key):", "def get(self, key: str) -> Item | None:"),
            ("async def run(*args, **kwargs):", "async def run(*args: Any, **kwargs: Any) -> None:"),
            (
                "def put(self, key, value=None):",
                "def put(self, key: str, value: dict[str, int] | None = None):",
            ),
            ("self._items = {}", "self._items: dict[str, Item] = {}"),
            ("const limit = 10;", "const limit: number = 10;"),
            (
                "function load(path, done) {",
                "function load(path: string, done?: (error: Error) => void): void {",
            ),
            ("close({ id, name }) {", "close({ id, name }: Props): Promise<void> {"),
            (
                "public function find($id, $with = null)",
                "public function find(int $id, ?array $with = null): ?Order",
            ),
        ] {
            assert!(has_more(quoted, actual), "{quoted} / {actual}");
            assert!(!has_more(actual, quoted), "{quoted} / {actual}");
        }
    }

    #[test]
    fn another_declaration_is_not_the_same() {
        for (quoted, actual) in [
            ("def get(self, key):", "def get(self, key: str, default: str) -> Item:"),
            ("def get(self, key):", "def put(self, key: str) -> Item:"),
            ("def get(self, key=None):", "def get(self, key: str = \"\"):"),
            ("self.items = {}", "self.items: dict = []"),
            ("send(a, b)", "send(a: 1, b: 2)"),
            ("wait(limit) {", "wait(limit: 3) {"),
            ("def wait(limit)", "def wait(limit: 3)"),
            ("key = other", "key: other"),
            ("if (a) {", "if (a ? b : c) {"),
            ("if a == b:", "if a: int == b:"),
            ("function make($id) {", "function make(private int $id) {"),
        ] {
            assert!(!has_more(quoted, actual), "{quoted} / {actual}");
        }
    }
}
