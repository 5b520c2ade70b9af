//! Whether the list that an insertion goes into has its items by now in another form: an item of the same name.

use std::collections::HashSet;
use std::ptr;

use super::defined::{LONGEST_LIST, siblings};
use super::types::{Explanation, Insertion};
use super::unmade::has_once;
use crate::locate::align::file::File;
use crate::locate::align::line_text::LineText;
use crate::locate::syntax::{
    begins_branch, begins_control, is_about_next, is_label, is_quotation_mark, is_statement, may_be_comment,
    names_and_signs,
};

/// How many items of an insertion are compared with the list.
const MOST_ITEMS: usize = 16;

/// How many other items show by which token the items of a list differ.
const OTHERS: usize = 2;

/// Returns the line that has a line of an insertion in another form, if each line of the insertion that is as deep as its first one is in
/// the list around. A quoted line, and a line that a chunk removes, is not meant. `removed`: the lines that chunks remove.
pub(super) fn in_other_form(
    file: &File<'_>,
    explanation: &Explanation<'_>,
    insertion: &Insertion,
    removed: &HashSet<usize>,
) -> Option<usize> {
    let filled = insertion.filled();
    let items = items(&filled).filter(|_| !insertion.spans_tables())?;
    let aligned = explanation.aligned(file);
    let list: Vec<Item<'_>> = siblings(file, insertion.at, items[0], LONGEST_LIST)
        .map(|line| Item {
            line,
            stays: !aligned.is_quoted_alike(line) && !removed.contains(&line),
            ..Item::new(file.line(line).body())
        })
        .collect();
    let mut others = Vec::new();
    for item in items {
        let own = Item::new(item.body());
        let equal = list.iter().find(|there| there.stays && file.is_same(there.line, item));
        let has_other_content = || opens(&filled, item) && file.occurrences(item) == 1;
        match equal {
            Some(equal)
                if has_once(file, explanation, own.text) && !is_control(own.text) && has_other_content() =>
            {
                others.push(equal.line);
            }
            Some(_) => {}
            None if is_control(own.text) => return None,
            None => others.push(own.other_form_in(&list)?.line),
        }
    }
    others.first().copied()
}

/// Checks whether an item may be one of some lines in another form: they begin alike.
pub(crate) fn may_be_item(item: &str, mut lines: impl Iterator<Item = impl AsRef<str>>) -> bool {
    /// So many tokens are equal at least.
    const EQUAL: usize = 2;
    let own = names_and_signs(item);
    let Some(first) = own.first() else { return false };
    let own = &own[..own.len().min(EQUAL)];
    let is_quote = |c: char| c.is_whitespace() || is_quotation_mark(c);
    lines.any(|line| {
        let line = line.as_ref();
        line.trim_start_matches(is_quote).starts_with(first) && names_and_signs(line).starts_with(own)
    })
}

/// Returns the name that a line declares, if it is an item of a list.
pub(crate) fn declared_name(line: &str) -> Option<&str> {
    Item::new(line).key()
}

/// Checks whether two lines give a value to the same name: of one right above the other, only one is of use.
pub(super) fn assigns_same(line: &str, other: &str) -> bool {
    assigned_name(line).is_some_and(|own| assigned_name(other) == Some(own))
}

/// Returns the variable, the field of an object or the constant to which a line gives a value: `let width = 4`, `@width = 4`,
/// `self.width = 4`, `WIDTH=4`. A value that uses the name, and a key of a record, may be there twice.
fn assigned_name(line: &str) -> Option<&str> {
    let tokens = names_and_signs(line.strip_prefix('@').unwrap_or(line));
    let end = tokens.iter().position(|token| *token == "=")?;
    let (before, value) = (&tokens[..end], &tokens[end + 1..]);
    let name = before.last().copied().filter(|name| is_name(name))?;
    let is_declared = before.len() > 1 && before.iter().all(|token| is_name(token));
    let is_known =
        is_declared || line.starts_with('@') || name.contains('.') || !name.contains(char::is_lowercase);
    let uses_name = value.iter().any(|token| token.split('.').next() == Some(name) || *token == name);
    let is_once = is_known && !uses_name && value.first() != Some(&"=");
    is_once.then_some(name)
}

