//! Plans an Update: opens the file, places the chunks, and adds the result to the overlay.
//!
//! Placing depends only on the file and the chunks, and takes most of the time. So the files of consecutive Updates are
//! looked up together; Updates of different files are placed by all processors, and added to the overlay in order. The
//! [sections](super::sections) for one file are an Update.

use std::collections::HashSet;

use super::names::Name;
use super::overlay::{File, Target};
use super::placed::PlacedChunks;
use super::planner::{Planner, Update, Waiting, both, one, report};
use super::sections::Section;
use super::types::ChunkReport;
use super::{FailureKind, HunkKind, HunkReport, NotAFile};
use crate::locate::Drift;
use crate::parallel;
use crate::patch::{Chunk, Hunk, MoveTo};

/// Placing chunks that are not quoted exactly takes about as long as reading the file so many times.
const SOUGHT: usize = 16;

/// The report of a section, or its failures.
type SectionReport = Result<HunkReport, Vec<FailureKind>>;

/// Updates whose files are open, or could not be opened: each of another file.
#[derive(Default)]
struct Batch<'p> {
    updates: Vec<(Update<'p>, Result<Opened, FailureKind>)>,
    /// The identities of these files.
    identities: HashSet<String>,
}

/// The file of an Update.
struct Opened {
    name: Name,
    file: File,
}

impl<'p> Planner<'p> {
    /// Notes a section that moves nothing.
    pub(super) fn queue(&mut self, section: Section<'p>) {
        let path = &*section.hunk.path;
        if let Some(index) = self.waiting.names.get(path) {
            let update = &mut self.waiting.updates[*index];
            if update.first.nth == self.firsts[section.nth] {
                return update.others.push(section);
            }
            self.flush();
        }
        self.waiting.names.insert(path, self.waiting.updates.len());
        self.waiting.updates.push(Update { first: section, others: Vec::new() });
    }

    /// Opens the files of all waiting Updates, places the chunks, and adds the results to the overlay.
    pub(super) fn flush(&mut self) {
        let Waiting { updates, .. } = std::mem::take(&mut self.waiting);
        if updates.is_empty() {
            return;
        }
        let names = updates.iter().map(|update| self.names.of_hunk(update.first.hunk, &self.overlay));
        let names: Vec<_> = names.collect();
        let paths: Vec<_> = names.iter().flatten().map(|name| &*name.path).collect();
        let mut found = self.overlay.look_up_all(&paths).into_iter();
        let mut batch = Batch::default();
        for (update, name) in updates.into_iter().zip(names) {
            let found = name.map(|name| {
                let found = found.next().unwrap_or_else(|| self.overlay.look_up(&name.path));
                (name, found)
            });
            if let Ok((_, Ok(there))) = &found
                && !batch.identities.insert(there.path.as_str().to_owned())
            {
                // The same file by another name: this Update must see the result of the previous.
                self.apply_batch(std::mem::take(&mut batch));
                batch.identities.insert(there.path.as_str().to_owned());
            }
            let opened = found.and_then(|(name, found)| {
                let file = self.overlay.file_of(&name.path, found)?;
                Ok(Opened { name, file })
            });
            batch.updates.push((update, opened));
        }
        self.apply_batch(batch);
    }

    fn apply_batch(&mut self, Batch { updates, .. }: Batch<'p>) {
        let work = updates.iter().map(|(_, opened)| opened.as_ref().map_or(0, Opened::work)).sum();
        let options = &self.options;
        let placed = parallel::map(&updates, work, |(update, opened)| {
            let file = &opened.as_ref().ok()?.file;
            Some(PlacedChunks::of(file, &update.sections(), options))
        });
        let mut ended = Vec::new();
        for ((update, opened), placed) in updates.into_iter().zip(placed) {
            let sections = update.sections();
            let reports = match (opened, placed) {
                (Ok(opened), Some(placed)) => self.apply_sections(&sections, opened, placed),
                (Err(kind), _) => self.not_opened(&update, kind),
                (Ok(_), None) => Vec::new(),
            };
            ended.extend(sections.iter().copied().zip(reports));
        }
        ended.sort_by_key(|(section, _)| section.nth);
        for (section, report) in ended {
            self.end(section.nth, section.hunk, report);
        }
    }

