//! The chunks of a file, each judged by itself and then all together.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use super::adjacent::{Assigned, outside_of_adjacent};
use super::beam::{Assignment, Beam, scope_of_anchor};
use super::chunk::{Chunk, Refusal, Verdict};
use super::conflict::{Conflict, Conflicts};
use super::dominance::dominates;
use crate::locate::Ambiguity;
use crate::locate::align::cost::Costs;
use crate::locate::align::file::File;
use crate::locate::align::relation::Class;
use crate::locate::explanation::elsewhere::{obstacle_beside, obstacle_elsewhere};
use crate::locate::explanation::parts::{apart_from_quote, behind_copy};
use crate::locate::explanation::rival::better_for_context;
use crate::locate::explanation::{Explanation, Obstacle, State};

/// The chunks of a round, each judged by itself and then all together.
pub(super) struct Judged<'a, 'q> {
    file: &'a File<'a>,
    chunks: &'a [Chunk<'q>],
    /// Whether the file is the result of other chunks.
    is_later: bool,
    /// How many chunks write each line, without its whitespace.
    writers: HashMap<&'a str, usize>,
    /// The lines that the chunks remove.
    removed: OnceCell<HashSet<usize>>,
    pub(super) verdicts: Vec<Verdict>,
    /// The chunks that are clear by themselves, ascending.
    pub(super) open: Vec<usize>,
}

