//! Files for a harness to give to a model: the grammar that constrains the output, and the instructions.
//!
//! Both are files of `grammar/`, and both are tested: the grammar accepts exactly what [strict
//! mode](crate::format::Options) accepts, and every example of the instructions is a patch that applies.

/// The Lark grammar of the envelope, as [strict mode](crate::format::Options::strict) accepts the format. See [`lark`].
pub const LARK: &str = include_str!("../grammar/apply_patch.lark");

/// The instructions for a model about the envelope, in Markdown.
pub const INSTRUCTIONS: &str = include_str!("../grammar/instructions.md");

/// The Lark grammar of SEARCH/REPLACE blocks, as [strict mode](crate::format::Options::strict) accepts the blocks, with
/// one exception: the grammar cannot require that a block changes something.
pub const SEARCH_REPLACE_LARK: &str = include_str!("../grammar/search_replace.lark");

/// The instructions for a model about SEARCH/REPLACE blocks, in Markdown.
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
    /// Returns the comment at the end of the lines of this part.
    const fn mark(self) -> &'static str {
        match self {
            Part::Add => "// add",
            Part::Delete => "// delete",
            Part::Move => "// move",
        }
    }
}

/// Returns the Lark grammar without the parts that a harness forbids, for an engine that constrains the output of a
/// model.
///
/// With an empty list this is [`LARK`], which accepts a text if and only if strict mode does. The grammar loads in
/// llguidance and in Python's lark, for LALR and for Earley parsing.
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
