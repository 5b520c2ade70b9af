//! What JavaScript asks for.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::str::FromStr;

use apply_patch::apply::{self, ApplyError, Roots};
use apply_patch::plan::{Digest, Pin};
use apply_patch::report::model::BUDGET;
use apply_patch::run::{self, Details, Message, Mode, Outcome, Report, Request, Status, Stopped, Tree};
use apply_patch::text::{Bytes, decode};
use camino::Utf8PathBuf;
use napi::bindgen_prelude::Either;
use napi::{Error, Result};
use serde::Deserialize;

use crate::Content;
use crate::outcome::{Inputs, NativeOutcome};

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
            Ok(Pin { path: path.clone(), sha256: digest? })
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

    /// Returns the format of the text.
    ///
    /// # Errors
    /// Lists the formats if the name is unknown.
    pub fn format(&self) -> Result<apply_patch::format::Format> {
        value(self.format.as_deref())
    }

    /// Returns how many characters the words for the model have at the most.
    pub fn budget(&self) -> usize {
        self.budget.unwrap_or(BUDGET)
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
fn value<T: Default + FromStr<Err = run::UnknownName>>(name: Option<&str>) -> Result<T> {
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

/// Makes a tree of files in memory, and notes of which type each content is.
pub fn in_memory(names: Vec<String>, contents: Vec<Content>) -> (Tree, Inputs) {
    let mut inputs = Inputs::default();
    let mut files: BTreeMap<Utf8PathBuf, Bytes> = BTreeMap::new();
    for (name, content) in names.into_iter().zip(contents) {
        let bytes = match content {
            Either::A(text) => {
                inputs.has_text = true;
                text.into_bytes()
            }
            // A copy, because JavaScript may change the array while a thread reads.
            Either::B(bytes) => {
                inputs.bytes.insert(name.clone());
                bytes.to_vec()
            }
        };
        files.insert(name.into(), bytes.into());
    }
    (Tree::Memory(files), inputs)
}

/// One call: all that a thread needs.
pub struct Call {
    patch: Vec<u8>,
    root: Option<String>,
    /// The files in memory. The run takes them.
    files: Option<(Tree, Inputs)>,
    format: apply_patch::format::Format,
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
        let patch = match patch {
            Either::A(text) => text.into_bytes(),
            Either::B(bytes) => bytes.to_vec(),
        };
        let files = root.is_none().then(|| in_memory(names, contents));
        Ok(Self { patch, root, files, format: options.format()?, run, options })
    }

    /// Makes the call. Whatever is wrong with the text, the files or the system is an outcome.
    pub fn run(&mut self) -> NativeOutcome {
        let (report, inputs) = self.report();
        let wants_files = self.run.details.contents;
        NativeOutcome::new(report, self.options.budget(), wants_files.then_some(&inputs))
    }

    fn report(&mut self) -> (Report, Inputs) {
        let text = match std::str::from_utf8(&self.patch).map(Cow::Borrowed).or_else(|_| decode(&self.patch))
        {
            Ok(text) => text,
            Err(error) => return (no_text(&error), Inputs::default()),
        };
        let (mut tree, inputs) = match (self.files.take(), &self.root) {
            (Some(files), _) => files,
            (None, root) => match self.options.open(root.as_deref().unwrap_or(".")) {
                Ok(roots) => (Tree::Disk(roots), Inputs::default()),
                Err(error) => {
                    return (Report::of(Outcome::Stopped(Stopped::Apply(error))), Inputs::default());
                }
            },
        };
        let mode = if self.options.dry_run { Mode::Check } else { Mode::Apply };
        let request =
            Request::new(&text).with_format(self.format).with_mode(mode).with_options(self.run.clone());
        (run::run(&request, &mut tree), inputs)
    }
}

/// Returns the report of a patch that is not text.
fn no_text(error: &apply_patch::text::DecodeError) -> Report {
    Report::of(Outcome::Stopped(Stopped::Caller(Message {
        status: Status::NotAPatch,
        changed: false,
        says_unchanged: true,
        text: format!("the patch is not text: {error}"),
    })))
}