impl<'a, 'q> Judged<'a, 'q> {
    pub(super) fn new(file: &'a File<'a>, chunks: &'a [Chunk<'q>], is_later: bool) -> Self {
        let mut writers: HashMap<&'a str, usize> = HashMap::new();
        for line in chunks.iter().flat_map(written) {
            *writers.entry(line).or_default() += 1;
        }
        let mut judged = Judged {
            file,
            chunks,
            is_later,
            writers,
            removed: OnceCell::new(),
            verdicts: Vec::with_capacity(chunks.len()),
            open: Vec::new(),
        };
        for nth in 0..chunks.len() {
            let verdict = judged.alone(nth).map_or(Verdict::Open, Verdict::Refused);
            if matches!(verdict, Verdict::Open) {
                judged.open.push(nth);
            }
            judged.verdicts.push(verdict);
        }
        judged
    }

    /// Judges a chunk by itself.
    fn alone(&self, nth: usize) -> Option<Refusal> {
        let chunk = &self.chunks[nth];
        let Some(best) = chunk.explanations.first() else {
            return Some(if chunk.is_addition() { Refusal::NothingQuoted } else { Refusal::NotFound });
        };
        if !chunk.is_addition() && chunk.quotes_nothing() {
            return Some(Refusal::NothingQuoted);
        }
        if !chunk.is_addition() && !chunk.has_enough_evidence(self.file, best) {
            let is_made =
                |other: &Explanation<'_>| best.is_exact() && is_made_elsewhere(self.file, best, other);
            let made = chunk.explanations.iter().position(is_made);
            return Some(made.map_or(Refusal::TooLittle, |made| Refusal::Two(0, made)));
        }
        if chunk.is_crowded {
            return Some(Refusal::Two(0, 1));
        }
        if let Some(exact) = Self::exact_beside_part(chunk, best) {
            return Some(Refusal::Two(0, exact));
        }
        if chunk.is_encoded {
            return Some(Refusal::Obstacle(Obstacle::Encoded));
        }
        if let Some(obstacle) = best.obstacle() {
            return Some(Refusal::Obstacle(obstacle));
        }
        if best.state == State::ToMake
            && !best.is_exact()
            && let Some(obstacle) = obstacle_elsewhere(self.file, best, self.removed())
        {
            return Some(Refusal::Obstacle(obstacle));
        }
        if !chunk.changes()
            && let Some(row) = row_to_add(self.file, best)
        {
            return Some(Refusal::Obstacle(Obstacle::LostPlus { row }));
        }
        // The lines that other chunks wrote are known exactly.
        let is_inexact = self.is_later && best.cost >= self.file.costs.margin;
        if best.state == State::ToMake && (is_inexact || best.cost > 0 && self.quotes_written(nth)) {
            return Some(Refusal::NotFound);
        }
        None
    }

    /// Returns the explanation with the exact quote, if a line of the result is not in the file: what is there may be similar lines.
    fn exact_beside_part(chunk: &Chunk<'q>, best: &Explanation<'q>) -> Option<usize> {
        let mut result = best.reading.rows.iter().filter(|row| !row.removes()).zip(best.pairs.iter());
        let is_part =
            best.state == State::Made && result.any(|(row, pair)| !row.is_blank() && !pair.is_found());
        let is_exact = |other: &Explanation<'_>| {
            other.state == State::ToMake && other.cost - other.coincidence == other.position
        };
        chunk.explanations.iter().position(is_exact).filter(|_| is_part)
    }

    /// Returns the lines that the chunks remove, each at its likeliest position: none if its edit was made before.
    fn removed(&self) -> &HashSet<usize> {
        self.removed.get_or_init(|| {
            let best = self.chunks.iter().filter_map(|chunk| chunk.explanations.first());
            best.flat_map(|best| best.removed.iter().copied()).collect()
        })
    }

    /// Checks whether a chunk quotes a line that only another chunk writes.
    fn quotes_written(&self, nth: usize) -> bool {
        let own = written(&self.chunks[nth]);
        self.chunks[nth].plain().filled_old_rows().any(|row| {
            let writers = self.writers.get(row.line.squashed()).copied().unwrap_or_default();
            let others = writers - usize::from(own.contains(row.line.squashed()));
            others > 0 && !self.file.has_squashed(&row.line)
        })
    }

    /// Drops a line that changes nothing and is not in the file. A line without a sign must be in the file, and of several lines one
    /// may be an added line that lost its sign.
    pub(super) fn drop_missing_anchors(&mut self) {
        for nth in 0..self.chunks.len() {
            let chunk = &self.chunks[nth];
            let mut filled = chunk.plain().filled_old_rows();
            let is_line = filled.next().is_none_or(|row| row.signed) && filled.next().is_none();
            let is_refused = matches!(self.verdicts[nth], Verdict::Refused(_));
            if is_refused && !chunk.changes() && self.chunks.len() > 1 && is_line {
                self.verdicts[nth] = Verdict::Anchor;
                self.ask_for_more(nth);
            }
        }
    }

    /// Requires more evidence for a chunk behind an anchor that does not match, as for a missing header.
    fn ask_for_more(&mut self, anchor: usize) {
        let nth = anchor + 1;
        let Some(chunk) = self.chunks.get(nth).filter(|_| matches!(self.verdicts[nth], Verdict::Open)) else {
            return;
        };
        let missing = self.chunks[anchor].missing_cost(self.file) + self.file.costs.margin;
        let is_too_little = chunk.explanations.first().is_some_and(|best| {
            best.state == State::ToMake
                && !chunk.is_addition()
                && (chunk.quotes_one_line() || best.cost + missing > chunk.null_cost(self.file, best))
        });
        if is_too_little {
            self.verdicts[nth] = Verdict::Refused(Refusal::TooLittle);
            self.open.retain(|open| *open != nth);
        }
    }

    /// Postpones chunks that quote lines of other chunks to the next round.
    pub(super) fn put_off(&mut self) {
        for nth in 0..self.chunks.len() {
            if matches!(self.verdicts[nth], Verdict::Refused(_)) && self.quotes_written(nth) {
                self.verdicts[nth] = Verdict::PutOff;
            }
        }
    }

    /// Decides the open chunks together. Returns the choice for each chunk.
    pub(super) fn decide(&mut self, ambiguity: Ambiguity) -> Vec<Option<usize>> {
        let among = std::mem::take(&mut self.open);
        let conflicts = Conflicts::new(self.file, self.chunks, &among);
        let beam = Beam { file: self.file, chunks: self.chunks, among: &among, conflicts: &conflicts };
        let assignments = beam.assignments();
        let Some((best, others)) = assignments.split_first() else { return vec![None; self.chunks.len()] };
        let choices = best.choices(self.chunks.len());
        if ambiguity == Ambiguity::Refuse {
            let most = best.cost + self.file.costs.limit();
            for other in others.iter().take_while(|other| other.cost <= most) {
                self.compare(best, &choices, other);
            }
        }
        if best.clashes {
            self.refuse_clashing(&among, &choices);
        }
        self.refuse_displaced(&among, &choices);
        for nth in &among {
            self.doubt_outside_of_anchor(*nth, &choices);
            self.doubt_made_elsewhere(*nth, choices[*nth]);
            self.doubt_added_beside(*nth, choices[*nth]);
            let explanation = choices[*nth].map(|choice| &self.chunks[*nth].explanations[choice]);
            if let Some(obstacle) = explanation.and_then(Explanation::obstacle) {
                self.refuse(*nth, Refusal::Obstacle(obstacle));
            }
            self.doubt_position(*nth, choices[*nth]);
        }
        self.doubt_outside_of_adjacent(&among, &choices);
        choices
    }

    /// Refuses a chunk whose position is before the anchor of the chunk, or a short quote behind the block of the anchor: the anchor names
    /// the block, as a header does.
    fn doubt_outside_of_anchor(&mut self, nth: usize, choices: &[Option<usize>]) {
        let Some(anchor) = nth.checked_sub(1).filter(|anchor| !self.chunks[*anchor].changes()) else {
            return;
        };
        let position = |nth: usize| choices[nth].map(|choice| self.explanation(nth, choice));
        let (Some(own), Some(above)) = (position(nth), position(anchor)) else { return };
        let (chunk, edit) = (&self.chunks[nth], self.chunks[nth].edit);
        let is_left = || {
            let scope = scope_of_anchor(self.file, &above.lines);
            scope.is_known && own.lines.start >= scope.end && chunk.is_outweighed(self.file, own)
        };
        if edit.has_order()
            && !edit.begins_section
            && chunk.changes()
            && own.state == State::ToMake
            && (own.span.start < above.lines.start || is_left())
        {
            self.refuse(nth, Refusal::TooLittle);
        }
    }

    /// Refuses a chunk of which the lines that are in the file, or those beside the change, do not show the position by themselves,
    /// or whose context fits another position better.
    fn doubt_position(&mut self, nth: usize, choice: Option<usize>) {
        let (chunk, Some(choice)) = (&self.chunks[nth], choice) else { return };
        let own = &chunk.explanations[choice];
        if own.state != State::ToMake || chunk.is_addition() {
            return;
        }
        let aligned = own.aligned(self.file);
        let refusal = if let Some(obstacle) = apart_from_quote(&aligned) {
            Some(Refusal::Obstacle(obstacle))
        } else if chunk.is_cut_short(self.file, own) {
            Some(Refusal::TooLittle)
        } else if own.is_exact() {
            None
        } else {
            let better = better_for_context(&aligned, chunk.headers.hint, self.removed());
            let fits = better.map(|line| Obstacle::FitsElsewhere { line });
            let is_led = chunk.headers.lead_to(&(own.lines.start..own.lines.start + 1));
            fits.or_else(|| behind_copy(&aligned).filter(|_| !is_led)).map(Refusal::Obstacle)
        };
        if let Some(refusal) = refusal {
            self.refuse(nth, refusal);
        }
    }

    /// Refuses a chunk with an inexact quote whose result is elsewhere: the edit may have been made there, and the quote is a
    /// similar block.
    fn doubt_made_elsewhere(&mut self, nth: usize, choice: Option<usize>) {
        let Some(choice) = choice else { return };
        let explanations = &self.chunks[nth].explanations;
        let own = &explanations[choice];
        let is_elsewhere = |other: &Explanation<'_>| {
            !self.chunks[nth].headers.lead_to(&own.lines) && is_made_elsewhere(self.file, own, other)
                || self.is_made_at_number(nth, own, other)
                || self.is_made_under_header(nth, own, other)
                || self.is_made_at_other_quote(nth, own, other)
        };
        if let Some(other) = explanations.iter().position(is_elsewhere) {
            self.refuse(nth, Refusal::Two(choice, other));
        }
    }

    /// Refuses a chunk that belongs to the block of an adjacent chunk, and not to its position.
    fn doubt_outside_of_adjacent(&mut self, among: &[usize], choices: &[Option<usize>]) {
        let assigned = |nth: usize| {
            let explanation = self.explanation(nth, choices[nth]?);
            self.chunks[nth].changes().then_some(Assigned { nth, chunk: &self.chunks[nth], explanation })
        };
        let assigned: Vec<Assigned<'_, '_>> = among.iter().filter_map(|nth| assigned(*nth)).collect();
        for (nth, obstacle) in outside_of_adjacent(self.file, &assigned) {
            self.refuse(nth, Refusal::Obstacle(obstacle));
        }
    }

    /// Refuses a chunk with an exact quote whose added lines are beside the position.
    fn doubt_added_beside(&mut self, nth: usize, choice: Option<usize>) {
        let Some(own) = choice.map(|choice| self.explanation(nth, choice)) else { return };
        if own.state == State::ToMake
            && own.is_exact()
            && let Some(obstacle) = obstacle_beside(self.file, own, self.removed())
        {
            self.refuse(nth, Refusal::Obstacle(obstacle));
        }
    }

    /// Checks whether the numbers of a unified diff lead to the result of a chunk, and not to its quote.
    fn is_made_at_number(&self, nth: usize, own: &Explanation<'_>, other: &Explanation<'_>) -> bool {
        let Some(hint) = self.chunks[nth].headers.hint else { return false };
        own.state == State::ToMake
            && other.state == State::Made
            && own.is_apart(other)
            && !hint.is_of_quote(own.lines.start)
            && hint.is_of_result(other.lines.start)
    }

    /// Checks whether the block that the header names has the result of a chunk, and the quote is at the line number in another block: the
    /// file has changed above, so that the number leads elsewhere.
    fn is_made_under_header(&self, nth: usize, own: &Explanation<'_>, other: &Explanation<'_>) -> bool {
        let chunk = &self.chunks[nth];
        own.state == State::ToMake
            && other.state == State::Made
            && own.is_apart(other)
            && chunk.headers.name_lines()
            && chunk.is_inside(other)
            && !chunk.is_inside(own)
    }

    /// Checks whether the result of a chunk, or a part of it, is at another of the positions that have its quote, and no header or line
    /// number leads to the position of an explanation: an exact quote of both shows neither.
    fn is_made_at_other_quote(&self, nth: usize, own: &Explanation<'_>, other: &Explanation<'_>) -> bool {
        let is_quoted = || {
            let positions = own.reading.exact_positions(self.file);
            positions.len() > 1 && positions.iter().any(|line| other.lines.contains(line))
        };
        own.state == State::ToMake
            && (other.state == State::Made || other.coincidence > self.file.costs.margin)
            && own.is_apart(other)
            && !self.chunks[nth].headers.lead_to(&own.lines)
            && is_quoted()
    }

    /// Refuses the chunks for which another assignment writes different bytes.
    fn compare(&mut self, best: &Assignment, choices: &[Option<usize>], other: &Assignment) {
        let other_choices = other.choices(self.chunks.len());
        let differing: Vec<(usize, usize, usize)> = (0..self.chunks.len())
            .filter(|nth| self.chunks[*nth].changes())
            .filter_map(|nth| Some((nth, choices[nth]?, other_choices[nth]?)))
            .filter(|(nth, one, other)| {
                self.explanation(*nth, *one).signature != self.explanation(*nth, *other).signature
            })
            .collect();
        if differing.is_empty() {
            if other.clashes && !best.clashes {
                self.refuse_clashing(&(0..self.chunks.len()).collect::<Vec<_>>(), &other_choices);
            }
            return;
        }
        if other.cost > best.cost + self.margin(&differing) {
            return;
        }
        for (nth, one, other) in differing {
            self.refuse(nth, Refusal::Two(one, other));
        }
    }

    /// Returns the margin between two assignments: zero between an exact position and others, less if an explanation
    /// dominates.
    fn margin(&self, differing: &[(usize, usize, usize)]) -> i32 {
        let pairs: Vec<(&Explanation<'_>, &Explanation<'_>)> = differing
            .iter()
            .map(|(nth, one, other)| (self.explanation(*nth, *one), self.explanation(*nth, *other)))
            .collect();
        let costs = self.file.costs;
        let is_dominated = pairs.iter().all(|(one, other)| is_repeated(one, other, costs))
            || pairs.iter().all(|(one, other)| dominates(self.file, one, other));
        if is_dominated { costs.dominated } else { costs.margin }
    }

    fn explanation(&self, nth: usize, choice: usize) -> &'a Explanation<'q> {
        &self.chunks[nth].explanations[choice]
    }

    fn refuse(&mut self, nth: usize, refusal: Refusal) {
        if matches!(self.verdicts[nth], Verdict::Open) {
            self.verdicts[nth] = Verdict::Refused(refusal);
        }
    }

    /// Refuses the chunks that are outside of the block of their header because another chunk takes the position there, with this chunk.
    fn refuse_displaced(&mut self, among: &[usize], choices: &[Option<usize>]) {
        let chunks = self.chunks;
        let own = |nth: usize| choices[nth].map(|choice| &chunks[nth].explanations[choice]);
        for nth in among {
            let meant = own(*nth).and_then(|own| chunks[*nth].under_header(self.file, own));
            let Some(meant) = meant else { continue };
            let takes = |other: &&usize| own(**other).is_some_and(|own| !own.is_apart(meant));
            for refused in among.iter().filter(takes).chain([nth]) {
                self.refuse(*refused, Refusal::Clash(shared_line(meant)));
            }
        }
    }

    /// Refuses the chunks whose choices change lines of each other.
    fn refuse_clashing(&mut self, among: &[usize], choices: &[Option<usize>]) {
        let among: Vec<usize> = among.iter().copied().filter(|nth| choices[*nth].is_some()).collect();
        let conflicts = Conflicts::new(self.file, self.chunks, &among);
        for nth in &among {
            let Some(choice) = choices[*nth] else { continue };
            let clashes = conflicts.always_clashes(*nth)
                || conflicts.of(*nth, choice).iter().any(|(other, other_choice, conflict)| {
                    *conflict == Conflict::Clash && choices[*other] == Some(*other_choice)
                });
            if clashes {
                self.refuse(*nth, Refusal::Clash(shared_line(self.explanation(*nth, choice))));
            }
        }
    }
}

