//! Cases: how they are made, and what the engine does with them.

use std::collections::BTreeMap;

use apply_patch::locate::{Level, Matching};
use apply_patch::plan::{self, After, FailureKind};
use apply_patch::{format, locate};
use camino::Utf8PathBuf;

use crate::documents::Text;
use crate::edits::{self, Layout};
use crate::judge::{Expectation, judge};
use crate::operators::{OPERATORS, Operator};
use crate::random::Random;
use crate::scene::Scene;

/// A scene with its right answer.
pub(crate) struct Case {
    /// What was done to the quote.
    pub(crate) name: String,
    pub(crate) scene: Scene,
    pub(crate) expected: Expectation,
}

/// How often another edit is tried where the operators find nothing that they could drift.
const TRIES: usize = 400;

/// A case for these operators.
pub(crate) fn drifted(texts: &[Text], operators: &[&Operator], random: &mut Random) -> Option<Case> {
    (0..TRIES).find_map(|_| try_drifted(texts, operators, random))
}

fn try_drifted(texts: &[Text], operators: &[&Operator], random: &mut Random) -> Option<Case> {
    let mut scene = edits::scene(texts, layout(operators)?, random)?;
    for operator in operators {
        (operator.drift)(&mut scene, random)?;
    }
    let expected = judge(&mut scene)?;
    let names: Vec<&str> = operators.iter().map(|operator| operator.name).collect();
    Some(Case { name: names.join(" + "), scene, expected })
}

/// The edits that all operators can take; `None` where there are none.
fn layout(operators: &[&Operator]) -> Option<Layout> {
    let mut layout = Layout::One;
    for operator in operators {
        if layout != Layout::One && operator.layout != Layout::One {
            return None;
        }
        layout = if operator.layout == Layout::One { layout } else { operator.layout };
    }
    Some(layout)
}

/// A case for so many operators, whichever go together.
pub(crate) fn several(texts: &[Text], count: usize, random: &mut Random) -> Option<Case> {
    // The first one drifts nothing.
    let drifting = OPERATORS.len() - 1;
    (0..TRIES).find_map(|_| {
        let mut chosen: Vec<usize> = (0..count).map(|_| 1 + random.below(drifting)).collect();
        chosen.sort_unstable();
        chosen.dedup();
        let operators: Vec<&Operator> = chosen.iter().map(|nth| &OPERATORS[*nth]).collect();
        let complete = operators.len() == count;
        complete.then(|| (0..8).find_map(|_| try_drifted(texts, &operators, random)))?
    })
}

/// One way to run the engine: a column of the tables. A guard with its questions switched off would be another.
pub(crate) struct Configuration {
    pub(crate) name: &'static str,
    pub(crate) options: plan::Options,
}

/// The columns, the default last.
pub(crate) fn configurations() -> Vec<Configuration> {
    let at_level = |(name, level)| {
        let matching = Matching::default().with_level(level);
        Configuration { name, options: plan::Options::default().with_matching(matching) }
    };
    [("exact", Level::Exact), ("whitespace", Level::Whitespace), ("guarded", Level::Guarded)]
        .map(at_level)
        .into()
}

/// What the engine did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It took the patch, and the file is now this.
    Taken(String),
    /// It refused the patch, for this reason.
    Refused(String),
}

/// What that was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Right,
    /// Refused, although the place is clear.
    Refused,
    Wrong,
}

impl Case {
    /// Lets the engine do what the patch says.
    pub(crate) fn run(&self, configuration: &Configuration) -> Outcome {
        let (before, patch) = (self.scene.before(), self.scene.patch());
        let name = Utf8PathBuf::from(&self.scene.name);
        let files = BTreeMap::from([(name, before.clone().into_bytes())]);
        let (patch, _) = match format::parse(&patch, &format::Options::default()).into_result() {
            Ok(parsed) => parsed,
            Err(errors) => {
                return Outcome::Refused(errors.0.first().map_or("format", |e| e.kind.code()).to_owned());
            }
        };
        match plan::plan(&patch, &files, &configuration.options) {
            Ok(plan) => match plan.changes.first().map(|change| &change.after) {
                Some(After::File { content, .. }) => {
                    Outcome::Taken(String::from_utf8_lossy(&content.bytes()).into_owned())
                }
                Some(After::Gone) => Outcome::Taken(String::new()),
                None => Outcome::Taken(before),
            },
            Err(failures) => Outcome::Refused(failures.failures.first().map_or_else(String::new, reason)),
        }
    }

    /// Whether an outcome is what a careful person would have come to.
    pub(crate) fn verdict(&self, outcome: &Outcome) -> Verdict {
        match (outcome, self.expected) {
            (Outcome::Refused(_), Expectation::Applied) => Verdict::Refused,
            (Outcome::Refused(_), _) => Verdict::Right,
            (Outcome::Taken(_), Expectation::Refused) => Verdict::Wrong,
            (Outcome::Taken(text), _) if self.scene.blanks.same(text, &self.scene.after()) => Verdict::Right,
            (Outcome::Taken(_), _) => Verdict::Wrong,
        }
    }
}

/// Why a patch was refused, without what differs from case to case.
fn reason(failure: &plan::Failure) -> String {
    match &failure.kind {
        FailureKind::Chunk { miss, .. } => match &miss.reason {
            locate::Reason::Doubt { doubt, .. } => format!("{doubt:?}"),
            other => other.code().to_owned(),
        },
        other => other.code().to_owned(),
    }
}
