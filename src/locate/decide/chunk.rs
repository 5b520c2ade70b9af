//! The explanations of a chunk, before the chunks of a file are decided together.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use crate::locate::Matching;
use crate::locate::align::cost::Costs;
use crate::locate::align::file::File;
use crate::locate::align::pairing::Pairing;
use crate::locate::align::relation::Class;
use crate::locate::explanation::coincidence::coincidence;
use crate::locate::explanation::evidence::null_cost;
use crate::locate::explanation::made::{Moved, made};
use crate::locate::explanation::names::has_name;
use crate::locate::explanation::partly_made::partly_made;
use crate::locate::explanation::parts::is_cut_short;
use crate::locate::explanation::promises::Rules;
use crate::locate::explanation::solve::solve;
use crate::locate::explanation::{Explanation, Obstacle, Signature, State};
use crate::locate::reading::{Reading, Row, readings};
use crate::locate::search::headers::{Headers, LineHint};
use crate::patch::edit::Edit;

/// Why a chunk is refused.
#[derive(Debug, Clone)]
pub(super) enum Refusal {
    /// Nothing like the quote is in the file.
    NotFound,
    /// The chunk only adds lines, without a position.
    NothingQuoted,
    /// Too little of the quote is in the file.
    TooLittle,
    /// The cheapest explanation has no bytes.
    Obstacle(Obstacle),
    /// Two explanations write different bytes.
    Two(usize, usize),
    /// Another chunk changes this line, too.
    Clash(usize),
}

/// What becomes of a chunk.
#[derive(Debug, Clone)]
pub(super) enum Verdict {
    /// The chunk is part of the decision.
    Open,
    /// The chunk is matched against the result of the other chunks.
    PutOff,
    /// The chunk changes nothing, and does not match.
    Anchor,
    Refused(Refusal),
}

/// An edit of a file, with everything known before the other edits are considered.
pub(super) struct Chunk<'q> {
    pub(super) edit: &'q Edit<'q>,
    readings: Vec<Rc<Reading<'q>>>,
    pub(super) headers: Headers,
    /// The lines that other chunks remove.
    pub(super) moved: Moved,
    pub(super) rules: Rules,
    /// The explanations, the cheapest first, with different results.
    pub(super) explanations: Vec<Explanation<'q>>,
    /// Whether an encoder may have written the edit.
    pub(super) is_encoded: bool,
    /// Whether explanations were dropped that cost no more than the cheapest and the margin.
    pub(super) is_crowded: bool,
}

impl<'q> Chunk<'q> {
    /// Reads an edit and finds its explanations.
    pub(super) fn new(
        file: &File<'_>,
        edit: &'q Edit<'q>,
        plain: &Reading<'q>,
        moved: Moved,
        matching: &Matching,
    ) -> Self {
        let headers = Headers::follow(file.index, &edit.headers, matching.level);
        let (is_text, is_contiguous) = (edit.is_text(), edit.is_contiguous());
        let rules = Rules { is_text, is_contiguous, header: headers.named_block() };
        let readings = readings(file, plain, is_text, matching.literal).into_iter().map(Rc::new).collect();
        let mut chunk = Chunk {
            edit,
            readings,
            headers,
            moved,
            rules,
            explanations: Vec::new(),
            is_encoded: false,
            is_crowded: false,
        };
        chunk.solve(file);
        chunk
    }

