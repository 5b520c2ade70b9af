//! What to do next.

use super::drift::line_list;
use super::miss::lines;
use super::miss_notes;
use crate::locate::{Alternative, ChangedLine, Difference, Doubt, Miss, NearLine, Nearest, Reason, Wrap};
use crate::patch::{Dialect, LineKind};
use crate::plan::{Failure, FailureKind, Failures};
use crate::report::lines::EXCERPT;
use crate::run::Caller;

/// Returns the advice for a failure, as a sentence without a full stop; `None` if the words of the failure contain the advice.
pub(in crate::report) fn about(failure: &Failure, of_replacement: bool, caller: &Caller) -> Option<String> {
    let is_envelope = failure.dialect == Dialect::Envelope && !of_replacement;
    match &failure.kind {
        FailureKind::Chunk { miss, .. } => Some(about_miss(miss, failure.dialect, of_replacement, caller)),
        FailureKind::NoSuchFile { earlier: Some(_), .. }
        | FailureKind::AlreadyExists { earlier: Some(_) } => {
            Some("make all changes of the file in one section, or drop a section".to_owned())
        }
        FailureKind::NoSuchFile { similar, .. } if similar.is_empty() && is_envelope => {
            Some("name a file that is there; a file that is to be made is `*** Add File:`".to_owned())
        }
        FailureKind::NoSuchFile { .. } => Some("name the file that is meant".to_owned()),
        FailureKind::AlreadyExists { .. } if is_envelope => {
            Some("to change the file, read it and quote its lines in `*** Update File:`; to replace all of it, put `*** Delete File:` above this section".to_owned())
        }
        FailureKind::AlreadyExists { .. } => {
            Some("to change the file, read it and quote its lines; to replace all of it, delete it first".to_owned())
        }
        FailureKind::Target { kind, .. } if matches!(**kind, FailureKind::AlreadyExists { .. }) => {
            Some("choose another name, or delete the file of that name first".to_owned())
        }
        FailureKind::NotAllQuoted { .. } => {
            Some("if these lines are to go as well, quote them with `-`; if not, keep the file".to_owned())
        }
        FailureKind::Path(_) if failure.kind.code() == "outside-root" => {
            Some("name files from the working folder on, without `/` or `..` at the beginning".to_owned())
        }
        _ => None,
    }
}

fn about_miss(miss: &Miss, dialect: Dialect, of_replacement: bool, caller: &Caller) -> String {
    let edit = if dialect.is_text() { "edit" } else { "chunk" };
    match &miss.reason {
        Reason::Elision => about_dots(miss),
        Reason::NotFound => about_removed(miss).unwrap_or_else(|| about_nearest(miss)),
        Reason::NothingQuoted => {
            "quote the line before or after the position, with a space before it".to_owned()
        }
        Reason::Ambiguous { .. } => ambiguous(&miss.alternatives, dialect, of_replacement, caller),
        Reason::Overlap { .. } => format!(
            "make both changes in one {edit}; if the two write different lines there, decide which are meant"
        ),
        Reason::Doubt { doubt, .. } => about_doubt(*doubt, miss, dialect),
        Reason::NotText { line } => format!("leave line {} out of the edit", line + 1),
    }
}

/// Returns what to do where the file does not have a line that is to be removed; `None` where the file has all of these
/// lines. No sentence advises to quote another line in place of a removed one: that line may be the work of somebody else.
fn about_removed(miss: &Miss) -> Option<String> {
    let missing = miss_notes::removed_elsewhere(miss);
    if let Some(made) = missing.iter().find_map(|removed| miss_notes::made_at(miss, removed)) {
        let line = made + 1;
        return Some(format!(
            "line {line} is as the edit would make it: if the change was made there, quote line {line} as context, and change only the other lines"
        ));
    }
    let absent = missing.iter().find(|line| line.lines.is_empty());
    let Some(absent) = absent else {
        let first = missing.first()?;
        return Some(format!(
            "if {} is the line to remove, quote the lines around that line",
            one_of(&first.lines)
        ));
    };
    let near = miss.nearest.as_deref().and_then(|nearest| miss_notes::beside(nearest, absent));
    let actual = near.and_then(|near| Some((near.actual.as_ref()?.line + 1, near.difference)));
    let decide = "decide whether the change is still to be made and to which lines";
    let shown = miss.nearest.as_deref().and_then(shown);
    Some(match actual {
        Some((line, Difference::Words)) => {
            format!("decide whether line {line} is the line to change; only then quote it")
        }
        _ if shown.is_some() => {
            format!(
                "decide from {} whether the change is still to be made and to which lines",
                shown.unwrap_or_default()
            )
        }
        Some((line, _)) => format!("read the file around line {line}, and {decide}"),
        None => format!("read the file, and {decide}"),
    })
}

