//! The block that a header names, if the header is no line of the file.

use crate::locate::syntax::{
    are_among, begins_block, begins_control, defines_alone, is_one_name, is_word_char, may_be_comment,
    name_words, named_part, parameters, without_parameters, without_type_parameters,
};

/// The line that opens the block of a header, as the header has it.
#[derive(Debug)]
pub(super) struct NamedBlock<'h> {
    /// The words of the line; the last one is the name.
    words: Vec<&'h str>,
    parameters: Option<Parameters<'h>>,
    /// Whether the language has one function of a name.
    is_alone: bool,
}

/// How much a line that opens a block is like the line that opens the block of a header. Of several lines, the one that is most like
/// it is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    /// The line has all words of the header, and more parameters, or none.
    Akin,
    /// The line has the name of the header, but lacks another word, or has other parameters: it may be another function.
    Unsure,
    /// The line has the name and parameters of the same types. The visibility or the type of the result may have changed.
    SameParameters,
    /// The line has all words of the header, and the same parameters.
    Same,
}

impl<'h> NamedBlock<'h> {
    /// Reads a header, such as `class Store`, `fn open(&self)` or `open`.
    pub(super) fn read(header: &'h str) -> Self {
        let header = header.trim();
        let named = named_part(header);
        let mut words = name_words(named);
        words.pop_if(|last| matches!(*last, "do" | "then" | "begin"));
        // A name of signs, such as `_`, is no word.
        if named.trim_end().ends_with('_') && words.last().is_some_and(|last| !last.ends_with('_')) {
            words.clear();
        }
        let parameters = parameters(header).map(|list| Parameters::read(list, has_names_first(header)));
        NamedBlock { words, parameters, is_alone: defines_alone(header) }
    }

    /// Reads a qualified name, such as `Store.open`, `Store::open` or `Store#open/2`: the block around, and its own.
    pub(super) fn read_qualified(header: &'h str) -> Option<[Self; 2]> {
        let name = without_parameters(header.trim());
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit()).strip_suffix('/').unwrap_or(name);
        let (outer, own) = name.rsplit(' ').next()?.rsplit_once(['.', ':', '#'])?;
        let outer = outer.trim_end_matches(':').rsplit(['.', ':']).next()?;
        let is_named = !outer.is_empty() && !own.is_empty();
        is_named.then(|| {
            [outer, own].map(|name| NamedBlock { words: vec![name], parameters: None, is_alone: true })
        })
    }

    /// Returns the name; `None` for a header without a name of letters.
    pub(super) fn name(&self) -> Option<&'h str> {
        self.words.last().copied()
    }

    /// Returns how much a line is like the line that opens the block; `None` if the line opens no block of the name.
    pub(super) fn likeness(&self, line: &str) -> Option<Likeness> {
        let (name, line) = (self.name()?, line.trim());
        let body = without_type_parameters(line);
        let words = name_words(named_part(&body).split('=').next().unwrap_or_default());
        let is_call = words.len() == 1 && !begins_block(line);
        if is_call || begins_control(&body) || may_be_comment(&body) {
            return None;
        }
        let has_words = are_among(self.words.iter().copied(), words.iter().copied(), is_one_name);
        let is_named = words.last().is_some_and(|word| is_one_name(name, word));
        let akin = has_words.then_some(Likeness::Akin);
        let Some(own) = &self.parameters else { return akin };
        let Some(list) = parameters(line) else { return akin };
        match own.compared(&Parameters::read(list, has_names_first(line))) {
            Compared::Same if has_words => Some(Likeness::Same),
            Compared::Same if is_named && own.have_types() && !has_names_first(line) => {
                Some(Likeness::SameParameters)
            }
            Compared::More if has_words => akin,
            Compared::Other if self.is_alone => akin,
            _ => is_named.then_some(Likeness::Unsure),
        }
    }
}

/// Checks whether a header is a single name. If the name opens no block, the lines that have the name only use what the name is of.
pub(super) fn is_name(header: &str) -> bool {
    !header.is_empty() && header.chars().all(is_word_char)
}

/// The parameters of a function.
#[derive(Debug)]
struct Parameters<'t>(Vec<Parameter<'t>>);

/// A parameter: `name: Type`, `Type name` or `name`.
#[derive(Debug, PartialEq, Eq)]
struct Parameter<'t> {
    name: Vec<&'t str>,
    /// The words of the type; empty without a type.
    of: Vec<&'t str>,
}

/// How the parameters of two functions differ.
#[derive(Debug, PartialEq, Eq)]
enum Compared {
    /// In names and modifiers at most.
    Same,
    /// The line has the parameters of the header, and more.
    More,
    /// In the type of a parameter.
    OtherTypes,
    /// In names without types, or in their number.
    Other,
}

impl<'t> Parameters<'t> {
    fn read(list: &'t str, has_names_first: bool) -> Self {
        Parameters(items(list).filter_map(|text| Parameter::read(text, has_names_first)).collect())
    }

