//! The command line: the only part that reads arguments, prints, and has an exit status.

mod args;

use std::borrow::Cow;
use std::error::Error;
use std::io::{self, IsTerminal, Read, Write};
use std::process::ExitCode;

use camino::Utf8Path;
use clap::{CommandFactory, Parser};

use self::args::{
    Args, Command, Common, ConvertArgs, FmtArgs, GrammarArgs, LevelArg, Notation, PatchArgs, ReplaceArgs,
};
use crate::apply::{ApplyError, Prepared, Roots};
use crate::format::{ParseErrors, Repair, parse};
use crate::grammar::{self, Part};
use crate::make;
use crate::plan::{self, After, Change, Failures, Plan, Replace, plan, replace};
use crate::report::{diff, people};
use crate::text;
use crate::text::shown;

/// How a run ended. The numbers are the exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    /// Applied, or would apply.
    Applied = 0,
    /// The patch does not fit the files; nothing was changed.
    Refused = 1,
    /// The text is not a patch, or wrong usage.
    NotAPatch = 2,
    /// The system refused; nothing was changed, or all was put back.
    System = 3,
    /// Applied, but temporary files could not be removed.
    Unclean = 4,
}

/// A run that changed nothing: its status, and the words for standard error.
struct Stop {
    status: Status,
    words: String,
}

impl Stop {
    fn new(status: Status, words: impl Into<String>) -> Self {
        Stop { status, words: words.into() }
    }
}

/// Runs the program on the process's arguments and streams.
pub fn run() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // A closed pipe is nothing to complain about.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(Status::NotAPatch as u8));
        }
    };
    let result = match &args.command {
        Some(Command::Replace(replace)) => carry_out_replace(replace),
        Some(Command::Convert(convert)) => print_converted(convert),
        Some(Command::Fmt(fmt)) => print_formatted(fmt),
        Some(Command::Grammar(GrammarArgs { notation: Notation::Lark, without })) => {
            let without: Vec<Part> = without.iter().copied().map(Part::from).collect();
            Ok(print(&grammar::lark(&without)))
        }
        Some(Command::Instructions) => Ok(print(grammar::INSTRUCTIONS)),
        None => carry_out(&args.patch),
    };
    let status = result.unwrap_or_else(|stop| {
        let _ = io::stderr().write_all(stop.words.as_bytes());
        stop.status
    });
    ExitCode::from(status as u8)
}

fn carry_out(args: &PatchArgs) -> Result<Status, Stop> {
    let bytes = patch_bytes(args.patch.as_deref())?;
    let text = patch_text(&bytes)?;
    let (patch, repairs) =
        parse(&text, &args.reading()).into_result().map_err(|errors| not_a_patch(&errors))?;
    let roots = open_roots(&args.common)?;
    let plan = plan(&patch, &roots, &args.planning()).map_err(|failures| refused(&failures, &repairs))?;
    let status = if args.common.check { Status::Applied } else { commit(&roots, &plan)? };
    print_applied(&args.common, &plan, &repairs);
    Ok(status)
}

/// Prints what a patch does to the files, in another format. How it was read is told on standard error.
fn print_converted(args: &ConvertArgs) -> Result<Status, Stop> {
    let bytes = patch_bytes(args.patch.patch.as_deref())?;
    let text = patch_text(&bytes)?;
    let (patch, repairs) =
        parse(&text, &args.patch.reading()).into_result().map_err(|errors| not_a_patch(&errors))?;
    let roots = open_roots(&args.patch.common)?;
    let plan =
        plan(&patch, &roots, &args.patch.planning()).map_err(|failures| refused(&failures, &repairs))?;
    let text = make::text(&plan, &roots, args.to.into()).map_err(|unsayable| {
        let lines: Vec<String> = unsayable.iter().map(ToString::to_string).collect();
        Stop::new(Status::Refused, format!("The patch cannot be converted.\n{}\n", lines.join("\n")))
    })?;
    if !args.patch.common.quiet {
        let mut words = String::new();
        let _ = people::applied(&plan, &repairs, &mut words);
        let _ = io::stderr().write_all(words.as_bytes());
    }
    Ok(print(&text))
}

/// Prints a patch as the canonical envelope.
fn print_formatted(args: &FmtArgs) -> Result<Status, Stop> {
    let bytes = patch_bytes(args.patch.as_deref())?;
    let text = patch_text(&bytes)?;
    let options = args.reading.options(args.strict);
    let (patch, repairs) = parse(&text, &options).into_result().map_err(|errors| not_a_patch(&errors))?;
    if !patch.is_envelope() {
        let words =
            "an envelope cannot say all of this patch without its files: use `convert --to envelope`\n";
        return Err(Stop::new(Status::NotAPatch, words));
    }
    for repair in &repairs {
        let _ = writeln!(io::stderr(), "{repair}");
    }
    Ok(print(&patch.to_string()))
}

/// Prints what was asked for. A closed pipe is nothing to complain about.
fn print(text: &str) -> Status {
    let _ = io::stdout().write_all(text.as_bytes());
    Status::Applied
}

