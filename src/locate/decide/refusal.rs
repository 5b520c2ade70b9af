//! From a refused chunk to a [`Miss`]: why, what is nearest to the quote, and which explanations compete.

use std::cell::OnceCell;

use super::chunk::{Chunk, Refusal};
use super::placement::{candidate, fits_level, tier};
use crate::locate::align::band::MOST_LINES;
use crate::locate::align::file::File;
use crate::locate::comparison::{ActualLine, Alternative, Difference, NearLine, Nearest};
use crate::locate::diagnose::alternatives::{Shape, alternatives};
use crate::locate::diagnose::{correction, nearest};
use crate::locate::doubt::Doubt;
use crate::locate::explanation::{Explanation, Obstacle, Spot, State};
use crate::locate::outcome::{ChangedLine, LinesInDocument, Miss, Reason};
use crate::locate::reading::{Reading, Row, is_dots};
use crate::locate::search::{Index, hash_bytes};
use crate::locate::{Level, Tier};
use crate::patch::{Line, LineKind};
use crate::text::Document;

/// The original document, and its hash, which only a refusal needs.
pub(super) struct Original<'d> {
    document: &'d Document,
    hash: OnceCell<u64>,
}

impl<'d> Original<'d> {
    pub(super) fn new(document: &'d Document) -> Self {
        Original { document, hash: OnceCell::new() }
    }

    fn hash(&self) -> u64 {
        *self.hash.get_or_init(|| hash_bytes(self.document.bytes()))
    }
}

/// Makes the misses of a document.
pub(super) struct Refusals<'a> {
    pub(super) file: &'a File<'a>,
    /// The hash of the original document, for the [fingerprint](Miss::fingerprint).
    pub(super) original: &'a Original<'a>,
    pub(super) level: Level,
}