/// Returns the items of an insertion: the lines as deep as its first one, apart from comments, attributes and brackets. `None` if there are
/// none, or too many, or if the insertion begins in another block than it ends in.
fn items<'l, 't>(filled: &'l [LineText<'t>]) -> Option<Vec<&'l LineText<'t>>> {
    let is_item = |line: &&LineText<'_>| {
        line.letters() > 0 && !is_about_next(line.text()) && !may_be_comment(line.body())
    };
    let mut items = filled.iter().filter(is_item);
    let head = items.next()?;
    if filled.first().is_some_and(|first| first.indent() != head.indent()) {
        return None;
    }
    let mut all = vec![head];
    all.extend(items.filter(|line| line.indent() == head.indent()).take(MOST_ITEMS));
    (all.len() <= MOST_ITEMS).then_some(all)
}

/// Checks whether a line has deeper lines below it.
fn opens(filled: &[LineText<'_>], line: &LineText<'_>) -> bool {
    let next = filled.iter().skip_while(|other| !ptr::eq(*other, line)).nth(1);
    next.is_some_and(|next| next.depth() > line.depth())
}

/// Checks whether a line controls statements, and so names nothing. The labels of a block have names.
fn is_control(line: &str) -> bool {
    begins_control(line) && !is_label(line.as_bytes())
}

/// A line of a list.
struct Item<'t> {
    /// The line in the file; 0 for an added line.
    line: usize,
    text: &'t str,
    tokens: Vec<&'t str>,
    /// Whether the line is neither quoted nor removed.
    stays: bool,
}

impl<'t> Item<'t> {
    fn new(text: &'t str) -> Self {
        Item { line: 0, text, tokens: names_and_signs(text), stays: true }
    }

    /// Returns the item of a list that is this one in another form.
    fn other_form_in<'l>(&self, list: &'l [Self]) -> Option<&'l Self> {
        let alike: Vec<&Self> =
            list.iter().filter(|item| item.tokens.first() == self.tokens.first()).collect();
        let is_same = |item: &&Self| item.stays && item.tokens == self.tokens;
        let same_call = || self.with_same_call(&alike);
        let same_key = || self.with_same_key(list);
        same_call().or_else(same_key).or_else(|| alike.iter().copied().find(is_same))
    }

    /// Returns the only item of the same key, if at least [`OTHERS`] items of the list have other keys, each its own: a field with
    /// another type, a variant with other fields.
    fn with_same_key<'l>(&self, list: &'l [Self]) -> Option<&'l Self> {
        let own = self.key()?;
        let keyed = list.iter().filter_map(|item| Some((item, item.key()?)));
        let (same, others): (Vec<_>, Vec<_>) = keyed.partition(|(_, key)| *key == own);
        let distinct: HashSet<&str> = others.iter().map(|(_, key)| *key).collect();
        match same[..] {
            [(only, _)] if distinct.len() == others.len() && others.len() >= OTHERS && only.stays => {
                Some(only)
            }
            _ => None,
        }
    }

    /// Returns the name that the item declares, before the first sign: `_clock` of `List<Clock> _clock;`, `retries` of `retries?: number`; or
    /// the first word of a line such as `phone text NOT NULL,`, unless a table may have several such clauses (`KEY by_phone (phone),`). What
    /// uses its own name, such as `let text = text.trim()`, declares nothing.
    fn key(&self) -> Option<&'t str> {
        if is_statement(self.text) || begins_branch(self.text.as_bytes()) {
            return None;
        }
        let tokens = without_type_parameters(&self.tokens);
        let end = tokens.iter().position(|token| !is_name(token) && *token != "?")?;
        let at = tokens[..end].iter().rposition(|token| is_name(token))?;
        let (name, is_alone) = (tokens[at], at == 0);
        let count = |sign: &str| tokens.iter().filter(|token| **token == sign).count();
        let is_listed = tokens.last() == Some(&",") && count("(") == count(")");
        let declares = match tokens[end] {
            ":" => true,
            "{" => is_listed && name.starts_with(char::is_uppercase),
            "=" | ";" => !is_alone,
            "," | "(" if is_listed && !is_alone => {
                return Some(tokens[0]).filter(|name| name.contains(char::is_lowercase));
            }
            _ => false,
        };
        (declares && !tokens[end..].contains(&name)).then_some(name)
    }

    /// Returns the only item that declares a function of the same name, if the parameters are the same, apart from words such as types,
    /// and another item declares a function of another name.
    fn with_same_call<'l>(&self, list: &[&'l Self]) -> Option<&'l Self> {
        let own = self.call()?;
        let calls = list.iter().filter_map(|item| Some((*item, item.call()?)));
        let (same, others): (Vec<_>, Vec<_>) = calls.partition(|(_, call)| call.before == own.before);
        let has_other_name = others.iter().any(|(_, call)| call.name() != own.name());
        match &same[..] {
            [(only, call)] if has_other_name && only.stays && own.has_parameters_of(call) => Some(only),
            _ => None,
        }
    }

    /// Returns the first call of an item, if a word is before its name.
    fn call(&self) -> Option<Call<'_, 't>> {
        let at = self.tokens.iter().position(|token| *token == "(")?;
        let end = at + self.tokens[at..].iter().position(|token| *token == ")")?;
        let (before, parameters) = (&self.tokens[..at], &self.tokens[at + 1..end]);
        let is_declared = before.len() > 1 && is_name(before[0]) && is_name(before[at - 1]);
        let has_body = self.tokens.last() != Some(&";");
        is_declared.then_some(Call { before, parameters, has_body })
    }
}