/// Returns the lines of the file that a report shows around the nearest position, as `lines 3-9`; `None` if the report
/// leaves out some of these lines.
fn shown(nearest: &Nearest) -> Option<String> {
    let place = nearest.place();
    let (start, end) = (place.start - nearest.before.len(), place.end + nearest.after.len());
    (nearest.lines.len() <= EXCERPT && end > start + 1).then(|| lines(&(start..end)))
}

/// Returns a single line, or the words for one of several lines.
fn one_of(lines: &[usize]) -> String {
    let list = line_list(lines);
    if lines.len() > 1 { format!("one of {list}") } else { list }
}

/// Returns what to do where the context differs and the file has the lines to remove.
fn about_nearest(miss: &Miss) -> String {
    match miss.nearest.as_deref().map(Nearest::place) {
        Some(place) if place.len() > 1 => {
            format!("if {} are meant, quote them as the file has them", lines(&place))
        }
        Some(place) => format!("if {} is meant, quote it as the file has it", lines(&place)),
        None => {
            "no line of the file is like these lines; read the file, and quote lines of the file".to_owned()
        }
    }
}

/// Returns how to distinguish similar positions. The advice names no position as an example, because a model might take the example.
fn ambiguous(
    alternatives: &[Alternative],
    dialect: Dialect,
    of_replacement: bool,
    caller: &Caller,
) -> String {
    let by_header = alternatives.iter().any(|place| place.above.as_ref().is_some_and(|above| above.header));
    if of_replacement {
        let more = "put more of the lines around it into the old text and the new one";
        return format!("{more}{}", caller.or_all());
    }
    let words = if by_header {
        "name the position: put the header above the lines, or quote more lines around them"
    } else {
        "quote more lines around the change, up to a line that only the intended position has"
    };
    let by_number = alternatives.iter().any(|place| place.above.is_none()) && dialect == Dialect::Envelope;
    let number = if by_number { ", or name its first line: `@@ -LINE +LINE @@`" } else { "" };
    format!("{words}{number}")
}

fn about_doubt(doubt: Doubt, miss: &Miss, dialect: Dialect) -> String {
    let texts = dialect.is_text();
    if matches!(doubt, Doubt::FewLines | Doubt::OtherName)
        && let Some(words) = about_removed(miss)
    {
        return words;
    }
    if let Some(words) = line_in_doubt(miss).and_then(|line| about_line(doubt, &line)) {
        return words;
    }
    let words = match doubt {
        Doubt::SkippedBesideAddition | Doubt::SkippedInRemoval | Doubt::SkippedInTexts => {
            return about_unquoted(doubt, miss, texts);
        }
        Doubt::LooksApplied => return about_applied(miss),
        Doubt::StaleName => {
            "if these lines are meant, use the names that the file has there, also in the added lines; if not, read the file"
        }
        Doubt::PartOfOther | Doubt::InOtherForm | Doubt::FitsElsewhere => {
            "quote the lines around the change as the file has them"
        }
        Doubt::IndentationOnly
        | Doubt::RemovedElsewhere
        | Doubt::NoIndentation
        | Doubt::LeftOfMargin
        | Doubt::LostNesting => {
            "write the quoted lines with the indentation of the file, and each added line with the indentation it gets"
        }
        Doubt::FewLines | Doubt::ApartFromQuote => {
            return already(miss) + "quote more of the lines around the change, as the file has them";
        }
        Doubt::OutsideHeader => {
            "quote the lines of the block of the header as they are now; if these lines are meant, drop the header or put their own there"
        }
        Doubt::SeveralWays if texts => {
            "quote the lines as the file has them, the unchanged ones in both texts"
        }
        Doubt::OtherName => {
            "if these lines are meant, quote them as the file has them; if not, read the file"
        }
        Doubt::MisspeltRemoval => "write each removed line as the file has it",
        Doubt::SeveralWays | Doubt::TieWithoutSign => {
            "write each line with its sign (space, `-` or `+`) and as the file has it, without gaps and dots"
        }
        Doubt::OtherBlock => "quote only lines of the block that is meant, as the file has them",
        Doubt::OwnSign => "put a space before a kept line and `-` before a removed line, also before a sign",
        Doubt::PhantomBesideChange if texts => {
            "quote the lines as the file has them; a line that is to be added is in the new text only"
        }
        Doubt::PhantomBesideChange => {
            "drop the line that is not in the file, or put `+` before it if it is to be added"
        }
        Doubt::Encoded => {
            "write all lines as the file has them, without entities and escapes of the transport"
        }
        Doubt::EncodedNewText => {
            "write the new text as the file is to have it, without entities and escapes of the transport"
        }
        Doubt::Wrapped(Wrap::LineNumbers) => "write the new text without line numbers",
        Doubt::Wrapped(Wrap::Signs) => {
            "write the new text as the file is to have it: without signs, and without the removed lines"
        }
        Doubt::Wrapped(Wrap::Quotation) => "write the new text without the `>` before its lines",
        Doubt::Wrapped(Wrap::Fence) => "write the new text without the fence",
        Doubt::Wrapped(Wrap::QuotationMarks) => {
            "write the new text without the quotation marks around all of its lines"
        }
        Doubt::Wrapped(Wrap::Tag | Wrap::Token | Wrap::CharacterData | Wrap::Name) => {
            "write the new text without the mark at its beginning or end; if the mark is meant, add it in an edit of its own"
        }
        Doubt::LazyAddition => {
            "write out the lines that the placeholder replaces, or leave these lines out of the change"
        }
        Doubt::DividesBlock => "quote the line above and the line below the new ones",
        Doubt::InsideLine if texts => {
            "quote the whole line in the old text, and write its replacement as the new text"
        }
        Doubt::InsideLine => "remove the whole line with `-`, and add with `+` what replaces it",
        Doubt::JoinedOtherwise if texts => {
            "quote the line beside the new ones as the file has it, and change its sign in the new text if need be"
        }
        Doubt::JoinedOtherwise => {
            "quote the line beside the added ones as the file has it; if its sign has to change, remove the line with `-` and add it with `+`"
        }
        Doubt::RepeatsLine if texts => {
            "quote that line of the file in the old text as well, or leave it out of the new text"
        }
        Doubt::RepeatsLine => "quote that line of the file as well, or leave the line out of the added ones",
        Doubt::MendedToNothing => {
            "if these characters are to change, quote the line exactly as the file has it; if not, drop the change"
        }
        Doubt::OtherEncoding => "write the added lines in ASCII, or convert the file to UTF-8 first",
        Doubt::GarbledAddition => {
            return already(miss)
                + "spell the quoted lines as the file does, and the added lines with the right characters";
        }
    };
    words.to_owned()
}

