//! How the lines of an edit pair with those of the document.

use std::borrow::Cow;

use super::Tier;
use super::assign::Core;
use super::relation::{Relation, is_escaped_once_more, relate};
use crate::patch::LineKind;
use crate::patch::edit::{Edit, EditLine};
use crate::text::{Document, indentation};

/// What a line of an edit stands for in the document. Lines are 0-based.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    /// An old line: this line.
    Line(usize),
    /// An added line: it comes before this line.
    Gap(usize),
    /// A context line that the document does not have.
    Nowhere,
}

impl At {
    /// The line of the document that is quoted.
    pub(super) fn line(self) -> Option<usize> {
        match self {
            At::Line(line) => Some(line),
            At::Gap(_) | At::Nowhere => None,
        }
    }
}

/// A place that a tier proposes for an edit, and what each of its lines stands for there.
#[derive(Debug, Clone)]
pub(super) struct Candidate<'e> {
    pub(super) edit: &'e Edit<'e>,
    pub(super) tier: Tier,
    /// One for each line of the edit.
    pub(super) at: Vec<At>,
    /// What the other parts of an elided edit show.
    pub(super) shown: &'e Shown,
}

/// What other parts of the patch show an edit of how it is quoted: first of all those around its lines of dots.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Shown {
    /// The loosest tier of the other parts.
    pub(super) tier: Tier,
    /// Their quoted lines, and those of the document.
    pub(super) lines: Vec<(String, String)>,
    /// Whether one of them has several places, so that it is not known what it shows.
    pub(super) open: bool,
    /// Whether the parts do not stand in their order.
    pub(super) disordered: bool,
    /// What other edits of the document show.
    pub(super) beside: Beside,
}

/// What other edits of a document show, and this one does not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Beside {
    /// Whether one is quoted with an indentation that is not the document's.
    pub(super) shifted: bool,
    /// Whether one is quoted with escapes that the document does not have.
    pub(super) escaped: bool,
}

impl Shown {
    /// Nothing.
    pub(super) const NOTHING: &'static Shown = &Shown {
        tier: Tier::Exact,
        lines: Vec::new(),
        open: false,
        disordered: false,
        beside: Beside { shifted: false, escaped: false },
    };

    /// What a candidate shows.
    pub(super) fn by(candidate: &Candidate<'_>, document: &Document) -> Self {
        let pairs = candidate.related_pairs(document);
        let lines = pairs.iter().map(|pair| (pair.quoted.to_owned(), pair.actual.to_owned())).collect();
        Shown { tier: candidate.tier, lines, ..Shown::default() }
    }

    /// Puts what another part shows to it.
    pub(super) fn add(&mut self, other: &Shown) {
        self.tier = self.tier.max(other.tier);
        self.lines.extend_from_slice(&other.lines);
        self.open |= other.open;
    }
}

/// An old line that is not blank, and its counterpart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'c> {
    /// Where the line stands in the edit.
    pub(super) nth: usize,
    pub(super) kind: LineKind,
    pub(super) quoted: &'c str,
    pub(super) actual: &'c str,
}

/// What stands for the place in the edit of a line of another part.
const ELSEWHERE: usize = usize::MAX;

/// How many lines away from the others a missing one is looked for at the most.
const FARTHEST: usize = 9;

impl<'c> Pair<'c> {
    pub(super) fn quoted_indentation(&self) -> Cow<'c, str> {
        plain_indentation(self.quoted)
    }

    pub(super) fn actual_indentation(&self) -> Cow<'c, str> {
        plain_indentation(self.actual)
    }

    /// Whether the line is indented as in the document.
    pub(super) fn is_kept(&self) -> bool {
        self.quoted_indentation() == self.actual_indentation()
    }

    /// Whether it belongs to another part of an elided edit.
    pub(super) fn is_elsewhere(&self) -> bool {
        self.nth == ELSEWHERE
    }

    pub(super) fn is_at_margin(&self) -> bool {
        self.quoted_indentation().is_empty()
    }
}

