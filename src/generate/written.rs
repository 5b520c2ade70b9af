//! Writes each change of a plan, parses the result, and plans it again: only an exact change is written.

use std::collections::{HashMap, HashSet};

use camino::Utf8Path;

use super::file_change::{Attempt, FileChange, difference};
use super::render;
use super::unrepresentable::{Unrepresentable, What};
use crate::format::{self, Format, parse};
use crate::plan::{self, After, Change, Failures, Files, Plan, plan};

/// The ways, of which the first that makes just the change is taken.
const ATTEMPTS: [Attempt; 7] = [
    Attempt { context: 3, slid: false },
    Attempt { context: 3, slid: true },
    Attempt { context: 6, slid: false },
    Attempt { context: 12, slid: false },
    Attempt { context: 25, slid: false },
    Attempt { context: 100, slid: false },
    Attempt { context: usize::MAX, slid: false },
];

/// A plan as text, and the changes that the format cannot express.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Everything that the format can express. The text fits the files, and makes exactly the changes that are not
    /// listed below.
    pub text: String,
    /// The changes that the text leaves out.
    pub unrepresentable: Vec<Unrepresentable>,
}

/// Writes as [`text`] does, but leaves out the changes that the format cannot express, and returns them separately. A
/// file is written as a whole or not at all, except for its executable bit. `on_file` is called before each file and at
/// the end with the number of finished files and the total.
pub fn written(
    plan: &Plan,
    files: &dyn Files,
    format: Format,
    on_file: &mut dyn FnMut(usize, usize),
) -> Written {
    let format = match format {
        // A patch without its envelope is an input format, not an output format.
        Format::Auto | Format::Hunks | Format::NewFile => Format::Envelope,
        format => format,
    };
    let (mut said, mut unrepresentable) = (Vec::new(), Vec::new());
    let mut tell = |piece: FileChange<'_>, what| {
        unrepresentable.push(Unrepresentable { path: piece.change.path.clone(), format, what });
    };
    let modeless = without_modes(&plan.changes);
    let (all, bare) = (pieces(&plan.changes), pieces(&modeless));
    for (nth, piece) in all.iter().copied().enumerate() {
        on_file(nth, all.len());
        let body = exact(piece, files, format);
        let (piece, body) = if body == Err(What::Executable) {
            tell(piece, What::Executable);
            let same = |other: &FileChange<'_>| other.change.path == piece.change.path;
            let Some(piece) = bare.iter().copied().find(same) else { continue };
            (piece, exact(piece, files, format))
        } else {
            (piece, body)
        };
        match body {
            Ok(body) => said.push((piece, body)),
            Err(what) => tell(piece, what),
        }
    }
    on_file(all.len(), all.len());
    // Files that can be written separately may conflict with each other.
    while let Some(nth) = first_unfit(&said, files, format) {
        let (piece, _) = said.remove(nth);
        tell(piece, What::Exactly);
    }
    let bodies: Vec<String> = said.into_iter().map(|(_, body)| body).collect();
    let text = if bodies.is_empty() { String::new() } else { render::whole(&bodies, format) };
    Written { text, unrepresentable }
}

/// Returns the changes without the executable bit.
fn without_modes(changes: &[Change]) -> Vec<Change> {
    let mut plain = changes.to_vec();
    for change in &mut plain {
        if let After::File { executable, .. } = &mut change.after {
            *executable = None;
        }
    }
    plain
}

/// Returns the changes with an effect; a change that removes a file is joined with the change that adds the new name.
fn pieces(changes: &[Change]) -> Vec<FileChange<'_>> {
    let gone: HashMap<&Utf8Path, &Change> = changes
        .iter()
        .filter(|change| matches!(change.after, After::Gone))
        .map(|change| (&*change.path, change))
        .collect();
    let source = |change: &Change| match &change.after {
        After::File { mode_of: Some(of), .. } if !change.existed() => gone.get(&**of).copied(),
        _ => None,
    };
    let all: Vec<FileChange<'_>> =
        changes.iter().map(|change| FileChange { change, source: source(change) }).collect();
    let sources: HashSet<&Utf8Path> = all.iter().filter_map(|piece| Some(&*piece.source?.path)).collect();
    let is_whole =
        |piece: &FileChange<'_>| !sources.contains(&*piece.change.path) && piece.changes_anything();
    all.into_iter().filter(is_whole).collect()
}

