//! What a command works on: the patch, the texts of a replacement, the folders.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, IsTerminal, Read};

use camino::Utf8Path;
use clap::CommandFactory;

use super::args::{Args, Common, ForArg};
use super::output::{Stream, Voice};
use super::stop::Stop;
use super::usage_error;
use crate::apply::{ApplyError, Roots, chain};
use crate::format::{Repair, parse};
use crate::patch::Patch;
use crate::run::{Outcome, Report, Status};
use crate::text;
use crate::text::shown;

/// The default limit for the length of a patch, in bytes. The longest answer of a model is far shorter; a longer text
/// is not a patch, or was made to fill the memory.
const LONGEST_PATCH: u64 = 64 << 20;

/// Returns the patch: the argument if it contains a line break, or the file of that name, or standard input.
pub(super) fn patch_bytes<'p>(patch: Option<&'p str>, common: &Common) -> Result<Cow<'p, [u8]>, Stop> {
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
        let words = format!("the patch is longer than {limit} bytes; --max-patch-size allows more");
        return Err(Stop::unchanged(Status::NotAPatch, words));
    }
    Ok(bytes)
}

/// Returns the error for a terminal as standard input: the help for a person, an error for any other reader.
fn without_patch(voice: &Voice) -> Stop {
    if voice.is_json() || voice.reader(Stream::Err) == ForArg::Model {
        return Stop::wrong_usage("there is no patch: none is given, and standard input is a terminal");
    }
    let help = Args::command().render_help().to_string();
    Stop::Told(Status::NotAPatch, Stream::Err, help)
}

/// Reads at most a byte beyond the limit, enough to detect a longer text.
fn up_to(limit: u64, from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the patch as text. A UTF-8 byte-order mark is left for the parser, which reports the mark.
pub(super) fn patch_text(bytes: &[u8]) -> Result<Cow<'_, str>, Stop> {
    let decoded = str::from_utf8(bytes).map(Cow::Borrowed).or_else(|_| text::decode(bytes));
    decoded.map_err(|error| Stop::unchanged(Status::NotAPatch, format!("the patch is not text: {error}")))
}

/// Parses a text, and returns the patch with its repairs.
pub(super) fn parsed<'t>(text: &'t str, common: &Common) -> Result<(Patch<'t>, Vec<Repair>), Stop> {
    parse(text, &common.reading())
        .into_result()
        .map_err(|errors| Stop::report(Report::of(Outcome::NotAPatch(errors))))
}

pub(super) fn open_roots(args: &Common) -> Result<Roots, Stop> {
    let wrong = |error: ApplyError| Stop::new(Status::NotAPatch, format!("{}\n", chain(&error)));
    let with_further = |roots: Roots, dir: &Utf8Path| roots.with_further(dir).map_err(wrong);
    let mut base = Roots::open(&args.dir).map_err(wrong)?.with_options(args.writing.options());
    if !args.json {
        base = base.with_on_wait(|root| Stream::Err.write(&waiting(root)));
    }
    args.root.iter().try_fold(base, |roots, dir| with_further(roots, dir))
}

/// Returns the words about a lock that another run holds.
fn waiting(root: &Utf8Path) -> String {
    format!("Waiting for another run in {} (`--no-wait` fails instead).\n", shown(root.as_str()))
}

/// Returns a text that was given as an argument, or in a file.
pub(super) fn text_of<'a>(text: Option<&'a str>, file: Option<&Utf8Path>) -> Result<Cow<'a, str>, Stop> {
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
