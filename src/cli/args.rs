//! What can be said on the command line.

use camino::Utf8PathBuf;
use clap::{Parser, Subcommand, ValueEnum};

use crate::locate::{Ambiguity, Level, Matching};
use crate::{format, plan};

/// Turns an edit written by a language model into changed files: all of a patch or none of it, each change in
/// the one place that was meant, or a refusal that says why.
#[derive(Debug, Parser)]
#[command(name = "apply-patch", version, after_help = EXIT_STATUS)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Option<Command>,

    #[command(flatten)]
    pub(super) common: Common,

    #[command(flatten)]
    pub(super) patch: PatchArgs,
}

/// What else the program does.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Replace a text in a file, by the same rules
    Replace(ReplaceArgs),
    /// Say how each chunk of a patch is placed, or why it is not; touches nothing
    Explain(ExplainArgs),
}

/// Where files are, how edits are placed, and what is printed.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(super) struct Common {
    /// The folder that names in the patch are relative to; nothing outside it is touched
    #[arg(short = 'C', value_name = "DIR", default_value = ".", global = true)]
    pub(super) dir: Utf8PathBuf,

    /// A further folder in which absolute names are allowed; may be given several times
    #[arg(long, value_name = "DIR", global = true)]
    pub(super) root: Vec<Utf8PathBuf>,

    /// Say what would be done, and touch nothing
    #[arg(short = 'n', long, global = true)]
    pub(super) check: bool,

    /// Print the changes as a unified diff
    #[arg(long, global = true)]
    pub(super) diff: bool,

    /// Without the indentation that all lines of a file's diff have; such a diff is for reading only
    #[arg(long, requires = "diff", global = true)]
    pub(super) trim: bool,

    /// Print how many lines of each file change
    #[arg(long, global = true)]
    pub(super) stat: bool,

    /// How much a quote may differ from the file [default: guarded]
    #[arg(long = "match", value_name = "LEVEL", value_enum, hide_default_value = true, global = true)]
    pub(super) level: Option<LevelArg>,

    /// What to do where several places are alike [default: refuse]
    #[arg(long, value_enum, hide_default_value = true, global = true)]
    pub(super) ambiguity: Option<AmbiguityArg>,

    /// Take the grammar to the letter: repair nothing
    #[arg(long, global = true)]
    pub(super) strict: bool,

    /// Whom the words are for [default: people at a terminal, else the model]
    #[arg(long = "for", value_name = "READER", value_enum, hide_default_value = true, global = true)]
    pub(super) reader: Option<ForArg>,

    /// How many characters the words for a model may have; 0 for any number [default: 4000]
    #[arg(long, value_name = "CHARACTERS", hide_default_value = true, global = true)]
    pub(super) budget: Option<usize>,

    /// Print one JSON object (docs/report.md) to standard output, whatever happens
    #[arg(long, global = true, conflicts_with_all = ["reader", "budget"])]
    pub(super) json: bool,

    /// Where a patch is refused though its places are clear, print one that is quoted from the files; it is not applied
    #[arg(long, global = true)]
    pub(super) suggest: bool,

    /// Print nothing on success
    #[arg(short, long, global = true)]
    pub(super) quiet: bool,
}

/// Applying a patch.
#[derive(Debug, clap::Args)]
pub(super) struct PatchArgs {
    /// A file that holds the patch, or the patch itself; without it, the patch is read from standard input
    pub(super) patch: Option<String>,

    /// Let Add and Move replace files that are there
    #[arg(long)]
    pub(super) overwrite: bool,

    /// Behave as another tool does
    #[arg(long, value_name = "TOOL", value_enum)]
    pub(super) compat: Option<CompatArg>,

    /// Ask for each chunk whether it is to be applied, over the terminal
    #[arg(short, long, conflicts_with = "json")]
    pub(super) interactive: bool,

    /// Take a patch that ends before `*** End Patch`
    #[arg(long)]
    pub(super) accept_truncated: bool,
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
}

const EXIT_STATUS: &str = "\
Exit status:
  0  applied (with --check: would apply)
  1  the patch does not fit the files; nothing was changed
  2  the text is not a patch, or wrong usage
  3  the system refused (permission, disk); nothing was changed, or all was put back
     (where that failed too, the message says what is where)
  4  applied, but temporary files could not be removed";

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
    pub(super) fn reading(&self) -> format::Options {
        format::Options { strict: self.common.strict, accept_truncated: self.patch.accept_truncated }
    }

    pub(super) fn planning(&self) -> plan::Options {
        let matching = self.common.matching(self.patch.compat);
        plan::Options { matching, overwrite: self.patch.overwrite || self.patch.compat.is_some() }
    }

    /// What was said that is about a patch, beside a command that takes none.
    pub(super) fn of_no_command(&self) -> Option<&'static str> {
        let PatchArgs { patch, overwrite, compat, interactive, accept_truncated } = &self.patch;
        let said = [
            (patch.is_some(), "a patch"),
            (*overwrite, "--overwrite"),
            (compat.is_some(), "--compat"),
            (*interactive, "--interactive"),
            (*accept_truncated, "--accept-truncated"),
        ];
        said.into_iter().find(|(said, _)| *said).map(|(_, what)| what)
    }
}

impl Common {
    pub(super) fn matching(&self, compat: Option<CompatArg>) -> Matching {
        let level = match (self.level, compat) {
            (Some(LevelArg::Exact), _) => Level::Exact,
            (Some(LevelArg::Whitespace), _) | (None, Some(CompatArg::Codex)) => Level::Whitespace,
            (Some(LevelArg::Guarded), _) | (None, None) => Level::Guarded,
            (Some(LevelArg::Cascade), _) => Level::Cascade,
            (Some(LevelArg::ThreeTier), _) => Level::ThreeTier,
            (Some(LevelArg::Editkit), _) => Level::Editkit,
        };
        let ambiguity = match (self.ambiguity, compat) {
            (Some(AmbiguityArg::First), _) | (None, Some(CompatArg::Codex)) => Ambiguity::First,
            (Some(AmbiguityArg::Refuse) | None, _) => Ambiguity::Refuse,
        };
        Matching { level, ambiguity, literal: self.strict }
    }
}
