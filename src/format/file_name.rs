//! The name of a file in the words above a block.

use std::collections::VecDeque;

use crate::format::marker::{self, Outside, Tags};

/// How many lines are searched. The name is right above the block, or above its fence with a blank line between.
const KEPT: usize = 4;

/// Words before a name.
const LABELS: [&str; 4] = ["file:", "filename:", "path:", "file path:"];

/// Names of files without an extension.
const KNOWN: [&str; 7] = ["Makefile", "Dockerfile", "LICENSE", "Gemfile", "Rakefile", "Justfile", "Procfile"];

/// The lines above a block.
#[derive(Debug, Default)]
pub(super) struct Above {
    lines: VecDeque<(usize, String)>,
}

/// A name that was found.
#[derive(Debug)]
pub(super) struct NameAbove {
    /// The line of the name, 1-based.
    pub(super) number: usize,
    pub(super) name: String,
    /// Whether the line contains only the name, and is right above the block.
    pub(super) plain: bool,
}

impl Above {
    /// Adds the next line, and returns a line that is too far above for a name.
    pub(super) fn push(&mut self, number: usize, line: &str) -> Option<(usize, String)> {
        self.lines.push_back((number, line.to_owned()));
        if self.lines.len() > KEPT { self.lines.pop_front() } else { None }
    }

    /// Takes all lines that are left.
    pub(super) fn take(&mut self) -> VecDeque<(usize, String)> {
        std::mem::take(&mut self.lines)
    }

    /// Drops the line that was used as a name, unless the line is a fence.
    pub(super) fn forget(&mut self, number: usize) {
        self.lines.retain(|(at, line)| *at != number || marker::outside(line) == Outside::Fence);
    }

    /// Returns the name in the nearest line with a name: right above, in the fence, or above the fence.
    pub(super) fn name(&self) -> Option<NameAbove> {
        let mut fenced = false;
        for (nth, (number, line)) in self.lines.iter().rev().enumerate() {
            let found = |name: String, plain| Some(NameAbove { number: *number, name, plain });
            match marker::outside(line) {
                Outside::Blank if nth == 0 || fenced => {}
                Outside::Fence if marker::tags(line) == Some(Tags::Open) => fenced = true,
                Outside::Fence if !fenced && marker::tags(line).is_none() => {
                    fenced = true;
                    if let Some(name) = in_fence(line.trim()) {
                        return found(name, false);
                    }
                }
                Outside::Blank | Outside::Fence => return None,
                _ if tag(line) == Some("") => {}
                _ => {
                    let name = in_words(line)?;
                    let plain = nth == 0 && is_plain(line);
                    return found(name, plain);
                }
            }
        }
        None
    }
}

/// Returns whether a line is exactly a name: without whitespace or markup.
pub(crate) fn is_plain(line: &str) -> bool {
    let odd = |c: char| c.is_whitespace() || "`*:\"'".contains(c);
    !line.is_empty()
        && !line.starts_with(['#', '<', '=', '>', '-', '+', '(', '[', '~', '\u{feff}'])
        && !line.contains(odd)
}

/// Returns the name of a line that has only a file name, with or without markup.
pub(super) fn alone(line: &str) -> Option<String> {
    let line = line.trim().trim_start_matches('#').trim();
    let label =
        line.split_once(' ').filter(|(word, _)| LABELS.iter().any(|label| label.eq_ignore_ascii_case(word)));
    let name = label.map_or(line, |(_, name)| name.trim());
    let name = name.trim_end_matches(':').trim_matches(['`', '*', '"']).trim_end_matches(':');
    let (_, last) = name.rsplit_once('/').unwrap_or(("", name));
    let has_letter = |ending: &str| ending.contains(|c: char| c.is_ascii_alphabetic());
    let is_name =
        KNOWN.contains(&last) || last.rsplit_once('.').is_some_and(|(_, ending)| has_letter(ending));
    (is_name && looks_like_path(name)).then(|| name.to_owned())
}

/// Returns the content of a tag, as in the calls of some tools: `<path>src/a.py</path>`; `None` for an opening tag
/// alone.
fn tag(line: &str) -> Option<&str> {
    let (name, rest) = line.trim().strip_prefix('<')?.split_once('>')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let inside = if rest.is_empty() {
        Some("")
    } else {
        rest.strip_suffix('>')?.strip_suffix(name)?.strip_suffix("</")
    };
    inside.filter(|_| is_name).map(str::trim)
}

/// Returns the name in the info string of a fence: ` ```python src/a.py `, ` ```src/a.py `, ` ```python:src/a.py `.
pub(super) fn in_fence(line: &str) -> Option<String> {
    let info = line.trim_start_matches(['`', '~']).trim();
    let words = info.split([' ', '\t']).filter(|word| !word.is_empty());
    let value = |word: &str| {
        let word = word.trim_start_matches('{').trim_end_matches('}');
        let value = ["filename=", "file=", "path=", "title="].iter().find_map(|key| word.strip_prefix(key));
        let word = value.or_else(|| word.split_once(':').map(|(_, name)| name)).unwrap_or(word);
        word.trim_matches(['"', '\'']).to_owned()
    };
    words.map(value).find(|word| looks_like_path(word))
}

/// Returns the name in a line of prose: alone, or with markup.
fn in_words(line: &str) -> Option<String> {
    let line = tag(line).unwrap_or(line).trim();
    let bare = line.trim_start_matches('#').trim();
    let bare = bare.strip_prefix("- ").or_else(|| bare.strip_prefix("* ")).unwrap_or(bare);
    let bare = bare.strip_prefix("// ").unwrap_or(bare);
    if let Some(name) = marked(bare) {
        return Some(name);
    }
    let label = LABELS
        .iter()
        .find(|label| bare.get(..label.len()).is_some_and(|start| start.eq_ignore_ascii_case(label)));
    let labelled = label.map_or(bare, |label| bare[label.len()..].trim());
    let name = labelled.trim_end_matches(':').trim().trim_matches(['`', '*', '"']);
    if name.is_empty() || name.contains(char::is_whitespace) && label.is_none() {
        return None;
    }
    let alone = name.len() == line.len();
    (alone || label.is_some() || looks_like_path(name)).then(|| name.to_owned())
}

/// Returns the only text in backticks or bold that looks like a name.
fn marked(line: &str) -> Option<String> {
    ["`", "**"].iter().find_map(|mark| {
        let mut names =
            line.split(mark).skip(1).step_by(2).map(|text| text.trim_matches(['`', '*', ':', ' ']));
        let whole = line.trim_end_matches(':').len();
        let first = names.next().filter(|name| {
            let alone = name.len() + 2 * mark.len() >= whole.saturating_sub(2);
            !name.is_empty() && (alone || looks_like_path(name))
        })?;
        let complete = line.matches(mark).count() % 2 == 0;
        (complete && !names.any(looks_like_path)).then(|| first.to_owned())
    })
}

/// Returns whether a word has a directory or an extension.
fn looks_like_path(word: &str) -> bool {
    let ending = word.rsplit_once('.').is_some_and(|(_, end)| {
        !end.is_empty() && end.len() <= 10 && end.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    });
    !word.contains("://")
        && (ending || word.contains('/') || KNOWN.contains(&word))
        && !word.ends_with('/')
        && !word.contains(char::is_whitespace)
}

/// Returns whether a path is the end of another path, or the same path: `b/c` is an end of `a/b/c`.
pub(super) fn ends_with(long: &str, short: &str) -> bool {
    long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}
