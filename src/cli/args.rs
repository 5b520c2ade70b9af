//! What can be said on the command line.

use camino::Utf8PathBuf;
use clap::{Parser, Subcommand, ValueEnum};

use super::help;
use crate::plan::{self, Digest, Pin};

// No doc comment: its lines would be joined.
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
const PLACING: &str = "Where edits go";
const READING: &str = "How the patch is read";
const REPORT: &str = "What is said";
const FILES: &str = "Which files, and how they are written";

/// What else the program does.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Replace a text in a file, by the same rules
    #[command(after_long_help = help::OF_REPLACE)]
    Replace(ReplaceArgs),
    /// Say how each chunk of a patch is placed, or why not
    ///
    /// It touches nothing.
    #[command(after_long_help = help::OF_EXPLAIN)]
    Explain(ExplainArgs),
    /// Print what a patch does in another format; touches nothing
    ///
    /// The text that is printed does to the files just what the patch would do.
    #[command(after_long_help = help::OF_CONVERT)]
    Convert(ConvertArgs),
    /// Print the patch that makes one tree of another
    ///
    /// Of two folders, two files, or two revisions of git.
    #[command(after_long_help = help::OF_MAKE)]
    Make(MakeArgs),
    /// Print a patch as the canonical envelope
    ///
    /// What had to be repaired goes to standard error.
    #[command(after_long_help = help::OF_FMT)]
    Fmt(FmtArgs),
    /// Print the grammar of a format, for constrained decoding
    ///
    /// Of the envelope, or of another `--format`.
    #[command(after_long_help = help::OF_GRAMMAR)]
    Grammar(GrammarArgs),
    /// Print what a model should be told about the format
    #[command(after_long_help = help::OF_INSTRUCTIONS)]
    Instructions,
    /// Finish, or take back, what an interrupted run left
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

    /// A file that holds the patch, or the patch itself; without it, the patch is read from standard input
    pub(super) patch: Option<String>,
}

/// Making a patch.
#[derive(Debug, clap::Args)]
pub(super) struct MakeArgs {
    /// A folder or a file as it was
    #[arg(required_unless_present = "git", requires = "new", conflicts_with = "git")]
    pub(super) old: Option<Utf8PathBuf>,

    /// The same as it is to be
    pub(super) new: Option<Utf8PathBuf>,

    /// From a revision of git to the work tree, or from A to B; without one, from HEAD to the work tree
    #[arg(long, value_name = "REV|A..B", num_args = 0..=1, default_missing_value = "HEAD")]
    pub(super) git: Option<String>,

    /// Take in files that git does not track, but for those that it ignores
    #[arg(long, requires = "git")]
    pub(super) untracked: bool,

    /// The format to print
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "envelope")]
    pub(super) to: FormatArg,
}

/// Printing a patch.
#[derive(Debug, clap::Args)]
pub(super) struct FmtArgs {
    /// A file that holds the patch, or the patch itself; without it, the patch is read from standard input
    pub(super) patch: Option<String>,
}

/// How the text of a patch is read.
#[derive(Debug, clap::Args)]
pub(super) struct Reading {
    /// The format of the patch
    #[arg(long, value_enum, default_value = "auto", global = true)]
    #[arg(help_heading = READING, hide_short_help = true)]
    pub(super) format: FormatArg,

    /// The file that is meant where the patch names none
    #[arg(id = "meant", long = "file", value_name = "FILE", global = true)]
    #[arg(help_heading = READING, hide_short_help = true)]
    pub(super) file: Option<String>,

    /// How many first folders to drop from the names in a unified diff [default: guessed]
    #[arg(short = 'p', value_name = "N", global = true, help_heading = READING, hide_short_help = true)]
    pub(super) strip: Option<usize>,

    /// Take a patch that ends before `*** End Patch`
    ///
    /// A cut-off answer cannot be told from a whole one: what is missing is missing.
    #[arg(long, global = true, help_heading = READING, hide_short_help = true)]
    pub(super) accept_truncated: bool,

    /// The longest patch that is read, in bytes [default: 67108864, which is 64 MiB]
    #[arg(long, value_name = "BYTES", global = true, help_heading = READING, hide_short_help = true)]
    pub(super) max_patch_size: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FormatArg {
    /// What the text itself shows
    Auto,
    /// `*** Begin Patch` to `*** End Patch`
    Envelope,
    /// Blocks of `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`
    SearchReplace,
    /// Calls of edit tools, as JSON or as text
    Edit,
    /// A unified diff
    Unified,
    /// The hunks of one file without an envelope, as `apply_patch_call` has them; wants --file
    Hunks,
    /// The lines of one new file, each with `+`, without an envelope; wants --file
    NewFile,
}

/// Printing the grammar.
#[derive(Debug, clap::Args)]
pub(super) struct GrammarArgs {
    /// How it is written
    #[arg(value_enum, default_value = "lark")]
    pub(super) notation: Notation,

