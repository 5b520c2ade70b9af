//! The way back: from the changes of a plan to a text that asks for just these.
//!
//! [`text`] writes each change in the format that is wanted, with a few lines of context, reads what it wrote, and
//! plans it against the same files. What does not come to the same bytes is written again with more context; what
//! never does, or what the format has no words for, is [told](Unsayable). So what is written is exact, whatever the
//! text was like that the plan was made from.

mod suggest;
mod words;

use std::fmt::{self, Display, Formatter};

use camino::{Utf8Path, Utf8PathBuf};
use thiserror::Error;

pub use self::suggest::suggest;
use crate::format::{self, Format, parse};
use crate::plan::{self, After, Change, Files, Plan, Precondition, plan};

/// How many unchanged lines stand around a change: the first that makes the place the only one.
const CONTEXTS: [usize; 6] = [3, 6, 12, 25, 100, usize::MAX];

/// A change that a format cannot say.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{path:?}: {format} cannot say {what}")]
pub struct Unsayable {
    /// The file.
    pub path: Utf8PathBuf,
    /// The format.
    pub format: Format,
    /// What it has no words for.
    pub what: What,
}

/// What a format may have no words for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum What {
    /// That a file goes.
    Deletion,
    /// That a file gets another name.
    Move,
    /// Whether a file may be executed.
    Executable,
    /// Content that is not text in UTF-8.
    Binary,
    /// Just this change: the end of the file, its line ends, or a place that no quote makes the only one.
    Exactly,
}

impl Display for What {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            What::Deletion => "that a file is deleted",
            What::Move => "that a file is moved",
            What::Executable => "whether a file is executable",
            What::Binary => "what is not text",
            What::Exactly => "just this change: its line ends or final newline, or a place that no quote makes the only one",
        })
    }
}

/// A change, with what belongs to it.
#[derive(Debug, Clone, Copy)]
struct Piece<'p> {
    /// What becomes of the file.
    change: &'p Change,
    /// The change that takes the file away from its old name.
    source: Option<&'p Change>,
}

impl Piece<'_> {
    /// The name of the file before.
    fn old_path(&self) -> &Utf8Path {
        self.source.map_or(&self.change.path, |source| &source.path)
    }

    /// The bytes before; `None` where there is no file.
    fn before(&self) -> Option<&[u8]> {
        match &self.source.unwrap_or(self.change).before {
            Precondition::MustNotExist => None,
            Precondition::MustBe(bytes) => Some(bytes),
        }
    }
}

/// The changes of a plan as a text in a format; [`Format::Auto`] is the envelope. `files` is what the plan was made for.
///
/// # Errors
/// Every change that the format cannot say.
///
/// ```
/// use std::collections::BTreeMap;
/// use apply_patch::format::{Format, Options, parse};
/// use apply_patch::{make, plan};
///
/// let files = BTreeMap::from([("a.txt".into(), b"one\ntwo\n".to_vec())]);
/// let text = "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch\n";
/// let patch = parse(text, &Options::default()).patch;
/// let plan = plan::plan(&patch, &files, &plan::Options::default()).unwrap();
/// let text = make::text(&plan, &files, Format::SearchReplace).unwrap();
/// assert_eq!(text, "a.txt\n<<<<<<< SEARCH\none\ntwo\n=======\none\n2\n>>>>>>> REPLACE\n");
/// ```
pub fn text(plan: &Plan, files: &dyn Files, format: Format) -> Result<String, Vec<Unsayable>> {
    let format = if format == Format::Auto { Format::Envelope } else { format };
    let (mut bodies, mut unsayable) = (Vec::new(), Vec::new());
    for piece in pieces(&plan.changes) {
        match exact(piece, files, format) {
            Ok(body) => bodies.push(body),
            Err(what) => unsayable.push(Unsayable { path: piece.change.path.clone(), format, what }),
        }
    }
    if unsayable.is_empty() { Ok(words::whole(&bodies, format)) } else { Err(unsayable) }
}

/// The changes that change something; one that takes a file away joins the one that gives it its new name.
fn pieces(changes: &[Change]) -> Vec<Piece<'_>> {
    let gone = |path: &Utf8Path| {
        changes.iter().find(|change| change.path == path && matches!(change.after, After::Gone))
    };
    let source = |change: &Change| match &change.after {
        After::File { mode_of: Some(of), .. } if change.before == Precondition::MustNotExist => gone(of),
        _ => None,
    };
    let all: Vec<Piece<'_>> = changes.iter().map(|change| Piece { change, source: source(change) }).collect();
    let is_source =
        |change: &Change| all.iter().any(|piece| piece.source.is_some_and(|s| s.path == change.path));
    all.iter().filter(|piece| !is_source(piece.change)).copied().collect()
}

/// The text for one file, with as little context as makes it exact.
fn exact(piece: Piece<'_>, files: &dyn Files, format: Format) -> Result<String, What> {
    let mut last = None;
    for context in CONTEXTS {
        let body = words::body(piece, format, context)?;
        if last.as_ref() == Some(&body) {
            break;
        }
        if makes(&words::whole(std::slice::from_ref(&body), format), piece, files, format) {
            return Ok(body);
        }
        last = Some(body);
    }
    Err(What::Exactly)
}

/// Whether a text makes just this change.
fn makes(text: &str, piece: Piece<'_>, files: &dyn Files, format: Format) -> bool {
    let options = format::Options { format, ..format::Options::default() };
    let Ok((patch, _)) = parse(text, &options).into_result() else { return false };
    let Ok(made) = plan(&patch, files, &plan::Options::default()) else { return false };
    let wanted: Vec<&Change> = [Some(piece.change), piece.source].into_iter().flatten().collect();
    let is_made = |wanted: &&Change| made.changes.iter().any(|made| same(made, wanted));
    made.changes.len() == wanted.len() && wanted.iter().all(is_made)
}

fn same(made: &Change, wanted: &Change) -> bool {
    let after = match (&made.after, &wanted.after) {
        (After::Gone, After::Gone) => true,
        (
            After::File { content: made, executable: made_bit, .. },
            After::File { content: wanted, executable: wanted_bit, .. },
        ) => made.bytes() == wanted.bytes() && made_bit == wanted_bit,
        _ => false,
    };
    made.path == wanted.path && made.before == wanted.before && after
}