impl Refusals<'_> {
    /// Returns the miss of a refused chunk.
    pub(super) fn miss(&self, chunk: &Chunk<'_>, refusal: &Refusal) -> Miss {
        let best = chunk.explanations.first();
        match (refusal, best) {
            (Refusal::Clash(line), _) => self.with_reason(chunk, Reason::Overlap { line: *line }),
            (Refusal::NothingQuoted, _) => self.with_reason(chunk, Reason::NothingQuoted),
            (Refusal::Two(one, other), _) => self.two(chunk, *one, *other),
            (Refusal::Obstacle(obstacle), Some(best)) => {
                let mut all = chunk.explanations.iter();
                let with_obstacle =
                    all.find(|explanation| explanation.effect.as_ref().err() == Some(obstacle));
                self.at(chunk, with_obstacle.unwrap_or(best), *obstacle)
            }
            (Refusal::TooLittle, Some(best)) if self.is_half_there(best) => self.too_little(chunk, best),
            (Refusal::NotFound | Refusal::TooLittle | Refusal::Obstacle(_), _) => self.nowhere(chunk),
        }
    }

    /// Returns the miss of a chunk whose lines only the result of other chunks has.
    pub(super) fn not_in_original(&self, chunk: &Chunk<'_>) -> Miss {
        let index = Index::new(self.original.document);
        let file = File::new(&index, self.file.costs);
        Refusals { file: &file, original: self.original, level: self.level }
            .with_reason(chunk, Reason::NotFound)
    }

    /// Returns the miss of a chunk with too few quoted lines at a position.
    fn too_little(&self, chunk: &Chunk<'_>, best: &Explanation<'_>) -> Miss {
        let is_equal =
            |other: &Explanation<'_>| other.lines.start != best.lines.start && other.cost == best.cost;
        match chunk.explanations.iter().position(is_equal) {
            Some(equal) => self.two(chunk, 0, equal),
            None if chunk.is_of_other_block(self.file, best) => {
                self.doubtful(chunk, best, Doubt::OutsideHeader, None)
            }
            None => self.doubtful(chunk, best, Doubt::FewLines, None),
        }
    }

    /// Returns a miss without a position.
    pub(super) fn with_reason(&self, chunk: &Chunk<'_>, reason: Reason) -> Miss {
        let lines: Vec<String> = chunk.edit.lines.iter().map(Line::with_sign).collect();
        let headers = chunk.edit.headers.iter().map(|header| &**header);
        let asked: Vec<&str> = headers.chain(lines.iter().map(String::as_str)).collect();
        Miss {
            tried: self
                .level
                .tiers()
                .last()
                .copied()
                .filter(|_| self.level < Level::Guarded)
                .unwrap_or(Tier::Alignment),
            missing_headers: chunk.headers.missing.clone().into(),
            lines: Box::new(LinesInDocument {
                changed: changed_lines(self.file, chunk.plain()),
                header: chunk.headers.innermost(),
            }),
            ..Miss::hashed(reason, self.original.hash(), &asked)
        }
    }

    /// Returns a miss at the position of an explanation that has no bytes.
    pub(super) fn at(&self, chunk: &Chunk<'_>, explanation: &Explanation<'_>, obstacle: Obstacle) -> Miss {
        // With a tighter level, a match that needs a looser comparison is no match.
        if !fits_level(self.level, self.file, explanation) {
            return self.nowhere(chunk);
        }
        let doubt = match obstacle {
            Obstacle::RemovedMissing { .. } | Obstacle::Unsigned { .. } => return self.nowhere(chunk),
            Obstacle::RemovedDiffers { row } if !self.is_misspelt(explanation, row) => {
                return self.nowhere(chunk);
            }
            obstacle => obstacle.doubt(),
        };
        self.doubtful(chunk, explanation, doubt, Some(obstacle))
    }

    fn is_misspelt(&self, explanation: &Explanation<'_>, row: usize) -> bool {
        explanation.aligned(self.file).is_alike(row)
    }

    /// Returns the miss of a quote without a match, with the nearest lines.
    fn nowhere(&self, chunk: &Chunk<'_>) -> Miss {
        let document = self.file.document();
        if let Some(line) = nearest::line_not_text(document, chunk.edit) {
            return self.with_reason(chunk, Reason::NotText { line });
        }
        if let Some(places) = self.crowded(chunk) {
            let shape = Shape { len: chunk.plain().old_rows().count(), exact: true, headers_lead: false };
            let alternatives = alternatives(self.file.index, &places, shape);
            return Miss { alternatives, ..self.with_reason(chunk, Reason::Ambiguous { places }) };
        }
        let mut found = nearest::nearest(self.file, chunk.plain(), &chunk.explanations);
        if let Some(nearest) = &mut found {
            nearest.mended = correction::of_nowhere(self.file, chunk.edit, &chunk.explanations);
        }
        let candidates = chunk.explanations.iter().take(1).map(|best| candidate(self.file, best)).collect();
        let reason = match &found {
            Some(nearest) if nearest.lacks_only_dots() => Reason::Elision,
            None if chunk.plain().filled_old_rows().all(|row| is_dots(row.line.text())) => Reason::Elision,
            _ => Reason::NotFound,
        };
        let found = found.or_else(|| match &chunk.headers.innermost()?.1[..] {
            [header] => Some(Nearest::below_header(self.file, *header)),
            _ => None,
        });
        let miss = Miss { nearest: found.map(Box::new), candidates, ..self.with_reason(chunk, reason) };
        self.with_removed_elsewhere(chunk, miss)
    }

    /// Adds the positions of the first removed line that the document has, but not at the nearest position.
    fn with_removed_elsewhere(&self, chunk: &Chunk<'_>, miss: Miss) -> Miss {
        let Some(nearest) = miss.nearest.as_deref() else { return miss };
        let place = nearest.place();
        let removed = miss.lines.changed.iter().filter(|line| line.kind == LineKind::Remove);
        let mut elsewhere = removed.filter(|line| !line.lines.iter().any(|line| place.contains(line)));
        let places = elsewhere.find(|line| !line.lines.is_empty()).map(|line| line.lines.clone());
        let alternatives = self.apart_from(chunk, place.start, &places.unwrap_or_default(), 1);
        Miss { alternatives, ..miss }
    }

    /// Returns positions, ascending, that are not the position at `start`, with what tells each from the others.
    fn apart_from(
        &self,
        chunk: &Chunk<'_>,
        start: usize,
        places: &[usize],
        len: usize,
    ) -> Box<[Alternative]> {
        if places.is_empty() {
            return Box::default();
        }
        let mut all: Vec<usize> = places.iter().copied().chain([start]).collect();
        all.sort_unstable();
        all.dedup();
        let shape = Shape { len, exact: false, headers_lead: !chunk.edit.is_text() };
        let mut found = alternatives(self.file.index, &all, shape).into_vec();
        found.retain(|place| place.start != start);
        found.into()
    }

    /// Returns the lines of a quote whose lines are too frequent in the file to be compared.
    fn crowded(&self, chunk: &Chunk<'_>) -> Option<Vec<usize>> {
        let filled: Vec<&Row<'_>> = chunk.plain().filled_old_rows().collect();
        let is_crowded = |row: &&Row<'_>| self.file.occurrences(&row.line) > MOST_LINES;
        let first =
            filled.first().filter(|_| chunk.explanations.is_empty() && filled.iter().all(is_crowded))?;
        Some(self.file.squashed_lines(&first.line).collect()).filter(|places: &Vec<usize>| places.len() > 1)
    }

    /// Checks whether at least half of the quoted lines with text are there.
    fn is_half_there(&self, explanation: &Explanation<'_>) -> bool {
        let aligned = explanation.aligned(self.file);
        if self.level < Level::Guarded
            || matches!(
                explanation.effect,
                Err(Obstacle::RemovedMissing { .. } | Obstacle::RemovedDiffers { .. })
            )
        {
            return false;
        }
        let is_filled = |row: &usize| !aligned.reading.old(*row).is_blank();
        let rows: Vec<usize> = aligned.rows().filter(is_filled).collect();
        let there = rows.iter().filter(|row| aligned.is_alike(**row)).count();
        explanation.state == State::ToMake && 2 * there >= rows.len()
    }

    fn doubtful(
        &self,
        chunk: &Chunk<'_>,
        explanation: &Explanation<'_>,
        doubt: Doubt,
        obstacle: Option<Obstacle>,
    ) -> Miss {
        let mut near = match explanation.state {
            State::Made => Nearest::made(self.file, explanation),
            State::ToMake => Nearest::of(&explanation.aligned(self.file)),
        };
        if matches!(doubt, Doubt::MisspeltRemoval | Doubt::SkippedInRemoval | Doubt::SkippedInTexts) {
            near.mended = correction::quoted_from(self.file, chunk.edit, explanation);
        }
        if matches!(doubt, Doubt::FewLines | Doubt::OutsideHeader | Doubt::GarbledAddition) {
            near = near.with_lines_beside(self.file, true, true);
        }
        let line = obstacle.and_then(|obstacle| self.line_of(explanation, obstacle));
        near.in_doubt = match obstacle.map(Obstacle::spot) {
            Some(Spot::Line(line)) => near.position(line),
            Some(Spot::Row(row)) => near.quoted_at(row),
            _ => None,
        };
        let reason = Reason::Doubt { place: explanation.lines.clone(), line, doubt };
        let mut miss = Miss {
            tried: tier(self.file, explanation),
            // A chunk that only adds lines has no quoted line to compare.
            nearest: Some(Box::new(near)).filter(|near| !near.lines.is_empty()),
            candidates: Box::new([candidate(self.file, explanation)]),
            ..self.with_reason(chunk, reason)
        };
        match doubt {
            Doubt::LooksApplied => self.with_removed_elsewhere(chunk, miss),
            Doubt::FitsElsewhere | Doubt::InOtherForm => {
                let (start, len) = (explanation.lines.start, explanation.lines.len());
                miss.alternatives = self.apart_from(chunk, start, line.as_slice(), len);
                miss
            }
            Doubt::GarbledAddition => {
                find_garbled(&mut miss);
                miss
            }
            _ => miss,
        }
    }

    fn line_of(&self, explanation: &Explanation<'_>, obstacle: Obstacle) -> Option<usize> {
        match obstacle.spot() {
            Spot::Line(line) => Some(line),
            Spot::Row(row) => explanation.pairs.get(row)?.line().filter(|line| *line < self.file.len()),
            Spot::None => None,
        }
    }

    /// Returns the miss of a chunk with two explanations that write different bytes.
    fn two(&self, chunk: &Chunk<'_>, one: usize, other: usize) -> Miss {
        let (one, other) = (&chunk.explanations[one], &chunk.explanations[other]);
        let candidates = Box::new([candidate(self.file, one), candidate(self.file, other)]);
        let made = [one, other].into_iter().find(|explanation| explanation.state == State::Made);
        let miss = match (&one.effect, &other.effect) {
            _ if made.is_some() => {
                let made = made.unwrap_or(one);
                let to_make = if made.state == one.state { other } else { one };
                let (start, len) = (to_make.lines.start, to_make.lines.len());
                let mut miss = self.doubtful(chunk, made, Doubt::LooksApplied, None);
                if to_make.is_apart(made) {
                    miss.alternatives = self.apart_from(chunk, made.lines.start, &[start], len);
                }
                miss
            }
            _ if one.lines.start != other.lines.start => self.ambiguous(chunk, one, Some(other)),
            (Err(obstacle), _) => self.at(chunk, one, *obstacle),
            (_, Err(obstacle)) => self.at(chunk, other, *obstacle),
            _ if one.map != other.map => self.doubtful(chunk, one, Doubt::LostNesting, None),
            _ => self.doubtful(chunk, one, Doubt::SeveralWays, None),
        };
        Miss { candidates, ..miss }
    }

    /// Returns the miss of a chunk with several equal positions. `other`: a position that is equal together with the other chunks.
    fn ambiguous(&self, chunk: &Chunk<'_>, best: &Explanation<'_>, other: Option<&Explanation<'_>>) -> Miss {
        let most = best.cost + self.file.costs.margin;
        let alike = chunk.explanations.iter().filter(|explanation| explanation.cost <= most);
        let mut places: Vec<usize> = alike.chain(other).map(|explanation| explanation.lines.start).collect();
        let exact = Nearest::of(&best.aligned(self.file)).lines.iter().all(NearLine::same);
        if exact && chunk.headers.innermost().is_none() && !chunk.edit.end_of_file {
            // Not all explanations of equal cost are searched.
            places.extend(self.occurrences(&best.reading).take(Alternative::COUNTED));
        }
        places.sort_unstable();
        places.dedup();
        // No header selects the end of the file, or a position behind a line of dots; two texts have no headers.
        let has_headers = !chunk.edit.is_text();
        let headers_lead = has_headers && !chunk.edit.end_of_file && !best.reading.has_dots();
        let shape = Shape { len: best.lines.len(), exact, headers_lead };
        let alternatives = alternatives(self.file.index, &places, shape);
        Miss {
            tried: tier(self.file, best),
            alternatives,
            ..self.with_reason(chunk, Reason::Ambiguous { places })
        }
    }
}