/// Returns the text for a single file, with as little context as makes the text exact.
fn exact(piece: FileChange<'_>, files: &dyn Files, format: Format) -> Result<String, What> {
    let mut last: Option<String> = None;
    // Where nothing but the ends of lines differ, there is nothing to write down.
    let mut why = piece.unwritten().unwrap_or(What::Exactly);
    for attempt in ATTEMPTS {
        let body = render::body(piece, format, attempt)?;
        if last.as_ref() == Some(&body) {
            continue;
        }
        match makes(&render::whole(std::slice::from_ref(&body), format), &[piece], files, format) {
            Ok(()) => return Ok(body),
            Err(Unlike { what: What::Exactly, .. }) => {}
            Err(unlike) => why = unlike.what,
        }
        last = Some(body);
    }
    Err(why)
}

/// Returns the first change that a text of all changes does not make; `None` if the text makes all.
fn first_unfit(said: &[(FileChange<'_>, String)], files: &dyn Files, format: Format) -> Option<usize> {
    if said.len() < 2 {
        return None;
    }
    let (pieces, bodies): (Vec<FileChange<'_>>, Vec<String>) = said.iter().cloned().unzip();
    makes(&render::whole(&bodies, format), &pieces, files, format).err().map(|unlike| unlike.nth)
}

/// How a text fails to make some changes.
struct Unlike {
    /// The index of the change.
    nth: usize,
    what: What,
}

/// Checks whether a text makes exactly these changes.
fn makes(text: &str, pieces: &[FileChange<'_>], files: &dyn Files, format: Format) -> Result<(), Unlike> {
    let not_at_all = Unlike { nth: 0, what: What::Exactly };
    let options = format::Options { format, ..format::Options::default() };
    let Ok((patch, _)) = parse(text, &options).into_result() else { return Err(not_at_all) };
    let made = plan(&patch, files, &plan::Options::default())
        .map_err(|failures| Unlike { nth: named(&failures, pieces), ..not_at_all })?;
    let wanted = |piece: &FileChange<'_>| [Some(piece.change), piece.source].into_iter().flatten().count();
    for (nth, piece) in pieces.iter().enumerate() {
        for wanted in [Some(piece.change), piece.source].into_iter().flatten() {
            let found = made.changes.binary_search_by(|made| made.path.cmp(&wanted.path));
            let found = found.map_err(|_| Unlike { nth, what: What::Exactly })?;
            same(&made.changes[found], wanted).map_err(|what| Unlike { nth, what })?;
        }
    }
    let all: usize = pieces.iter().map(wanted).sum();
    if made.changes.len() == all { Ok(()) } else { Err(Unlike { nth: 0, what: What::Exactly }) }
}

/// Returns the index of the first change whose file fails.
fn named(failures: &Failures, pieces: &[FileChange<'_>]) -> usize {
    let is_named = |piece: &FileChange<'_>| {
        failures.failures.iter().any(|f| f.path == *piece.old_path() || f.path == piece.change.path)
    };
    pieces.iter().position(is_named).unwrap_or_default()
}

fn same(made: &Change, wanted: &Change) -> Result<(), What> {
    if made.before != wanted.before {
        return Err(What::Exactly);
    }
    match (&made.after, &wanted.after) {
        (After::Gone, After::Gone) => Ok(()),
        (
            After::File { content: made, executable: made_bit, .. },
            After::File { content: wanted, executable: wanted_bit, .. },
        ) if made_bit == wanted_bit => difference(&made.bytes(), &wanted.bytes()).map_or(Ok(()), Err),
        _ => Err(What::Exactly),
    }
}
