//! Taking a plan back.

use std::collections::HashMap;

use camino::{Utf8Path, Utf8PathBuf};

use super::text;
use super::unrepresentable::{Unrepresentable, What};
use crate::format::Format;
use crate::plan::{After, Change, Content, Files, Found, Node, Plan, Precondition, ReadError};

/// Returns the envelope that restores the current files after a plan, which was made for these files and not yet
/// applied. The envelope was parsed and planned for the files as the plan leaves them.
///
/// # Errors
/// Returns everything that an envelope cannot restore: a final newline or binary content that the plan removes, a
/// deleted symbolic link, a deleted file with other mode bits than a new file would have.
///
/// ```
/// use std::collections::BTreeMap;
/// use apply_patch::format::{Options, parse};
/// use apply_patch::{generate, plan};
///
/// let files = BTreeMap::from([("a.txt".into(), b"one\ntwo\n".to_vec())]);
/// let text = "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n";
/// let patch = parse(text, &Options::default()).patch;
/// let plan = plan::plan(&patch, &files, &plan::Options::default()).unwrap();
/// let undo = generate::undo(&plan, &files).unwrap();
/// assert_eq!(undo, "*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** End Patch\n");
/// ```
pub fn undo(plan: &Plan, files: &dyn Files) -> Result<String, Vec<Unrepresentable>> {
    let after =
        Afterwards { files, changes: plan.changes.iter().map(|change| (&*change.path, change)).collect() };
    let reversed = Plan {
        changes: plan.changes.iter().map(|change| reversed(change, &plan.changes)).collect(),
        hunks: Vec::new(),
    };
    let mut unrepresentable: Vec<Unrepresentable> = plan
        .changes
        .iter()
        .filter_map(|change| {
            let what = lost(change, &plan.changes, files)?;
            Some(Unrepresentable { path: change.path.clone(), format: Format::Envelope, what })
        })
        .collect();
    match text(&reversed, &after, Format::Envelope) {
        Ok(text) if unrepresentable.is_empty() => Ok(text),
        Ok(_) => Err(unrepresentable),
        Err(more) => {
            unrepresentable.extend(more);
            Err(unrepresentable)
        }
    }
}

/// Returns what is lost of a file apart from its bytes; `None` if nothing is lost.
fn lost(change: &Change, changes: &[Change], files: &dyn Files) -> Option<What> {
    let usual = |path: &Utf8Path| files.has_usual_mode(path);
    match &change.after {
        After::Gone if !change.existed() => None,
        After::Gone if is_link(files, &change.path) => Some(What::Link),
        // A move back brings the mode back.
        After::Gone if moved_to(&change.path, changes).is_some() => None,
        After::Gone => (!usual(&change.path)).then_some(What::Mode),
        After::File { executable: Some(_), .. } if change.existed() => Some(What::Executable),
        // What is written over takes on another mode.
        After::File { mode_of: Some(of), .. } if change.existed() => {
            (!usual(of) || !usual(&change.path)).then_some(What::Mode)
        }
        After::File { .. } => None,
    }
}

fn is_link(files: &dyn Files, path: &Utf8Path) -> bool {
    files.look_up(path).is_ok_and(|found| matches!(found.node, Node::File { link: true, .. }))
}

/// Returns the only path that a file moves to; `None` if the file does not move or moves to several.
fn moved_to<'c>(path: &Utf8Path, changes: &'c [Change]) -> Option<&'c Change> {
    let takes = |change: &&Change| {
        matches!(&change.after, After::File { mode_of: Some(of), .. } if of == path) && !change.existed()
    };
    changes.iter().find(takes)
}

fn reversed(change: &Change, changes: &[Change]) -> Change {
    let before = match &change.after {
        After::Gone => Precondition::MustNotExist,
        After::File { content, .. } => Precondition::MustBe(content.bytes().into_owned().into()),
    };
    let after = match &change.before {
        Precondition::MustNotExist => After::Gone,
        Precondition::MustBe(bytes) => {
            let gone = matches!(change.after, After::Gone);
            let moved = moved_to(&change.path, changes).filter(|_| gone);
            let mode_of = moved.map(|moved| moved.path.clone());
            After::File { content: Content::Bytes(bytes.clone()), mode_of, executable: None }
        }
    };
    Change { path: change.path.clone(), before, after }
}

/// The files as a plan leaves them.
struct Afterwards<'f> {
    files: &'f dyn Files,
    changes: HashMap<&'f Utf8Path, &'f Change>,
}

impl Files for Afterwards<'_> {
    fn look_up(&self, path: &Utf8Path) -> Result<Found, ReadError> {
        let made = |path: &Utf8Path| self.changes.get(path).is_some_and(|change| change.exists());
        if let Some(at) = path.ancestors().skip(1).find(|at| made(at)) {
            return Err(ReadError::NotAFolder { path: path.to_owned(), at: at.to_owned() });
        }
        let Found { path: resolved, node } = match self.changes.get(path) {
            // What is at the name itself, also where a link was.
            Some(_) => Found { path: path.to_owned(), node: Node::Missing },
            None => self.files.look_up(path)?,
        };
        let node = match self.changes.get(resolved.as_path()).map(|change| &change.after) {
            Some(After::Gone) => Node::Missing,
            Some(After::File { content, .. }) => Node::File {
                bytes: content.bytes().into_owned().into(),
                link: matches!(node, Node::File { link: true, .. }),
            },
            None if node == Node::Missing && self.holds_files(&resolved) => Node::Folder,
            None => node,
        };
        Ok(Found { path: resolved, node })
    }

    fn names(&self, dir: &Utf8Path) -> Vec<String> {
        self.files.names(dir)
    }

    fn borders(&self) -> Vec<(Utf8PathBuf, Utf8PathBuf)> {
        self.files.borders()
    }

    fn is_free_outside(&self, path: &Utf8Path) -> bool {
        self.files.is_free_outside(path)
    }
}

impl Afterwards<'_> {
    /// Returns whether the plan adds files below a path.
    fn holds_files(&self, path: &Utf8PathBuf) -> bool {
        self.changes
            .values()
            .any(|change| change.exists() && change.path != *path && change.path.starts_with(path))
    }
}