impl Refusals<'_> {
    /// Returns the first lines of the positions where the document has all rows of a quote, one below the other.
    fn occurrences<'r>(&'r self, reading: &'r Reading<'_>) -> impl Iterator<Item = usize> + 'r {
        let first = reading.old_rows().enumerate().find(|(_, row)| !row.is_blank());
        let starts = first.into_iter().flat_map(|(nth, row)| {
            self.file.squashed_lines(&row.line).filter_map(move |line| line.checked_sub(nth))
        });
        let is_there =
            |(line, row): (usize, &Row<'_>)| self.file.document().text(line) == Some(row.line.text());
        starts.filter(move |start| (*start..).zip(reading.old_rows()).all(is_there))
    }
}

impl Miss {
    /// Returns a miss of an edit in a document, without a nearest position.
    pub fn new(reason: Reason, document: &Document, lines: &[&str]) -> Self {
        Self::hashed(reason, hash_bytes(document.bytes()), lines)
    }

    /// Returns a miss for a document whose bytes have this hash.
    fn hashed(reason: Reason, document: u64, lines: &[&str]) -> Self {
        let separated = lines.iter().flat_map(|line| line.bytes().chain([b'\n']));
        let quote: Vec<u8> = document.to_le_bytes().into_iter().chain(separated).collect();
        let fingerprint = hash_bytes(&quote);
        Miss {
            reason,
            tried: Tier::Exact,
            missing_headers: Box::default(),
            nearest: None,
            alternatives: Box::default(),
            candidates: Box::default(),
            lines: Box::default(),
            fingerprint,
        }
    }

