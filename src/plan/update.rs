//! An Update: its file is opened, its chunks are placed, and what comes of it is taken into the overlay.
//!
//! Placing looks at nothing but the file and the chunks, and takes most of the time. So Updates that follow one another, each
//! of another file, are opened in turn, placed by all processors, and taken in in turn.

use std::collections::HashSet;

use super::names::Name;
use super::overlay::{File, Target};
use super::{
    ChunkReport, Content, FailureKind, HunkKind, HunkReport, Options, Planner, ending, one, origin, report,
};
use crate::edit::Edit;
use crate::locate::place;
use crate::parallel;
use crate::patch::{Chunk, Hunk, MoveTo};

/// Placing chunks that are not quoted exactly takes about as long as reading the file so many times.
const SOUGHT: usize = 16;

/// Updates whose files are open, or could not be opened.
#[derive(Default)]
pub(super) struct Waiting<'p> {
    updates: Vec<Update<'p>>,
    /// The files of those, by identity.
    identities: HashSet<String>,
}

struct Update<'p> {
    nth: usize,
    hunk: &'p Hunk<'p>,
    chunks: &'p [Chunk<'p>],
    opened: Result<Opened, FailureKind>,
}

/// The file of an Update.
struct Opened {
    name: Name,
    file: File,
}

impl<'p> Planner<'p> {
    /// Opens the file of an Update that moves nothing.
    pub(super) fn put_off(&mut self, nth: usize, hunk: &'p Hunk<'p>, chunks: &'p [Chunk<'p>]) {
        let mut opened = self.open(hunk);
        let identity = |opened: &Opened| opened.file.identity.as_str().to_owned();
        if let Ok(file) = &opened
            && !self.waiting.identities.insert(identity(file))
        {
            // It is to see what the Update before it makes of the file.
            self.take_all_in();
            opened = self.open(hunk);
            self.waiting.identities.extend(opened.as_ref().ok().map(identity));
        }
        self.waiting.updates.push(Update { nth, hunk, chunks, opened });
    }

    /// Places the chunks of all Updates that wait, and takes in what comes of them.
    pub(super) fn take_all_in(&mut self) {
        let Waiting { updates, .. } = std::mem::take(&mut self.waiting);
        let work = updates.iter().map(Update::work).sum();
        let options = &self.options;
        let placed = parallel::map(&updates, work, |update| update.place(options));
        for (Update { nth, hunk, opened, .. }, placed) in updates.into_iter().zip(placed) {
            let placed = opened.map_err(one).and_then(|opened| Ok((opened, placed?)));
            let report = placed.and_then(|(opened, placed)| self.take_in(hunk, opened, placed, None));
            self.end(nth, hunk, report);
        }
    }

    fn open(&self, hunk: &Hunk<'_>) -> Result<Opened, FailureKind> {
        let name = self.names.of_existing(&hunk.path, &self.overlay)?;
        let file = self.overlay.file(&name.path)?;
        Ok(Opened { name, file })
    }

    /// An Update that moves its file, too.
    pub(super) fn relocate(
        &mut self,
        hunk: &Hunk<'_>,
        to: &MoveTo<'_>,
        chunks: &[Chunk<'_>],
    ) -> Result<HunkReport, Vec<FailureKind>> {
        let opened = self.open(hunk).map_err(one)?;
        let target = self.destination(&opened, to);
        let mut placed = Placed::of(&opened.file, hunk, chunks, &self.options);
        match target {
            Ok(target) => self.take_in(hunk, opened, placed, Some(target)),
            Err(kind) => {
                placed.failures.insert(0, kind);
                Err(placed.failures)
            }
        }
    }

    /// Where a file moves: the name, and what it stands for. A move onto itself stays where it is.
    fn destination(&self, old: &Opened, to: &MoveTo<'_>) -> Result<(Name, Target), FailureKind> {
        if old.file.link {
            return Err(FailureKind::NotAFile { what: "symbolic link; move what it points to" });
        }
        let name = self.names.of_moved(&to.path, &old.name)?;
        match self.overlay.file(&name.path) {
            Ok(same) if same.identity == old.file.identity => Ok((name, same.target())),
            _ => {
                let found = self.overlay.target(&name.path, self.options.overwrite);
                found.map(|found| (name, found)).map_err(|kind| kind.of_move(&to.path))
            }
        }
    }

    fn take_in(
        &mut self,
        hunk: &Hunk<'_>,
        Opened { name, mut file }: Opened,
        placed: Placed,
        target: Option<(Name, Target)>,
    ) -> Result<HunkReport, Vec<FailureKind>> {
        if !placed.failures.is_empty() {
            return Err(placed.failures);
        }
        let mut report = report(hunk, HunkKind::Update, name);
        report.count(placed.chunks);
        report.unchanged = placed.content.is_none() && hunk.properties.executable.is_none();
        file.mode = file.mode.with(hunk.properties.executable);
        let content = placed.content.unwrap_or_else(|| file.content.clone());
        match target {
            Some((name, target)) => {
                report.kind = HunkKind::Move;
                report.names.extend(name.notes);
                report.moved_to = Some(name.path);
                self.overlay.rename(file, target, content);
            }
            None if report.unchanged => {}
            None => self.overlay.write(file.target(), content, file.mode),
        }
        Ok(report)
    }
}

