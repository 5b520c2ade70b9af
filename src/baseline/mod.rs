//! The systems that the project began with, as levels for comparison: no guard, no pairing of lines; the matched text
//! is replaced whole.

pub mod cascade;
mod seek_sequence;

use self::cascade::{editkit, three_tier};
pub(crate) use self::seek_sequence::occurrences;
pub use self::seek_sequence::{SeekError, compute_replacements, seek_sequence};
use crate::locate::{Drift, Level, Miss, Placement, Reason};
use crate::patch::edit::Edit;
use crate::text::{Bytes, Document, Encoding};

/// Returns whether a level is a level of these systems.
pub(crate) fn is_origin(level: Level) -> bool {
    matches!(level, Level::Cascade | Level::ThreeTier | Level::Editkit)
}

/// Applies edits in order, each to the result of the previous; returns the bytes, and the outcome of each edit.
pub(crate) fn place(
    document: &Document,
    edits: &[Edit<'_>],
    level: Level,
) -> (Vec<u8>, Vec<Result<Placement, Miss>>) {
    let mut bytes = document.bytes().to_vec();
    let mut outcomes = Vec::with_capacity(edits.len());
    for edit in edits {
        let text = |lines: Vec<&str>| lines.join("\n");
        let old = text(edit.old_lines().map(|line| &*line.text).collect());
        let new = text(edit.new_lines().map(|line| &*line.text).collect());
        let current = Document::new(Bytes::from(bytes.clone()));
        let outcome = replace(&current, &old, &new, false, level).map(|(result, placement)| {
            bytes = result;
            placement
        });
        outcomes.push(outcome);
    }
    (bytes, outcomes)
}

/// Replaces a text; gives the bytes of the file afterwards. Line feeds of the texts become what the file has.
pub(crate) fn replace(
    document: &Document,
    old: &str,
    new: &str,
    all: bool,
    level: Level,
) -> Result<(Vec<u8>, Placement), Miss> {
    let miss = |reason| Miss::new(reason, document, &[old, new]);
    let broken = || (0..document.len()).find(|line| document.text(*line).is_none()).unwrap_or_default();
    let content = match document.encoding() {
        Encoding::Utf8 => {
            str::from_utf8(document.content()).map_err(|_| miss(Reason::NotText { line: broken() }))?
        }
        _ => return Err(miss(Reason::NotText { line: 0 })),
    };
    let ending = document.usual_ending().as_str();
    let with_ending = |text: &str| text.replace("\r\n", "\n").replace('\n', ending);
    let (quote, text) = (with_ending(old), with_ending(new));
    let (start, result, by) = match level {
        Level::ThreeTier => three_tier::find(content, &quote)
            .map(|found| spliced(content, &found.place, &text, found.replacer))
            .map_err(|_| miss(Reason::NotFound))?,
        Level::Editkit => editkit::find(content, &quote, &text, &editkit::Options::default())
            .map(|found| spliced(content, &found.place, &found.replacement, found.strategy.as_str()))
            .map_err(|why| miss(reason(why)))?,
        _ => by_cascade(content, &quote, &text, all).map_err(miss)?,
    };
    let placement = Placement {
        start: document.line_at(start),
        added: new.lines().count(),
        removed: old.lines().count(),
        drift: if matches!(by, "simple" | "exact") { Vec::new() } else { vec![Drift::Replacer { name: by }] },
        ..Placement::default()
    };
    Ok(([document.mark(), result.as_bytes()].concat(), placement))
}

type Spliced = (usize, String, &'static str);

fn by_cascade(content: &str, old: &str, new: &str, all: bool) -> Result<Spliced, Reason> {
    let found = if all {
        cascade::find_all(content, old).map(|found| found.into_iter().next())
    } else {
        cascade::find(content, old).map(Some)
    };
    match found {
        Ok(Some(found)) => {
            let result = cascade::replace(content, old, new, all).map_err(|_| Reason::NotFound)?;
            Ok((found.place.start, result, found.replacer))
        }
        Err(cascade::ReplaceError::Multiple) => Err(Reason::Ambiguous { places: Vec::new() }),
        Ok(None) | Err(_) => Err(Reason::NotFound),
    }
}

fn spliced(content: &str, place: &std::ops::Range<usize>, new: &str, by: &'static str) -> Spliced {
    (place.start, [&content[..place.start], new, &content[place.end..]].concat(), by)
}

fn reason(miss: editkit::Miss) -> Reason {
    match miss {
        editkit::Miss::Ambiguous { .. } => Reason::Ambiguous { places: Vec::new() },
        editkit::Miss::NotFound => Reason::NotFound,
    }
}