/// Returns the lines that a chunk writes, without their whitespace.
fn written<'c>(chunk: &'c Chunk<'_>) -> HashSet<&'c str> {
    chunk.plain().filled_added_rows().map(|row| row.line.squashed()).collect()
}

/// Checks for a result elsewhere that fits the file not clearly worse than an inexact quote, or is where headers lead to,
/// and the quote is not. A quote without letters shows no position that a result does not show better.
fn is_made_elsewhere(file: &File<'_>, one: &Explanation<'_>, other: &Explanation<'_>) -> bool {
    let quote = one.cost - one.position;
    let is_vague = || one.reading.old_rows().all(|row| row.line.letters() == 0);
    let is_weaker = || (quote > 0 || other.position < one.position) && other.is_result_apart(one);
    one.state == State::ToMake
        && other.state == State::Made
        && other.cost - other.position - other.prior < quote + file.costs.margin
        && (is_vague() || is_weaker())
}

/// Checks for an edit that was made, against making the edit again beside its result.
fn is_repeated(one: &Explanation<'_>, other: &Explanation<'_>, costs: &Costs) -> bool {
    one.state == State::Made && other.coincidence > costs.margin
}

/// Returns the line of the file that two refused chunks both change.
fn shared_line(explanation: &Explanation<'_>) -> usize {
    explanation.removed.first().copied().unwrap_or(explanation.span.start)
}

/// Returns a row with text of a chunk that changes nothing, if the file does not have its text: the row may be to be added.
fn row_to_add(file: &File<'_>, explanation: &Explanation<'_>) -> Option<usize> {
    let aligned = explanation.aligned(file);
    let is_there = |row: usize| aligned.class(row).is_some_and(|class| class < Class::Differs);
    aligned.rows().find(|row| !aligned.reading.old(*row).is_blank() && !is_there(*row))
}