    /// Finds the explanations.
    fn solve(&mut self, file: &File<'_>) {
        let mut found: Vec<Explanation<'q>> = Vec::new();
        for reading in &self.readings {
            let of_reading = solve(file, reading, file.costs.limit(), &self.rules);
            // The unchanged quote is in the file: further readings are not tried.
            let is_exact =
                !of_reading.is_empty() && of_reading.iter().all(|explanation| explanation.cost == 0);
            found.extend(of_reading);
            if is_exact {
                break;
            }
        }
        self.weigh_coincidence(file, &mut found);
        let to_make = found.len();
        for reading in &self.readings {
            let made = made(file, reading, &self.headers, &found[..to_make]);
            found.extend(made);
        }
        let mut rest = self.rest_to_make(file, &found);
        self.weigh_coincidence(file, &mut rest);
        found.extend(rest);
        doubt_blank_lines(file, &mut found);
        for explanation in &mut found {
            self.weigh_header(file, explanation);
        }
        self.prefer_block_of_header(file.costs, &mut found);
        let at_end: Vec<_> = found.iter().filter_map(|found| self.added_at_end(file, found)).collect();
        found.extend(at_end);
        Self::drop_siblings_of_found(file, &mut found);
        self.drop_others_of_made(file, &mut found);
        // Of several results, the one at the line number is the one that the number is about.
        let is_numbered = |found: &Explanation<'q>| {
            let is_result = |hint: LineHint| hint.is_of_result(found.lines.start);
            found.state == State::Made && self.headers.hint.is_some_and(is_result)
        };
        found.sort_by_key(|explanation| (explanation.cost, !is_numbered(explanation)));
        let most = found.first().map_or(0, |best| best.cost + file.costs.limit());
        let mut seen: HashSet<(Signature, Option<usize>)> = HashSet::new();
        // A chunk that changes nothing has only a position as its result. To remove one of several equal lines has the same result for
        // each, but not if other chunks remove the others.
        let has_position = !self.changes() || self.only_removes_as_others();
        found.retain(|explanation| {
            let position = has_position.then_some(explanation.lines.start);
            // A result that exists is a doubt if its lines fit, however unlikely it is that the edit was made before.
            explanation.cost - explanation.prior - explanation.coincidence <= most
                && seen.insert((explanation.signature.clone(), position))
        });
        self.explanations = found;
    }

    /// Adds the cost of the coincidence that a line to be added is there already, and that the quote is exact elsewhere.
    fn weigh_coincidence(&self, file: &File<'_>, found: &mut [Explanation<'q>]) {
        for explanation in found {
            // What is here tells nothing about a target elsewhere.
            if matches!(explanation.effect, Err(Obstacle::Sibling { .. })) {
                continue;
            }
            explanation.coincidence = coincidence(file, explanation, &self.moved);
            let elsewhere = explanation.aligned(file).exact_elsewhere();
            explanation.cost += explanation.coincidence + elsewhere;
        }
    }

    /// Returns the explanations by which a part of the edit was made before: the file has all other quoted lines, and neither the whole edit
    /// nor its result fits as well.
    fn rest_to_make(&self, file: &File<'_>, found: &[Explanation<'q>]) -> Vec<Explanation<'q>> {
        /// So many positions are looked at.
        const MOST: usize = 3;
        if found.iter().any(|found| found.state == State::Made && found.has_bytes()) {
            return Vec::new();
        }
        let is_quote = |found: &&Explanation<'q>| {
            found.state == State::ToMake && !matches!(found.effect, Err(Obstacle::Sibling { .. }))
        };
        let mut quotes: Vec<&Explanation<'q>> = found.iter().filter(is_quote).collect();
        quotes.sort_by_key(|found| found.cost);
        let is_clear = |best: &Explanation<'q>| {
            let aligned = best.aligned(file);
            let mut filled = aligned.rows().filter(|row| !aligned.reading.old(*row).is_blank());
            let is_rival = |quote: &&&Explanation<'q>| quote.has_bytes() || quote.is_apart(best);
            let rival = quotes.iter().filter(is_rival).map(|quote| quote.cost).min();
            best.has_bytes()
                && self.is_inside(best)
                && filled.all(|row| aligned.is_alike(row))
                && rival.is_none_or(|rival| best.cost + file.costs.limit() <= rival)
        };
        let readings = quotes.iter().take(MOST).filter_map(|quote| partly_made(&quote.aligned(file)));
        let mut rests =
            readings.map(|reading| solve(file, &Rc::new(reading), file.costs.margin, &self.rules));
        rests
            .find(|rest| rest.iter().min_by_key(|found| found.cost).is_some_and(is_clear))
            .unwrap_or_default()
    }

    /// Checks whether the chunk adds nothing, and removes lines that other chunks remove as well.
    fn only_removes_as_others(&self) -> bool {
        let plain = &self.readings[0];
        let mut removed = plain.old_rows().filter(|row| row.removes()).peekable();
        removed.peek().is_some() && !plain.adds() && removed.all(|row| self.moved.has(row))
    }

    /// Drops siblings whose name another explanation, which costs no more, has: the target is there. If the name is not even
    /// misspelt there, all explanations of the positions of these siblings are dropped. An explanation with the name that has most
    /// of its rows at the sibling, behind a jump, shows as much of the sibling as of the target.
    fn drop_siblings_of_found(file: &File<'_>, found: &mut Vec<Explanation<'q>>) {
        let row_of = |found: &Explanation<'q>| match found.effect {
            Err(Obstacle::Sibling { row }) => Some(row),
            _ => None,
        };
        let siblings: Vec<_> =
            found.iter().filter_map(|found| Some((row_of(found)?, Rc::clone(&found.pairs)))).collect();
        if siblings.is_empty() {
            return;
        }
        let others = found.iter().filter(|found| row_of(found).is_none());
        let is_sibling = |other: &Explanation<'q>| siblings.iter().any(|(_, pairs)| *pairs == other.pairs);
        // A position that shows a sibling does not show the name.
        let names = |other| if is_sibling(other) { HashMap::new() } else { rows_with_name(file, other) };
        let others: Vec<_> =
            others.map(|other| (other.cost, Rc::clone(&other.pairs), names(other))).collect();
        // How well the name of a sibling is known elsewhere.
        let known = |(row, pairs): &(usize, Rc<[Pairing]>)| {
            let own = others.iter().filter(|(_, other, _)| other == pairs).map(|(cost, ..)| *cost).min()?;
            let is_target = |other: &Rc<[Pairing]>| other != pairs && !jumps_to(other, pairs);
            let elsewhere = others.iter().filter(|(cost, other, _)| *cost <= own && is_target(other));
            elsewhere.filter_map(|(.., rows)| rows.get(row).copied()).min()
        };
        let known: Vec<_> = siblings.iter().map(|sibling| (known(sibling), &sibling.1)).collect();
        found.retain(|explanation| {
            let of_position = known.iter().find(|(_, pairs)| **pairs == explanation.pairs);
            match of_position.and_then(|(class, _)| *class) {
                Some(Class::Same) => false,
                Some(_) => row_of(explanation).is_none(),
                None => true,
            }
        });
    }

    /// Drops explanations of an edit to be made elsewhere, if the result is in the named block to the byte: the innermost header leads
    /// there and nowhere else, or a quoted line that the other block does not have is there.
    fn drop_others_of_made(&self, file: &File<'_>, found: &mut Vec<Explanation<'q>>) {
        let is_exact = |found: &&Explanation<'q>| {
            found.state == State::Made && found.has_bytes() && found.cost == found.prior + found.coincidence
        };
        let Some(made) = found.iter().find(is_exact).cloned() else { return };
        found.retain(|other| {
            let is_sibling = || {
                let Err(Obstacle::Sibling { row }) = other.effect else { return false };
                is_in_result(file, &made, other.reading.old(row))
            };
            other.state == State::Made || !is_sibling() && !self.is_outside_of_made(file, &made, other)
        });
    }

    /// Adds the effect of headers, and of the end of the file, to the cost of a position.
    fn weigh_header(&self, file: &File<'_>, explanation: &mut Explanation<'q>) {
        explanation.position = self.header_cost(file, explanation) + self.end_cost(file, explanation);
        explanation.cost += explanation.position;
        let is_elsewhere = || {
            self.end_cost(file, explanation) > 0
                || self.is_under_other_header(file, explanation)
                || self.is_quoted_in_header(file, explanation)
        };
        if explanation.state == State::Made && explanation.has_bytes() && is_elsewhere() {
            *explanation = explanation.without_bytes(file, explanation.cost, Obstacle::MadeSince);
        }
    }

    /// A header that opens no block names the block that it is in: if the quote is there, a position below that block costs as much
    /// as a position that is not below the header.
    fn prefer_block_of_header(&self, costs: &Costs, found: &mut [Explanation<'q>]) {
        let Some(scopes) = &self.headers.scopes else { return };
        let is_in_block =
            |found: &Explanation<'q>| scopes.iter().any(|scope| scope.has_in_block(found.lines.start));
        if !found.iter().any(|found| found.has_bytes() && is_in_block(found)) {
            return;
        }
        for other in found.iter_mut().filter(|found| self.is_inside(found) && !is_in_block(found)) {
            other.position += costs.header;
            other.cost += costs.header;
        }
    }

    /// Another explanation of an addition at the end of a chunk that names the end of the file: the lines between were
    /// skipped, and the addition goes behind them.
    fn added_at_end(&self, file: &File<'_>, explanation: &Explanation<'q>) -> Option<Explanation<'q>> {
        let ends_with_addition = explanation.reading.rows.last().is_some_and(|row| row.adds());
        if !self.edit.end_of_file
            || !ends_with_addition
            || explanation.state == State::Made
            || !explanation.has_bytes()
            || is_at_end(file, explanation)
        {
            return None;
        }
        let costs = file.costs;
        let line = explanation.lines.end;
        let skipped = i32::try_from(file.len() - line).unwrap_or(i32::MAX);
        let gap = costs.skip.saturating_add(costs.skip_more.saturating_mul(skipped - 1));
        let cost = (explanation.cost - costs.end_of_file).saturating_add(gap);
        Some(explanation.without_bytes(file, cost, Obstacle::SkippedBesideAddition { line }))
    }

    pub(super) fn end_cost(&self, file: &File<'_>, explanation: &Explanation<'q>) -> i32 {
        if self.edit.end_of_file && !is_at_end(file, explanation) { file.costs.end_of_file } else { 0 }
    }

    /// Returns the cost if no line of an anchor is in the file.
    pub(super) fn missing_cost(&self, file: &File<'_>) -> i32 {
        let content = self.plain().old_rows().map(|row| file.content(&row.line)).sum::<i32>();
        file.costs.missing + content
    }

    /// Checks whether the quote is a single line, which is too little behind an anchor that is not in the file.
    pub(super) fn quotes_one_line(&self) -> bool {
        self.plain().filled_old_rows().count() < 2
    }

    /// Checks whether enough of the quote is in the file for an explanation.
    pub(super) fn has_enough_evidence(&self, file: &File<'_>, explanation: &Explanation<'q>) -> bool {
        let aligned = explanation.aligned(file);
        let header = self.header_evidence(file, explanation);
        explanation.state == State::Made
            || explanation.has_enough_evidence(&aligned, header, self.is_outside(file, explanation))
                && !self.is_of_other_block(file, explanation)
    }

    /// Checks whether quoted lines are not at the position of an explanation, and the others are too little.
    pub(super) fn is_cut_short(&self, file: &File<'_>, explanation: &Explanation<'q>) -> bool {
        let is_numbered = self.headers.hint.is_some_and(|hint| hint.is_of_quote(explanation.lines.start));
        is_cut_short(&explanation.aligned(file), self.header_evidence(file, explanation), is_numbered)
    }

    /// Returns the cost of the assumption that the target is not in the file, compared with an explanation.
    pub(super) fn null_cost(&self, file: &File<'_>, explanation: &Explanation<'q>) -> i32 {
        null_cost(&explanation.aligned(file)) + self.header_evidence(file, explanation)
    }

    /// Drops all but the cheapest explanations.
    pub(super) fn keep_cheapest(&mut self, most: usize, margin: i32) {
        let [best, ..] = &self.explanations[..] else { return };
        let within = best.cost + margin;
        self.is_crowded = self.explanations.get(most).is_some_and(|next| next.cost <= within);
        self.explanations.truncate(most);
    }

    /// Checks whether the edit changes anything.
    pub(super) fn changes(&self) -> bool {
        self.readings.first().is_some_and(|reading| reading.changes())
    }

    /// Checks whether the edit only adds lines. Behind a header, empty lines at the end are no quote.
    pub(super) fn is_addition(&self) -> bool {
        self.plain().old_len() == 0 || self.headers.scopes.is_some() && self.quotes_nothing()
    }

    /// Checks whether the quote is only empty lines without a sign, which may only separate chunks.
    pub(super) fn quotes_nothing(&self) -> bool {
        self.plain().old_rows().all(|row| !row.signed && row.is_blank())
    }

    /// Returns the quote as written.
    pub(super) fn plain(&self) -> &Rc<Reading<'q>> {
        &self.readings[0]
    }
}

