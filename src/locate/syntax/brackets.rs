//! Brackets and the tags of markup.

use super::comments::without_comment;
use super::literals::without_literals;
use super::words::first_word;

/// The brackets that open, in most languages. Used for lines that begin a block.
pub(crate) const OPENING: [char; 3] = ['(', '[', '{'];

/// The brackets that close, in most languages. Used for lines that end a block.
pub(crate) const CLOSING: [char; 3] = [')', ']', '}'];

/// The void elements of HTML (<https://html.spec.whatwg.org/#void-elements>): tags without an end. Used to count the tags that a line
/// leaves open.
const VOID_TAGS: [&str; 13] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];

/// The beginning of a tag.
const TAG: &str = "<";

/// The beginning of a tag that ends an element.
pub(super) const END_TAG: &str = "</";

/// Checks whether a line ends in a sign that opens a block or a list.
pub(crate) fn ends_in_opener(line: &str) -> bool {
    let line = line.trim_end();
    line.ends_with(OPENING) || line.ends_with(':')
}

/// Checks for a line that is only an opening bracket.
pub(crate) fn is_opening_bracket(line: &[u8]) -> bool {
    matches!(line.trim_ascii(), b"{" | b"(" | b"[")
}

/// Checks whether more brackets of a kind are opened than closed.
pub(crate) fn is_open(line: &[u8], open: u8, close: u8) -> bool {
    memchr::memchr_iter(open, line).count() > memchr::memchr_iter(close, line).count()
}

/// Returns the code of a line, in which brackets count: without the number of an item, `1)`, the contents of string literals, and a
/// comment at the end.
pub(super) fn code_of(line: &str) -> String {
    let behind = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let item = behind.strip_prefix(')').filter(|_| behind.len() < line.len());
    let mut code = without_literals(item.unwrap_or(line));
    code.truncate(without_comment(&code).len());
    code
}

/// Returns the brackets without a partner, in order.
pub(super) fn open_brackets(code: &str) -> Vec<&str> {
    let mut open: Vec<&str> = Vec::new();
    for (_, bracket) in code.match_indices(['(', '[', '{', ')', ']', '}']) {
        let opener = match bracket {
            ")" => "(",
            "]" => "[",
            "}" => "{",
            _ => "",
        };
        if !opener.is_empty() && open.last() == Some(&opener) {
            open.pop();
        } else {
            open.push(bracket);
        }
    }
    open
}

/// Returns the tags without a partner in a line of markup, in order. Names are not compared, because they may be misspelt.
pub(super) fn open_tags(code: &str) -> Vec<&'static str> {
    let mut open: Vec<&str> = Vec::new();
    if !code.trim_start().starts_with(TAG) {
        return open;
    }
    for tag in code.split(TAG).skip(1) {
        let tag = tag.split('>').next().unwrap_or_default();
        let name = first_word(tag.trim_start_matches('/'));
        let is_end = tag.starts_with('/');
        // XML has elements of these names, with an end.
        let is_ended = || code.contains(&format!("</{name}>"));
        let is_void = !is_end && (tag.ends_with('/') || VOID_TAGS.contains(&name) && !is_ended());
        // `<>` is a tag, and `<!` or `<=` is none.
        let is_tag = !name.is_empty() || tag.is_empty() || tag == "/";
        if is_end && open.last() == Some(&TAG) {
            open.pop();
        } else if is_tag && !is_void {
            open.push(if is_end { END_TAG } else { TAG });
        }
    }
    open
}
