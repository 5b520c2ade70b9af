//! The arguments of a call → a run of the library → its report.

use apply_patch::apply::Roots;
use apply_patch::patch::{Patch, TextEdit};
use apply_patch::plan::Digest;
use apply_patch::run::{Caller, Details, Options, Outcome, Report, Stopped, Tree};
use apply_patch::run::{run, run_patch};
use camino::Utf8PathBuf;
use rmcp::model::JsonObject;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::tools::{ApplyPatch, EditFile};

/// The directories whose files may be changed.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    /// The directory of relative paths.
    pub(crate) root: Utf8PathBuf,
    /// Directories whose files are named by absolute paths.
    pub(crate) further: Vec<Utf8PathBuf>,
}

/// A call with valid arguments.
#[derive(Debug)]
pub(crate) enum Call {
    /// A call of `apply_patch`.
    ApplyPatch(ApplyPatch),
    /// A call of `edit_file`.
    EditFile(EditFile),
}

impl Places {
    /// Opens the directories. Each call opens them anew, because a directory may be replaced between two calls.
    ///
    /// # Errors
    /// That there is no such directory.
    pub(crate) fn open(&self) -> Result<Roots, apply_patch::apply::ApplyError> {
        let base = Roots::open(&self.root)?;
        self.further.iter().try_fold(base, |roots, dir| roots.with_further(dir))
    }
}

/// Reads the arguments of a tool.
///
/// # Errors
/// What is wrong with the arguments, for the model that wrote them.
pub(crate) fn arguments<T: DeserializeOwned>(arguments: Option<JsonObject>) -> Result<T, String> {
    serde_json::from_value(Value::Object(arguments.unwrap_or_default())).map_err(|error| error.to_string())
}

impl Call {
    /// Runs the call. What is wrong with the text, the files or the system is in the report.
    pub(crate) fn run(&self, places: &Places) -> Report {
        let mut tree = match places.open() {
            Ok(roots) => Tree::Disk(roots),
            Err(error) => return Report::of(Outcome::Stopped(Stopped::Apply(error))),
        };
        match self {
            Call::ApplyPatch(call) => match pins(call) {
                Ok(expect) => {
                    let options = options(call.dry_run, call.undo).with_expect(expect);
                    run(&call.patch, &options, &mut tree)
                }
                Err(words) => Report::of(Outcome::WrongUsage { words }),
            },
            Call::EditFile(call) if call.edits.is_empty() => {
                Report::of(Outcome::WrongUsage { words: "`edits` has no edit".to_owned() })
            }
            Call::EditFile(call) => run_patch(&patch(call), &options(call.dry_run, call.undo), &mut tree),
        }
    }
}

/// The fields of the tools, as advice names them.
const CALLER: Caller = Caller {
    dry_run: Some("dry_run"),
    replace_all: Some("replace_all"),
    undo: Some("undo"),
    patch: Some("apply_patch"),
    ..Caller::NONE
};

/// A dry run answers with the diff: there is nothing else to look at.
fn options(dry_run: bool, undo: bool) -> Options {
    let details = Details::default().with_diff(dry_run).with_undo(undo);
    Options::default().with_check(dry_run).with_details(details).with_caller(CALLER)
}

/// Reads the hashes that files must have.
fn pins(call: &ApplyPatch) -> Result<Vec<(String, Digest)>, String> {
    let pin = |(path, sha256): (&String, &String)| match sha256.parse::<Digest>() {
        Ok(sha256) => Ok((path.clone(), sha256)),
        Err(error) => Err(format!("`expect` of {path:?}: {error}")),
    };
    call.expect.iter().map(pin).collect()
}

/// Makes a patch of the edits. Its hunk has no line number, because the model wrote no text with lines.
fn patch(call: &EditFile) -> Patch<'_> {
    let edits = call
        .edits
        .iter()
        .map(|edit| TextEdit::new(&edit.old_text, &edit.new_text).with_all(edit.replace_all));
    Patch::of_edits(&call.path, edits.collect())
}