/// The white space that a line begins with, no-break and other odd spaces as plain ones.
pub(super) fn plain_indentation(line: &str) -> Cow<'_, str> {
    let whole = &line[..line.len() - line.trim_start().len()];
    if whole.len() == indentation(line).len() {
        return Cow::Borrowed(whole);
    }
    Cow::Owned(whole.chars().map(|c| if c == '\t' { c } else { ' ' }).collect())
}

/// What the lines of an edit stand for where its old lines stand one after the other from `start` on.
pub(super) fn contiguous(edit: &Edit<'_>, start: usize) -> impl Iterator<Item = At> + Clone {
    let mut next = start;
    edit.lines.iter().map(move |line| {
        let here = next;
        next += usize::from(line.kind != LineKind::Add);
        if line.kind == LineKind::Add { At::Gap(here) } else { At::Line(here) }
    })
}

/// What an edit changes where its lines stand for these; `None` for an edit that changes nothing.
pub(super) fn core(edit: &Edit<'_>, at: &(impl Iterator<Item = At> + Clone)) -> Option<Core> {
    let lines = || edit.lines.iter().zip(at.clone());
    let removed =
        || lines().filter(|(line, _)| line.kind == LineKind::Remove).filter_map(|(_, at)| at.line());
    let mut core = match (removed().min(), removed().max()) {
        (Some(first), Some(last)) => Some(Core { start: 2 * first + 1, end: 2 * last + 2 }),
        _ => None,
    };
    for at in lines().filter_map(|(_, at)| if let At::Gap(line) = at { Some(line) } else { None }) {
        // Lines that come right before or behind a removed line take its place.
        let beside = removed().any(|line| line == at || line + 1 == at);
        let gap = Core { start: 2 * at, end: 2 * at + 1 };
        core = match core {
            Some(core) if beside => Some(core),
            Some(core) => Some(Core { start: core.start.min(gap.start), end: core.end.max(gap.end) }),
            None => Some(gap),
        };
    }
    core
}

