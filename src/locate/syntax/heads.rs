//! The line that opens a block: what of the line is a name.

use super::brackets::ends_in_opener;
use super::literals::{QUOTES, literals};
use super::words::is_word_char;

/// Returns the beginning of a line up to the parameters of a function.
pub(crate) fn without_parameters(line: &str) -> &str {
    if let Some(procedure) = procedure_of_tcl(line) {
        return procedure;
    }
    let is_visibility = |at: usize| line[..at].trim_start() == "pub";
    let is_call = |at: &usize| line[..*at].ends_with(is_word_char) && !is_visibility(*at);
    let end = line.match_indices('(').map(|(at, _)| at).find(is_call);
    &line[..end.unwrap_or(line.len())]
}

/// Returns the beginning of a line of Tcl up to the parameters of a procedure: `proc sum` of `proc sum {a b} {` and of
/// `proc sum args {`.
fn procedure_of_tcl(line: &str) -> Option<&str> {
    const WORD: &str = "proc ";
    let start = line.len() - line.trim_start().len();
    let rest = line[start..].strip_prefix(WORD)?;
    let name = rest.find(char::is_whitespace).filter(|end| !rest[..*end].contains('('))?;
    rest.ends_with('{').then(|| &line[..start + WORD.len() + name])
}

/// Checks whether a line is the signature of the function that another line defines: `double :: Int -> Int`. Two declarations may begin
/// with the same type: `real :: width`.
pub(crate) fn is_signature_of(line: &str, function: &str) -> bool {
    let mut words = function.split_whitespace();
    line.split_once(" :: ").is_some_and(|(name, _)| words.next() == Some(name) && words.next() != Some("::"))
}

/// Returns a line without what is in angle brackets behind a word.
pub(crate) fn without_type_parameters(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut depth = 0_usize;
    for c in line.chars() {
        match c {
            '<' if depth > 0 || plain.ends_with(is_word_char) => depth += 1,
            '>' if depth > 0 => depth -= 1,
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    plain
}

/// Checks whether a line, without its indentation, begins a call with a title: `test("adds", ...)`.
pub(crate) fn has_title(body: &str) -> bool {
    body[without_parameters(body).len()..].trim_start_matches('(').starts_with(QUOTES)
}

/// Returns the part of a line, without its indentation, that names what the line begins: up to the parameters, or with the title.
pub(crate) fn named_part(body: &str) -> &str {
    if has_title(body) { body } else { without_parameters(body) }
}

/// Returns the parameters behind the named part of a line, up to the bracket that closes the list; `None` for a line without brackets.
pub(crate) fn parameters(body: &str) -> Option<&str> {
    let list = body[named_part(body).len()..].strip_prefix('(')?;
    let mut depth = 0_usize;
    let end = list.find(|c| {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return true,
            ')' => depth -= 1,
            _ => {}
        }
        false
    })?;
    Some(&list[..end])
}

/// Returns the arguments that name the block of a line: all of a macro such as `TEST(Cart, AddsItem) {`, the first of a call that the
/// block is an argument of, `bus.on(ORDER_PAID, (order) => {`, and the values among the patterns of Erlang and Prolog,
/// `handle_call(get_all, State) ->`.
pub(crate) fn naming_arguments(body: &str) -> Vec<&str> {
    let (name, body) = (without_parameters(body), body.trim_end());
    let Some(list) = body[name.len()..].strip_prefix('(').filter(|_| is_name(name)) else {
        return Vec::new();
    };
    let is_word = |argument: &&str| argument.starts_with(is_word_char);
    let arguments = list.split([',', ')']).map(str::trim).filter(is_word);
    if name.contains(char::is_uppercase) && !name.contains(char::is_lowercase) {
        return arguments.collect();
    }
    if [" ->", " :-"].iter().any(|end| body.ends_with(end)) {
        return arguments.filter(|argument| argument.starts_with(char::is_lowercase)).collect();
    }
    let is_open = parameters(body).is_none() && ends_in_opener(body);
    let first = list.split_once(',').map(|(first, _)| first);
    first.into_iter().filter(|first| is_open && is_word(first)).collect()
}

/// Checks whether a text is one name, maybe with the object before: `bus.on`.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| is_word_char(c) || c == '.')
}

/// Returns the words of the first string literal of a line.
pub(crate) fn title_words(line: &str) -> Vec<&str> {
    literals(line).first().map(|title| name_words(title)).unwrap_or_default()
}

/// Returns the words of a text. Signs inside a word belong to the word.
pub(crate) fn name_words(text: &str) -> Vec<&str> {
    let parts = text.split(|c: char| c.is_whitespace() || "\"'`()[]{}<>,;=".contains(c));
    let words = parts.map(|part| part.trim_matches(':'));
    words.filter(|word| word.contains(char::is_alphanumeric)).collect()
}

/// Signs between the parts of a line that opens a block, which name nothing.
const BETWEEN_NAMES: [&str; 15] =
    ["=", ":=", "=>", "->", "<-", ":", "::", "|", "||", "&&", "&", "-", "--", "?", "\\"];

/// Checks whether the names of two lines that open blocks differ in signs: a path, a pattern or an operator that has no letters,
/// against another text: `location /` and `location /api`, `ops["<"]` and `ops["<="]`.
pub(crate) fn has_other_signs(quoted: &str, actual: &str) -> bool {
    let (q, f) = (literals(quoted), literals(actual));
    let is_other = |(q, f): (&&str, &&str)| {
        let (q, f) = (q.trim(), f.trim());
        q != f && !q.is_empty() && !f.is_empty() && (is_of_signs(q) || is_of_signs(f))
    };
    q.len() == f.len() && q.iter().zip(&f).any(is_other) || has_other_terms(quoted, actual)
}

/// Checks whether each of two heads has a term of its own, and one of these is of signs.
fn has_other_terms(quoted: &str, actual: &str) -> bool {
    let [q, f] = [quoted, actual].map(|line| terms(without_parameters(line)));
    let own_q = q.iter().filter(|term| !f.contains(term));
    let own_f = f.iter().filter(|term| !q.contains(term));
    let mut own = own_q.clone().chain(own_f.clone());
    q.iter().any(|term| f.contains(term))
        && own_q.count() > 0
        && own_f.count() > 0
        && own.any(|term| is_of_signs(term) && !BETWEEN_NAMES.contains(term))
}

fn is_of_signs(text: &str) -> bool {
    !text.contains(|c: char| c.is_alphanumeric() || c == '_')
}

/// Returns the texts between the spaces, brackets and quotation marks of a line, apart from a sign that begins the line.
fn terms(line: &str) -> Vec<&str> {
    let parts = line.split(|c: char| c.is_whitespace() || "\"'`()[]{},;".contains(c));
    let terms = parts.map(|part| part.trim_end_matches(':')).filter(|part| !part.is_empty());
    let has_letters = |term: &&str| term.contains(char::is_alphanumeric);
    terms.skip_while(|term| !has_letters(term)).collect()
}

/// Checks whether two words are the same name, with or without the names around it: `Store::open` and `open`.
pub(crate) fn is_one_name(one: &str, other: &str) -> bool {
    let is_end = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|rest| rest.ends_with(['.', ':', '#']))
    };
    one == other || is_end(one, other) || is_end(other, one)
}
