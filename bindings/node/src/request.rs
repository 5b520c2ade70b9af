//! What JavaScript asks for.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::str::FromStr;

use apply_patch::apply::{self, ApplyError, Roots};
use apply_patch::format::{DecodeError, decode, parse};
use apply_patch::plan::{self, Digest};
use apply_patch::run::batch::{Answer, Given, Row, Settings, Source};
use apply_patch::run::{self, Details, Outcome, Report, Status, Stopped, Tree};
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use napi::bindgen_prelude::Either;
use napi::{Error, Result};
use serde::Deserialize;

use crate::Content;
use crate::outcome::NativeOutcome;

/// The options of a call, by the names that JavaScript uses.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct Options {
    format: Option<String>,
    r#match: Option<String>,
    ambiguity: Option<String>,
    strict: bool,
    accept_truncated: bool,
    file: Option<String>,
    strip: Option<usize>,
    overwrite: bool,
    expect: BTreeMap<String, String>,
    dry_run: bool,
    diff: bool,
    undo: bool,
    contents: bool,
    suggestion: Option<bool>,
    budget: Option<usize>,
    threads: Option<usize>,
    roots: Vec<String>,
    fsync: Option<bool>,
    wait: Option<bool>,
    max_file_size: Option<u64>,
}

impl Options {
    /// Reads options from JSON; none are the usual options.
    ///
    /// # Errors
    /// Names the option that is unknown or has a wrong value.
    pub fn read(json: Option<&str>) -> Result<Self> {
        json.map_or_else(
            || Ok(Self::default()),
            |json| serde_json::from_str(json).map_err(|error| unread(&error)),
        )
    }