/// Returns which lines of the file to quote in place of lines of dots.
fn about_dots(miss: &Miss) -> String {
    let nearest = miss.nearest.as_deref();
    let differing: Vec<&NearLine> = nearest
        .iter()
        .flat_map(|nearest| &nearest.lines)
        .filter(|line| !line.difference.is_equivalent())
        .collect();
    let lines: Vec<usize> = differing.iter().filter_map(|line| Some(line.actual.as_ref()?.line)).collect();
    let removes = |line: &&NearLine| line.quoted.as_ref().is_some_and(|line| line.kind == LineKind::Remove);
    if differing.iter().all(|line| line.quoted.is_none()) {
        return "quote the line before or after the position in place of the dots".to_owned();
    }
    let is_shown = !lines.is_empty() && nearest.is_some_and(|nearest| shown(nearest).is_some());
    let read = if is_shown { "" } else { "read the file, and " };
    let lines = if lines.is_empty() { "its lines".to_owned() } else { line_list(&lines) };
    let signs = if differing.iter().any(removes) { SIGNS } else { "" };
    format!("{read}quote {lines} in place of the dots{signs}")
}

/// The signs of lines that a patch quotes between removed lines.
const SIGNS: &str = ": with `-` to remove, with a space to keep";

/// Returns which lines of the file to quote as well.
fn about_unquoted(doubt: Doubt, miss: &Miss, texts: bool) -> String {
    let lines = miss_notes::unquoted(miss);
    let lines = if lines.is_empty() { "the lines between".to_owned() } else { line_list(&lines) };
    let advice = match doubt {
        Doubt::SkippedInRemoval if !texts => {
            format!("quote {lines} as well{SIGNS}")
        }
        Doubt::SkippedBesideAddition => {
            format!("quote {lines} as well, so that the position of the new lines is clear")
        }
        _ => format!("quote {lines} as well; a line that is kept is in both texts"),
    };
    already(miss) + &advice
}

/// Returns the beginning of a sentence that names unquoted lines of the file at the position that equal added lines; empty if
/// there are none.
fn already(miss: &Miss) -> String {
    let unquoted: Vec<usize> =
        miss.nearest.iter().flat_map(|nearest| nearest.unquoted()).map(|line| line.line).collect();
    let there = |line: &ChangedLine| line.lines.iter().copied().find(|line| unquoted.contains(line));
    let added = miss.lines.changed.iter().filter(|line| line.kind == LineKind::Add);
    let lines: Vec<usize> = added.filter_map(there).collect();
    if lines.is_empty() {
        return String::new();
    }
    let list = line_list(&lines);
    if lines.len() == miss.lines.changed.len() {
        return format!("nothing is left to do if the added lines are there already ({list}); if not, ");
    }
    format!("add no line that the file has already ({list}), and ")
}

