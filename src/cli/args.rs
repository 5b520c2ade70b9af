//! The arguments of the command line.

use std::num::NonZeroUsize;

use camino::Utf8PathBuf;
use clap::{Parser, Subcommand, ValueEnum};

use super::help_texts as help;
pub(super) use super::values::{AmbiguityArg, CompatArg, ForArg, LevelArg, ReplyArg};
use crate::plan::Digest;
use crate::run::UnknownValue;

// No doc comment, because clap would join its lines.
#[derive(Debug, Parser)]
#[command(name = "apply-patch", version, about = help::ABOUT, long_about = help::LONG_ABOUT, max_term_width = 100)]
#[command(disable_help_subcommand = true, after_long_help = help::OF_APPLY)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Option<Command>,

    #[command(flatten)]
    pub(super) common: Common,

    #[command(flatten)]
    pub(super) patch: PatchArgs,
}

/// Headings of the options that the short help leaves out.
const PLACING: &str = "Matching";
const READING: &str = "Reading the patch";
const REPORT: &str = "Reporting";
const FILES: &str = "Files";

/// The commands in addition to applying a patch.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Replace a text in a file, by the same rules
    #[command(after_long_help = help::OF_REPLACE)]
    Replace(ReplaceArgs),
    /// Print how each chunk of a patch matches, or why not
    ///
    /// Changes nothing.
    #[command(after_long_help = help::OF_EXPLAIN)]
    Explain(ExplainArgs),
    /// Print the changes of a patch in another format; change nothing
    ///
    /// The printed patch makes exactly the same changes.
    #[command(after_long_help = help::OF_CONVERT)]
    Convert(ConvertArgs),
    /// Print the patch from one tree to another
    ///
    /// The trees are two folders, two files, or two revisions of git.
    #[command(after_long_help = help::OF_MAKE)]
    Make(MakeArgs),
    /// Print a patch as the canonical envelope
    ///
    /// Repairs go to standard error.
    #[command(after_long_help = help::OF_FMT)]
    Fmt(FmtArgs),
    /// Print the grammar of a format, for constrained decoding
    ///
    /// The grammar of the envelope, or of another `--format`.
    #[command(after_long_help = help::OF_GRAMMAR)]
    Grammar(GrammarArgs),
    /// Print the instructions for a model about the format
    #[command(after_long_help = help::OF_INSTRUCTIONS)]
    Instructions,
    /// Apply many patches: JSON lines in, JSON lines out
    ///
    /// Each line has a patch and its files: {"id": …, "files": {PATH: TEXT}, "patch": …}, or "path" and "text" for one file, or
    /// "root" for a folder. The answers have the order of the lines. docs/batch.md describes both.
    #[command(after_long_help = help::OF_BATCH)]
    Batch(BatchArgs),
    /// Finish or roll back an interrupted run
    #[command(after_long_help = help::OF_RECOVER)]
    Recover(RecoverArgs),
    /// Print the help of a command
    #[command(hide = true)]
    Help(HelpArgs),
}

/// Printing help.
#[derive(Debug, clap::Args)]
pub(super) struct HelpArgs {
    /// The command
    pub(super) of: Option<String>,
}

/// Printing a patch in another format.
#[derive(Debug, clap::Args)]
pub(super) struct ConvertArgs {
    /// The format to print
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(super) to: FormatArg,

    /// A file with the patch, or the patch itself; by default standard input
    pub(super) patch: Option<String>,
}

/// Making a patch.
#[derive(Debug, clap::Args)]
pub(super) struct MakeArgs {
    /// The old folder or file
    #[arg(required_unless_present = "git", requires = "new", conflicts_with = "git")]
    pub(super) old: Option<Utf8PathBuf>,

    /// The new folder or file
    pub(super) new: Option<Utf8PathBuf>,

    /// Compare a revision of git with the work tree, or A with B; without a value, HEAD with the work tree
    #[arg(long, value_name = "REV|A..B", num_args = 0..=1, default_missing_value = "HEAD")]
    pub(super) git: Option<String>,