    /// Returns the options of a run.
    ///
    /// # Errors
    /// Names the option that has a value of another kind.
    pub fn run(&self, in_memory: bool) -> Result<run::Options> {
        let expect = self.expect.iter().map(|(path, sha256)| {
            let digest =
                Digest::from_str(sha256).map_err(|error| wrong(format!("expect[{path:?}]: {error}")));
            Ok((path.clone(), digest?))
        });
        let threads = self.threads.map(|threads| {
            NonZeroUsize::new(threads).ok_or_else(|| wrong("threads: expected a number from 1 on"))
        });
        let details = Details::default()
            .with_suggestion(self.suggestion.unwrap_or(true))
            .with_diff(self.diff)
            .with_undo(self.undo)
            .with_contents(in_memory || self.contents);
        let mut options = run::Options::default()
            .with_format(value(self.format.as_deref())?)
            .with_check(self.dry_run)
            .with_strict(self.strict)
            .with_accept_truncated(self.accept_truncated)
            .with_level(value(self.r#match.as_deref())?)
            .with_ambiguity(value(self.ambiguity.as_deref())?)
            .with_overwrite(self.overwrite)
            .with_threads(threads.transpose()?)
            .with_details(details);
        options.file.clone_from(&self.file);
        options.strip = self.strip;
        options.expect = expect.collect::<Result<_>>()?;
        Ok(options)
    }

    /// Returns how many characters the words for the model have at the most.
    pub fn budget(&self) -> usize {
        self.budget.unwrap_or(Report::BUDGET)
    }

    /// Opens the folders of a call.
    ///
    /// # Errors
    /// As [`Roots::open`].
    pub fn open(&self, root: &str) -> std::result::Result<Roots, ApplyError> {
        let usual = apply::Options::default();
        let options = usual
            .with_sync(self.fsync.unwrap_or(usual.sync))
            .with_wait(self.wait.unwrap_or(usual.wait))
            .with_longest_file(self.max_file_size.unwrap_or(usual.longest_file));
        let base = Roots::open(root.into())?.with_options(options);
        self.roots.iter().try_fold(base, |roots, further| roots.with_further(further.as_str().into()))
    }
}

/// Returns the value of an option by its name; the usual value without a name.
fn value<T: Default + FromStr<Err = run::UnknownValue>>(name: Option<&str>) -> Result<T> {
    name.map_or_else(|| Ok(T::default()), |name| name.parse().map_err(wrong))
}

/// Returns the error of a caller, which becomes a `TypeError`.
pub fn wrong(words: impl ToString) -> Error {
    Error::new(napi::Status::InvalidArg, words.to_string())
}

/// Returns the error of options that cannot be read. The position in the JSON is left out, because the caller wrote an object.
fn unread(error: &serde_json::Error) -> Error {
    let words = error.to_string();
    wrong(format!("options: {}", words.rsplit_once(" at line ").map_or(&*words, |(words, _)| words)))
}

/// Returns files in memory by their path.
///
/// # Errors
/// Two names are the same file, such as `a.txt` and `./a.txt`.
pub fn in_memory(names: Vec<String>, contents: Vec<Content>) -> Result<BTreeMap<Utf8PathBuf, Given>> {
    let mut seen = BTreeSet::new();
    if let Some(name) = names.iter().find(|name| !seen.insert(plain(name.as_str().into()))) {
        return Err(wrong(format!("files has two names of the file {name:?}")));
    }
    let given = |content: Content| match content {
        Either::A(text) => Given::text(text.into_bytes()),
        // A copy, because JavaScript may change the array while a thread reads.
        Either::B(bytes) => Given::bytes(bytes.to_vec()),
    };
    Ok(names.into_iter().map(Utf8PathBuf::from).zip(contents.into_iter().map(given)).collect())
}

/// Returns a path without its `.` components, as a plan names files.
pub fn plain(name: &Utf8Path) -> Utf8PathBuf {
    name.components().filter(|part| *part != Utf8Component::CurDir).collect()
}

/// Returns the bytes of a text.
fn bytes(text: Content) -> Vec<u8> {
    match text {
        Either::A(text) => text.into_bytes(),
        Either::B(bytes) => bytes.to_vec(),
    }
}

/// Returns the text of a patch, whatever its encoding.
fn text_of(patch: &[u8]) -> std::result::Result<Cow<'_, str>, DecodeError> {
    std::str::from_utf8(patch).map(Cow::Borrowed).or_else(|_| decode(patch))
}

/// The most paths for which a caller chooses among the files of a call.
const CHOOSING: usize = 32;

/// Returns the paths that a plan of a patch may look up; `None` if the paths are many, or the options name further files.
///
/// # Errors
/// As [`Call::new`].
pub fn paths(patch: Content, options: Option<&str>) -> Result<Option<Vec<String>>> {
    let options = Options::read(options)?;
    let (run, patch) = (options.run(true)?, bytes(patch));
    let Ok(text) = text_of(&patch) else { return Ok(None) };
    let parsed = parse(&text, &run.reading());
    let paths: Vec<String> = plan::paths(&parsed.patch).into_iter().map(Utf8PathBuf::into_string).collect();
    Ok(Some(paths).filter(|paths| run.expect.is_empty() && paths.len() <= CHOOSING))
}

/// One call: all that a thread needs.
pub struct Call {
    patch: Vec<u8>,
    root: Option<String>,
    /// The files in memory. The run takes them.
    files: Option<BTreeMap<Utf8PathBuf, Given>>,
    run: run::Options,
    options: Options,
}

impl Call {
    /// Reads the arguments.
    ///
    /// # Errors
    /// Names the option that is wrong.
    pub fn new(
        patch: Content,
        root: Option<String>,
        names: Vec<String>,
        contents: Vec<Content>,
        options: Option<&str>,
    ) -> Result<Self> {
        let options = Options::read(options)?;
        let run = options.run(root.is_none())?;
        let files = if root.is_none() { Some(in_memory(names, contents)?) } else { None };
        Ok(Self { patch: bytes(patch), root, files, run, options })
    }

    /// Makes the call. Whatever is wrong with the text, the files or the system is an outcome.
    pub fn run(&mut self) -> NativeOutcome {
        let budget = self.options.budget();
        let text = match text_of(&self.patch) {
            Ok(text) => text,
            Err(error) => return NativeOutcome::new(no_text(&error), budget, &|_| false),
        };
        let options = self.run.clone();
        if let Some(files) = self.files.take() {
            let row = Row { source: Source::Files(files), patch: text, options };
            let Answer { report, files, .. } = Settings::default().answer(row);
            return NativeOutcome::with_files(report, budget, files.unwrap_or_default());
        }
        let report = match self.options.open(self.root.as_deref().unwrap_or(".")) {
            Ok(roots) => run::run(&text, &options, &mut Tree::Disk(roots)),
            Err(error) => Report::of(Outcome::Stopped(Stopped::Apply(error))),
        };
        let outcome = NativeOutcome::new(report, budget, &|_| false);
        if self.run.details.contents { outcome } else { outcome.without_contents() }
    }
}

/// Returns the report of a patch that is not text.
fn no_text(error: &DecodeError) -> Report {
    Report::of(Outcome::Stopped(Stopped::Caller {
        status: Status::NotAPatch,
        changed: false,
        says_unchanged: true,
        text: format!("the patch is not text: {error}"),
    }))
}