/// Returns what to do where the file may contain the result already.
fn about_applied(miss: &Miss) -> String {
    let (removed, added): (Vec<_>, Vec<_>) =
        miss.lines.changed.iter().partition(|line| line.kind == LineKind::Remove);
    let are_gone = removed.iter().all(|line| line.lines.is_empty());
    let are_there = added.iter().all(|line| !line.lines.is_empty());
    if are_gone && are_there && !miss.lines.changed.is_empty() && miss.alternatives.is_empty() {
        return "if the added lines that the file has are the change, nothing is left to do; if not, quote the lines as they are now"
            .to_owned();
    }
    if let (Reason::Doubt { place, .. }, false) = (&miss.reason, miss.alternatives.is_empty()) {
        let starts: Vec<usize> = miss.alternatives.iter().map(|place| place.start).collect();
        return format!(
            "if the change was made at {}, nothing is left to do; if {} is still to change, quote the lines around that line",
            lines(place),
            one_of(&starts)
        );
    }
    let read = if miss.nearest.as_deref().and_then(shown).is_some() { "" } else { "read the file: " };
    format!("{read}if the change is there, nothing is left to do; if not, quote the lines as they are now")
}

/// Returns what to do about the line of the file in question.
fn about_line(doubt: Doubt, line: &str) -> Option<String> {
    Some(match doubt {
        Doubt::PartOfOther => format!("if {line} is meant, quote the whole line"),
        Doubt::InOtherForm => format!(
            "if {line} is the change, nothing is left to do; if {line} is to change, quote it; if both are to be there, quote both"
        ),
        Doubt::FitsElsewhere => format!(
            "if the lines from {line} on are meant, quote them as they are now; if not, quote the lines around the change as the file has them"
        ),
        Doubt::OtherName | Doubt::MisspeltRemoval => {
            format!("if {line} is meant, quote it as the file has it; if not, read the file")
        }
        _ => return None,
    })
}

/// Returns the line of the file in question, as `line 3`.
fn line_in_doubt(miss: &Miss) -> Option<String> {
    match &miss.reason {
        Reason::Doubt { line: Some(line), .. } => Some(line_list(&[*line])),
        _ => None,
    }
}

/// What to do after arguments that make no sense.
pub(in crate::report) fn after_wrong_usage(caller: &Caller) -> String {
    format!("Next: call it again with that put right{}.", caller.shows_options())
}

/// Returns the name of the suggestion.
pub(in crate::report) fn corrected(of_replacement: bool) -> &'static str {
    if of_replacement { "edit" } else { "patch" }
}

/// Returns the line above a suggestion.
pub(in crate::report) fn above_suggestion(of_replacement: bool, caller: &Caller) -> String {
    if of_replacement {
        format!("A corrected edit, quoted from the file{}:", caller.takes_patch())
    } else {
        "A corrected patch, quoted from the files:".to_owned()
    }
}

/// Returns the next step after a refusal: a sentence with its full stop.
pub(in crate::report) fn next(failures: &Failures, suggested: bool, caller: &Caller) -> String {
    let of_replacement = failures.of_replacement();
    let of_texts = failures.failures.iter().all(|failure| failure.dialect.is_text());
    let again = match (of_replacement, of_texts) {
        (true, _) => "send it again",
        (false, true) => "send all edits again",
        (false, false) if failures.hunks() + failures.placed.len() > 1 => {
            "send the whole patch again, all hunks"
        }
        (false, false) if failures.failures.iter().all(is_only_chunk) => "send the patch again",
        (false, false) => "send the whole patch again",
    };
    if suggested {
        let what = corrected(of_replacement);
        return format!(
            "Next: check the corrected {what} above against what you mean, and send it; nothing of the first one was \
             applied."
        );
    }
    match common(failures, caller) {
        // The advice has two cases, and only in the second is there something to send.
        Some(advice) if failures.failures.iter().all(looks_applied) => {
            format!("Next: {advice}, and {again}.")
        }
        Some(advice) => format!("Next: {advice}; then {again}."),
        None => format!("Next: correct the problems above; then {again}."),
    }
}

fn is_only_chunk(failure: &Failure) -> bool {
    matches!(failure.kind, FailureKind::Chunk { of: 0..=1, .. })
}

fn looks_applied(failure: &Failure) -> bool {
    failure.code() == Doubt::LooksApplied.code()
}

/// Returns the advice for all failures, if each failure has the same advice.
pub(in crate::report) fn common(failures: &Failures, caller: &Caller) -> Option<String> {
    let of_replacement = failures.of_replacement();
    let mut all = failures.failures.iter().map(|failure| about(failure, of_replacement, caller));
    let first = all.next()??;
    all.all(|advice| advice.as_ref() == Some(&first)).then_some(first)
}