    /// Leave out what the harness forbids
    #[arg(long, value_name = "PART", value_enum, value_delimiter = ',')]
    pub(super) without: Vec<PartArg>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Notation {
    /// Lark, as llguidance and Python's lark read it
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

/// Recovering.
#[derive(Debug, clap::Args)]
pub(super) struct RecoverArgs {
    /// Leave the files as they are, half done perhaps, and remove what the run left beside them
    #[arg(long)]
    pub(super) abandon: bool,
}

/// How files are written.
#[derive(Debug, clap::Args)]
pub(super) struct Writing {
    /// Wait until the disk has everything, so that a power cut tears nothing [default]
    #[arg(long, overrides_with = "no_sync", global = true)]
    #[arg(help_heading = FILES, hide_short_help = true)]
    pub(super) sync: bool,

    /// Leave it to the system when the disk gets it
    #[arg(long, overrides_with = "sync", global = true)]
    #[arg(help_heading = FILES, hide_short_help = true)]
    pub(super) no_sync: bool,

    /// Do not wait for another run that is at work in the folder
    #[arg(long, global = true)]
    #[arg(help_heading = FILES, hide_short_help = true)]
    pub(super) no_wait: bool,

    /// The longest file that is read, in bytes [default: 268435456, which is 256 MiB]
    #[arg(long, value_name = "BYTES", global = true)]
    #[arg(help_heading = FILES, hide_short_help = true)]
    pub(super) max_file_size: Option<u64>,
}

/// Where files are, how edits are placed, and what is printed.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(super) struct Common {
    /// The folder that names are relative to
    ///
    /// Nothing outside of it is read or written.
    #[arg(short = 'C', value_name = "DIR", default_value = ".", global = true)]
    pub(super) dir: Utf8PathBuf,

    /// A further folder in which absolute names are allowed; may be given several times
    #[arg(long, value_name = "DIR", global = true)]
    #[arg(help_heading = FILES, hide_short_help = true)]
    pub(super) root: Vec<Utf8PathBuf>,

    /// Say what would be done, and touch nothing
    #[arg(short = 'n', long, global = true)]
    pub(super) check: bool,

    /// Print the changes as a unified diff
    #[arg(long, global = true)]
    pub(super) diff: bool,

    /// Without the indentation that all lines of a file's diff have; such a diff is for reading only
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

    /// What to do where several places are alike [default: refuse]
    #[arg(long, value_enum, hide_default_value = true, global = true)]
    #[arg(help_heading = PLACING, hide_short_help = true)]
    pub(super) ambiguity: Option<AmbiguityArg>,

    /// Take the grammar to the letter: repair nothing
    #[arg(long, global = true)]
    #[arg(help_heading = READING, hide_short_help = true)]
    pub(super) strict: bool,

    /// Whom the words are for [default: people at a terminal, else the model]
    #[arg(long = "for", value_name = "READER", value_enum, hide_default_value = true, global = true)]
    #[arg(help_heading = REPORT, hide_short_help = true)]
    pub(super) reader: Option<ForArg>,

    /// How many characters the words for a model may have; 0 for any number [default: 4000]
    #[arg(long, value_name = "CHARACTERS", hide_default_value = true, global = true)]
    #[arg(help_heading = REPORT, hide_short_help = true)]
    pub(super) budget: Option<usize>,

    /// Print one JSON object, whatever happens
    ///
    /// It goes to standard output; docs/report.md describes it.
    #[arg(long, global = true, conflicts_with_all = ["reader", "budget"])]
    pub(super) json: bool,

    /// With a refusal, print what to send instead
    ///
    /// Only where the place is clear. It is the patch, or the replacement, quoted from the files as they are; it is not
    /// applied: check it first.
    #[arg(long, global = true, help_heading = REPORT, hide_short_help = true)]
    pub(super) suggest: bool,

    /// Print nothing on success
    #[arg(short, long, global = true)]
    #[arg(help_heading = REPORT, hide_short_help = true)]
    pub(super) quiet: bool,

    /// Refuse unless the file has this SHA-256, so is the one that the model was shown; may be given several times
    #[arg(long, value_name = "PATH=SHA256", value_parser = pin, global = true)]
    #[arg(help_heading = FILES, hide_short_help = true)]
    pub(super) expect: Vec<Pin>,

    /// Let Add and Move replace files that are there
    #[arg(long, global = true)]
    #[arg(help_heading = FILES, hide_short_help = true)]
    pub(super) overwrite: bool,

    /// Behave as another tool does
    #[arg(long, value_name = "TOOL", value_enum, global = true)]
    #[arg(help_heading = PLACING, hide_short_help = true)]
    pub(super) compat: Option<CompatArg>,

    #[command(flatten)]
    pub(super) reading: Reading,

    #[command(flatten)]
    pub(super) writing: Writing,
}

fn pin(text: &str) -> Result<Pin, String> {
    let (path, digest) = text.rsplit_once('=').ok_or("it is not PATH=SHA256")?;
    let sha256: Digest = digest.parse().map_err(|error: plan::NotADigest| error.to_string())?;
    Ok(Pin { path: path.into(), sha256 })
}

/// Applying a patch.
#[derive(Debug, clap::Args)]
pub(super) struct PatchArgs {
    /// A file that holds the patch, or the patch itself; without it, the patch is read from standard input
    ///
    /// A text with a line break in it, or with `*** Begin Patch`, is the patch; `-` is standard input.
    #[arg(hide_short_help = true)]
    pub(super) patch: Option<String>,

