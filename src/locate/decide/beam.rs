//! Assigns an explanation to each chunk of a file: the cheapest assignments.
//!
//! The chunks are assigned in order. Relations between chunks add to the cost: their order, their states, their
//! indentation maps, and overlapping changes. Assignments that exceed the cheapest by more than the margin are dropped.

use std::ops::Range;
use std::rc::Rc;

use super::chunk::Chunk;
use super::conflict::{Conflict, Conflicts};
use crate::locate::align::file::File;
use crate::locate::align::map::IndentMap;
use crate::locate::explanation::{Explanation, State};
use crate::locate::search::scope::Scope;

/// The most assignments that are kept from chunk to chunk.
const WIDTH: usize = 200;

/// The same where there are more chunks than this.
const MANY_CHUNKS: usize = 500;
const WIDTH_OF_MANY: usize = 20;

/// An explanation for each of the chunks so far.
#[derive(Debug, Clone)]
pub(super) struct Assignment {
    pub(super) cost: i32,
    /// The explanation of the last chunk, by index, and the assignment of the previous chunks.
    last: Option<Rc<Link>>,
    /// The line behind the last change so far.
    end: usize,
    maps: Vec<IndentMap>,
    /// Two chunks change the same lines.
    pub(super) clashes: bool,
    has_made: bool,
    has_to_make: bool,
    /// How many lines the last hunk was away from its line number.
    offset: isize,
}

#[derive(Debug)]
struct Link {
    chunk: usize,
    choice: usize,
    before: Option<Rc<Link>>,
}

impl Assignment {
    /// Returns the assignment of no chunk. `clashes`: whether chunks clash in every assignment.
    fn empty(clashes: bool) -> Self {
        Assignment {
            cost: 0,
            last: None,
            end: 0,
            maps: Vec::new(),
            clashes,
            has_made: false,
            has_to_make: false,
            offset: 0,
        }
    }

    /// Returns the chosen explanation of each chunk, by index; `None` for chunks that were left out.
    pub(super) fn choices(&self, chunks: usize) -> Vec<Option<usize>> {
        let mut choices = vec![None; chunks];
        let mut link = &self.last;
        while let Some(here) = link {
            choices[here.chunk] = Some(here.choice);
            link = &here.before;
        }
        choices
    }

    /// Returns the choice for an earlier chunk.
    fn choice(&self, chunk: usize) -> Option<usize> {
        let mut link = self.last.as_ref();
        while let Some(here) = link.filter(|here| here.chunk >= chunk) {
            if here.chunk == chunk {
                return Some(here.choice);
            }
            link = here.before.as_ref();
        }
        None
    }
}

impl Drop for Assignment {
    /// Drops long chains of links without recursion.
    fn drop(&mut self) {
        let mut link = self.last.take();
        while let Some(mut here) = link.and_then(Rc::into_inner) {
            link = here.before.take();
        }
    }
}

/// Finds the cheapest assignments of explanations to chunks.
pub(super) struct Beam<'a, 'q> {
    pub(super) file: &'a File<'a>,
    pub(super) chunks: &'a [Chunk<'q>],
    /// The chunks that take part, ascending.
    pub(super) among: &'a [usize],
    pub(super) conflicts: &'a Conflicts,
}

