//! What can be said on the command line.

use camino::Utf8PathBuf;
use clap::{Parser, Subcommand, ValueEnum};

use crate::format::Format;
use crate::grammar::Part;
use crate::locate::{Ambiguity, Level, Matching};
use crate::{format, plan};

/// Turns an edit written by a language model into changed files: all of a patch or none of it, each change in
/// the one place that was meant, or a refusal that says why.
#[derive(Debug, Parser)]
#[command(name = "apply-patch", version, after_help = EXIT_STATUS, args_conflicts_with_subcommands = true)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Option<Command>,

    #[command(flatten)]
    pub(super) patch: PatchArgs,
}

/// What else the program does.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Replace a text in a file, by the same rules
    Replace(ReplaceArgs),
    /// Print a patch in another format, so that it does just what it would do to the files, and change nothing
    Convert(ConvertArgs),
    /// Print a patch as the canonical envelope, and what had to be repaired on standard error
    Fmt(FmtArgs),
    /// Print the grammar of the envelope, for constrained decoding
    Grammar(GrammarArgs),
    /// Print what a model should be told about the format
    Instructions,
}

/// Printing a patch in another format.
#[derive(Debug, clap::Args)]
pub(super) struct ConvertArgs {
    /// The format to print
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(super) to: FormatArg,

    #[command(flatten)]
    pub(super) patch: PatchArgs,
}

/// Printing a patch.
#[derive(Debug, clap::Args)]
pub(super) struct FmtArgs {
    /// A file that holds the patch, or the patch itself; without it, the patch is read from standard input
    pub(super) patch: Option<String>,

    /// Take the grammar to the letter: repair nothing
    #[arg(long)]
    pub(super) strict: bool,

    #[command(flatten)]
    pub(super) reading: Reading,
}

/// How the text of a patch is read.
#[derive(Debug, clap::Args)]
pub(super) struct Reading {
    /// The format of the patch
    #[arg(long, value_enum, default_value = "auto")]
    pub(super) format: FormatArg,

    /// The file that is meant where the patch names none
    #[arg(long, value_name = "FILE")]
    pub(super) file: Option<String>,

    /// How many first folders to drop from the names in a unified diff [default: guessed]
    #[arg(short = 'p', value_name = "N")]
    pub(super) strip: Option<usize>,

    /// Take a patch that ends before `*** End Patch`
    #[arg(long)]
    pub(super) accept_truncated: bool,
}

impl Reading {
    pub(super) fn options(&self, strict: bool) -> format::Options {
        format::Options {
            format: self.format.into(),
            strict,
            accept_truncated: self.accept_truncated,
            file: self.file.clone(),
            strip: self.strip,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FormatArg {
    /// What the text itself shows
    Auto,
    /// `*** Begin Patch` to `*** End Patch`
    Envelope,
    /// Blocks of `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`
    SearchReplace,
    /// Old/new edits, as the calls of edit tools in JSON
    Edit,
    /// A unified diff
    Unified,
}

impl From<FormatArg> for Format {
    fn from(format: FormatArg) -> Self {
        match format {
            FormatArg::Auto => Format::Auto,
            FormatArg::Envelope => Format::Envelope,
            FormatArg::SearchReplace => Format::SearchReplace,
            FormatArg::Edit => Format::Edit,
            FormatArg::Unified => Format::Unified,
        }
    }
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

impl From<PartArg> for Part {
    fn from(part: PartArg) -> Self {
        match part {
            PartArg::Add => Part::Add,
            PartArg::Delete => Part::Delete,
            PartArg::Move => Part::Move,
        }
    }
}

/// Where files are, how edits are placed, and what is printed.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(super) struct Common {
    /// The folder that names in the patch are relative to; nothing outside it is touched
    #[arg(short = 'C', value_name = "DIR", default_value = ".")]
    pub(super) dir: Utf8PathBuf,

    /// A further folder in which absolute names are allowed; may be given several times
    #[arg(long, value_name = "DIR")]
    pub(super) root: Vec<Utf8PathBuf>,

    /// Say what would be done, and touch nothing
    #[arg(short = 'n', long)]
    pub(super) check: bool,

    /// Print the changes as a unified diff
    #[arg(long)]
    pub(super) diff: bool,

    /// How much a quote may differ from the file [default: guarded]
    #[arg(long = "match", value_name = "LEVEL", value_enum, hide_default_value = true)]
    pub(super) level: Option<LevelArg>,

    /// What to do where several places are alike [default: refuse]
    #[arg(long, value_enum, hide_default_value = true)]
    pub(super) ambiguity: Option<AmbiguityArg>,

    /// Take the grammar to the letter: repair nothing
    #[arg(long)]
    pub(super) strict: bool,

    /// Print nothing on success
    #[arg(short, long)]
    pub(super) quiet: bool,
}

/// Applying a patch.
#[derive(Debug, clap::Args)]
pub(super) struct PatchArgs {
    #[command(flatten)]
    pub(super) common: Common,

    /// A file that holds the patch, or the patch itself; without it, the patch is read from standard input
    pub(super) patch: Option<String>,

    /// Let Add and Move replace files that are there
    #[arg(long)]
    pub(super) overwrite: bool,

    /// Behave as another tool does
    #[arg(long, value_name = "TOOL", value_enum)]
    pub(super) compat: Option<CompatArg>,

    #[command(flatten)]
    pub(super) reading: Reading,
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

    #[command(flatten)]
    pub(super) common: Common,
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

impl PatchArgs {
    pub(super) fn reading(&self) -> format::Options {
        self.reading.options(self.common.strict)
    }

    pub(super) fn planning(&self) -> plan::Options {
        let matching = self.common.matching(self.compat);
        plan::Options { matching, overwrite: self.overwrite || self.compat.is_some() }
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
