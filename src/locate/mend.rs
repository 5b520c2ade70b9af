//! Writing added lines as the document writes what they replace: its look-alikes, its escapes, its characters.

use std::borrow::Cow;
use std::ops::Range;

use super::outcome::Doubt;
use super::pairing::{Candidate, Pair};
use super::relation::{ESCAPED, Relation, is_escaped_once_more, junk, relate, unescaped};
use crate::patch::LineKind;
use crate::text::{Document, look_alike};

/// An added line with the look-alikes that the removed line it replaces has in the document.
///
/// What both lines begin and end with is taken from the document. In between, a character is written as the document's
/// line writes it, if that writes all of its kind alike; if not, the first as the first, the second as the second,
/// if there are as many.
pub(super) fn look_alikes(
    text: &str,
    nth: usize,
    candidate: &Candidate<'_>,
    pairs: &[Pair<'_>],
) -> Option<String> {
    let removed = replaced_by(nth, candidate)?;
    let pair = pairs.iter().find(|pair| pair.nth == removed)?;
    let (quoted, actual) = (pair.quoted.trim(), pair.actual.trim());
    let quoted = as_escaped(quoted, actual);
    let (lead, body) = text.split_at(text.len() - text.trim_start().len());
    let (spelling, body) = match spelling(&quoted, actual) {
        Some(spelling) => (spelling, Cow::Borrowed(body)),
        // Three dots of the quote are one character of the document.
        None => (spelling(&with_ellipses(&quoted), actual)?, Cow::Owned(with_ellipses(body))),
    };
    let body: Vec<char> = body.chars().collect();
    let head = body.iter().zip(&spelling).take_while(|(c, (q, _))| *c == q).count();
    let tails = body[head..].iter().rev().zip(spelling[head..].iter().rev());
    let tail = tails.take_while(|(c, (q, _))| *c == q).count();
    let mut mended: Vec<char> = lead.chars().chain(spelling[..head].iter().map(|(_, d)| *d)).collect();
    for at in head..body.len() - tail {
        mended.push(written(&body, at, &spelling)?);
    }
    mended.extend(spelling[spelling.len() - tail..].iter().map(|(_, d)| *d));
    let mended: String = mended.into_iter().collect();
    (mended != text).then_some(mended)
}

/// A quoted line without the level of escapes that it has more than the document's.
fn as_escaped<'q>(quoted: &'q str, actual: &str) -> Cow<'q, str> {
    if is_escaped_once_more(quoted, actual) { Cow::Owned(unescaped(quoted)) } else { Cow::Borrowed(quoted) }
}

fn with_ellipses(text: &str) -> String {
    text.replace("...", "\u{2026}")
}

/// A character of an added line as the document's line writes it; `None` where that is open, and half of the line
/// mended would be worse than none.
fn written(body: &[char], at: usize, spelling: &[(char, char)]) -> Option<char> {
    let c = body[at];
    let ways: Vec<char> = spelling.iter().filter(|(q, _)| *q == c).map(|(_, d)| *d).collect();
    match ways[..] {
        [] => Some(c),
        [first, ..] if ways.iter().all(|way| *way == first) => Some(first),
        // Opening and closing quotes are one character in the quote: the first stands for the first.
        _ if body.iter().filter(|other| **other == c).count() == ways.len() => {
            let nth = body[..at].iter().filter(|other| **other == c).count();
            ways.get(nth).copied()
        }
        _ => None,
    }
}

/// The removed line that an added line stands for: the one as far down in the removed lines before it as the
/// added line is in the added ones.
pub(super) fn replaced_by(nth: usize, candidate: &Candidate<'_>) -> Option<usize> {
    let kind = |at: usize| candidate.edit.lines[at].kind;
    let first_added = (0..=nth).rev().take_while(|at| kind(*at) == LineKind::Add).last()?;
    let first_removed = (0..first_added).rev().take_while(|at| kind(*at) == LineKind::Remove).last()?;
    let removed = first_removed + (nth - first_added);
    (removed < first_added).then_some(removed)
}

/// The characters of a quoted line beside those of the document; `None` where they do not go one to one.
fn spelling(quoted: &str, actual: &str) -> Option<Vec<(char, char)>> {
    let alike = |q: char, d: char| {
        let plain = |c: char| look_alike(c).map_or_else(|| c.to_string(), str::to_owned);
        q == d || plain(q) == plain(d)
    };
    let pairs: Vec<_> = quoted.chars().zip(actual.chars()).collect();
    let whole = quoted.chars().count() == actual.chars().count();
    (whole && pairs.iter().all(|(q, d)| alike(*q, *d))).then_some(pairs)
}