impl Candidate<'_> {
    /// The paired lines that are not blank, with their texts. Of an alignment only those that say the same: a
    /// line that stands for another says nothing about how that one is written.
    pub(super) fn filled_pairs<'c>(&'c self, document: &'c Document) -> Vec<Pair<'c>> {
        let mut pairs = self.all_pairs(document);
        pairs.extend(self.pairs_elsewhere());
        if self.loosest() == Tier::Alignment {
            pairs.retain(|pair| relate(pair.quoted, pair.actual).says_same());
        }
        pairs
    }

    /// The paired lines that are not blank, with their texts; of an alignment those of which one may be the other.
    /// A line in other words is indented as it was.
    pub(super) fn related_pairs<'c>(&'c self, document: &'c Document) -> Vec<Pair<'c>> {
        let mut pairs = self.all_pairs(document);
        pairs.extend(self.pairs_elsewhere());
        if self.loosest() == Tier::Alignment {
            pairs.retain(|pair| relate(pair.quoted, pair.actual) != Relation::Other);
        }
        pairs
    }

    /// The quoted lines that the document has, to the letter but for their indentation, right beside the others and in
    /// another order: with these, in the order of the quote, the pairs show how it is indented.
    pub(super) fn with_disordered<'c>(
        &'c self,
        mut pairs: Vec<Pair<'c>>,
        document: &'c Document,
    ) -> Vec<Pair<'c>> {
        for pair in self.unpaired_within(1, document) {
            let place = pairs.partition_point(|other| other.nth < pair.nth);
            pairs.insert(place, pair);
        }
        pairs
    }

    /// Whether one of the quoted lines that are missing stands near the others at another depth: parted from them by lines
    /// that are quoted otherwise, each perhaps as two.
    pub(super) fn has_moved_nearby(&self, document: &Document) -> bool {
        self.unpaired_within(FARTHEST.min(1 + 2 * self.missing()), document)
            .iter()
            .any(|pair| !pair.is_kept())
    }

    /// The quoted lines that are missing, each with a line that says the same but for its indentation, is not paired, and is
    /// among those that are or at most so many lines away.
    fn unpaired_within<'c>(&'c self, reach: usize, document: &'c Document) -> Vec<Pair<'c>> {
        if self.missing() == 0 {
            return Vec::new();
        }
        let quoted: Vec<usize> = self.at.iter().filter_map(|at| at.line()).collect();
        let (Some(first), Some(last)) = (quoted.iter().min(), quoted.iter().max()) else { return Vec::new() };
        let around = first.saturating_sub(reach)..last + 1 + reach;
        let free: Vec<&str> =
            around.filter(|line| !quoted.contains(line)).filter_map(|line| document.text(line)).collect();
        let lines = self.edit.lines.iter().zip(&self.at).enumerate();
        let missing =
            lines.filter(|(_, (line, at))| **at == At::Nowhere && line.text.contains(char::is_alphanumeric));
        let pair = |(nth, (line, _)): (usize, (&'c EditLine<'_>, &At))| {
            let actual = free.iter().find(|actual| actual.trim() == line.text.trim())?;
            Some(Pair { nth, kind: line.kind, quoted: &line.text, actual })
        };
        missing.filter_map(pair).collect()
    }

    /// The lines that the other parts of the edit pair: they stand for no line of this one.
    fn pairs_elsewhere<'c>(&'c self) -> impl Iterator<Item = Pair<'c>> {
        let pair = |(quoted, actual): &'c (String, String)| Pair {
            nth: ELSEWHERE,
            kind: LineKind::Context,
            quoted,
            actual,
        };
        self.shown.lines.iter().map(pair)
    }

    /// How loosely the lines of all parts of the edit were compared.
    pub(super) fn loosest(&self) -> Tier {
        self.tier.max(self.shown.tier)
    }

    /// Whether most of its lines are indented otherwise than in the document.
    pub(super) fn is_shifted(&self, document: &Document) -> bool {
        let pairs = self.related_pairs(document);
        let kept = pairs.iter().filter(|pair| pair.is_kept()).count();
        pairs.len() > 2 * kept
    }

    /// Whether one of its lines is escaped once more than the document's.
    pub(super) fn is_escaped(&self, document: &Document) -> bool {
        self.filled_pairs(document).iter().any(|pair| is_escaped_once_more(pair.quoted, pair.actual))
    }

    /// All paired lines that are not blank, with their texts.
    pub(super) fn all_pairs<'c>(&'c self, document: &'c Document) -> Vec<Pair<'c>> {
        let lines = self.edit.lines.iter().zip(&self.at).enumerate();
        let pair = lines.filter_map(|(nth, (line, at))| {
            let actual = document.text(at.line()?)?;
            let filled = !line.text.trim().is_empty() && !actual.trim().is_empty();
            filled.then_some(Pair { nth, kind: line.kind, quoted: &line.text, actual })
        });
        pair.collect()
    }

    /// The first line of the document that is quoted; for an edit that quotes nothing, the line before which
    /// it comes.
    pub(super) fn start(&self) -> usize {
        let first = self.at.iter().find_map(|at| at.line());
        let gap = || self.at.iter().find_map(|at| if let At::Gap(line) = at { Some(*line) } else { None });
        first.or_else(gap).unwrap_or_default()
    }

    /// The lines of the document, 0-based, that are not quoted to the letter.
    pub(super) fn differing(&self, document: &Document) -> Vec<usize> {
        let lines = self.edit.lines.iter().zip(&self.at);
        let differs = |(line, at): (&crate::patch::edit::EditLine<'_>, &At)| {
            at.line().filter(|at| document.line(*at) != line.text.as_bytes())
        };
        lines.filter_map(differs).collect()
    }

    /// How many lines it quotes that the document does not have there.
    pub(super) fn missing(&self) -> usize {
        self.at.iter().filter(|at| **at == At::Nowhere).count()
    }

    /// The lines of the document, 0-based, that stand between the quoted ones and are not quoted.
    pub(super) fn skipped(&self) -> Vec<usize> {
        let lines: Vec<usize> = self.at.iter().filter_map(|at| at.line()).collect();
        lines.windows(2).flat_map(|pair| pair[0] + 1..pair[1]).collect()
    }
}