fn carry_out_replace(args: &ReplaceArgs) -> Result<Status, Stop> {
    let old = text_of(args.old.as_deref(), args.old_file.as_deref())?;
    let new = text_of(args.new.as_deref(), args.new_file.as_deref())?;
    let roots = open_roots(&args.common)?;
    if args.all && matches!(args.common.level, Some(LevelArg::ThreeTier | LevelArg::Editkit)) {
        return Err(Stop::new(
            Status::NotAPatch,
            "--all is not for --match three-tier or editkit, which know one place\n",
        ));
    }
    let request = Replace { path: &args.file, old: &old, new: &new, all: args.all };
    let options = plan::Options { matching: args.common.matching(None), overwrite: false };
    let plan = replace(&request, &roots, &options).map_err(|failures| refused(&failures, &[]))?;
    if args.stdout {
        let bytes = plan.changes.first().map(content).unwrap_or_default();
        let _ = io::stdout().write_all(&bytes);
        return Ok(Status::Applied);
    }
    let status = if args.common.check { Status::Applied } else { commit(&roots, &plan)? };
    print_applied(&args.common, &plan, &[]);
    Ok(status)
}

/// A text that was given itself, or in a file.
fn text_of<'a>(text: Option<&'a str>, file: Option<&Utf8Path>) -> Result<Cow<'a, str>, Stop> {
    let wrong = |words: String| Stop::new(Status::NotAPatch, words);
    match (text, file) {
        (Some(text), _) => Ok(Cow::Borrowed(text)),
        (None, Some(file)) => {
            let bytes =
                std::fs::read(file).map_err(|error| wrong(format!("cannot read {file:?}: {error}\n")))?;
            String::from_utf8(bytes)
                .map(Cow::Owned)
                .map_err(|error| wrong(format!("{file:?} is not text: {error}\n")))
        }
        (None, None) => Ok(Cow::Borrowed("")),
    }
}

/// What is in a file after a change.
fn content(change: &Change) -> Vec<u8> {
    match &change.after {
        After::File { content, .. } => content.bytes().into_owned(),
        After::Gone => Vec::new(),
    }
}

/// The patch: the argument if it holds a line break, or the file that it names, or standard input.
fn patch_bytes(patch: Option<&str>) -> Result<Cow<'_, [u8]>, Stop> {
    let system = |what: &str, error: &io::Error| {
        Stop::new(Status::NotAPatch, format!("cannot read {what}: {error}\n"))
    };
    match patch {
        Some(patch) if patch.is_empty() || patch.contains('\n') || patch.contains("*** Begin Patch") => {
            Ok(Cow::Borrowed(patch.as_bytes()))
        }
        Some(file) if file != "-" => {
            std::fs::read(file).map(Cow::Owned).map_err(|error| system(&format!("`{}`", shown(file)), &error))
        }
        None if io::stdin().is_terminal() => {
            Err(Stop::new(Status::NotAPatch, Args::command().render_help().to_string()))
        }
        _ => {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).map_err(|error| system("standard input", &error))?;
            Ok(Cow::Owned(bytes))
        }
    }
}

/// The patch as text. A byte-order mark of UTF-8 is left for the parser, which reports it.
fn patch_text(bytes: &[u8]) -> Result<Cow<'_, str>, Stop> {
    let decoded = str::from_utf8(bytes).map(Cow::Borrowed).or_else(|_| text::decode(bytes));
    decoded.map_err(|error| {
        Stop::new(Status::NotAPatch, format!("Nothing was changed: the patch is not text: {error}\n"))
    })
}

fn open_roots(args: &Common) -> Result<Roots, Stop> {
    let wrong = |error: ApplyError| Stop::new(Status::NotAPatch, format!("{}\n", chain(&error)));
    let with_further = |roots: Roots, dir: &Utf8Path| roots.with_further(dir).map_err(wrong);
    let base = Roots::open(&args.dir).map_err(wrong)?;
    args.root.iter().try_fold(base, |roots, dir| with_further(roots, dir))
}

fn not_a_patch(errors: &ParseErrors) -> Stop {
    let mut words = String::new();
    // Writing to a string does not fail, here and below.
    let _ = people::not_a_patch(errors, &mut words);
    Stop::new(Status::NotAPatch, words)
}

fn refused(failures: &Failures, repairs: &[Repair]) -> Stop {
    let mut words = String::new();
    let _ = people::refused(failures, repairs, &mut words);
    let system = failures.failures.iter().any(|failure| failure.kind.is_system());
    Stop::new(if system { Status::System } else { Status::Refused }, words)
}

fn commit(roots: &Roots, plan: &Plan) -> Result<Status, Stop> {
    let committed = roots.prepare(&plan.changes).and_then(Prepared::commit);
    match committed {
        Ok(_) => Ok(Status::Applied),
        Err(error @ ApplyError::CleanUp { .. }) => {
            let _ = writeln!(io::stderr(), "{}", chain(&error));
            Ok(Status::Unclean)
        }
        Err(error @ ApplyError::RollBack { .. }) => {
            Err(Stop::new(Status::System, format!("{}\n", chain(&error))))
        }
        Err(error) => {
            let meanwhile = error.is_meanwhile();
            let status = if meanwhile { Status::Refused } else { Status::System };
            Err(Stop::new(status, format!("Nothing was changed: {}\n", chain(&error))))
        }
    }
}

fn print_applied(args: &Common, plan: &Plan, repairs: &[Repair]) {
    let mut words = String::new();
    if !args.quiet {
        let _ = people::applied(plan, repairs, &mut words);
    }
    if args.diff {
        let _ = diff::unified(plan, &mut words);
    }
    if io::stdout().is_terminal() {
        // What a file holds must not act on the terminal.
        words = words
            .chars()
            .map(|c| if c.is_control() && !"\n\t".contains(c) { '\u{fffd}' } else { c })
            .collect();
    }
    let _ = io::stdout().write_all(words.as_bytes());
}

/// An error with all its causes, on one line.
fn chain(error: &dyn Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        words.extend([": ", &error.to_string()]);
        cause = error.source();
    }
    words
}
