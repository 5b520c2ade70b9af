//! Alignments of a quote with a file: how lines differ, the costs, and the cheapest ways to pair lines.

pub(crate) mod band;
pub(crate) mod code_page;
pub(crate) mod cost;
pub(crate) mod edit_script;
pub(crate) mod encoding;
pub(crate) mod file;
pub(crate) mod line_text;
pub(crate) mod map;
mod near_words;
pub(crate) mod pairing;
pub(crate) mod relation;
mod spacing;
pub(crate) mod table;
pub(crate) mod window;
pub(crate) mod words;
