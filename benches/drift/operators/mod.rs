//! How quotes drift: each operator does to a true quote, or to the file behind it, one thing that goes wrong when a
//! model quotes from memory.
//!
//! An operator returns `None` where the case has nothing that it could drift, or where what it would do has no one
//! right answer. Several operators are applied in the order of [`OPERATORS`]: first what happened to the file, then
//! to words, to lines, to the chunks, and last what changes all lines of a quote alike.

mod chunks;
mod encoding;
mod lines;
mod signs;
mod spacing;
mod stale;
mod wording;

use crate::edits::Layout;
use crate::random::Random;
use crate::scene::Scene;

/// One way in which a quote drifts.
pub(crate) struct Operator {
    pub(crate) name: &'static str,
    /// The edits that it takes.
    pub(crate) layout: Layout,
    pub(crate) drift: fn(&mut Scene, &mut Random) -> Option<()>,
}

const fn one(name: &'static str, drift: fn(&mut Scene, &mut Random) -> Option<()>) -> Operator {
    Operator { name, layout: Layout::One, drift }
}

/// All operators.
pub(crate) const OPERATORS: &[Operator] = &[
    one("none", |_, _| Some(())),
    // The file has moved on since the model read it.
    one("moved-on-word", wording::moved_on_word),
    one("moved-on-rename", wording::moved_on_rename),
    one("moved-on-line-rewritten", wording::moved_on_line),
    one("moved-on-line-gone", lines::moved_on_gone),
    one("moved-on-line-new", lines::moved_on_new),
    one("trailing-space-in-file", spacing::trailing_in_file),
    one("look-alikes-in-file", encoding::look_alikes_in_file),
    one("look-alikes-in-removed", encoding::look_alikes_in_removed),
    one("code-page-context", encoding::code_page_context),
    one("code-page-removed", encoding::code_page_removed),
    one("code-page-copied", encoding::code_page_copied),
    // What is to be removed is not what the file has.
    one("stale-removed-word", stale::word),
    one("stale-removed-digit", stale::digit),
    one("stale-removed-sign", stale::sign),
    one("stale-removed-string", stale::string),
    one("stale-removed-gone", stale::gone),
    one("removed-skipped", stale::skipped),
    one("removed-elided", stale::elided),
    // Words of one line.
    one("typo-context", wording::typo_context),
    one("typo-removed", wording::typo_removed),
    one("case-context", wording::case_context),
    one("word-context", wording::word_context),
    one("digit-context", wording::digit_context),
    one("string-context", wording::string_context),
    one("punctuation-context", wording::punctuation_context),
    one("paraphrase-context", wording::paraphrase),
    one("cut-short-context", wording::cut_short),
    one("look-alikes-in-quote", encoding::look_alikes_in_quote),
    one("inner-space-context", spacing::inner_context),
    one("inner-space-removed", spacing::inner_removed),
    one("trailing-space-in-quote", spacing::trailing_in_quote),
    one("blank-with-spaces", spacing::blank_with_spaces),
    // Lines.
    one("blank-dropped", lines::blank_dropped),
    one("blank-extra", lines::blank_extra),
    one("line-skipped", lines::skipped),
    one("lines-skipped", lines::several_skipped),
    one("line-not-there", lines::not_there),
    one("line-twice", lines::twice),
    one("lines-swapped", lines::swapped),
    one("lines-joined", lines::joined),
    one("line-split", lines::split),
    one("line-feed-escaped", encoding::line_feed_escaped),
    one("dots-above", lines::dots_above),
    one("dots-below", lines::dots_below),
    // Signs, headers and chunks.
    one("sign-lost-one", signs::lost_one),
    one("sign-lost-all-context", signs::lost_all),
    one("sign-lost-blank", signs::lost_blank),
    one("sign-lost-added", signs::lost_added),
    one("header-nowhere", chunks::header_nowhere),
    one("header-misspelt", chunks::header_misspelt),
    one("header-behind", chunks::header_behind),
    one("numbers-wrong", chunks::numbers_wrong),
    one("end-of-file-wrong", chunks::end_of_file_wrong),
    one("chunk-twice", chunks::twice),
    Operator { name: "chunks-in-wrong-order", layout: Layout::Apart, drift: chunks::wrong_order },
    Operator { name: "chunks-share-context", layout: Layout::Near, drift: |_, _| Some(()) },
    Operator { name: "chunks-quote-before", layout: Layout::Overlapping, drift: |_, _| Some(()) },
    Operator { name: "chunks-quote-after", layout: Layout::Overlapping, drift: chunks::quote_after },
    one("applied-before", chunks::applied_before),
    // All lines alike.
    one("indent-one-line", spacing::indent_one_line),
    one("indent-shifted", spacing::indent_shifted),
    one("indent-lost", spacing::indent_lost),
    one("indent-flat", spacing::indent_flat),
    one("indent-halved", spacing::indent_halved),
    one("tabs-as-spaces", spacing::tabs_as_spaces),
    one("spaces-as-tabs", spacing::spaces_as_tabs),
    one("quotes-escaped", encoding::quotes_escaped),
    one("entities", encoding::entities),
    one("line-numbers-old", lines::numbers_on_old),
    one("line-numbers-all", lines::numbers_on_all),
];
