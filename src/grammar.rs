//! Texts for a harness to give to a model or its engine: instructions, and the grammar that constrains the output.
//!
//! The texts are files of `grammar/`, and are tested: a grammar accepts exactly what [strict
//! mode](crate::format::Options::strict) accepts, and every example of the instructions is a patch that applies.

use crate::format::Format;
use crate::plan::HunkKind;

/// Returns the instructions for a model about a format, in Markdown; `None` for a format without instructions. There are
/// instructions for the envelope, which [`Format::Auto`] means, and for SEARCH/REPLACE blocks.
pub fn instructions(format: Format) -> Option<&'static str> {
    match format {
        Format::Auto | Format::Envelope => Some(include_str!("../grammar/instructions.md")),
        Format::SearchReplace => Some(include_str!("../grammar/search_replace.md")),
        _ => None,
    }
}

/// Returns the Lark grammar of a format without the kinds of hunk that a harness forbids, for an engine that constrains the
/// output of a model.
///
/// There is a grammar of the envelope, which [`Format::Auto`] means, and of SEARCH/REPLACE blocks; the grammar of blocks cannot
/// require that a block changes something. Adds, deletes and moves of an envelope can be left out. `None` for a format without
/// a grammar, and for a kind that the grammar cannot leave out. The grammars load in llguidance and in Python's lark, for LALR
/// and for Earley parsing.
///
/// ```
/// use apply_patch::format::Format;
/// use apply_patch::grammar::lark;
/// use apply_patch::plan::HunkKind;
///
/// let grammar = lark(Format::Envelope, &[]).unwrap();
/// assert!(grammar.contains("*** Delete File: "));
/// let grammar = lark(Format::Envelope, &[HunkKind::Delete]).unwrap();
/// assert!(!grammar.contains("*** Delete File: "));
/// ```
pub fn lark(format: Format, without: &[HunkKind]) -> Option<String> {
    let grammar = match format {
        Format::Auto | Format::Envelope => include_str!("../grammar/apply_patch.lark"),
        Format::SearchReplace if without.is_empty() => include_str!("../grammar/search_replace.lark"),
        _ => return None,
    };
    let marks = without.iter().map(|kind| mark(*kind)).collect::<Option<Vec<_>>>()?;
    let is_left_out = |line: &str| marks.iter().any(|mark| line.trim_end().ends_with(mark));
    Some(grammar.split_inclusive('\n').filter(|line| !is_left_out(line)).collect())
}

/// Returns the comment at the end of the lines of a kind in the grammar of the envelope; `None` for a kind without lines of its
/// own.
const fn mark(kind: HunkKind) -> Option<&'static str> {
    match kind {
        HunkKind::Add => Some("// add"),
        HunkKind::Delete => Some("// delete"),
        HunkKind::Move => Some("// move"),
        HunkKind::Update | HunkKind::Copy => None,
    }
}