    /// Include untracked files, except for ignored files
    #[arg(long, requires = "git")]
    pub(super) untracked: bool,

    /// The format to print
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "envelope")]
    pub(super) to: FormatArg,
}

/// Printing a patch.
#[derive(Debug, clap::Args)]
pub(super) struct FmtArgs {
    /// A file with the patch, or the patch itself; by default standard input
    pub(super) patch: Option<String>,
}

/// How the text of a patch is parsed.
#[derive(Debug, clap::Args)]
pub(super) struct Reading {
    /// The format of the patch
    #[arg(long, value_enum, default_value = "auto", global = true)]
    #[arg(help_heading = READING, hide_short_help = true)]
    pub(super) format: FormatArg,

    /// The file to change if the patch names no file
    #[arg(id = "meant", long = "file", value_name = "FILE", global = true)]
    #[arg(help_heading = READING, hide_short_help = true)]
    pub(super) file: Option<String>,

    /// How many leading folders to drop from the names in a unified diff [default: detected]
    #[arg(short = 'p', value_name = "N", global = true, help_heading = READING, hide_short_help = true)]
    pub(super) strip: Option<usize>,

    /// Accept a patch that ends before `*** End Patch`
    ///
    /// The end may be missing because the answer was cut off; the missing edits are then lost.
    #[arg(long, global = true, help_heading = READING, hide_short_help = true)]
    pub(super) accept_truncated: bool,

    /// The maximum size of a patch, in bytes [default: 67108864, which is 64 MiB]
    #[arg(long, value_name = "BYTES", global = true, help_heading = READING, hide_short_help = true)]
    pub(super) max_patch_size: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FormatArg {
    /// Detect the format from the text
    Auto,
    /// `*** Begin Patch` to `*** End Patch`
    Envelope,
    /// Blocks of `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`
    SearchReplace,
    /// Calls of edit tools, as JSON or as text
    Edit,
    /// A unified diff
    Unified,
    /// The hunks of a single file without an envelope, as in `apply_patch_call`; needs --file
    Hunks,
    /// The lines of a new file, each with `+`, without an envelope; needs --file
    NewFile,
}

/// Printing the grammar.
#[derive(Debug, clap::Args)]
pub(super) struct GrammarArgs {
    /// The notation of the grammar
    #[arg(value_enum, default_value = "lark")]
    pub(super) notation: Notation,

