//! The arguments of the command.

use camino::Utf8PathBuf;
use clap::Parser;

/// Serves two tools to an MCP client over standard input and output: `apply_patch` and `edit_file`.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
pub(crate) struct Args {
    /// The directory whose files may be changed; the working directory if absent
    #[arg(short = 'C', long = "root", value_name = "DIR", default_value = ".")]
    pub(crate) root: Utf8PathBuf,

    /// Another directory whose files may be changed, named by absolute paths; may be repeated
    #[arg(long, value_name = "DIR")]
    pub(crate) add_root: Vec<Utf8PathBuf>,

    /// Return structured content beside the text, and declare its schema.
    ///
    /// Off by default, because some clients then show a model the structured content alone.
    #[arg(long)]
    pub(crate) structured: bool,

    /// The longest answer, in characters, apart from diffs and undo patches; 0 for any length
    #[arg(long, value_name = "CHARS", default_value_t = apply_patch::run::Report::BUDGET)]
    pub(crate) budget: usize,
}