    /// Returns a miss of a text that matches at several lines of a document.
    pub(crate) fn ambiguous(places: Vec<usize>, document: &Document, lines: &[&str]) -> Self {
        let shape = Shape { len: lines.len(), exact: true, headers_lead: false };
        let alternatives = alternatives(&Index::new(document), &places, shape);
        Miss { alternatives, ..Self::new(Reason::Ambiguous { places }, document, lines) }
    }
}

/// Looks up added lines with characters of a wrong code page among the unquoted lines of the nearest position.
fn find_garbled(miss: &mut Miss) {
    let Some(nearest) = &miss.nearest else { return };
    for added in miss.lines.changed.iter_mut().filter(|line| line.kind == LineKind::Add) {
        let is_garbled =
            |line: &&ActualLine| Difference::between(&added.text, &line.text) == Difference::CodePage;
        let found: Vec<usize> = nearest.unquoted().filter(is_garbled).map(|line| line.line).collect();
        added.lines.extend(found);
    }
}

/// Looks up the first changed lines with letters or digits.
fn changed_lines(file: &File<'_>, reading: &Reading<'_>) -> Vec<ChangedLine> {
    let changed = reading.rows.iter().filter(|row| !row.is_context());
    let changed =
        changed.filter(|row| row.line.text().contains(char::is_alphanumeric)).take(ChangedLine::MOST);
    let looked_up = changed.map(|row| ChangedLine {
        number: row.number,
        kind: row.kind,
        text: row.line.text().to_owned(),
        lines: file.squashed_lines(&row.line).take(ChangedLine::MOST_LINES).collect(),
    });
    looked_up.collect()
}