    /// Leave out the parts that the harness forbids
    #[arg(long, value_name = "PART", value_enum, value_delimiter = ',')]
    pub(super) without: Vec<PartArg>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Notation {
    /// Lark, for llguidance and Python's lark
    Lark,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum PartArg {
    /// `*** Add File:`
    Add,
    /// `*** Delete File:`
    Delete,
    /// `*** Move to:`
    Move,
}

/// Applying many patches.
#[derive(Debug, clap::Args)]
pub(super) struct BatchArgs {
    /// A file with the lines; without it, they are read from standard input
    pub(super) rows: Option<String>,

    /// How many threads apply patches [default: as many as there are processors]
    #[arg(short = 'j', long, value_name = "N")]
    pub(super) threads: Option<NonZeroUsize>,

    /// The longest line that is read, in bytes [default: 268435456, which is 256 MiB]
    #[arg(long, value_name = "BYTES")]
    pub(super) max_line_size: Option<u64>,
}

/// Recovering.
#[derive(Debug, clap::Args)]
pub(super) struct RecoverArgs {
    /// Leave the files as they are, possibly half changed, and remove the side files of the run
    #[arg(long)]
    pub(super) abandon: bool,
}

/// How files are written.
#[derive(Debug, clap::Args)]
pub(super) struct Writing {
    /// Wait until everything is on the disk, so that a power cut loses nothing [default]
    #[arg(long, overrides_with = "no_sync", global = true)]
    #[arg(help_heading = FILES, hide_short_help = true)]
    pub(super) sync: bool,

    /// Do not wait for the disk; a power cut may lose changes
    #[arg(long, overrides_with = "sync", global = true)]
    #[arg(help_heading = FILES, hide_short_help = true)]
    pub(super) no_sync: bool,

    /// Fail instead of waiting for another run in the folder
    #[arg(long, global = true)]
    #[arg(help_heading = FILES, hide_short_help = true)]
    pub(super) no_wait: bool,

    /// The maximum size of a file, in bytes [default: 268435456, which is 256 MiB]
    #[arg(long, value_name = "BYTES", global = true)]
    #[arg(help_heading = FILES, hide_short_help = true)]
    pub(super) max_file_size: Option<u64>,
}

/// Where files are, how edits are placed, and what is printed.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(super) struct Common {
    /// The root folder, the base of relative names
    ///
    /// Nothing outside the root is read or written.
    #[arg(short = 'C', value_name = "DIR", default_value = ".", global = true)]
    pub(super) dir: Utf8PathBuf,

    /// A further folder in which absolute names are allowed; may be repeated
    #[arg(long, value_name = "DIR", global = true)]
    #[arg(help_heading = FILES, hide_short_help = true)]
    pub(super) root: Vec<Utf8PathBuf>,

    /// Report what would change, and change nothing
    #[arg(short = 'n', long, global = true)]
    pub(super) check: bool,

    /// Print the changes as a unified diff
    #[arg(long, global = true)]
    pub(super) diff: bool,

    /// Drop the indentation that all lines of a file's diff have; for reading only
    #[arg(long, requires = "diff", global = true)]
    #[arg(help_heading = REPORT, hide_short_help = true)]
    pub(super) trim: bool,

    /// Print how many lines of each file change
    #[arg(long, global = true)]
    #[arg(help_heading = REPORT, hide_short_help = true)]
    pub(super) stat: bool,

    /// How much a quote may differ from the file [default: guarded]
    #[arg(long = "match", value_name = "LEVEL", value_enum, hide_default_value = true, global = true)]
    #[arg(help_heading = PLACING, hide_short_help = true)]
    pub(super) level: Option<LevelArg>,

    /// What to do if several positions match equally well [default: refuse]
    #[arg(long, value_enum, hide_default_value = true, global = true)]
    #[arg(help_heading = PLACING, hide_short_help = true)]
    pub(super) ambiguity: Option<AmbiguityArg>,

    /// Accept only what the grammar accepts: repair nothing
    #[arg(long, global = true)]
    #[arg(help_heading = READING, hide_short_help = true)]
    pub(super) strict: bool,

    /// The reader of the report [default: people at a terminal, otherwise model]
    #[arg(long = "for", value_name = "READER", value_enum, hide_default_value = true, global = true)]
    #[arg(help_heading = REPORT, hide_short_help = true)]
    pub(super) reader: Option<ForArg>,

    /// The maximum length of the report for a model, in characters; 0 for no limit [default: 4000]
    #[arg(long, value_name = "CHARACTERS", hide_default_value = true, global = true)]
    #[arg(help_heading = REPORT, hide_short_help = true)]
    pub(super) budget: Option<usize>,

    /// Print the report as a JSON object
    ///
    /// The object goes to standard output, for every outcome; docs/report.md describes the fields.
    #[arg(long, global = true, conflicts_with_all = ["reader", "budget"])]
    pub(super) json: bool,

    /// After a refusal, print a corrected patch to send instead
    ///
    /// Only if every position is clear. The suggestion is quoted from the files as they are, and is not applied: check
    /// the suggestion first.
    #[arg(long, global = true, help_heading = REPORT, hide_short_help = true)]
    pub(super) suggest: bool,

    /// Print nothing on success
    #[arg(short, long, global = true)]
    #[arg(help_heading = REPORT, hide_short_help = true)]
    pub(super) quiet: bool,

    /// Refuse unless the file has this SHA-256, the version that the model read; may be repeated
    #[arg(long, value_name = "PATH=SHA256", value_parser = pin, global = true)]
    #[arg(help_heading = FILES, hide_short_help = true)]
    pub(super) expect: Vec<(String, Digest)>,

    /// Let Add and Move replace existing files
    #[arg(long, global = true)]
    #[arg(help_heading = FILES, hide_short_help = true)]
    pub(super) overwrite: bool,

    /// Behave like another tool
    #[arg(long, value_name = "TOOL", value_enum, global = true)]
    #[arg(help_heading = PLACING, hide_short_help = true)]
    pub(super) compat: Option<CompatArg>,

    #[command(flatten)]
    pub(super) reading: Reading,

    #[command(flatten)]
    pub(super) writing: Writing,
}

fn pin(text: &str) -> Result<(String, Digest), String> {
    let (path, digest) = text.rsplit_once('=').ok_or("it is not PATH=SHA256")?;
    let sha256: Digest = digest.parse().map_err(|error: UnknownValue| error.to_string())?;
    Ok((path.to_owned(), sha256))
}

/// Applying a patch.
#[derive(Debug, clap::Args)]
pub(super) struct PatchArgs {
    /// A file with the patch, or the patch itself; by default standard input
    ///
    /// A text with a line break, or with `*** Begin Patch`, is the patch; `-` is standard input.
    #[arg(hide_short_help = true)]
    pub(super) patch: Option<String>,