/// An added line with the escapes as the document has them.
///
/// Where quoted lines are escaped once more than the document, an added line loses one level if all of it is
/// escaped so. Where the removed line that it replaces has lost its escapes, it takes them, if it treats all
/// characters of that kind alike.
pub(super) fn reescaped(
    text: &str,
    nth: usize,
    candidate: &Candidate<'_>,
    pairs: &[Pair<'_>],
) -> Option<String> {
    let escaped_once_more = |pair: &&Pair<'_>| is_escaped_once_more(pair.quoted, pair.actual);
    if pairs.iter().any(|pair| escaped_once_more(&pair)) {
        let kinds = escaped_in(pairs.iter().filter(escaped_once_more).map(|pair| pair.quoted));
        return one_level_less(text, &kinds).filter(|plain| plain != text);
    }
    let replaced = replaced_by(nth, candidate)?;
    let pair = pairs.iter().find(|pair| pair.nth == replaced)?;
    let mut mended = text.to_owned();
    for character in ["\"", "'", "`", "$"] {
        let escape = format!("\\{character}");
        let bare = |line: &str| line.replace(&escape, "").contains(character);
        let is_plain = |line: &str| bare(line) && !line.contains(&escape);
        if is_plain(&mended) && is_plain(pair.quoted) && pair.actual.contains(&escape) && !bare(pair.actual) {
            mended = mended.replace(character, &escape);
        }
    }
    (mended != text).then_some(mended)
}

/// Whether an added line may be escaped once more than it is to be, where another edit of the document is: if each
/// character that it escapes is escaped throughout, and no quoted line has one as it is.
pub(super) fn may_be_escaped(text: &str, pairs: &[Pair<'_>]) -> bool {
    let kinds = escaped_in([text]);
    let is_plain = |pair: &Pair<'_>| pair.quoted.contains(|c| kinds.contains(c) && c != '\\');
    !kinds.is_empty() && one_level_less(text, &kinds).is_some() && !pairs.iter().any(is_plain)
}

/// The characters that lines have behind a backslash.
fn escaped_in<'t>(lines: impl IntoIterator<Item = &'t str>) -> String {
    let mut kinds = String::new();
    for line in lines {
        let behind_backslash = line.chars().zip(line.chars().skip(1)).filter(|(before, _)| *before == '\\');
        for (_, c) in behind_backslash.filter(|(_, c)| ESCAPED.contains(*c)) {
            if !kinds.contains(c) {
                kinds.push(c);
            }
        }
    }
    kinds
}

/// A line with one level of escapes undone; `None` where one of these characters stands without its backslash, or
/// a backslash before something else: the line is not escaped as a whole.
fn one_level_less(text: &str, kinds: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => plain.push(chars.next().filter(|next| ESCAPED.contains(*next))?),
            _ if kinds.contains(c) => return None,
            _ => plain.push(c),
        }
    }
    Some(plain)
}

/// An added line without the junk that it copies from a quoted line: each piece of junk gives way to what the
/// document has in its place. Junk that stands for many things (`?`, `\u{fffd}`) is told by what stands around it.
///
/// # Errors
/// The line holds a `\u{fffd}` still, the quote has shown that this is junk, and the document has none of its own.
pub(super) fn ungarbled(
    text: &str,
    nth: usize,
    candidate: &Candidate<'_>,
    pairs: &[Pair<'_>],
    document: &Document,
) -> Result<Option<String>, Doubt> {
    let vague = |c: char| matches!(c, '?' | UNREADABLE);
    let replaced = replaced_by(nth, candidate);
    let mut mended = text.to_owned();
    let (mut unreadable, mut copies_junk) = (false, false);
    for pair in pairs {
        let actual = pair.actual.trim();
        let quoted = &*as_escaped(pair.quoted.trim(), actual);
        let Some(pieces) = junk(quoted, actual) else {
            if relate(quoted, actual) == Relation::CodePage && copies_other(quoted, text) {
                return Err(Doubt::GarbledAddition);
            }
            continue;
        };
        for (wrong, right) in pieces {
            let piece = &quoted[wrong.clone()];
            unreadable |= piece.contains(UNREADABLE);
            copies_junk |= Some(pair.nth) == replaced && piece.contains(vague);
            if !piece.contains(vague) && actual.contains(piece) && text.contains(piece) {
                // What is junk in one place is text in another.
                return Err(Doubt::GarbledAddition);
            }
            mended = without_junk(&mended, quoted, wrong, right);
        }
    }
    if copies_junk && mended.contains(vague) {
        // Some of it may be meant, and some of it be junk that was copied.
        return Err(Doubt::GarbledAddition);
    }
    let own = || memchr::memmem::find(document.content(), UNREADABLE.to_string().as_bytes()).is_some();
    if unreadable && mended.contains(UNREADABLE) && !own() {
        return Err(Doubt::GarbledAddition);
    }
    Ok((mended != text).then_some(mended))
}

/// Whether a text has a word of a line that is not all ASCII.
fn copies_other(line: &str, text: &str) -> bool {
    let mut words = line.split(|c: char| c.is_ascii_whitespace() || c.is_ascii_punctuation());
    words.any(|word| !word.is_ascii() && text.contains(word))
}

/// What stands for bytes that are not text.
const UNREADABLE: char = '\u{fffd}';

/// How many characters around a piece of junk have to be the same for it to stand for the same, and how many are
/// looked at on each side.
const AROUND: usize = 3;
const EACH_SIDE: usize = 4;

/// A line with a piece of junk of the quote put right.
fn without_junk(text: &str, quoted: &str, wrong: Range<usize>, right: &str) -> String {
    let vague = |c: char| matches!(c, '?' | UNREADABLE);
    let junk = &quoted[wrong.clone()];
    if !junk.contains(vague) {
        return text.replace(junk, right);
    }
    let (before, behind) = (&quoted[..wrong.start], &quoted[wrong.end..]);
    // What stands around it ends at the next piece of junk.
    let before = before.rsplit(vague).next().unwrap_or_default();
    let behind = &behind[..behind.find(vague).unwrap_or(behind.len())];
    let from = before.char_indices().rev().nth(EACH_SIDE - 1).map_or(0, |(at, _)| at);
    let until = behind.char_indices().nth(EACH_SIDE).map_or(behind.len(), |(at, _)| at);
    let (head, tail) = (&before[from..], &behind[..until]);
    if head.chars().count() + tail.chars().count() < AROUND {
        return text.to_owned();
    }
    text.replace(&format!("{head}{junk}{tail}"), &format!("{head}{right}{tail}"))
}
