//! The command line: the only part that reads arguments, prints, and has an exit status.

mod args;
mod folders;
mod format;
mod git;
mod help;
mod interactive;
mod make;
mod output;
mod parse;
mod progress;
mod recover;
mod undo;
mod usage_error;

use std::borrow::Cow;
use std::error::Error;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::process::ExitCode;

use camino::Utf8Path;
use clap::CommandFactory;

use self::args::{Args, Command, Common, ConvertArgs, ExplainArgs, ForArg, LevelArg, ReplaceArgs};
use self::output::{Stream, Voice};
use self::progress::{Bar, Watched};
use self::undo::Undo;
use crate::apply::{ApplyError, Phase, Prepared, Progress, Roots};
use crate::format::{ParseErrors, Repair, parse};
use crate::generate::suggest;
use crate::patch::Patch;
use crate::plan::{self, After, Change, Failures, Pinned, Plan, Replace, plan, replace};
use crate::report::{Look, Outcome, Report, diff, explain, human, stat};
use crate::text;
use crate::text::shown;

/// The longest patch that is read unless the user says otherwise, in bytes. The longest answer of a model
/// is far shorter; what is longer is no patch, or made to fill the memory.
const LONGEST_PATCH: u64 = 64 << 20;

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
    /// Applied, but the clean-up failed.
    Unclean = 4,
    /// What this run, or an earlier one, began can be neither finished nor put back yet.
    Unfinished = 5,
}

/// A run that ended before its end: its status, and what there is to say.
struct Stop {
    status: Status,
    words: Words,
}

enum Words {
    /// A message, which has still to be told to whoever reads it.
    Message { words: String, changed: bool },
    /// What is wrong with the arguments; has still to be told, too.
    Usage(String),
    /// Words that are told already.
    Told(Stream, String),
}

impl Stop {
    fn new(status: Status, words: impl Into<String>) -> Self {
        Stop { status, words: Words::Message { words: words.into(), changed: false } }
    }

    /// The stop of arguments that make no sense.
    fn wrong_usage(words: impl Into<String>) -> Self {
        Stop { status: Status::NotAPatch, words: Words::Usage(words.into()) }
    }

    /// The stop of a report.
    fn of(status: Status, voice: &Voice, report: &Report<'_>) -> Self {
        let (stream, words) = voice.words(report);
        Stop { status, words: Words::Told(stream, words) }
    }

    fn tell(self, voice: &Voice) {
        let (stream, words) = match self.words {
            Words::Told(stream, words) => (stream, words),
            Words::Message { words, changed } => {
                let words = words.trim_end();
                voice.words(&Report::of(Outcome::Stopped { status: self.status as u8, changed, words }))
            }
            Words::Usage(words) => voice.words(&Report::of(Outcome::WrongUsage { words: words.trim_end() })),
        };
        stream.write(&words);
    }
}

/// Runs the program on the process's arguments and streams.
pub fn run() -> ExitCode {
    let said: Vec<OsString> = std::env::args_os().collect();
    let args = match Args::read(&said) {
        Ok(args) => args,
        Err(error) => return usage_error::tell(&error, &said),
    };
    let result = match (&args.command, args.of_no_command()) {
        (Some(_), Some(what)) => Err(Stop::wrong_usage(format!("{what} does not go with a command"))),
        (Some(Command::Replace(replace)), None) => carry_out_replace(&args.common, replace),
        (Some(Command::Explain(explain)), None) => carry_out_explain(&args.common, explain),
        (Some(Command::Convert(convert)), None) => print_converted(&args.common, convert),
        (Some(Command::Make(make)), None) => make::run(&args.common, make),
        (Some(Command::Recover(recover)), None) => recover::run(&args.common, recover),
        (Some(Command::Fmt(fmt)), None) => format::print_formatted(&args.common, fmt),
        (Some(Command::Grammar(grammar)), None) => format::print_grammar(&args.common, grammar),
        (Some(Command::Instructions), None) => format::print_instructions(&args.common),
        (Some(Command::Help(help)), None) => help::print(help),
        (None, _) => carry_out(&args),
    };
    let status = result.unwrap_or_else(|stop| {
        let status = stop.status;
        stop.tell(&Voice::new(&args.common));
        status
    });
    ExitCode::from(status as u8)
}

/// The command line as data: what completions and manual pages are made from.
pub fn command() -> clap::Command {
    Args::command()
}