/// A call, or the declaration of a function.
struct Call<'i, 't> {
    /// The tokens before the bracket; the last is the name.
    before: &'i [&'t str],
    parameters: &'i [&'t str],
    /// Whether a body may be behind: no semicolon ends the line.
    has_body: bool,
}

impl<'t> Call<'_, 't> {
    fn name(&self) -> Option<&str> {
        self.before.last().copied()
    }

    /// Checks whether two calls have as many parameters, and each has the words of the other, or fewer. A function may be declared before its
    /// body.
    fn has_parameters_of(&self, other: &Self) -> bool {
        let words = |call: &Self| -> Vec<HashSet<&'t str>> {
            let parameters = call.parameters.split(|token| *token == ",");
            parameters.map(|words| words.iter().copied().filter(|word| is_name(word)).collect()).collect()
        };
        let (own, others) = (words(self), words(other));
        let is_same = |(own, other): (&HashSet<&str>, &HashSet<&str>)| {
            own.is_empty() == other.is_empty() && (own.is_subset(other) || other.is_subset(own))
        };
        self.has_body == other.has_body && own.len() == others.len() && own.iter().zip(&others).all(is_same)
    }
}

/// Returns tokens without those in angle brackets behind a name.
fn without_type_parameters<'t>(tokens: &[&'t str]) -> Vec<&'t str> {
    let mut plain: Vec<&str> = Vec::with_capacity(tokens.len());
    let mut depth = 0_usize;
    for token in tokens {
        match *token {
            "<" if depth > 0 || plain.last().is_some_and(|last| is_name(last)) => depth += 1,
            ">" if depth > 0 => depth -= 1,
            _ if depth == 0 => plain.push(token),
            _ => {}
        }
    }
    plain
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::assigns_same;

    #[test]
    fn a_name_gets_a_value_once() {
        for (line, other, is_same) in [
            ("let width = 4;", "let width = limit(4);", true),
            ("@label = nil", "@label = \"\"", true),
            ("self.width = 4", "self.width = 5", true),
            ("PORT=25", "PORT=587", true),
            ("let width = 4;", "let height = 4;", false),
            ("let width = width.max(4);", "let width = 4;", false),
            ("assert width == 4", "assert width == 5", false),
            ("fetch = a", "fetch = b", false),
            ("limit(width = 4)", "limit(width = 5)", false),
        ] {
            assert_eq!(assigns_same(line, other), is_same, "{line} / {other}");
        }
    }
}
