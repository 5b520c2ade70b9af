//! New texts that begin or end with a mark of the call around them: a tag, a token, a fence. A marker of a conflict or of a patch is
//! text: any text can be written.

use super::texts::{Kind, NAMES, Texts};
use crate::locate::{Wrap, is_fence};

/// The tags of calls that are no words of other texts.
const TAGS: [&str; 27] = [
    "old_string",
    "new_string",
    "old_str",
    "new_str",
    "old_text",
    "new_text",
    "oldString",
    "newString",
    "oldText",
    "newText",
    "file_text",
    "file_path",
    "function_calls",
    "function_call",
    "function_results",
    "tool_call",
    "tool_calls",
    "tool_use",
    "tool_code",
    "apply_patch",
    "apply_diff",
    "str_replace",
    "search_replace",
    "replace_in_file",
    "write_to_file",
    "edit_file",
    "invoke",
];

/// The tags of calls that are words of other texts, too: a mark only if alone in its line.
const WORDS: [&str; 12] = [
    "parameter",
    "content",
    "patch",
    "diff",
    "edit",
    "edits",
    "replace",
    "replacement",
    "file",
    "function",
    "arguments",
    "search",
];

/// Returns the mark at the beginning or end of the new text that neither the old text nor the file has. If the mark is all that
/// the new text adds, the mark is the change.
pub(super) fn mark(texts: &Texts<'_, '_>) -> Option<Wrap> {
    let (first, last) = (*texts.written.first()?, *texts.written.last()?);
    let (behind, before) = (&texts.written[1..], &texts.written[..texts.written.len() - 1]);
    let is_all = |rest: &[&str]| rest == texts.replaced || rest.is_empty() && !texts.removes;
    if matches!(texts.kind, Kind::Prose | Kind::Patch) || is_all(behind) || is_all(before) {
        return None;
    }
    let is_alone = |line: &str| !behind.is_empty() && is_fence(line) && is_lone_fence(texts);
    if is_alone(first) || is_alone(last) {
        return Some(Wrap::Fence);
    }
    let marks = [
        (Wrap::Tag, has_closing_tag(texts, last) || has_opening_tag(texts, first)),
        (Wrap::CharacterData, is_character_data(texts, first, last)),
        (Wrap::Token, has_token(texts, last)),
        (Wrap::Name, has_name(texts, first)),
    ];
    marks.into_iter().find(|(_, is_there)| *is_there).map(|(mark, _)| mark)
}

/// Checks whether a fence of the new text is not closed, and neither the old text nor the file has one.
fn is_lone_fence(texts: &Texts<'_, '_>) -> bool {
    texts.written.iter().filter(|line| is_fence(line)).count() % 2 == 1 && !texts.has(is_fence)
}

/// Checks for a tag at the end of the last line whose opening tag is missing.
fn has_closing_tag(texts: &Texts<'_, '_>, last: &str) -> bool {
    let inner = last.trim_end().strip_suffix('>').unwrap_or_default();
    let Some((before, tag)) = inner.rsplit_once("</") else { return false };
    let opening = format!("<{tag}");
    // A tag around the whole new text is a mark as well, if the new text goes on as the old text.
    let goes_on =
        texts.kind != Kind::Markup && texts.written.get(1).is_some_and(|line| texts.begin_alike(line));
    let others = if goes_on { &texts.written[1..] } else { texts.written };
    is_tag(texts, tag, before.trim().is_empty()) && !others.iter().any(|line| line.contains(&opening))
}

/// Checks for a tag at the beginning of the first line whose closing tag is missing.
fn has_opening_tag(texts: &Texts<'_, '_>, first: &str) -> bool {
    let inner = first.trim_start().strip_prefix('<').unwrap_or_default();
    let Some((tag, behind)) = inner.split_once('>') else { return false };
    let tag = tag.split_once(' ').map_or(tag, |(name, _)| name);
    let closing = format!("</{tag}>");
    texts.written.len() > 1
        && is_tag(texts, tag, behind.trim().is_empty())
        && !texts.written.iter().any(|line| line.contains(&closing))
}

/// Checks whether a tag is one of calls that neither the old text nor the file has. `is_alone`: nothing else is in the line.
fn is_tag(texts: &Texts<'_, '_>, tag: &str, is_alone: bool) -> bool {
    let name = tag.strip_prefix("antml:").unwrap_or(tag);
    let is_word = texts.kind != Kind::Markup && WORDS.contains(&name) && (is_alone || name == "parameter");
    let is_known = || [format!("<{tag}"), format!("</{tag}")].iter().any(|tag| texts.contain(tag));
    (is_word || TAGS.contains(&name)) && !is_known()
}

/// Checks for the beginning or end of character data without the other. Brackets that are opened may end a type.
fn is_character_data(texts: &Texts<'_, '_>, first: &str, last: &str) -> bool {
    const DATA: (&str, &str) = ("<![CDATA[", "]]>");
    let count = |sign: char| texts.written.iter().map(|line| line.matches(sign).count()).sum::<usize>();
    let is_known = || texts.contain(DATA.0) || texts.contain(DATA.1);
    let is_ended = last.trim_end().ends_with(DATA.1) && count(']') > count('[');
    let is_open = || !texts.written.iter().any(|line| line.contains(DATA.1));
    let is_begun =
        texts.kind != Kind::Markup && first.trim_start().starts_with(DATA.0) && (is_open() || is_ended);
    (is_ended || is_begun) && !is_known()
}

/// Checks for the token that ends the answer of a model, `<|im_end|>`, without other tokens.
fn has_token(texts: &Texts<'_, '_>, last: &str) -> bool {
    let token = last.trim_end().strip_suffix("|>").and_then(|rest| rest.rsplit_once("<|"));
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let tokens: usize = texts.written.iter().map(|line| line.matches("<|").count()).sum();
    token.is_some_and(|(_, word)| is_word(word)) && tokens == 1 && !texts.contain("<|")
}

/// Checks for the name of the new text before the new text.
fn has_name(texts: &Texts<'_, '_>, first: &str) -> bool {
    let Some((name, behind)) = first.split_once(':') else { return false };
    let body = behind.strip_prefix(' ').unwrap_or(behind);
    let goes_on = match texts.written.get(1) {
        Some(next) if body.trim().is_empty() => texts.begin_alike(next),
        _ => texts.begin_alike(body),
    };
    let is_all = || texts.replaced.first() == Some(&body) && texts.replaced[1..] == texts.written[1..];
    NAMES.contains(&name) && goes_on && !is_all() && !texts.contain(name)
}