fn carry_out(args: &Args) -> Result<Status, Stop> {
    let common = &args.common;
    let bytes = patch_bytes(args.patch.patch.as_deref(), common)?;
    let text = patch_text(&bytes)?;
    let voice = Voice::new(common);
    let (patch, repairs) = parsed(&text, common)?;
    let roots = open_roots(common)?;
    recover::before(!common.check, &roots)?;
    let files = pinned(common, &roots)?;
    let options = common.planning();
    let bar = Bar::new(&voice, "Planning");
    let planned = plan(&patch, &Watched::new(&files, &bar, patch.hunks.len()), &options);
    drop(bar);
    let plan = planned.map_err(|failures| {
        let suggestion = suggestion(common, &patch, &failures, &files, &options);
        refused(&voice, &failures, &repairs, suggestion.as_deref())
    })?;
    if args.patch.interactive {
        return carry_out_chosen(args, &patch, &roots, &files, &repairs);
    }
    finish(common, &roots, plan, &repairs, args.patch.undo.as_deref())
}

/// What to send instead of a refused patch, where that is wanted: JSON always has it.
fn suggestion(
    common: &Common,
    patch: &Patch<'_>,
    failures: &Failures,
    files: &Pinned<'_>,
    options: &plan::Options,
) -> Option<String> {
    (common.suggest || common.json).then(|| suggest(patch, failures, files, options)).flatten()
}

/// Prints what a patch does to the files, in another format. How it was read is told on standard error.
fn print_converted(common: &Common, args: &ConvertArgs) -> Result<Status, Stop> {
    let bytes = patch_bytes(args.patch.as_deref(), common)?;
    let text = patch_text(&bytes)?;
    let (patch, repairs) = parsed(&text, common)?;
    let roots = open_roots(common)?;
    let voice = Voice::new(common);
    let plan = plan(&patch, &roots, &common.planning())
        .map_err(|failures| refused(&voice, &failures, &repairs, None))?;
    let text = crate::generate::text(&plan, &roots, args.to.into()).map_err(|unsayable| {
        let lines: Vec<String> = unsayable.iter().map(ToString::to_string).collect();
        Stop::new(Status::Refused, format!("The patch cannot be converted.\n{}\n", lines.join("\n")))
    })?;
    if !common.quiet {
        let mut words = String::new();
        // Writing to a string does not fail.
        let _ = human::applied(&plan, &repairs, &mut words);
        Stream::Err.write(&words);
    }
    Stream::Out.write(&text);
    Ok(Status::Applied)
}

/// Says how a patch is placed.
fn carry_out_explain(common: &Common, args: &ExplainArgs) -> Result<Status, Stop> {
    if common.json {
        return Err(Stop::wrong_usage("--json does not go with explain, which is for people"));
    }
    let bytes = patch_bytes(args.patch.as_deref(), common)?;
    let text = patch_text(&bytes)?;
    let (patch, _) = parsed(&text, common)?;
    let roots = open_roots(common)?;
    let hunks = plan::explain(&patch, &roots, &common.planning());
    let mut words = String::new();
    // Writing to a string does not fail.
    let _ = explain::write(&hunks, &mut words);
    Stream::Out.write(&words);
    let failures = || hunks.iter().flat_map(|hunk| &hunk.failures);
    Ok(match failures().next() {
        None => Status::Applied,
        Some(_) if failures().any(|failure| failure.kind.is_system()) => Status::System,
        Some(_) => Status::Refused,
    })
}

/// Carries out those parts of a patch, which fits as a whole, that are wanted.
fn carry_out_chosen(
    args: &Args,
    patch: &Patch<'_>,
    roots: &Roots,
    files: &Pinned<'_>,
    repairs: &[Repair],
) -> Result<Status, Stop> {
    let common = &args.common;
    let (options, look) = (common.planning(), Stream::Out.look());
    let chosen = interactive::choose(patch, files, &options, &look)
        .map_err(|error| Stop::new(Status::NotAPatch, format!("there is no terminal to ask: {error}")))?;
    if chosen.hunks.is_empty() {
        return Err(Stop::new(Status::Applied, "Nothing was changed: nothing was chosen."));
    }
    let plan = plan(&chosen, files, &options)
        .map_err(|failures| refused(&Voice::new(common), &failures, repairs, None))?;
    finish(common, roots, plan, repairs, args.patch.undo.as_deref())
}

