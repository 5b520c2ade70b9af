//! New texts that an encoder changed: signs and line breaks are only encoded in the new text, in code, and a line of the old text
//! is like such a line, but has the signs as they are.

use super::texts::{Kind, Texts, first_word, trimmed};
use crate::locate::{
    is_comment, is_word_char, literals, without_comment, without_entities, without_literals,
};

/// Checks whether an encoder changed the new text, and not the old text.
pub(super) fn is_encoded(texts: &Texts<'_, '_>) -> bool {
    let has_signs = texts.written.iter().any(|line| line.contains(['&', '\\']));
    has_signs && !is_in_literal(texts) && (has_entities(texts) || has_escapes(texts))
}

/// Checks whether the old text is a part of a string literal of its line.
fn is_in_literal(texts: &Texts<'_, '_>) -> bool {
    let line = texts.document.text(texts.start).unwrap_or_default();
    texts.is_part_of_line() && literals(line).iter().any(|literal| literal.contains(texts.old[0]))
}

/// Checks for entities in code, where the old text or the file has the signs as they are.
fn has_entities(texts: &Texts<'_, '_>) -> bool {
    let decoded: Vec<_> = texts.written.iter().map(|line| without_entities(line)).collect();
    let signs: String = decoded.iter().flat_map(|line| line.signs.chars()).collect();
    // An encoder would have encoded these as well.
    let is_left = |sign: char| matches!(sign, '<' | '&') || signs.contains(sign) && "<>&\"'".contains(sign);
    let lines: Vec<&str> = decoded.iter().map(|line| &*line.text).collect();
    if signs.is_empty()
        || texts.kind == Kind::Prose
        || lines == texts.replaced
        || decoded.iter().any(|line| line.rest.contains(is_left))
        || texts.old.iter().any(|line| !without_entities(line).signs.is_empty())
    {
        return false;
    }
    let is_shown = |nth: usize| {
        let (line, plain) = (texts.written[nth], lines[nth]);
        let shows = |old: &&str| old.contains(|c| signs.contains(c)) && skeleton(old) == skeleton(plain);
        is_code(line)
            && (texts.old.iter().any(shows) && is_no_text(texts, line) || is_statement(texts, line, plain))
    };
    (0..lines.len()).filter(|nth| !decoded[*nth].signs.is_empty()).any(is_shown)
}

/// Checks that a line has entities outside of string literals, comments and patterns.
fn is_code(line: &str) -> bool {
    let is_pattern = ["/&", "\\&", "|&"].iter().any(|start| line.contains(start));
    let code = without_literals(line);
    !is_comment(line) && !is_pattern && !without_entities(without_comment(&code)).signs.is_empty()
}

/// Checks that a line of a file with tags is no text between tags: the line is a tag, or has an operator.
fn is_no_text(texts: &Texts<'_, '_>, line: &str) -> bool {
    let (body, is_new) = (line.trim(), !texts.contain("&lt;"));
    let is_tag = body.starts_with("&lt;") && body.ends_with("&gt;");
    texts.kind != Kind::Markup || is_new && (is_tag || has_operator(line))
}

/// Checks for a statement with an operator, in a file of code that has that operator and no entities.
fn is_statement(texts: &Texts<'_, '_>, line: &str, plain: &str) -> bool {
    let is_statement = line.trim_end().ends_with([';', '{', '}', '(', ')', ',', ':']);
    let has_entities = || ["&lt;", "&gt;", "&amp;", "&quot;"].iter().any(|entity| texts.contain(entity));
    let operator = OPERATORS.iter().find(|(encoded, _)| line.contains(encoded));
    let is_known = |(_, sign): &(&str, &str)| texts.contain(sign) && plain.contains(sign);
    texts.kind == Kind::Code && is_statement && operator.is_some_and(is_known) && !has_entities()
}

/// Operators as an encoder writes them.
const OPERATORS: [(&str, &str); 5] =
    [("&amp;&amp;", "&&"), ("-&gt;", "->"), ("=&gt;", "=>"), ("&lt;=", "<="), ("&gt;=", ">=")];

fn has_operator(line: &str) -> bool {
    OPERATORS.iter().any(|(encoded, _)| line.contains(encoded))
}

