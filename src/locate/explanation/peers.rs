//! Names that a file has side by side, and so are those of two things.

use super::aligned::Aligned;
use super::other_name::OtherName;
use crate::locate::align::file::File;
use crate::locate::align::line_text::LineText;
use crate::text::Fold;

/// How many lines with a name are looked at.
const MOST_LINES: usize = 100;

/// How far apart two lines of a block that differ in a name may be.
const REACH: usize = 200;

/// Checks whether the file has a quoted name and the name in its place side by side in unquoted lines: in one list
/// (`def fit(model, train, test):`), or in two lines of a block that are alike apart from the name. The quoted name is that of another thing.
pub(super) fn are_peers(aligned: &Aligned<'_, '_>, name: &OtherName) -> bool {
    let file = aligned.file;
    let lines = file.index.lines_with_word(&name.quoted, MOST_LINES);
    lines.into_iter().filter(|at| !aligned.is_quoted(*at)).any(|at| {
        let line = file.line(at);
        line.tokens().any(|token| token == name.quoted)
            && (are_listed(line, [&name.quoted, &name.actual]) || has_parallel(aligned, at, name))
    })
}

/// Checks whether a line has two words in one list: a comma is between, and no bracket that opens or closes only between. A member of an
/// object (`self.open`) is no item.
fn are_listed(line: &LineText<'_>, words: [&str; 2]) -> bool {
    let tokens: Vec<&str> = line.tokens().collect();
    let is_word = |at: &usize| words.contains(&tokens[*at]) && (*at == 0 || tokens[at - 1] != ".");
    let places: Vec<usize> = (0..tokens.len()).filter(is_word).collect();
    places.windows(2).any(|pair| {
        let between = &tokens[pair[0] + 1..pair[1]];
        tokens[pair[0]] != tokens[pair[1]] && between.contains(&",") && are_balanced(between)
    })
}

/// Checks whether each bracket that some tokens open is closed, and the other way round.
fn are_balanced(tokens: &[&str]) -> bool {
    let mut depth = 0_i32;
    let is_inside = tokens.iter().all(|token| {
        depth += match *token {
            "(" | "[" | "{" => 1,
            ")" | "]" | "}" => -1,
            _ => 0,
        };
        depth >= 0
    });
    is_inside && depth == 0
}

/// Checks whether the block of a line has an unquoted line that is alike, with the name of the file for the quoted one.
fn has_parallel(aligned: &Aligned<'_, '_>, at: usize, name: &OtherName) -> bool {
    let file = aligned.file;
    let other = file.line(at).text().replace(&name.quoted, &name.actual);
    let places = file.index.line_places(Fold::Exact, &other);
    let mut places = places.iter().take(MOST_LINES).map(|line| *line as usize);
    places.any(|line| !aligned.is_quoted(line) && line.abs_diff(at) <= REACH && are_in_block(file, at, line))
}

/// Checks whether no line between two lines is less deep than the first.
fn are_in_block(file: &File<'_>, one: usize, other: usize) -> bool {
    let depth = file.line(one).depth();
    (one.min(other)..one.max(other)).all(|line| file.is_blank(line) || file.line(line).depth() >= depth)
}
