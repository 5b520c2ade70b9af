//! What to send instead of a refused patch.

use std::borrow::Cow;

use super::{Failure, FailureKind, Failures, Files, Options, Plan, plan};
use crate::locate::{MendedLine, Miss};
use crate::patch::{Action, Chunk, Line, LineKind, Patch};

/// The patch with each chunk that was refused quoted from its file, where the place of each is clear and nothing else
/// keeps the patch from fitting; as text. It was planned, and fits: every mended chunk goes where it was nearly taken.
///
/// It is for a model, or a person, to look at and send. It is not what was written, and may not be what was meant.
///
/// ```
/// use std::collections::BTreeMap;
/// use apply_patch::format::{Options as Reading, parse};
/// use apply_patch::plan::{Options, plan, suggest};
///
/// let file = "fn wait(&self) {\n    let most = self.retries;\n    let pause = 20;\n    self.sleep(pause);\n}\n";
/// let files = BTreeMap::from([("a.rs".into(), file.as_bytes().to_vec())]);
/// let text = "*** Begin Patch\n*** Update File: a.rs\n@@\n     let most = self.retries;\n-    let pause = 10;\n+    let pause = 40;\n     self.sleep(pause);\n*** End Patch\n";
/// let parsed = parse(text, &Reading::default());
/// let failures = plan(&parsed.patch, &files, &Options::default()).unwrap_err();
/// let suggested = suggest(&parsed.patch, &failures, &files, &Options::default()).unwrap();
/// assert_eq!(suggested, text.replace("10", "20"));
/// ```
pub fn suggest(
    patch: &Patch<'_>,
    failures: &Failures,
    files: &dyn Files,
    options: &Options,
) -> Option<String> {
    if !patch.is_envelope() {
        return None;
    }
    let mut mended = patch.clone();
    for failure in &failures.failures {
        mend(&mut mended, failure)?;
    }
    let plan = plan(&mended, files, options).ok()?;
    failures.failures.iter().all(|failure| is_where_it_was(&plan, failure)).then(|| mended.to_string())
}

/// Puts the lines of the file into the chunk that fails.
fn mend(patch: &mut Patch<'_>, failure: &Failure) -> Option<()> {
    let FailureKind::Chunk { nth, miss, .. } = &failure.kind else { return None };
    let Action::Update { chunks, .. } = &mut patch.hunks.get_mut(failure.hunk)?.action else { return None };
    let chunk = chunks.get_mut(*nth)?;
    let lines = mended(miss).filter(|lines| changes_as_much(chunk, lines))?;
    chunk.headers.retain(|header| !miss.missing_headers.iter().any(|missing| *missing == header.text));
    chunk.lines = lines
        .iter()
        .map(|(kind, text)| Line {
            number: chunk.number,
            kind: *kind,
            text: Cow::Owned(text.clone()),
            signed: true,
        })
        .collect();
    Some(())
}

fn mended(miss: &Miss) -> Option<&[MendedLine]> {
    miss.nearest.as_ref()?.mended.as_deref()
}

/// Whether as many lines go and come: what was mended may be one part of a chunk with lines of dots.
fn changes_as_much(chunk: &Chunk<'_>, lines: &[MendedLine]) -> bool {
    let count = |kind| lines.iter().filter(|(other, _)| *other == kind).count();
    let quoted = |kind| chunk.lines.iter().filter(|line| line.kind == kind).count();
    [LineKind::Remove, LineKind::Add].into_iter().all(|kind| count(kind) == quoted(kind))
}

fn is_where_it_was(plan: &Plan, failure: &Failure) -> bool {
    let FailureKind::Chunk { nth, miss, .. } = &failure.kind else { return false };
    let placed = plan.hunks.get(failure.hunk).and_then(|hunk| hunk.chunks.get(*nth));
    let nearest = miss.nearest.as_ref().map(|nearest| nearest.place().start);
    placed.map(|chunk| chunk.placement.start) == nearest
}
