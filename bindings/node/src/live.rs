//! A patch that is still being written: its events, and where its complete chunks would go.

use std::collections::{BTreeMap, BTreeSet};

use apply_patch::format::{Assembly, Event, Stream};
use apply_patch::plan::{self, Failures, Pinned, Plan};
use apply_patch::run::batch::Given;
use apply_patch::run::{self, Changes, Outcome, Report, Stopped, Tree};
use camino::{Utf8Path, Utf8PathBuf};
use napi::bindgen_prelude::Either;
use napi::{Error, Result};
use napi_derive::napi;

use crate::Content;
use crate::events::json;
use crate::guard::guarded;
use crate::outcome::NativeOutcome;
use crate::request::{Options, in_memory, plain, wrong};

/// Reads a patch while it is being written, and previews the chunks that are complete.
#[napi]
pub struct NativeStream {
    /// Absent after the end of the text, and after a panic.
    stream: Option<Stream>,
    /// The events so far, while a preview may ask for them.
    events: Vec<Event<'static>>,
    /// How many of the events a preview takes: those up to the last complete chunk or hunk.
    complete: usize,
    /// What a preview is made against.
    target: Option<Target>,
}

/// The files of a preview.
struct Target {
    tree: Tree,
    inputs: Inputs,
    run: run::Options,
    budget: usize,
}

/// Which files in memory came in as bytes. A content goes out as the type that it came in as.
#[derive(Default)]
struct Inputs {
    bytes: BTreeSet<Utf8PathBuf>,
    has_text: bool,
}

impl Inputs {
    /// Makes a tree of files in memory, and notes of which type each content is.
    fn of(files: BTreeMap<Utf8PathBuf, Given>) -> (Tree, Self) {
        let mut inputs = Inputs::default();
        let mut tree = BTreeMap::new();
        for (name, Given { bytes, is_text }) in files {
            let name = plain(&name);
            inputs.has_text |= is_text;
            if !is_text {
                inputs.bytes.insert(name.clone());
            }
            tree.insert(name, bytes);
        }
        (Tree::Memory(tree), inputs)
    }

    /// Returns whether a file goes out as bytes. A new file is text, unless the caller has bytes only.
    fn is_bytes(&self, path: &Utf8Path) -> bool {
        self.bytes.contains(path) || !self.has_text && !self.bytes.is_empty()
    }
}

#[napi]
impl NativeStream {
    /// Opens a stream. Previews need a root or files.
    ///
    /// # Errors
    /// `InvalidArg` for options that are wrong, or a root that cannot be opened.
    #[napi(constructor)]
    pub fn new(
        root: Option<String>,
        names: Option<Vec<String>>,
        contents: Option<Vec<Content>>,
        options: Option<String>,
    ) -> Result<Self> {
        let options = Options::read(options.as_deref())?;
        let run = options.run(root.is_none())?;
        let reading = run.reading();
        let files = match (&root, names, contents) {
            (Some(root), ..) => {
                let roots = options.open(root).map_err(|error| {
                    wrong(Report::of(Outcome::Stopped(Stopped::Apply(error))).for_model(0).trim_end())
                })?;
                Some((Tree::Disk(roots), Inputs::default()))
            }
            (None, Some(names), Some(contents)) => Some(Inputs::of(in_memory(names, contents)?)),
            _ => None,
        };
        let budget = options.budget();
        let target = files.map(|(tree, inputs)| Target { tree, inputs, run, budget });
        Ok(Self { stream: Some(Stream::new(&reading)), events: Vec::new(), complete: 0, target })
    }

    /// Takes the next piece of the text. Returns the events of the lines that are complete now, as a JSON array; an empty
    /// text for none.
    ///
    /// # Errors
    /// `InvalidArg` after the end, `GenericFailure` for a panic.
    #[napi]
    pub fn feed(&mut self, piece: Content) -> Result<String> {
        let mut stream = self.take()?;
        let (stream, events) = guarded(move || {
            let mut events = Vec::new();
            let bytes = match &piece {
                Either::A(text) => text.as_bytes(),
                Either::B(bytes) => bytes,
            };
            stream.feed(bytes, &mut |event| events.push(event.into_owned()));
            (stream, events)
        })?;
        self.stream = Some(stream);
        self.keep(events)
    }

    /// Takes the end of the text. Returns the events of what was left.
    ///
    /// # Errors
    /// As [`feed`](Self::feed).
    #[napi]
    pub fn finish(&mut self) -> Result<String> {
        let stream = self.take()?;
        let events = guarded(move || {
            let mut events = Vec::new();
            stream.finish(&mut |event| events.push(event.into_owned()));
            events
        })?;
        self.keep(events)
    }

    /// Checks the chunks and hunks that are complete against the files. Changes nothing.
    ///
    /// # Errors
    /// `InvalidArg` if the stream was opened without files, `GenericFailure` for a panic.
    #[napi]
    pub fn preview(&self) -> Result<NativeOutcome> {
        let target =
            self.target.as_ref().ok_or_else(|| wrong("preview() needs a stream with `files` or `root`"))?;
        let events = self.events.get(..self.complete).unwrap_or_default();
        guarded(|| {
            let mut assembly = Assembly::default();
            for event in events {
                assembly.push(event.clone());
            }
            let is_bytes = |path: &Utf8Path| target.inputs.is_bytes(path);
            let outcome = NativeOutcome::new(target.preview(assembly), target.budget, &is_bytes);
            if target.run.details.contents { outcome } else { outcome.without_contents() }
        })
    }

    fn take(&mut self) -> Result<Stream> {
        self.stream.take().ok_or_else(|| wrong("the stream has ended"))
    }

    /// Returns events as JSON, and keeps them if a preview may ask for them.
    fn keep(&mut self, events: Vec<Event<'static>>) -> Result<String> {
        let objects: Vec<_> = events.iter().filter_map(json).collect();
        let text = if objects.is_empty() { Ok(String::new()) } else { serde_json::to_string(&objects) };
        let text = text.map_err(|error| Error::from_reason(error.to_string()))?;
        if self.target.is_some() {
            let is_boundary =
                |event: &Event<'_>| matches!(event, Event::ChunkEnded { .. } | Event::HunkEnded);
            if let Some(last) = events.iter().rposition(is_boundary) {
                self.complete = self.events.len() + last + 1;
            }
            self.events.extend(events);
        }
        Ok(text)
    }
}

impl Target {
    fn preview(&self, assembly: Assembly<'_>) -> Report {
        match assembly.finish().into_result() {
            Err(errors) => Report::of(Outcome::NotAPatch(errors)),
            Ok((patch, repairs)) => {
                let mut report = match self.plan(&patch) {
                    Ok(plan) => Report::of(Outcome::WouldApply(Changes::of(&plan, &self.run.details))),
                    Err(failures) => Report::of(Outcome::Refused(failures)),
                };
                report.repairs = repairs;
                report
            }
        }
    }

    fn plan(&self, patch: &apply_patch::patch::Patch<'_>) -> std::result::Result<Plan, Failures> {
        let files = Pinned::new(self.tree.files(), &self.run.expect)?;
        plan::plan(patch, &files, &self.run.planning())
    }
}
