//! String literals.

use std::borrow::Cow;

/// The quotation marks of a string literal, and of a template, in most languages. Used for literals, and for marks that enclose text.
pub(crate) const QUOTES: [char; 3] = ['"', '\'', '`'];

/// Returns the string literals of a line, with their quotes.
pub(crate) fn literals(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(start) = rest.find(QUOTES) {
        let behind = &rest[start..];
        match literal_end(behind) {
            Some(end) => {
                found.push(&behind[..end]);
                rest = &behind[end..];
            }
            None => rest = &behind[1..],
        }
    }
    found
}

/// Returns the values of the string literals of a line. Whitespace in the interpolations of a template is code.
pub(crate) fn literal_values(line: &str) -> impl Iterator<Item = Cow<'_, str>> {
    literals(line).into_iter().map(|literal| {
        if literal.starts_with('`') && literal.contains("${") {
            Cow::Owned(with_squashed_interpolations(literal))
        } else {
            Cow::Borrowed(literal)
        }
    })
}

fn with_squashed_interpolations(template: &str) -> String {
    let mut squashed = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(start) = rest.find("${") {
        let end = rest[start..].find('}').map_or(rest.len(), |length| start + length);
        squashed.push_str(&rest[..start]);
        squashed.extend(rest[start..end].chars().filter(|c| !c.is_whitespace()));
        rest = &rest[end..];
    }
    squashed + rest
}

/// Returns a line without the contents of its string literals.
pub(crate) fn without_literals(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(start) = rest.find(QUOTES) {
        let end = literal_end(&rest[start..]);
        plain.push_str(&rest[..=start]);
        rest = &rest[start + end.unwrap_or(1)..];
    }
    plain + rest
}

/// Returns the length of the literal at the beginning of a text, quotes included, in bytes.
fn literal_end(text: &str) -> Option<usize> {
    let mut chars = text.char_indices();
    let (_, quote) = chars.next()?;
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            _ if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}