fn carry_out_replace(common: &Common, args: &ReplaceArgs) -> Result<Status, Stop> {
    let old = text_of(args.old.as_deref(), args.old_file.as_deref())?;
    let new = text_of(args.new.as_deref(), args.new_file.as_deref())?;
    let roots = open_roots(common)?;
    if args.all && matches!(common.level, Some(LevelArg::ThreeTier | LevelArg::Editkit)) {
        let words = "--all is not for --match three-tier or editkit, which know one place";
        return Err(Stop::wrong_usage(words));
    }
    let request = Replace { path: &args.file, old: &old, new: &new, all: args.all };
    let options = common.planning();
    recover::before(!common.check && !args.stdout, &roots)?;
    let files = pinned(common, &roots)?;
    let plan = replace(&request, &files, &options).map_err(|failures| {
        let suggestion = suggestion(common, &request.to_patch(), &failures, &files, &options);
        refused(&Voice::new(common), &failures, &[], suggestion.as_deref())
    })?;
    if args.stdout {
        let bytes = plan.changes.first().map(content).unwrap_or_default();
        let _ = io::stdout().write_all(&bytes);
        return Ok(Status::Applied);
    }
    finish(common, &roots, plan, &[], args.undo.as_deref())
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
fn patch_bytes<'p>(patch: Option<&'p str>, common: &Common) -> Result<Cow<'p, [u8]>, Stop> {
    let limit = common.reading.max_patch_size.unwrap_or(LONGEST_PATCH);
    let unreadable = |what: &str, error: &io::Error| {
        Stop::new(Status::NotAPatch, format!("cannot read {what}: {error}\n"))
    };
    let bytes = match patch {
        Some(patch) if patch.is_empty() || patch.contains('\n') || patch.contains("*** Begin Patch") => {
            Cow::Borrowed(patch.as_bytes())
        }
        Some(file) if file != "-" => {
            let read = File::open(file).and_then(|file| up_to(limit, file));
            Cow::Owned(read.map_err(|error| match usage_error::command_meant(file) {
                Some(command) if error.kind() == io::ErrorKind::NotFound => Stop::wrong_usage(format!(
                    "there is no file `{}` to read a patch from\n  tip: there is a command `{command}`",
                    shown(file)
                )),
                _ => unreadable(&format!("`{}`", shown(file)), &error),
            })?)
        }
        None if io::stdin().is_terminal() => return Err(without_patch(&Voice::new(common))),
        _ => Cow::Owned(
            up_to(limit, io::stdin().lock()).map_err(|error| unreadable("standard input", &error))?,
        ),
    };
    if bytes.len() as u64 > limit {
        let words = format!(
            "Nothing was changed: the patch is longer than {limit} bytes; --max-patch-size allows more\n"
        );
        return Err(Stop::new(Status::NotAPatch, words));
    }
    Ok(bytes)
}

/// Nobody can type a patch: a person is shown what can be done, anybody else is told that there is none.
fn without_patch(voice: &Voice) -> Stop {
    if voice.is_json() || voice.reader(Stream::Err) == ForArg::Model {
        return Stop::wrong_usage("there is no patch: none is given, and standard input is a terminal");
    }
    let help = Args::command().render_help().to_string();
    Stop { status: Status::NotAPatch, words: Words::Told(Stream::Err, help) }
}

/// Reads no more than one byte beyond the limit: enough to know that there is more.
fn up_to(limit: u64, from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The patch as text. A byte-order mark of UTF-8 is left for the parser, which reports it.
fn patch_text(bytes: &[u8]) -> Result<Cow<'_, str>, Stop> {
    let decoded = str::from_utf8(bytes).map(Cow::Borrowed).or_else(|_| text::decode(bytes));
    decoded.map_err(|error| {
        Stop::new(Status::NotAPatch, format!("Nothing was changed: the patch is not text: {error}\n"))
    })
}

/// What a text says, and what had to be repaired in it.
fn parsed<'t>(text: &'t str, common: &Common) -> Result<(Patch<'t>, Vec<Repair>), Stop> {
    parse(text, &common.reading()).into_result().map_err(|errors| not_a_patch(common, &errors))
}

fn open_roots(args: &Common) -> Result<Roots, Stop> {
    let wrong = |error: ApplyError| Stop::new(Status::NotAPatch, format!("{}\n", chain(&error)));
    let with_further = |roots: Roots, dir: &Utf8Path| roots.with_further(dir).map_err(wrong);
    let base = Roots::open(&args.dir).map_err(wrong)?.with_options(args.writing.options());
    args.root.iter().try_fold(base, |roots, dir| with_further(roots, dir))
}