/// Returns the rows of an edit read as written that an explanation pairs with a line of the same name, and whether that name is
/// misspelt.
fn rows_with_name(file: &File<'_>, explanation: &Explanation<'_>) -> HashMap<usize, Class> {
    if explanation.state == State::Made || !explanation.reading.undone.is_plain() {
        return HashMap::new();
    }
    let aligned = explanation.aligned(file);
    let class = |row: usize| match aligned.class(row) {
        Some(class @ (Class::Same | Class::Typo)) => Some((row, class)),
        _ => (has_name(&aligned, row) || aligned.has_words(row)).then_some((row, Class::Same)),
    };
    aligned.rows().filter_map(class).collect()
}

/// Checks whether a result that was made has a kept line of another explanation, and the file has that line once.
fn is_in_result(file: &File<'_>, made: &Explanation<'_>, quoted: &Row<'_>) -> bool {
    let result = made.reading.rows.iter().filter(|row| !row.removes()).zip(made.pairs.iter());
    let mut kept = result.filter(|(row, _)| row.is_context() && row.line.text() == quoted.line.text());
    quoted.is_context()
        && file.occurrences(&quoted.line) == 1
        && kept.any(|(_, pair)| pair.line().is_some_and(|line| file.is_same(line, &quoted.line)))
}

