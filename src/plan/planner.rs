//! The state of planning a patch, and how the outcome of a hunk is noted.

use std::borrow::Cow;
use std::collections::HashMap;

use camino::Utf8PathBuf;

use super::names::{Name, Names};
use super::overlay::{File, MayReplace, Overlay};
use super::sections::{self, Section};
use super::{Failure, FailureKind, Files, HunkKind, HunkReport, Options, similar};
use crate::patch::{Hunk, Patch};

/// A patch that is planned.
pub(super) struct Planner<'f> {
    pub(super) files: &'f dyn Files,
    pub(super) overlay: Overlay<'f>,
    pub(super) names: Names<'f>,
    pub(super) options: Options,
    /// The index of the first hunk that is placed together with a hunk, by the index of that.
    pub(super) firsts: Vec<usize>,
    /// Updates that are not yet part of the overlay.
    pub(super) waiting: Waiting<'f>,
    pub(super) reports: Vec<HunkReport>,
    pub(super) failures: Vec<Failure>,
    /// The source of the last copy, by name: a file that is copied many times is read once.
    pub(super) copied: Option<(Utf8PathBuf, File)>,
    /// How many failures have named similar files.
    suggested: usize,
}

/// For how many missing files similar names are searched: each search walks the tree.
const SUGGESTED: usize = 8;

impl<'f> Planner<'f> {
    /// Returns a planner for a patch.
    pub(super) fn new(patch: &'f Patch<'_>, files: &'f dyn Files, options: &Options) -> Self {
        Planner {
            files,
            overlay: Overlay::new(files),
            names: Names::new(patch, files, options.matching.literal),
            options: *options,
            firsts: sections::firsts(patch, options),
            waiting: Waiting::default(),
            reports: Vec::with_capacity(patch.hunks.len()),
            failures: Vec::new(),
            copied: None,
            suggested: 0,
        }
    }

    /// Notes how a hunk went.
    pub(super) fn end(&mut self, nth: usize, hunk: &Hunk<'_>, report: Result<HunkReport, Vec<FailureKind>>) {
        match report {
            Ok(report) => self.reports.push(report),
            Err(kinds) => {
                for mut kind in kinds {
                    if !similar::blame(&mut kind, &hunk.path, self.files, &self.reports)
                        && matches!(kind, FailureKind::NoSuchFile { .. })
                        && self.suggested < SUGGESTED
                    {
                        self.suggested += 1;
                        similar::suggest(&mut kind, &hunk.path, self.files, &self.overlay);
                    }
                    let (number, path) = (hunk.number, hunk.path.to_string());
                    self.failures.push(Failure {
                        hunk: nth,
                        number,
                        path,
                        tool: None,
                        dialect: hunk.dialect,
                        kind,
                    });
                }
            }
        }
    }
}

/// Updates that move nothing, and whose files were not looked up yet.
#[derive(Default)]
pub(super) struct Waiting<'p> {
    pub(super) updates: Vec<Update<'p>>,
    /// The names of these files, as the patch spells the names, and the index of each Update: the same file must not be loaded
    /// several times.
    pub(super) names: HashMap<&'p str, usize>,
}

/// The sections of a patch that update one file.
pub(super) struct Update<'p> {
    pub(super) first: Section<'p>,
    pub(super) others: Vec<Section<'p>>,
}

impl<'p> Update<'p> {
    /// Returns all sections, in the order of the patch.
    pub(super) fn sections(&self) -> Cow<'_, [Section<'p>]> {
        if self.others.is_empty() {
            return Cow::Borrowed(std::slice::from_ref(&self.first));
        }
        Cow::Owned(std::iter::once(&self.first).chain(&self.others).copied().collect())
    }
}

impl Options {
    /// Returns which file a file with a new name may replace.
    pub(super) fn may_replace(&self) -> MayReplace {
        if self.overwrite { MayReplace::Any } else { MayReplace::None }
    }
}

/// Returns both results, or all failures.
pub(super) fn both<T, P>(
    target: Result<T, FailureKind>,
    placed: Result<P, Vec<FailureKind>>,
) -> Result<(T, P), Vec<FailureKind>> {
    match (target, placed) {
        (Ok(target), placed) => placed.map(|placed| (target, placed)),
        (Err(kind), placed) => Err(std::iter::once(kind).chain(placed.err().into_iter().flatten()).collect()),
    }
}

/// Returns a failure as a list.
pub(super) fn one(kind: FailureKind) -> Vec<FailureKind> {
    vec![kind]
}

/// Returns the report of a hunk that changes no line so far.
pub(super) fn report(hunk: &Hunk<'_>, kind: HunkKind, name: Name) -> HunkReport {
    HunkReport {
        number: hunk.number,
        kind,
        path: name.path,
        moved_to: None,
        added: 0,
        removed: 0,
        names: name.notes,
        chunks: Vec::new(),
        unchanged: false,
        properties: hunk.properties,
    }
}