    /// Print the answer to each call, a JSON object a line
    ///
    /// An answer contains the id of the call and the report for the model. `hook` answers the event of a hook of Claude
    /// Code, and writes nothing: docs/claude-code.md.
    #[arg(long, value_name = "PROTOCOL", value_enum, conflicts_with_all = ["json", "reader", "interactive"])]
    #[arg(help_heading = REPORT, hide_short_help = true)]
    pub(super) reply: Option<ReplyArg>,

    /// Apply each call separately: a call that does not fit prevents no other call
    #[arg(long, requires = "reply", conflicts_with = "undo")]
    #[arg(help_heading = REPORT, hide_short_help = true)]
    pub(super) each_call: bool,

    /// Ask for each chunk, at the terminal
    #[arg(short, long, conflicts_with = "json")]
    pub(super) interactive: bool,

    /// Write the reverse patch to a new file
    ///
    /// The file is written before anything changes.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(super) undo: Option<Utf8PathBuf>,
}

/// Explaining how a patch is placed.
#[derive(Debug, clap::Args)]
pub(super) struct ExplainArgs {
    /// A file with the patch, or the patch itself; by default standard input
    pub(super) patch: Option<String>,
}

/// Replacing a text.
#[derive(Debug, clap::Args)]
pub(super) struct ReplaceArgs {
    /// The file
    pub(super) file: String,

    /// The old text
    #[arg(long, value_name = "TEXT", conflicts_with = "old_file", required_unless_present = "old_file")]
    pub(super) old: Option<String>,

    /// A file with the old text
    #[arg(long, value_name = "FILE")]
    pub(super) old_file: Option<Utf8PathBuf>,

    /// The new text
    #[arg(long, value_name = "TEXT", conflicts_with = "new_file", required_unless_present = "new_file")]
    pub(super) new: Option<String>,

    /// A file with the new text
    #[arg(long, value_name = "FILE")]
    pub(super) new_file: Option<Utf8PathBuf>,

    /// Replace every position of the tightest comparison that matches
    #[arg(long)]
    pub(super) all: bool,

    /// Print the changed file, and write nothing
    #[arg(long)]
    pub(super) stdout: bool,

    /// Write the reverse patch to a new file
    #[arg(long, value_name = "FILE", conflicts_with = "stdout")]
    pub(super) undo: Option<Utf8PathBuf>,
}

impl Args {
    /// Returns the argument about a patch that was given beside a command without a patch; `None` if there is no such
    /// argument.
    pub(super) fn of_no_command(&self) -> Option<&'static str> {
        let PatchArgs { patch, reply, each_call: _, interactive, undo } = &self.patch;
        let said = [
            (patch.is_some(), "a patch"),
            (reply.is_some(), "--reply"),
            (*interactive, "--interactive"),
            (undo.is_some(), "--undo"),
        ];
        said.into_iter().find(|(said, _)| *said).map(|(_, what)| what)
    }
}
