//! The commands that change files: a patch, or a replacement.

use std::io::{self, Write};

use super::args::{Args, Common, LevelArg, ReplaceArgs};
use super::input::{open_roots, patch_bytes, patch_text, text_of};
use super::output::{Stream, Voice, write_content, write_product};
use super::progress::Bars;
use super::stop::{Stop, message};
use super::undo::Undo;
use super::{interactive, recover};
use crate::apply::chain;
use crate::patch::Patch;
use crate::plan::{self, Files, Plan, Replace};
use crate::report::write_preview;
use crate::run::{
    Details, Hooks, Options, Outcome, Report, Status, Step, Stopped, Tree, replace_with, run_with,
};

/// Applies a patch, and reports the result.
pub(super) fn patch(args: &Args) -> Result<Status, Stop> {
    let (report, part) = run_part(args)?;
    tell(&args.common, report, part)
}

/// Applies a patch.
pub(super) fn run(args: &Args) -> Result<Report, Stop> {
    let (report, Part { bars, undo, .. }) = run_part(args)?;
    drop(bars);
    if report.changes().is_none() {
        undo.filter(|_| !report.changed()).iter().for_each(Undo::withdraw);
    }
    Ok(report)
}

/// Applies a patch. Returns also how the command took part.
fn run_part(args: &Args) -> Result<(Report, Part<'_>), Stop> {
    let common = &args.common;
    let bytes = patch_bytes(args.patch.patch.as_deref(), common)?;
    let text = patch_text(&bytes)?;
    let roots = open_roots(common)?;
    let undo = args.patch.undo.as_deref().map(|file| Undo::new(file, &roots, !common.writing.no_sync));
    let part = Part { bars: Bars::new(&Voice::new(common)), interactive: args.patch.interactive, undo };
    let details = args.patch.details(common.details());
    let report = run_with(&text, &common.options(details), &mut Tree::Disk(roots), &part);
    Ok((report, part))
}

/// Replaces a text in a file.
pub(super) fn replace(common: &Common, args: &ReplaceArgs) -> Result<Status, Stop> {
    let old = text_of(args.old.as_deref(), args.old_file.as_deref())?;
    let new = text_of(args.new.as_deref(), args.new_file.as_deref())?;
    let roots = open_roots(common)?;
    if args.all && matches!(common.level, Some(LevelArg::ThreeTier | LevelArg::Editkit)) {
        let words = "--all is not for --match three-tier or editkit, which know one place";
        return Err(Stop::wrong_usage(words));
    }
    let request = Replace { path: &args.file, old: &old, new: &new, all: args.all };
    let undo = args.undo.as_deref().map(|file| Undo::new(file, &roots, !common.writing.no_sync));
    let part = Part { bars: Bars::new(&Voice::new(common)), interactive: false, undo };
    let options = if args.stdout {
        let details = Details { lines: false, diff: false, contents: true, ..common.details() };
        Options { check: true, ..common.options(details) }
    } else {
        common.options(Details { undo: part.undo.is_some(), ..common.details() })
    };
    let report = replace_with(&request, &options, &mut Tree::Disk(roots), &part);
    match report.changes() {
        Some(changes) if args.stdout => {
            let content = changes.files.first().and_then(|file| file.content.as_deref());
            write_content(content.unwrap_or_default())?;
            Ok(Status::Applied)
        }
        _ => tell(common, report, part),
    }
}

/// Reports the result of a run.
fn tell(common: &Common, report: Report, Part { bars, undo, .. }: Part<'_>) -> Result<Status, Stop> {
    drop(bars);
    if let Some(words) = recover::words(&report.recovery) {
        let _ = io::stderr().write_all(words.as_bytes());
    }
    if report.changes().is_none() {
        undo.filter(|_| !report.changed()).iter().for_each(Undo::withdraw);
        return Err(Stop::report(report));
    }
    if let Some(error) = &report.unclean {
        let _ = writeln!(io::stderr(), "{}", chain(error));
    }
    if let (Some(undo), Some(text), false) = (&undo, &report.undo, common.quiet) {
        Stream::Err.write(&undo.words(text, matches!(report.outcome, Outcome::WouldApply(_))));
    }
    if let Some((_, words)) = words(common, &report)
        && let Err(stop) = write_product(&words)
    {
        return unsaid(&report, stop);
    }
    Ok(report.status())
}

/// Ends a run whose report cannot be written. Where the patch was applied, the status is that of an applied patch.
fn unsaid(report: &Report, stop: Stop) -> Result<Status, Stop> {
    match report.outcome {
        Outcome::Applied(_) => {
            let _ = writeln!(io::stderr(), "applied; standard output could not be written");
            Ok(report.status())
        }
        _ => Err(stop),
    }
}

/// Returns the report of a plan that was applied, or would be; `None` with `--quiet`.
fn words(common: &Common, report: &Report) -> Option<(Stream, String)> {
    let voice = Voice::new(common);
    if !common.quiet || voice.is_json() {
        return Some(voice.words(report));
    }
    if !report.preview.is_asked() {
        return None;
    }
    let mut preview = String::new();
    // Writing to a string does not fail.
    let _ = write_preview(report, &Stream::Out.look(), &mut preview);
    Some((Stream::Out, preview))
}

/// How the command takes part in a run.
struct Part<'a> {
    bars: Bars,
    interactive: bool,
    undo: Option<Undo<'a>>,
}

impl Hooks for Part<'_> {
    fn progress(&self, step: Step, done: usize, of: usize) {
        self.bars.at(step, done, of);
    }

    fn choose<'p>(
        &self,
        patch: &Patch<'p>,
        files: &dyn Files,
        options: &plan::Options,
    ) -> Result<Option<Patch<'p>>, Stopped> {
        if !self.interactive {
            return Ok(None);
        }
        self.bars.clear();
        let chosen = interactive::choose(patch, files, options).map_err(|error| {
            message(Status::NotAPatch, false, &format!("there is no terminal to ask: {error}"))
        })?;
        if chosen.hunks.is_empty() {
            return Err(message(Status::Applied, true, "nothing was chosen."));
        }
        Ok(Some(chosen))
    }

    fn planned(&self, plan: &Plan) -> Result<(), Stopped> {
        self.bars.clear();
        self.undo.as_ref().map_or(Ok(()), |undo| undo.check(plan))
    }

    fn before_commit(&self, text: Option<&str>) -> Result<(), Stopped> {
        self.undo.as_ref().zip(text).map_or(Ok(()), |(undo, text)| undo.write(text))
    }
}