    /// Returns for each section why its file cannot be opened.
    fn not_opened(&self, update: &Update<'_>, kind: FailureKind) -> Vec<SectionReport> {
        let others = update.others.iter().filter_map(|other| self.open(other.hunk).err());
        std::iter::once(kind).chain(others).map(|kind| Err(one(kind))).collect()
    }

    /// Adds the result of the sections for a file to the overlay, if all of them have a place.
    fn apply_sections(
        &mut self,
        sections: &[Section<'_>],
        Opened { name, mut file }: Opened,
        placed: PlacedChunks,
    ) -> Vec<SectionReport> {
        let PlacedChunks { sections: placed, content } = placed;
        let executable = sections.iter().find_map(|section| section.hunk.properties.executable);
        let is_unchanged = content.is_none() && executable.is_none();
        if !is_unchanged && placed.iter().all(Result::is_ok) {
            let mode = std::mem::take(&mut file.mode).with(executable);
            let content = content.unwrap_or_else(|| file.content.clone());
            self.overlay.write(file.into_target(), content, mode);
        }
        let report_of = |(section, chunks): (&Section<'_>, Result<Vec<_>, _>)| {
            let mut report = report(section.hunk, HunkKind::Update, name.clone());
            report.count(chunks?);
            report.unchanged = is_unchanged;
            Ok(report)
        };
        sections.iter().zip(placed).map(report_of).collect()
    }

    fn open(&self, hunk: &Hunk<'_>) -> Result<Opened, FailureKind> {
        let name = self.names.of_hunk(hunk, &self.overlay)?;
        let file = self.overlay.file(&name.path)?;
        Ok(Opened { name, file })
    }

    /// Plans an Update that also moves its file.
    pub(super) fn relocate(
        &mut self,
        hunk: &Hunk<'_>,
        to: &MoveTo<'_>,
        chunks: &[Chunk<'_>],
    ) -> Result<HunkReport, Vec<FailureKind>> {
        let opened = match self.open(hunk) {
            Err(kind @ FailureKind::NoSuchFile { .. }) => {
                return self.moved_before(hunk, to, chunks).ok_or_else(|| one(kind));
            }
            opened => opened.map_err(one)?,
        };
        let target = self.destination(&opened, to);
        let placed = PlacedChunks::of_hunk(&opened.file, hunk, chunks, &self.options);
        let ((new_name, target), (chunks, content)) = both(target, placed)?;
        let Opened { name, mut file } = opened;
        let executable = hunk.properties.executable;
        let mut report = report(hunk, HunkKind::Move, name);
        report.count(chunks);
        report.unchanged = content.is_none() && executable.is_none();
        report.names.extend(new_name.notes);
        report.moved_to = Some(new_name.path);
        file.mode = file.mode.with(executable);
        let content = content.unwrap_or_else(|| file.content.clone());
        self.overlay.rename(file, target, content);
        Ok(report)
    }

    /// Returns the report of a move that was made before, as that of an Update of the file of the new name, which has the results of all
    /// chunks; there is no file of the old name. The names alone do not show a move.
    fn moved_before(&self, hunk: &Hunk<'_>, to: &MoveTo<'_>, chunks: &[Chunk<'_>]) -> Option<HunkReport> {
        let old_name = self.names.of_hunk(hunk, &self.overlay).ok()?;
        let name = self.names.of_moved(&to.path, &old_name).ok()?;
        let file = self.overlay.file(&name.path).ok()?;
        let (chunks, content) = PlacedChunks::of_hunk(&file, hunk, chunks, &self.options).ok()?;
        let is_made = |chunk: &ChunkReport| chunk.placement.drift.contains(&Drift::AlreadyApplied);
        if content.is_some() || hunk.properties.executable.is_some() || !chunks.iter().any(is_made) {
            return None;
        }
        let mut report = report(hunk, HunkKind::Update, name);
        report.count(chunks);
        report.unchanged = true;
        Some(report)
    }

    /// Returns the new name of a moved file and its location. A move onto itself changes nothing.
    fn destination(&self, old: &Opened, to: &MoveTo<'_>) -> Result<(Name, Target), FailureKind> {
        if old.file.link {
            return Err(FailureKind::NotAFile { what: NotAFile::MovedLink });
        }
        let name = self.names.of_moved(&to.path, &old.name)?;
        match self.overlay.file(&name.path) {
            Ok(same) if same.identity == old.file.identity => Ok((name, same.target())),
            _ => {
                let found = self.overlay.target(&name.path, self.options.may_replace());
                found.map(|found| (name, found)).map_err(|kind| kind.of_move(&to.path))
            }
        }
    }
}

impl Opened {
    /// Returns the amount of work for placing the chunks, in bytes that are read.
    fn work(&self) -> usize {
        parallel::A_FILE + SOUGHT * self.file.content.about_len()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use camino::{Utf8Path, Utf8PathBuf};

    use crate::format::{self, parse};
    use crate::plan::{Files, Found, Node, Options, Plan, ReadError, plan};

    /// Files with equal contents, and how many were requested at once.
    #[derive(Default)]
    struct Alike {
        asked: RefCell<Vec<usize>>,
        /// How many answers are kept back.
        owed: usize,
    }

    impl Files for Alike {
        fn look_up(&self, path: &Utf8Path) -> Result<Found, ReadError> {
            if path == "gone" {
                return Ok(Found { path: path.to_owned(), node: Node::Missing });
            }
            Ok(Found { path: path.to_owned(), node: Node::File { bytes: "one\ntwo\n".into(), link: false } })
        }

        fn look_up_all(&self, paths: &[&Utf8Path]) -> Vec<Result<Found, ReadError>> {
            self.asked.borrow_mut().push(paths.len());
            paths.iter().take(paths.len().saturating_sub(self.owed)).map(|path| self.look_up(path)).collect()
        }
    }

    fn planned(files: &Alike, hunks: &[&str]) -> Plan {
        let text = format!("*** Begin Patch\n{}*** End Patch\n", hunks.concat());
        let parsed = parse(&text, &format::Options::default());
        plan(&parsed.patch, files, &Options::default()).unwrap()
    }

    const A: &str = "*** Update File: a\n@@\n-one\n+1\n";
    const A_AGAIN: &str = "*** Update File: a\n@@\n 1\n-two\n+2\n";
    const B: &str = "*** Update File: b\n@@\n-one\n+1\n";
    const C: &str = "*** Update File: c\n@@\n-two\n+2\n";

    fn paths(plan: &Plan) -> Vec<&Utf8PathBuf> {
        plan.changes.iter().map(|change| &change.path).collect()
    }

    #[test]
    fn files_of_updates_in_a_row_are_looked_up_together() {
        let files = Alike::default();
        let made =
            planned(&files, &[A, B, C, "*** Add File: gone\n+x\n", "*** Update File: d\n@@\n-one\n+1\n"]);
        assert_eq!(paths(&made), ["a", "b", "c", "d", "gone"]);
        assert_eq!(files.asked.take(), [3, 1]);
    }

    #[test]
    fn a_second_update_sees_what_the_first_one_makes() {
        let files = Alike::default();
        let made = planned(&files, &[A, B, A_AGAIN, C]);
        assert_eq!(paths(&made), ["a", "b", "c"]);
        let crate::plan::After::File { content, .. } = &made.changes[0].after else { panic!("it is gone") };
        assert_eq!(&*content.bytes(), b"1\n2\n");
        assert_eq!(files.asked.take(), [3]);
    }

    #[test]
    fn a_view_that_answers_for_too_few_is_asked_for_the_rest() {
        let made = planned(&Alike { owed: 2, ..Alike::default() }, &[A, B, C]);
        assert_eq!(paths(&made), ["a", "b", "c"]);
    }
}