    /// Checks whether some parameter has a type.
    fn have_types(&self) -> bool {
        self.0.iter().any(|parameter| !parameter.of.is_empty())
    }

    fn compared(&self, others: &Self) -> Compared {
        let (own, others) = (&self.0, &others.0);
        if own.len() == others.len() {
            return match own.iter().zip(others).find(|(one, other)| !one.may_be(other)) {
                None => Compared::Same,
                Some((one, other)) if one.have_types(other) => Compared::OtherTypes,
                Some(_) => Compared::Other,
            };
        }
        let mut behind = others.iter();
        let are_among = own.iter().all(|one| behind.any(|other| one.may_be(other)));
        if are_among { Compared::More } else { Compared::Other }
    }
}

impl<'t> Parameter<'t> {
    fn read(text: &'t str, has_name_first: bool) -> Option<Self> {
        let text = text.split('=').next().unwrap_or_default();
        let is_of_type = |at: &usize| {
            text[..*at].trim_end().ends_with(|c| is_word_char(c) || c == '?')
                && !text[*at..].starts_with("::")
        };
        let colon = text.find(':').filter(is_of_type);
        let (name, of) = if let Some(at) = colon {
            (bare_words(&text[..at]), bare_words(&text[at + 1..]))
        } else {
            let mut words = bare_words(text);
            let at = if has_name_first { 1.min(words.len()) } else { words.len().saturating_sub(1) };
            let behind = words.split_off(at);
            if has_name_first { (words, behind) } else { (behind, words) }
        };
        (!name.is_empty()).then_some(Parameter { name, of })
    }

    fn have_types(&self, other: &Self) -> bool {
        !self.of.is_empty() && !other.of.is_empty()
    }

    /// Checks whether two parameters may be the same one: of the same type, or if a type is missing, of the same name.
    fn may_be(&self, other: &Self) -> bool {
        let [one, other] =
            if self.have_types(other) { [&self.of, &other.of] } else { [&self.name, &other.name] };
        let is_among =
            |one: &[&str], other: &[&str]| are_among(one.iter().copied(), other.iter().copied(), is_one_name);
        is_among(one, other) || is_among(other, one)
    }
}

/// Checks whether the line that opens a function has the names of parameters before the types, without a colon: `func f(id int)`.
fn has_names_first(line: &str) -> bool {
    line.trim_start().starts_with("func ")
}

/// Returns the words of a text, without the signs around each.
fn bare_words(text: &str) -> Vec<&str> {
    name_words(text).into_iter().map(|word| word.trim_matches(|c| !is_word_char(c))).collect()
}

/// Returns the items of a list that commas separate, apart from commas in brackets.
fn items(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    list.split(move |c: char| {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_names_a_function_by_its_parameters() {
        for (header, line, likeness) in [
            ("private void send(Letter letter) {", "private void send(Letter mail) {", Some(Likeness::Same)),
            (
                "void send(Letter letter) {",
                "public final void send(final Letter letter) {",
                Some(Likeness::Same),
            ),
            (
                "private void send(Letter letter) {",
                "public bool send(Letter letter) {",
                Some(Likeness::SameParameters),
            ),
            ("private void send() {", "public void send() {", Some(Likeness::Unsure)),
            (
                "private void send(Letter letter) {",
                "private void send(Parcel letter) {",
                Some(Likeness::Unsure),
            ),
            ("void send(Letter letter) {", "void send(Letter letter, int tries) {", Some(Likeness::Akin)),
            ("void send(Letter letter, int tries) {", "void send(Letter letter) {", Some(Likeness::Unsure)),
            ("fun send(letter: Letter) {", "fun send(mail: Letter) {", Some(Likeness::Same)),
            ("fun send(letter: Letter) {", "fun send(letter: Parcel) {", Some(Likeness::Unsure)),
            (
                "void send(map<int, Letter> all) {",
                "void send(map<int, Letter> letters) {",
                Some(Likeness::Same),
            ),
            ("func Send(ctx Context) error {", "func Send(c Context) error {", Some(Likeness::Same)),
            (
                "func (b Box) Send(id int) error {",
                "func (c Crate) Send(id int) error {",
                Some(Likeness::Unsure),
            ),
            ("def send(letter):", "def send(mail):", Some(Likeness::Akin)),
            ("def send(self, letter: Letter):", "def send(self, parcel: Parcel):", Some(Likeness::Unsure)),
            ("class Mailer", "class Mailer(Base):", Some(Likeness::Akin)),
            ("def _(self, value: float):", "def dump(self, value):", None),
            ("void send(Letter letter) {", "void print(Letter letter) {", None),
            ("send", "if (send(letter)) {", None),
        ] {
            assert_eq!(NamedBlock::read(header).likeness(line), likeness, "{header} {line}");
        }
    }
}