/// Checks for the escapes of a string in code: line breaks, tabs, quotation marks and ASCII signs as two or six characters.
fn has_escapes(texts: &Texts<'_, '_>) -> bool {
    let Some(decoded) = texts.written.iter().map(|line| Unescaped::of(line)).collect::<Option<Vec<_>>>()
    else {
        return false;
    };
    let lines: Vec<&str> = decoded.iter().flat_map(|line| line.text.split('\n')).collect();
    let escaped = |sign: char| decoded.iter().any(|line| line.signs.contains(sign));
    let is_mixed =
        ['"', '\t'].iter().any(|sign| escaped(*sign) && decoded.iter().any(|line| line.rest.contains(*sign)));
    let last = decoded.len() - 1;
    let breaks_line = |nth: usize| decoded[nth].text.trim_end_matches('\n').contains('\n') && last > 0;
    if is_mixed
        || (0..last).any(|nth| decoded[nth].signs.contains('\n'))
        || breaks_line(last)
        || trimmed(&lines) == texts.replaced
        || texts.old.iter().any(|line| line.contains('\\'))
    {
        return false;
    }
    (0..decoded.len()).any(|nth| is_shown_escaped(texts, texts.written[nth], &decoded[nth]))
}

/// Checks whether the old text has lines like those that a line of the new text has escaped, outside of string literals.
fn is_shown_escaped(texts: &Texts<'_, '_>, line: &str, decoded: &Unescaped) -> bool {
    if !without_literals(line).contains('\\') || decoded.text.split('\n').any(has_open_literal) {
        return false;
    }
    // Inside of a line, a tab is rather a part of a pattern, and so is a sign with its number in a class.
    let has_inner_tab =
        decoded.signs.contains('\t') && decoded.text.split('\n').any(|piece| piece.trim().contains('\t'));
    if has_inner_tab || ["[\\u", "-\\u"].iter().any(|start| line.contains(start)) {
        return false;
    }
    let pieces: Vec<&str> = decoded.text.split('\n').filter(|piece| !piece.trim().is_empty()).collect();
    let is_like_old = |piece: &&str| {
        let has_sign = |old: &str| skeleton(old) != "w" || first_word(old) == first_word(piece);
        let is_like = |old: &&str| old == piece || skeleton(old) == skeleton(piece) && has_sign(old);
        texts.old.iter().any(is_like)
    };
    if !decoded.signs.contains('\n') {
        return pieces.iter().any(is_like_old);
    }
    let is_data = matches!(texts.kind, Kind::Prose | Kind::Values | Kind::Patch);
    let is_whole = !is_data || pieces.len() > 1 && !texts.is_part_of_line();
    let is_indented =
        || line.split("\\n").skip(1).all(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\\']));
    let is_code = || !is_data && pieces.iter().any(is_like_old) && is_indented();
    is_whole && pieces.iter().all(is_like_old) || is_code()
}

/// A line without the escapes of an encoder of strings.
struct Unescaped {
    text: String,
    /// The signs that were escaped.
    signs: String,
    /// The line without its escapes.
    rest: String,
}

impl Unescaped {
    /// Returns a line unescaped; `None` if the line has a backslash that no encoder writes.
    fn of(line: &str) -> Option<Self> {
        let mut found = Unescaped { text: String::new(), signs: String::new(), rest: String::new() };
        let mut rest = line;
        while let Some(at) = rest.find('\\') {
            found.text.push_str(&rest[..at]);
            found.rest.push_str(&rest[..at]);
            let (length, sign) = escape(&rest[at + 1..])?;
            found.text.push(sign);
            found.signs.push(sign);
            rest = &rest[at + 1 + length..];
        }
        found.text.push_str(rest);
        found.rest.push_str(rest);
        Some(found)
    }
}

/// Returns the length and the sign of an escape behind its backslash.
fn escape(text: &str) -> Option<(usize, char)> {
    match text.chars().next()? {
        'n' => Some((1, '\n')),
        't' => Some((1, '\t')),
        sign @ ('"' | '\\') => Some((1, sign)),
        'u' => {
            let code = u32::from_str_radix(text.get(1..5)?, 16).ok()?;
            Some((5, char::from_u32(code).filter(char::is_ascii_graphic)?))
        }
        _ => None,
    }
}

/// Checks whether a string literal is open at the end of a line. An apostrophe is no literal.
fn has_open_literal(line: &str) -> bool {
    let is_open = |mark: char| {
        let escaped = line.matches(&format!("\\{mark}")).count();
        (line.matches(mark).count() - escaped) % 2 == 1
    };
    is_open('"') || is_open('`')
}

/// Returns the signs of a line, with `w` for the words between two signs.
fn skeleton(line: &str) -> String {
    let mut signs = String::with_capacity(line.len());
    for c in line.chars().filter(|c| !c.is_whitespace()) {
        if !is_word_char(c) {
            signs.push(c);
        } else if !signs.ends_with('w') {
            signs.push('w');
        }
    }
    signs
}
