//! What to do next.

use crate::locate::{Alternative, Doubt, Miss, Nearest, Reason};
use crate::patch::Dialect;
use crate::plan::{Failure, FailureKind, Failures};
use crate::run::Caller;

/// What may be done about a failure, as a sentence without a full stop; `None` where the failure says it itself.
pub(in crate::report) fn about(failure: &Failure, of_replacement: bool, caller: &Caller) -> Option<String> {
    match &failure.kind {
        FailureKind::Chunk { miss, .. } => Some(about_miss(miss, failure.dialect, of_replacement, caller)),
        FailureKind::NoSuchFile { similar }
            if similar.is_empty() && failure.dialect == Dialect::Envelope && !of_replacement =>
        {
            Some("name a file that is there; a file that is to be made is `*** Add File:`".to_owned())
        }
        FailureKind::NoSuchFile { .. } => Some("name the file that is meant".to_owned()),
        FailureKind::Path(_) if failure.kind.code() == "outside-root" => {
            Some("name files from the working folder on, without `/` or `..` at the beginning".to_owned())
        }
        _ => None,
    }
}

fn about_miss(miss: &Miss, dialect: Dialect, of_replacement: bool, caller: &Caller) -> String {
    let edit = if dialect.is_text() { "edit" } else { "chunk" };
    match &miss.reason {
        Reason::NotFound if has_dots(miss) => {
            "write out the lines that the dots stand for, where they are to go or stand beside the change"
                .to_owned()
        }
        Reason::NotFound => match miss.nearest.as_deref().map(Nearest::place) {
            Some(place) if place.len() > 1 => {
                format!(
                    "if lines {}-{} are meant, quote them as the file has them",
                    place.start + 1,
                    place.end
                )
            }
            Some(place) => format!("if line {} is meant, quote it as the file has it", place.start + 1),
            None => {
                "nothing like these lines is in the file; read it again, and quote what is there".to_owned()
            }
        },
        Reason::NothingQuoted => {
            "quote the line before or after the place, with a space before it".to_owned()
        }
        Reason::Ambiguous { .. } => ambiguous(&miss.alternatives, of_replacement, caller),
        Reason::Overlap { .. } => format!("make both changes in one {edit}"),
        Reason::Doubt { doubt, .. } => about_doubt(*doubt, dialect).to_owned(),
        Reason::NotText { line } => format!("leave line {} out of the edit", line + 1),
    }
}

/// Whether a quoted line of dots stands for lines of the file that were not quoted.
fn has_dots(miss: &Miss) -> bool {
    let quoted = miss
        .nearest
        .iter()
        .flat_map(|nearest| &nearest.lines)
        .filter(|line| !line.difference.is_equivalent());
    let mut texts = quoted.filter_map(|line| line.quoted.as_ref()).map(|quoted| quoted.text.trim());
    texts.any(|text| text.ends_with("...") || text.ends_with('…'))
}

/// What tells places apart that are alike. No place is named as an example: it might be taken for the one that is meant.
fn ambiguous(alternatives: &[Alternative], of_replacement: bool, caller: &Caller) -> String {
    let by_header = alternatives.iter().any(|place| place.above.as_ref().is_some_and(|above| above.header));
    if of_replacement {
        let more = "put more of the lines around it into the old text and the new one";
        return format!("{more}{}", caller.or_all());
    }
    let words = if by_header {
        "say which place is meant: put its header above the lines, or quote more of what is around them"
    } else {
        "quote more lines around the change, up to one that only the place you mean has"
    };
    words.to_owned()
}

fn about_doubt(doubt: Doubt, dialect: Dialect) -> &'static str {
    let texts = dialect.is_text();
    match doubt {
        Doubt::IndentationOnly
        | Doubt::RemovedElsewhere
        | Doubt::NoIndentation
        | Doubt::LeftOfMargin
        | Doubt::LostNesting => "quote the lines, and indent the new ones, as the file does",
        Doubt::FewLines => "quote more of the lines around the change, as the file has them",
        Doubt::SeveralWays if texts => "quote the lines as the file has them, those that stay in both texts",
        Doubt::OtherName | Doubt::SeveralWays | Doubt::TieWithoutSign => {
            "quote the lines as the file has them, and so many that they stand in one place only"
        }
        Doubt::PhantomBesideChange if texts => {
            "quote the lines as the file has them; what is to be added stands in the new text only"
        }
        Doubt::PhantomBesideChange => {
            "drop the line that is not in the file, or put `+` before it if it is to be added"
        }
        Doubt::SkippedBesideAddition => {
            "quote the lines that stand there, so that it is clear whether the new ones go before or behind them"
        }
        Doubt::SkippedInRemoval if texts => {
            "quote every line between the first and the last, also those that stay"
        }
        Doubt::SkippedInTexts => {
            "quote every line between the first and the last, those that stay in both texts"
        }
        Doubt::SkippedInRemoval => {
            "quote every line between the first and the last: with `-` what goes, with a space what stays"
        }
        Doubt::MisspeltRemoval => "quote the line that is to be removed as the file has it",
        Doubt::Encoded => {
            "write all lines as the file has them, without entities and escapes of the transport"
        }
        Doubt::LazyAddition => "write out the lines that the dots stand for, or leave them out of the change",
        Doubt::BeforeBody => "quote the line above and the line below the new ones",
        Doubt::LooksApplied => {
            "read the file: if the change is there, there is nothing to do; if not, quote the lines as they are now"
        }
        Doubt::MendedToNothing | Doubt::GarbledAddition => {
            "spell the line as the file does, and the new one as it is to be"
        }
    }
}

/// What to do after arguments that make no sense.
pub(in crate::report) fn after_wrong_usage(caller: &Caller) -> String {
    format!("Next: call it again with that put right{}.", caller.shows_options())
}

/// What it is that is suggested instead.
pub(in crate::report) fn corrected(of_replacement: bool) -> &'static str {
    if of_replacement { "edit" } else { "patch" }
}

/// What is said above a suggestion.
pub(in crate::report) fn above_suggestion(of_replacement: bool, caller: &Caller) -> String {
    if of_replacement {
        format!("A corrected edit, quoted from the file{}:", caller.takes_patch())
    } else {
        "A corrected patch, quoted from the files:".to_owned()
    }
}

/// What to do after a refusal, all told: a sentence with its full stop.
pub(in crate::report) fn next(failures: &Failures, suggested: bool, caller: &Caller) -> String {
    let of_replacement = failures.of_replacement();
    let of_texts = failures.failures.iter().all(|failure| failure.dialect.is_text());
    let again = match (of_replacement, of_texts) {
        (true, _) => "send it again",
        (false, true) => "send all edits again",
        (false, false) => "send the whole patch again, all hunks",
    };
    if suggested {
        let what = corrected(of_replacement);
        return format!(
            "Next: check the corrected {what} above against what you mean, and send it; nothing of the first one was \
             applied."
        );
    }
    let advice = failures.failures.iter().find_map(|failure| about(failure, of_replacement, caller));
    match advice {
        Some(advice) if failures.failures.len() == 1 => format!("Next: {advice}; then {again}."),
        _ => format!("Next: put right what is said above; then {again}."),
    }
}