/// Checks whether an alignment has most of the lines of another alignment, and others beyond a jump over more lines than are quoted.
fn jumps_to(pairs: &[Pairing], other: &[Pairing]) -> bool {
    let reach = |pairs: &[Pairing]| {
        let first = pairs.iter().find_map(|pair| pair.line());
        let last = pairs.iter().rev().find_map(|pair| pair.line());
        last.zip(first).map_or(0, |(last, first)| last - first)
    };
    let shared = pairs.iter().zip(other).filter(|(one, two)| one.is_found() && one == two).count();
    reach(pairs) > reach(other) + pairs.len() && 2 * shared > pairs.len()
}

/// Blank lines to be added may have been added before, if the result is there: all the more if the result fits better than the
/// quote, which then lacks the blank lines of the file.
fn doubt_blank_lines(file: &File<'_>, found: &mut [Explanation<'_>]) {
    let made = found.iter().filter(|found| found.state == State::Made && found.has_bytes());
    let made: Vec<_> = made.map(|found| (found.lines.clone(), found.cost - found.prior)).collect();
    for explanation in found.iter_mut().filter(|explanation| explanation.state == State::ToMake) {
        let mut added = explanation.reading.added_rows().peekable();
        let adds_blanks = added.peek().is_some() && added.all(Row::is_blank);
        let is_there = |(lines, _): &&(Range<usize>, i32)| lines.contains(&explanation.lines.start);
        let result = made.iter().find(is_there).filter(|_| adds_blanks && explanation.removed.is_empty());
        let Some((_, cost)) = result else { continue };
        let margins = if *cost < explanation.cost { 2 } else { 1 };
        explanation.coincidence += margins * file.costs.margin + 1;
        explanation.cost += margins * file.costs.margin + 1;
    }
}

/// Checks whether nothing but blank lines follows the quoted lines.
pub(super) fn is_at_end(file: &File<'_>, explanation: &Explanation<'_>) -> bool {
    (explanation.lines.end..file.len()).all(|line| file.is_blank(line))
}