    /// Print the answer to each call, one JSON object a line
    ///
    /// It has the call's id and the words for the model. `hook` answers the event of a hook of Claude Code, and writes
    /// nothing: docs/claude-code.md.
    #[arg(long, value_name = "PROTOCOL", value_enum, conflicts_with_all = ["json", "reader", "interactive"])]
    #[arg(help_heading = REPORT, hide_short_help = true)]
    pub(super) reply: Option<ReplyArg>,

    /// Apply each call by itself: one that does not fit keeps no other from being applied
    #[arg(long, requires = "reply", conflicts_with = "undo")]
    #[arg(help_heading = REPORT, hide_short_help = true)]
    pub(super) each_call: bool,

    /// Ask for each chunk, over the terminal
    #[arg(short, long, conflicts_with = "json")]
    pub(super) interactive: bool,

    /// Write to a new file the patch that takes all of it back
    ///
    /// It is written before anything is changed.
    #[arg(long, value_name = "FILE")]
    pub(super) undo: Option<Utf8PathBuf>,
}

/// Explaining how a patch is placed.
#[derive(Debug, clap::Args)]
pub(super) struct ExplainArgs {
    /// A file that holds the patch, or the patch itself; without it, the patch is read from standard input
    pub(super) patch: Option<String>,
}

/// Replacing a text.
#[derive(Debug, clap::Args)]
pub(super) struct ReplaceArgs {
    /// The file
    pub(super) file: String,

    /// The text that goes
    #[arg(long, value_name = "TEXT", conflicts_with = "old_file", required_unless_present = "old_file")]
    pub(super) old: Option<String>,

    /// A file that holds the text that goes
    #[arg(long, value_name = "FILE")]
    pub(super) old_file: Option<Utf8PathBuf>,

    /// The text that comes
    #[arg(long, value_name = "TEXT", conflicts_with = "new_file", required_unless_present = "new_file")]
    pub(super) new: Option<String>,

    /// A file that holds the text that comes
    #[arg(long, value_name = "FILE")]
    pub(super) new_file: Option<Utf8PathBuf>,

    /// Every place of the tightest comparison that has one
    #[arg(long)]
    pub(super) all: bool,

    /// Print the changed file, and write nothing
    #[arg(long)]
    pub(super) stdout: bool,

    /// Write to a new file the patch that takes it back
    #[arg(long, value_name = "FILE", conflicts_with = "stdout")]
    pub(super) undo: Option<Utf8PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LevelArg {
    /// To the byte
    Exact,
    /// But for white space at line ends, indentation, look-alikes and Unicode forms
    Whitespace,
    /// By all that leaves one clear reading: misspelt words, lines too many or too few, wrong code pages
    Guarded,
    /// As the nine replacers do it, without a guard
    Cascade,
    /// Exact, then line by line, then by first and last line, without a guard
    ThreeTier,
    /// Exact, then at another indentation, then without white space at line ends
    Editkit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ForArg {
    /// Colours, carets, as wide as the terminal
    People,
    /// Plain; first whether anything was changed, last what to do next
    Model,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ReplyArg {
    /// `apply_patch_call_output`, `function_call_output`, `custom_tool_call_output`, a message of the role `tool`
    Openai,
    /// `tool_result`
    Anthropic,
    /// `CallToolResult`
    Mcp,
    /// A `PreToolUse` hook of Claude Code
    Hook,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum AmbiguityArg {
    /// Refuse, and name the places
    Refuse,
    /// Take the first place
    First,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum CompatArg {
    /// Codex: --match whitespace --ambiguity first --overwrite
    Codex,
}

impl Args {
    /// What was said that is about a patch, beside a command that takes none.
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
