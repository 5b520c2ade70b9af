//! What a harness gives to a model beforehand: the grammar that constrains what it writes, and the words that teach it.
//!
//! Both are files of `grammar/`, and both are tested: the grammar accepts what [strict mode](crate::format::Options)
//! accepts and nothing else, and every example of the instructions is a patch that applies.

/// The envelope in Lark, as [strict mode](crate::format::Options::strict) takes it. See [`lark`].
pub const LARK: &str = include_str!("../grammar/apply_patch.lark");

/// What a model should be told about the format, in Markdown.
pub const INSTRUCTIONS: &str = include_str!("../grammar/instructions.md");

/// SEARCH/REPLACE blocks in Lark, as [strict mode](crate::format::Options::strict) takes them; that a block has to change
/// something is all that it cannot say.
pub const SEARCH_REPLACE_LARK: &str = include_str!("../grammar/search_replace.lark");

/// What a model should be told about SEARCH/REPLACE blocks, in Markdown.
pub const SEARCH_REPLACE_INSTRUCTIONS: &str = include_str!("../grammar/search_replace.md");

/// A part of the format that a harness may forbid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// `*** Add File:`
    Add,
    /// `*** Delete File:`
    Delete,
    /// `*** Move to:`
    Move,
}

impl Part {
    /// The comment at the end of its lines.
    const fn mark(self) -> &'static str {
        match self {
            Part::Add => "// add",
            Part::Delete => "// delete",
            Part::Move => "// move",
        }
    }
}

/// The grammar without the parts that a harness forbids, in Lark, for an engine that constrains what a model writes.
///
/// Without any part to leave out it is [`LARK`], which accepts a text just if strict mode does. It loads in llguidance
/// and in Python's lark, for LALR and for Earley parsing.
///
/// ```
/// use apply_patch::grammar::{LARK, Part, lark};
///
/// assert_eq!(lark(&[]), LARK);
/// assert!(!lark(&[Part::Delete]).contains("*** Delete File: "));
/// ```
pub fn lark(without: &[Part]) -> String {
    let is_left_out = |line: &str| without.iter().any(|part| line.trim_end().ends_with(part.mark()));
    LARK.split_inclusive('\n').filter(|line| !is_left_out(line)).collect()
}
