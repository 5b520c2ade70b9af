//! The tools as a client sees them: names, descriptions, schemas and annotations.
//!
//! Every host sends the descriptions to its model with each conversation, so that each word costs tokens.

use std::collections::BTreeMap;

use rmcp::handler::server::tool::{schema_for_input, schema_for_output};
use rmcp::model::{Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::answer::Structured;

/// The name of the tool that applies a patch.
pub(crate) const APPLY_PATCH: &str = "apply_patch";

/// The name of the tool that replaces texts in one file.
pub(crate) const EDIT_FILE: &str = "edit_file";

const APPLY_PATCH_DESCRIPTION: &str = "Applies a patch to files under the root directory, all of it or nothing. Reads \
    `*** Begin Patch` envelopes, unified diffs and SEARCH/REPLACE blocks. A slightly inexact quote is accepted if only one \
    position matches; else the call is refused, and the answer shows the lines of the file. A change that is there already \
    is not made twice.";

const EDIT_FILE_DESCRIPTION: &str = "Replaces texts in one file, all edits or none, in the order given. `old_text` must \
    match at exactly one position, unless `replace_all` is set: quote enough lines to be unique. A slightly inexact quote \
    is accepted if only one position matches; else the call is refused, and the answer shows the lines of the file.";

/// The arguments of `apply_patch`. An unknown argument is refused, because it may be a `dry_run` under another name.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ApplyPatch {
    /// The text of the patch.
    pub(crate) patch: String,
    /// Change nothing; answer with the diff.
    #[serde(default)]
    pub(crate) dry_run: bool,
    /// Refuse unless each file has this SHA-256 (hex), by path.
    #[serde(default)]
    pub(crate) expect: BTreeMap<String, String>,
    /// Add a second text: the patch that takes the changes back.
    #[serde(default)]
    pub(crate) undo: bool,
}

/// The arguments of `edit_file`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EditFile {
    /// The file, relative to the root directory.
    pub(crate) path: String,
    /// The replacements.
    #[schemars(length(min = 1))]
    pub(crate) edits: Vec<TextEdit>,
    /// Change nothing; answer with the diff.
    #[serde(default)]
    pub(crate) dry_run: bool,
    /// Add a second text: the patch that takes the changes back.
    #[serde(default)]
    pub(crate) undo: bool,
}

/// One replacement.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TextEdit {
    /// The text of the file to replace.
    pub(crate) old_text: String,
    /// The text to put there.
    pub(crate) new_text: String,
    /// Replace at every position.
    #[serde(default)]
    pub(crate) replace_all: bool,
}

/// Returns the tools. With `structured` they declare the schema of their structured content.
///
/// # Errors
/// That a schema is not an object. The types above rule that out.
pub(crate) fn all(structured: bool) -> Result<Vec<Tool>, String> {
    let tools = vec![
        Tool::new(APPLY_PATCH, APPLY_PATCH_DESCRIPTION, schema_for_input::<ApplyPatch>()?)
            .with_annotations(annotations("Apply a patch")),
        Tool::new(EDIT_FILE, EDIT_FILE_DESCRIPTION, schema_for_input::<EditFile>()?)
            .with_annotations(annotations("Edit a file")),
    ];
    if !structured {
        return Ok(tools);
    }
    let schema = schema_for_output::<Structured>();
    Ok(tools.into_iter().map(|tool| tool.with_raw_output_schema(schema.clone())).collect())
}

/// Spells out every hint, because the defaults of the protocol differ from "false".
fn annotations(title: &str) -> ToolAnnotations {
    ToolAnnotations::with_title(title)
        .read_only(false)
        // A file may be deleted.
        .destructive(true)
        // A change that is there already is not made twice.
        .idempotent(true)
        .open_world(false)
}
