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
    /// The parameters, if those may tell the block from another of the same name.
    parameters: Option<&'h str>,
}

impl<'h> NamedBlock<'h> {
    /// Reads a header, such as `class Store`, `fn open(&self)` or `open`.
    pub(super) fn read(header: &'h str) -> Self {
        let header = header.trim();
        let mut words = name_words(named_part(header));
        words.pop_if(|last| matches!(*last, "do" | "then" | "begin"));
        let parameters = parameters(header).filter(|_| !defines_alone(header));
        NamedBlock { words, parameters }
    }

    /// Reads a qualified name, such as `Store.open`, `Store::open` or `Store#open/2`: the block around, and its own.
    pub(super) fn read_qualified(header: &'h str) -> Option<[Self; 2]> {
        let name = without_parameters(header.trim());
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit()).strip_suffix('/').unwrap_or(name);
        let (outer, own) = name.rsplit(' ').next()?.rsplit_once(['.', ':', '#'])?;
        let outer = outer.trim_end_matches(':').rsplit(['.', ':']).next()?;
        let is_named = !outer.is_empty() && !own.is_empty();
        is_named.then(|| [outer, own].map(|name| NamedBlock { words: vec![name], parameters: None }))
    }

    /// Returns the name; `None` for a header without words.
    pub(super) fn name(&self) -> Option<&'h str> {
        self.words.last().copied()
    }

    /// Checks whether a line may open the block: its head has the words, in order, and no other parameters.
    pub(super) fn may_be_opened_by(&self, line: &str) -> bool {
        let body = without_type_parameters(line.trim());
        let words = name_words(named_part(&body).split('=').next().unwrap_or_default());
        let is_call = words.len() == 1 && !begins_block(line);
        let has_parameters = || {
            let both = self.parameters.zip(parameters(&body));
            both.is_none_or(|(quoted, actual)| may_be_same(quoted, actual))
        };
        are_among(self.words.iter().copied(), words, is_one_name)
            && !is_call
            && !begins_control(&body)
            && !may_be_comment(&body)
            && has_parameters()
    }
}

/// Checks whether a header is a single name. If the name opens no block, the lines that have the name only use what the name is of.
pub(super) fn is_name(header: &str) -> bool {
    !header.is_empty() && header.chars().all(is_word_char)
}

/// Checks whether two lists of parameters may be those of one function: one has the words of the other and more, or only names of
/// parameters differ.
fn may_be_same(quoted: &str, actual: &str) -> bool {
    let types = |list: &str| -> Vec<String> {
        let types =
            list.split(',').map(|parameter| name_words(parameter).first().copied().unwrap_or_default());
        types.map(str::to_owned).collect()
    };
    are_among(name_words(quoted), name_words(actual), str::eq) || types(quoted) == types(actual)
}
