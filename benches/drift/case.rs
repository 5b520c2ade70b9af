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
use crate::scene::{Blanks, Scene};
use crate::words::letters;

/// A file, a patch, and the right answer.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    /// The operators that made the case.
    pub(crate) name: String,
    /// The name of the file.
    pub(crate) file: String,
    pub(crate) before: String,
    /// The right result, unless a refusal is.
    pub(crate) after: String,
    pub(crate) patch: String,
    /// How exactly blank lines of the result are compared.
    pub(crate) blanks: Blanks,
    pub(crate) expected: Expectation,
    /// 1-based line of the file at which each chunk of the patch belongs, in the order of the patch. Empty if a chunk
    /// quotes no line that the file has.
    pub(crate) lines: Vec<usize>,
}

/// How often another edit is tried where the operators find nothing that they could drift.
pub(crate) const TRIES: usize = 400;

/// A case for these operators.
pub(crate) fn drifted(texts: &[Text], operators: &[&Operator], random: &mut Random) -> Option<Case> {
    (0..TRIES).find_map(|_| try_drifted(texts, operators, random))
}

pub(crate) fn try_drifted(texts: &[Text], operators: &[&Operator], random: &mut Random) -> Option<Case> {
    let mut scene = edits::scene(texts, layout(operators)?, random)?;
    for operator in operators {
        (operator.drift)(&mut scene, random)?;
    }
    let expected = judge(&mut scene)?;
    let names: Vec<&str> = operators.iter().map(|operator| operator.name).collect();
    Some(Case::new(names.join(" + "), &scene, expected))
}

/// The edits that all operators can take; `None` where there are none.
pub(crate) fn layout(operators: &[&Operator]) -> Option<Layout> {
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
    /// Right, but the same patch changes its result once more.
    Again,
}

impl Case {
    /// Reads file, patch and result off a scene.
    pub(crate) fn new(name: String, scene: &Scene, expected: Expectation) -> Self {
        let line = |chunk: &usize| -> Option<usize> {
            let first =
                scene.chunk(*chunk).into_iter().find(|(_, nth)| scene.items[*nth].is_in_file_before())?.1;
            Some(1 + scene.items[..first].iter().filter(|item| item.is_in_file_before()).count())
        };
        Case {
            name,
            file: scene.name.clone(),
            before: scene.before(),
            after: scene.after(),
            patch: scene.patch(),
            blanks: scene.blanks,
            expected,
            lines: scene.chunks.iter().map(line).collect::<Option<Vec<_>>>().unwrap_or_default(),
        }
    }

    /// Plans the patch on the file.
    pub(crate) fn run(&self, configuration: &Configuration) -> Outcome {
        self.run_on(&self.before, configuration)
    }

    /// Plans the patch on another text of the file.
    pub(crate) fn run_on(&self, text: &str, configuration: &Configuration) -> Outcome {
        let files = BTreeMap::from([(Utf8PathBuf::from(&self.file), text.as_bytes().to_vec())]);
        let (patch, _) = match format::parse(&self.patch, &format::Options::default()).into_result() {
            Ok(parsed) => parsed,
            Err(errors) => {
                return Outcome::Refused(errors.kept.first().map_or("format", |e| e.kind.code()).to_owned());
            }
        };
        match plan::plan(&patch, &files, &configuration.options) {
            Ok(plan) => match plan.changes.first().map(|change| &change.after) {
                Some(After::File { content, .. }) => {
                    Outcome::Taken(String::from_utf8_lossy(&content.bytes()).into_owned())
                }
                Some(After::Gone) => Outcome::Taken(String::new()),
                None => Outcome::Taken(text.to_owned()),
            },
            Err(failures) => Outcome::Refused(failures.failures.first().map_or_else(String::new, reason)),
        }
    }

    /// Checks whether the result has a line of the patch. After a removal without context, nothing shows that it was made.
    fn leaves_a_trace(&self) -> bool {
        let lines = self.patch.lines().filter(|line| !line.starts_with(['-', '*', '@']));
        lines.into_iter().any(|line| letters(line) > 2)
    }

    /// Compares an outcome with the right answer.
    pub(crate) fn verdict(&self, outcome: &Outcome) -> Verdict {
        match (outcome, self.expected) {
            (Outcome::Refused(_), Expectation::Applied) => Verdict::Refused,
            (Outcome::Refused(_), _) => Verdict::Right,
            // A patch that changes nothing has done no harm, whatever it was expected to do.
            (Outcome::Taken(text), Expectation::Refused) if *text == self.before => Verdict::Right,
            (Outcome::Taken(_), Expectation::Refused) => Verdict::Wrong,
            (Outcome::Taken(text), _) if self.blanks.same(text, &self.after) => Verdict::Right,
            (Outcome::Taken(_), _) => Verdict::Wrong,
        }
    }

    /// Returns the result of sending the patch again to its result, if that changes the file once more.
    pub(crate) fn changed_again(&self, outcome: &Outcome, configuration: &Configuration) -> Option<Outcome> {
        let Outcome::Taken(first) = outcome else { return None };
        if !self.leaves_a_trace() {
            return None;
        }
        let second = self.run_on(first, configuration);
        matches!(&second, Outcome::Taken(text) if text != first).then_some(second)
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