impl<'q> Beam<'_, 'q> {
    /// Returns the assignments, the cheapest first.
    pub(super) fn assignments(&self) -> Vec<Assignment> {
        let width = if self.among.len() > MANY_CHUNKS { WIDTH_OF_MANY } else { WIDTH };
        let mut assignments = vec![Assignment::empty(self.conflicts.always_clash())];
        for (nth, chunk) in self.among.iter().enumerate() {
            if self.chunks[*chunk].explanations.is_empty() {
                continue;
            }
            let before = nth.checked_sub(1).map(|nth| self.among[nth]).filter(|before| before + 1 == *chunk);
            let first = self.first_in_conflict(*chunk);
            let mut next: Vec<Assignment> = Vec::with_capacity(assignments.len());
            for assignment in &assignments {
                let chosen = Chosen::of(assignment, first, *chunk);
                let choices = 0..self.chunks[*chunk].explanations.len();
                next.extend(choices.map(|choice| self.extended(assignment, &chosen, *chunk, choice, before)));
            }
            next.sort_by_key(|assignment| assignment.cost);
            let most = next.first().map_or(0, |best| best.cost + self.file.costs.limit());
            next.truncate(width);
            next.retain(|assignment| assignment.cost <= most);
            assignments = next;
        }
        assignments
    }

    fn explanation(&self, chunk: usize, choice: usize) -> &Explanation<'q> {
        &self.chunks[chunk].explanations[choice]
    }

    fn extended(
        &self,
        assignment: &Assignment,
        chosen: &Chosen,
        chunk: usize,
        choice: usize,
        before: Option<usize>,
    ) -> Assignment {
        let explanation = self.explanation(chunk, choice);
        let costs = self.file.costs;
        let mut next = assignment.clone();
        let conflict = self.conflict(chosen, chunk, choice);
        next.clashes |= conflict == Some(Conflict::Clash);
        // A chunk that repeats an earlier one is where that is, and a slip that is repeated is one slip.
        let is_repeated = conflict == Some(Conflict::SameChange);
        next.cost += match conflict {
            Some(Conflict::Clash) => explanation.cost + costs.clash,
            Some(Conflict::SameChange) => costs.same_change,
            None => explanation.cost,
        };
        next.cost += self.state_cost(&mut next, chunk, explanation);
        let edit = self.chunks[chunk].edit;
        if let Some(anchor) = before.filter(|_| !edit.begins_section) {
            next.cost += self.anchor_cost(assignment, anchor, explanation);
        }
        let end = if edit.begins_section { 0 } else { assignment.end };
        let is_out_of_order = explanation.span.start < end && !is_repeated;
        if is_out_of_order && edit.has_order() && !self.has_own_header(chunk, explanation) {
            next.cost += costs.order;
        }
        if before.is_some_and(|before| self.is_above_equal(assignment, before, chunk, explanation))
            && !is_repeated
        {
            next.cost += costs.order;
        }
        next.cost += self.number_cost(&mut next, chunk, explanation);
        next.cost += self.map_cost(&mut next, explanation);
        next.end = end.max(explanation.span.end);
        next.last = Some(Rc::new(Link { chunk, choice, before: assignment.last.clone() }));
        next
    }

    /// Checks whether an explanation is above the position of an equal chunk before: equal chunks have the order of the file,
    /// because any other order has the same result. In an envelope or a diff, this adds to what the order costs.
    fn is_above_equal(
        &self,
        assignment: &Assignment,
        before: usize,
        chunk: usize,
        explanation: &Explanation<'q>,
    ) -> bool {
        let (edit, other) = (self.chunks[chunk].edit, self.chunks[before].edit);
        let choice = || assignment.choice(before);
        edit.makes_same_change(other)
            && choice()
                .is_some_and(|choice| explanation.span.start < self.explanation(before, choice).span.end)
    }

    /// Checks whether a header that the chunk before does not have leads to a position: the order of the chunks tells nothing then.
    fn has_own_header(&self, chunk: usize, explanation: &Explanation<'q>) -> bool {
        let headers = &self.chunks[chunk].headers;
        let is_named =
            headers.scopes.as_ref().is_some_and(|scopes| scopes.len() == 1) && headers.name_lines();
        is_named
            && headers.lead_to(&explanation.lines)
            && chunk.checked_sub(1).is_some_and(|before| !headers.are_same_as(&self.chunks[before].headers))
    }

    /// A patch was applied as a whole: a single event for all chunks. A mixture of applied and unapplied chunks is less
    /// likely.
    fn state_cost(&self, next: &mut Assignment, chunk: usize, explanation: &Explanation<'q>) -> i32 {
        if !self.chunks[chunk].changes() {
            return 0;
        }
        let costs = self.file.costs;
        match explanation.state {
            State::Made => {
                let is_first = !std::mem::replace(&mut next.has_made, true);
                match (is_first, next.has_to_make) {
                    (false, _) => -costs.made,
                    (true, true) => costs.made_in_part,
                    (true, false) => 0,
                }
            }
            State::ToMake => {
                let is_first = !std::mem::replace(&mut next.has_to_make, true);
                if is_first && next.has_made { costs.made_in_part } else { 0 }
            }
        }
    }

    /// A chunk that changes nothing determines the position of the next chunk: the scope of its last line.
    fn anchor_cost(&self, assignment: &Assignment, anchor: usize, explanation: &Explanation<'q>) -> i32 {
        let choice = assignment.choice(anchor).filter(|_| !self.chunks[anchor].changes());
        let Some(lines) = choice.map(|choice| self.explanation(anchor, choice).lines.clone()) else {
            return 0;
        };
        let scope = scope_of_anchor(self.file, &lines);
        let is_behind = explanation.lines.start >= lines.start;
        let is_inside = is_behind && explanation.lines.start < scope.end;
        if is_inside { 0 } else { self.file.costs.header }
    }

    /// The numbers of a unified diff: the line of the hunk, shifted by the same number of lines as the previous hunk.
    fn number_cost(&self, next: &mut Assignment, chunk: usize, explanation: &Explanation<'q>) -> i32 {
        let Some(hint) = self.chunks[chunk].headers.hint.filter(|hint| hint.line > 0) else { return 0 };
        let offset = hint.offset_of(explanation.lines.start);
        let distance = offset.abs_diff(next.offset);
        next.offset = offset;
        if distance == 0 {
            return 0;
        }
        let factors = i32::try_from(distance.ilog2()).unwrap_or(i32::MAX);
        // The logarithm to base 2 in steps of e.
        self.file.costs.number + self.file.costs.number_more * factors * 7 / 10
    }

    /// A map that another chunk shows is free.
    fn map_cost(&self, next: &mut Assignment, explanation: &Explanation<'q>) -> i32 {
        let map = explanation.map;
        if next.maps.contains(&map) {
            return -map.prior(self.file.costs);
        }
        next.maps.push(map);
        0
    }

    /// Returns the worst conflict of an explanation with the explanations that were chosen for earlier chunks.
    fn conflict(&self, chosen: &Chosen, chunk: usize, choice: usize) -> Option<Conflict> {
        let with_chosen = self.earlier(chunk, choice).iter().filter(|other| chosen.has(other.0, other.1));
        with_chosen.map(|(_, _, conflict)| *conflict).max()
    }

    /// Returns the explanations of earlier chunks that conflict with an explanation.
    fn earlier(&self, chunk: usize, choice: usize) -> &[(usize, usize, Conflict)] {
        let all = self.conflicts.of(chunk, choice);
        &all[..all.partition_point(|(other, ..)| *other < chunk)]
    }

    /// Returns the first chunk with an explanation that conflicts with an explanation of a later chunk.
    fn first_in_conflict(&self, chunk: usize) -> Option<usize> {
        let choices = 0..self.chunks[chunk].explanations.len();
        choices.filter_map(|choice| self.earlier(chunk, choice).first()).map(|(other, ..)| *other).min()
    }
}

/// Returns the scope of the last line of a chunk that changes nothing.
pub(super) fn scope_of_anchor(file: &File<'_>, lines: &Range<usize>) -> Scope {
    let filled = file.first_filled(lines.clone().rev());
    Scope::of_line(file.document(), filled.unwrap_or(lines.start), file.len())
}

/// The choices of an assignment from a chunk on, by chunk, so that no conflict follows the links.
struct Chosen {
    first: usize,
    choices: Vec<Option<usize>>,
}

impl Chosen {
    /// Collects the choices from the chunk `first` to a chunk; none without `first`.
    fn of(assignment: &Assignment, first: Option<usize>, chunk: usize) -> Self {
        let Some(first) = first else { return Chosen { first: chunk, choices: Vec::new() } };
        let mut choices = vec![None; chunk - first];
        let mut link = assignment.last.as_ref();
        while let Some(here) = link.filter(|here| here.chunk >= first) {
            choices[here.chunk - first] = Some(here.choice);
            link = here.before.as_ref();
        }
        Chosen { first, choices }
    }

    fn has(&self, chunk: usize, choice: usize) -> bool {
        self.choices[chunk - self.first] == Some(choice)
    }
}