impl Update<'_> {
    /// How much work it is to place it, in bytes that are read.
    fn work(&self) -> usize {
        self.opened.as_ref().map_or(0, |opened| parallel::A_FILE + SOUGHT * opened.file.content.about_len())
    }

    /// No failures of its own, where the file could not be opened: that is one already.
    fn place(&self, options: &Options) -> Result<Placed, Vec<FailureKind>> {
        let opened = self.opened.as_ref().map_err(|_| Vec::new())?;
        Ok(Placed::of(&opened.file, self.hunk, self.chunks, options))
    }
}

/// The chunks of a hunk in a file.
pub(super) struct Placed {
    pub(super) chunks: Vec<ChunkReport>,
    /// What the file is to hold, unless it stays as it is.
    pub(super) content: Option<Content>,
    /// The chunks that have no place.
    pub(super) failures: Vec<FailureKind>,
}

impl Placed {
    pub(super) fn of(file: &File, hunk: &Hunk<'_>, chunks: &[Chunk<'_>], options: &Options) -> Self {
        let document = file.document();
        let edits: Vec<_> = chunks.iter().map(Edit::from_chunk).collect();
        let level = options.matching.level;
        let (outcomes, content) = if origin::is_origin(level) {
            let (bytes, outcomes) = origin::place(&document, &edits, level);
            (outcomes, (bytes != **document.bytes()).then(|| Content::Bytes(bytes.into())))
        } else {
            let placed = place(&document, &edits, &options.matching);
            let replacements = placed.replacements;
            let edited = || Content::Edited { document: document.into(), replacements: replacements.clone() };
            (placed.outcomes, (!replacements.is_empty()).then(edited))
        };
        let mut placed = Placed { chunks: Vec::with_capacity(chunks.len()), content, failures: Vec::new() };
        for (nth, (outcome, chunk)) in outcomes.into_iter().zip(chunks).enumerate() {
            match outcome {
                Ok(placement) => placed.chunks.push(ChunkReport { number: chunk.number, placement }),
                Err(mut miss) => {
                    miss.number_lines(chunk);
                    let (of, number) = (chunks.len(), chunk.number);
                    placed.failures.push(FailureKind::Chunk { nth, of, number, miss: Box::new(miss) });
                }
            }
        }
        let wanted = hunk.properties.final_newline.filter(|_| ending::reaches_end(&placed.chunks));
        if let Some(wanted) = wanted
            && placed.failures.is_empty()
        {
            placed.content = ending::ended(&file.document(), placed.content, wanted);
        }
        placed
    }
}