fn pinned<'r>(args: &Common, roots: &'r Roots) -> Result<Pinned<'r>, Stop> {
    Pinned::new(roots, &args.expect).map_err(|failures| refused(&Voice::new(args), &failures, &[], None))
}

fn not_a_patch(args: &Common, errors: &ParseErrors) -> Stop {
    Stop::of(Status::NotAPatch, &Voice::new(args), &Report::of(Outcome::NotAPatch(errors)))
}

fn refused(voice: &Voice, failures: &Failures, repairs: &[Repair], suggestion: Option<&str>) -> Stop {
    let outcome = Outcome::Refused(failures);
    let status = if failures.is_system() { Status::System } else { Status::Refused };
    Stop::of(status, voice, &Report { repairs, suggestion, ..Report::of(outcome) })
}

/// Carries a plan out, unless it is only looked at, and tells what was done.
fn finish(
    args: &Common,
    roots: &Roots,
    plan: Plan,
    repairs: &[Repair],
    undo: Option<&Utf8Path>,
) -> Result<Status, Stop> {
    let sync = !args.writing.no_sync;
    let undo = undo.map(|file| Undo::new(file, &plan, roots, sync)).transpose()?;
    // The words are found first, so that the commit has the plan, and with it the files' contents, to itself.
    let words = words(args, &plan, repairs);
    let status = if args.check { Status::Applied } else { commit(args, roots, plan, undo.as_ref())? };
    if let Some(undo) = undo.filter(|_| !args.quiet) {
        Stream::Err.write(&undo.words(args.check));
    }
    if let Some((stream, words)) = words {
        stream.write(&words);
    }
    Ok(status)
}

/// What there is to say of a plan that is carried out, or would be; `None` where nobody wants to hear it.
fn words(args: &Common, plan: &Plan, repairs: &[Repair]) -> Option<(Stream, String)> {
    let voice = Voice::new(args);
    let asked = args.diff || args.stat && !voice.is_json();
    if args.quiet && !voice.is_json() && !asked {
        return None;
    }
    let look = if voice.is_json() { Look::PLAIN } else { Stream::Out.look() };
    let mut preview = String::new();
    // Writing to a string does not fail.
    if args.stat && !voice.is_json() {
        let _ = stat::write(plan, &look, &mut preview);
    }
    if args.diff {
        let _ = diff::write(plan, &look, args.trim, &mut preview);
    }
    if args.quiet && !voice.is_json() {
        return Some((Stream::Out, preview));
    }
    let outcome = if args.check { Outcome::WouldApply(plan) } else { Outcome::Applied(plan) };
    let preview = Some(&*preview).filter(|_| asked);
    Some(voice.words(&Report { repairs, preview, ..Report::of(outcome) }))
}

/// Carries a plan out. It is let go as soon as nobody asks for it any more.
fn commit(args: &Common, roots: &Roots, plan: Plan, undo: Option<&Undo<'_>>) -> Result<Status, Stop> {
    let bar = Bar::new(&Voice::new(args), "Writing");
    // Writing takes the first half of it, publishing the other one.
    let watch = |progress: Progress| match progress.phase {
        Phase::Writing => bar.at(progress.done, 2 * progress.of),
        _ => bar.at(progress.of + progress.done, 2 * progress.of),
    };
    let prepared = roots.prepare_watched(&plan.changes, &watch).map_err(|error| not_applied(&error))?;
    drop(plan);
    // Who has seen a change has its undo, too.
    undo.map_or(Ok(()), Undo::write)?;
    match Prepared::commit(prepared) {
        Ok(_) => Ok(Status::Applied),
        Err(error @ ApplyError::CleanUp { .. }) => {
            let _ = writeln!(io::stderr(), "{}", chain(&error));
            Ok(Status::Unclean)
        }
        Err(error) => {
            undo.filter(|_| !error.is_half_done()).into_iter().for_each(Undo::withdraw);
            Err(not_applied(&error))
        }
    }
}

fn not_applied(error: &ApplyError) -> Stop {
    let words = chain(error);
    if error.is_half_done() {
        return Stop { status: Status::Unfinished, words: Words::Message { words, changed: true } };
    }
    let status = if error.is_meanwhile() { Status::Refused } else { Status::System };
    Stop::new(status, format!("Nothing was changed: {words}\n"))
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
