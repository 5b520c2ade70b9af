//! The explanation that a sibling of the target was found: the same lines in a block of another name.

use super::aligned::Aligned;
use super::block_words::row_of_other_block;
use super::evidence::evidence;
use super::heads::{is_garbled, is_half_there, is_head, is_heading, other_name_at_top, rewritten_head};
use super::other_name::{OtherName, openers_above};
use super::peers::are_peers;
use super::records::other_record;
use super::same_block::{is_block_around, line_in_position, named_block, names_same_block, only_block};
use crate::locate::align::line_text::LineText;
use crate::locate::align::relation::Class;
use crate::locate::align::words::only_replaced_word;
use crate::locate::reading::Row;
use crate::locate::search::scope::Scope;
use crate::locate::syntax::{
    begins_block, begins_control, continues, has_other_signs, has_title, is_operator, is_opposite,
    name_words, naming_field, title_words, uncommented, without_parameters, words_of,
};
use crate::text::Fold;

/// Returns the cost of the assumption that the target is not here, but a sibling, with the row that shows the sibling: a
/// line that opens a block around a change opens another block or reads otherwise, or a name differs that the file or the quote
/// has not. Siblings share their lines, so each line counts only in part, or not at all; `None` if nothing shows a sibling.
///
/// `header`: the block that a header names. Such a header is a quoted line that opens the block.
pub(super) fn sibling_null(aligned: &Aligned<'_, '_>, header: Option<Scope>) -> Option<(usize, i32)> {
    let costs = aligned.file.costs;
    let (row, share) = names_other_block(aligned)
        .map(|row| (row, costs.null_sibling))
        .or_else(|| Some((is_in_other_block(aligned)?, 0)))
        .or_else(|| Some((other_words(aligned)?, 0)))
        .or_else(|| sibling_name(aligned, header))
        .or_else(|| Some((other_operator(aligned)?, costs.null_sibling)))
        .or_else(|| Some((other_of_list(aligned)?, costs.null_sibling)))
        .or_else(|| Some((number_replaced_twice(aligned)?, costs.null_sibling)))
        .or_else(|| Some((rewritten_head(aligned)?, costs.null_sibling)))?;
    let alike = aligned.rows().filter(|row| aligned.is_alike(*row));
    let agreeing: i32 = alike.map(|row| evidence(aligned, row)).sum();
    Some((row, costs.null + agreeing * share / 100))
}

/// Returns a row in whose position the file has a word of the name of its block, and the quote another.
fn other_words(aligned: &Aligned<'_, '_>) -> Option<usize> {
    row_of_other_block(aligned).filter(|row| !is_inside_named_block(aligned, *row))
}

/// Returns a row that opens a block around a change, if the block of the file has another name there, or the file has no
/// such block.
fn is_in_other_block(aligned: &Aligned<'_, '_>) -> Option<usize> {
    let is_other_head = |row: usize, line: usize| {
        (has_other_head(aligned, row, line)
            || has_other_names(aligned, row, line)
            || is_named_by_signs(aligned, row, line)
            || has_other_part(aligned, row, line))
            && !is_named_inside(aligned, row)
            && is_half_there(aligned)
    };
    let is_other = |row: usize| {
        line_in_position(aligned, row)
            .is_some_and(|line| OtherName::new(aligned, row, line).is_some() || is_other_head(row, line))
    };
    let mut openers = aligned.reading.openers().iter().copied();
    let opener = openers.find(|row| {
        aligned.class(*row) != Some(Class::Same)
            && !names_same_block(aligned, *row)
            && !is_block_around(aligned, *row)
            && (is_phantom(aligned, *row)
                || is_other(*row)
                || has_opposite(aligned, *row)
                || !is_in_named_block(aligned) && has_other_operator(aligned, *row))
    });
    let is_other_closer = |row: &usize| {
        let line = aligned.pairs[*row].line().filter(|_| aligned.class(*row) == Some(Class::Differs));
        line.is_some_and(|line| OtherName::new(aligned, *row, line).is_some())
    };
    opener
        .or_else(|| other_name_at_top(aligned))
        .or_else(|| aligned.reading.closers().into_iter().find(is_other_closer))
        .or_else(|| other_record(aligned))
}

/// Checks whether a line that opens a block was rewritten to a line that opens another: each line has a word that the other has not, and
/// the name differs. Of a function, that is the last word before the parameters; of an assignment, the word before the value; elsewhere,
/// any word may be the name.
fn has_other_head(aligned: &Aligned<'_, '_>, row: usize, line: usize) -> bool {
    let (quoted, actual) = (&aligned.reading.old(row).line, aligned.file.line(line));
    let is_same_kind = is_head(quoted)
        && is_head(actual)
        && begins_block(quoted.text()) == begins_block(actual.text())
        && aligned.map.apply(&quoted.indent()).is_none_or(|indent| indent == actual.indent());
    let (q, f) = (head_words(quoted), head_words(actual));
    let has_own = |words: &[&str], others: &[&str]| words.iter().any(|word| !others.contains(word));
    let has_last_name = |line: &LineText<'_>| named_head(line).len() < line.body().len();
    let is_other = if is_heading(quoted) {
        !q.iter().any(|word| f.contains(word))
    } else {
        let is_title = has_title(quoted.body());
        let may_be_same =
            !is_title && (has_last_name(quoted) || has_last_name(actual)) && q.last() == f.last();
        !may_be_same && has_own(&q, &f) && has_own(&f, &q)
    };
    !aligned.is_alike(row) && is_same_kind && is_other && !is_garbled(quoted, actual)
}

/// Checks whether the names of two lines that open blocks differ in signs.
fn is_named_by_signs(aligned: &Aligned<'_, '_>, row: usize, line: usize) -> bool {
    let (quoted, actual) = (&aligned.reading.old(row).line, aligned.file.line(line));
    is_head(quoted) && is_head(actual) && has_other_signs(quoted.body(), actual.body())
}

/// Checks whether a name of several parts in a line that opens a block has further parts in the file or in the quote, behind its first
/// part: `/orders/archive` and `/orders`. A part in front may be a module that the other line leaves out.
fn has_other_part(aligned: &Aligned<'_, '_>, row: usize, line: usize) -> bool {
    let is_between = |c: char| c.is_whitespace() || "\"'`()[]<>,=".contains(c);
    let (quoted, actual) = (aligned.reading.old(row).line.body(), aligned.file.line(line).body());
    let [q, f]: [Vec<&str>; 2] = [quoted, actual].map(|body| body.split(is_between).collect());
    let mut pairs = q.iter().zip(&f).filter(|(quoted, actual)| quoted != actual);
    let (Some((quoted, actual)), None, true) = (pairs.next(), pairs.next(), q.len() == f.len()) else {
        return false;
    };
    let (short, long) = if quoted.len() < actual.len() { (quoted, actual) } else { (actual, quoted) };
    let mut parts = words_of(long);
    let begins_same = words_of(short).next() == words_of(long).next();
    let is_condition = begins_control(aligned.reading.old(row).line.text()) && is_in_named_block(aligned);
    !is_condition
        && begins_same
        && words_of(short).count() < words_of(long).count()
        && words_of(short).all(|part| parts.any(|other| other == part))
}

/// Checks whether several names of a line that opens a block are replaced, beyond slips of letters. A condition in a block with a name may
/// read otherwise.
fn has_other_names(aligned: &Aligned<'_, '_>, row: usize, line: usize) -> bool {
    let (quoted, actual) = (&aligned.reading.old(row).line, aligned.file.line(line));
    OtherName::are_several(aligned, row, line)
        && !is_garbled(quoted, actual)
        && !(begins_control(quoted.text()) && is_in_named_block(aligned))
}

/// Checks whether the file has the name of a line that opens a block at its position, whatever else differs.
pub(crate) fn has_name(aligned: &Aligned<'_, '_>, row: usize) -> bool {
    let is_opener = aligned.reading.openers().contains(&row) && aligned.is_related(row);
    let Some(line) = aligned.pairs[row].line().filter(|_| is_opener) else { return false };
    let (quoted, actual) = (&aligned.reading.old(row).line, aligned.file.line(line));
    let name = head_words(quoted).last().copied().filter(|_| is_head(quoted));
    name.is_some() && name == head_words(actual).last().copied()
}

/// Returns the words of a line up to the parameters of a function, or up to the value of an assignment.
fn head_words<'l>(line: &'l LineText<'_>) -> Vec<&'l str> {
    if has_title(line.body()) { title_words(line.body()) } else { name_words(named_head(line)) }
}

fn named_head<'l>(line: &'l LineText<'_>) -> &'l str {
    let body = line.body();
    let ends = [" = ", " := "].into_iter().filter_map(|sign| body.find(sign));
    without_parameters(&body[..ends.min().unwrap_or(body.len())])
}

/// Checks whether the file has the opposite of a condition.
fn has_opposite(aligned: &Aligned<'_, '_>, row: usize) -> bool {
    let (quoted, line) = (&aligned.reading.old(row).line, aligned.pairs[row].line());
    begins_control(quoted.text())
        && line.is_some_and(|line| is_opposite(quoted.tokens(), aligned.file.line(line).tokens()))
}

/// Checks whether an operator is the only difference of a row: a condition and its opposite.
fn has_other_operator(aligned: &Aligned<'_, '_>, row: usize) -> bool {
    let Some(line) = aligned.pairs[row].line() else { return false };
    let (quoted, actual) = (&aligned.reading.old(row).line, aligned.file.line(line));
    let of = |line: &LineText<'_>, is_wanted: fn(&str) -> bool| -> Vec<String> {
        line.tokens().filter(|token| is_wanted(token)).map(str::to_owned).collect()
    };
    let is_word = |token: &str| token.contains(char::is_alphanumeric) && !token.eq_ignore_ascii_case("not");
    of(quoted, is_word) == of(actual, is_word) && of(quoted, is_operator) != of(actual, is_operator)
}

/// Returns the first of several context rows in which one number is replaced by another.
fn number_replaced_twice(aligned: &Aligned<'_, '_>) -> Option<usize> {
    let number_in = |row: usize| {
        let quoted = aligned.reading.old(row);
        let line = aligned.pairs[row].line().filter(|_| quoted.is_context() && !aligned.is_alike(row))?;
        let pair = only_replaced_word(&quoted.line, aligned.file.line(line))?;
        let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        (is_number(pair.quoted) && is_number(pair.actual))
            .then(|| (row, pair.quoted.to_owned(), pair.actual.to_owned()))
    };
    let numbers: Vec<_> = aligned.rows().filter_map(number_in).collect();
    let is_again = |(row, quoted, actual): &&(usize, String, String)| {
        numbers.iter().any(|(other, q, f)| other != row && q == quoted && f == actual)
    };
    Some(numbers.iter().find(is_again)?.0)
}

/// Returns a context row in which an operator is all that differs, and makes another statement: that of a sibling. A line that opens the
/// same block may have other types.
fn other_operator(aligned: &Aligned<'_, '_>) -> Option<usize> {
    let word = aligned.file.costs.word;
    let is_other = |row: usize| {
        aligned.relation(row).is_some_and(|relation| relation.cost >= word) && !names_same_block(aligned, row)
    };
    let mut context = aligned.rows().filter(|row| aligned.reading.old(*row).is_context());
    context.find(|row| is_other(*row) && has_other_operator(aligned, *row))
}

/// Returns a context row in which a letter is wrong, in a word by which alike lines of the file differ: such a word tells the records of
/// a list apart, and the quoted one may be that of another record.
fn other_of_list(aligned: &Aligned<'_, '_>) -> Option<usize> {
    /// So many misspelt rows are looked at.
    const MOST_ROWS: usize = 4;
    let is_misspelt =
        |row: &usize| aligned.class(*row) == Some(Class::Typo) && aligned.reading.old(*row).is_context();
    aligned.rows().filter(is_misspelt).take(MOST_ROWS).find(|row| is_of_list(aligned, *row))
}

/// Checks whether the word that differs in a row is another one in at least two more lines around, which have all else.
fn is_of_list(aligned: &Aligned<'_, '_>, row: usize) -> bool {
    /// How far around the lines are looked for.
    const REACH: usize = 200;
    /// So many other lines make a list.
    const OTHERS: usize = 2;
    let (file, quoted) = (aligned.file, &aligned.reading.old(row).line);
    let Some(line) = aligned.pairs[row].line() else { return false };
    let actual = file.line(line);
    let Some(pair) = only_replaced_word(quoted, actual).filter(|pair| !pair.has_lost_letters()) else {
        return false;
    };
    let is_other = |other: &LineText<'_>| {
        let pair_of = only_replaced_word(other, actual);
        pair_of.is_some_and(|other| other.actual == pair.actual && other.quoted != pair.quoted)
    };
    let near = line.saturating_sub(REACH)..(line + REACH).min(file.len());
    let alike = near.filter(|other| file.line(*other).indent() == actual.indent());
    alike.filter(|other| *other != line && is_other(file.line(*other))).nth(OTHERS - 1).is_some()
}

/// Checks whether the file has a field of the block that names the block: `name: web`. A field in a list or a block inside names these.
fn is_named_inside(aligned: &Aligned<'_, '_>, opener: usize) -> bool {
    let line = |row: usize| &aligned.reading.old(row).line;
    let block = aligned.reading.block_of(opener).filter(|row| *row > opener);
    let mut rows = block.filter(|row| !aligned.reading.old(*row).is_blank());
    let Some(first) = rows.next() else { return false };
    let depth = line(first).depth();
    std::iter::once(first).chain(rows).any(|row| {
        line(row).depth() <= depth
            && aligned.class(row) == Some(Class::Same)
            && naming_field(line(row).body()).is_some()
    })
}

/// Checks whether a line that opens a block is not in the file, and lines next to each other in the file are quoted above and
/// below.
fn is_phantom(aligned: &Aligned<'_, '_>, row: usize) -> bool {
    /// How far from the other lines a line that was moved is looked for.
    const REACH: usize = 2;
    let (file, quoted) = (aligned.file, &aligned.reading.old(row).line);
    let is_between = || {
        let (Some(above), Some(below)) = (aligned.line_above(row), aligned.line_below(row)) else {
            return false;
        };
        file.first_filled(above + 1..below).is_none()
    };
    let is_near = || {
        let lines = aligned.lines().unwrap_or_default();
        let mut near = lines.start.saturating_sub(REACH)..(lines.end + REACH).min(file.len());
        near.any(|line| file.is_same(line, quoted))
    };
    !aligned.pairs[row].is_found() && begins_block(quoted.text()) && is_between() && !is_near()
}

/// Returns the first row with a name that differs, and the share of the other lines that counts: none if one name is replaced
/// several times, or the file has the name of its block there; otherwise a share, if the file does not have a quoted name, or has it for
/// another thing, and the quote not that of the file. Further differences show no more of the target, so they change nothing.
fn sibling_name(aligned: &Aligned<'_, '_>, header: Option<Scope>) -> Option<(usize, i32)> {
    let names = replaced_names(aligned);
    let first = names.first()?.0;
    let is_of_header = header.is_some_and(|block| is_in_block_of_header(aligned, block));
    if is_of_header || is_inside_named_block(aligned, first) {
        return None;
    }
    let is_repeated = || joined(&names).is_some_and(|name| name.times > 1 && !name.is_one_letter_off);
    let is_of_block = || names.iter().any(|(_, name)| name.is_of_block(aligned));
    if !is_in_named_block(aligned) && is_repeated() || is_of_block() {
        return Some((first, 0));
    }
    let is_in_quote = |name: &OtherName| {
        aligned.reading.old_rows().any(|row| row.line.tokens().any(|token| token == name.actual))
    };
    let is_known = |name: &OtherName| {
        is_in_quote(name) || aligned.file.index.holds_word(&name.quoted) && !are_peers(aligned, name)
    };
    let is_other = |(row, name): &(usize, OtherName)| !is_known(name) || aligned.count_elsewhere(*row) == 1;
    names.iter().any(is_other).then_some((first, aligned.file.costs.null_sibling))
}

/// Returns the rows in which a name differs, with the name, apart from names that the block uses elsewhere. Comments are prose: where other words differ in the quoted comments
/// as well, the comments were written anew, and name nothing.
fn replaced_names(aligned: &Aligned<'_, '_>) -> Vec<(usize, OtherName)> {
    let is_differing =
        |row: &usize| aligned.class(*row) == Some(Class::Differs) && !names_same_block(aligned, *row);
    let differing = aligned.rows().filter(is_differing);
    let is_comment = |row: &usize| uncommented(aligned.reading.old(*row).line.text()).1;
    let (comments, code): (Vec<usize>, Vec<usize>) = differing.partition(is_comment);
    let name_of = |row: usize| Some((row, OtherName::new(aligned, row, aligned.pairs[row].line()?)?));
    let of_comments: Option<Vec<_>> = comments.into_iter().map(name_of).collect();
    let of_comments = of_comments.filter(|names| joined(names).is_some()).unwrap_or_default();
    let mut names: Vec<_> = code.into_iter().filter_map(name_of).chain(of_comments).collect();
    names.retain(|(_, name)| !is_used(aligned, &name.quoted));
    names.sort_by_key(|(row, _)| *row);
    names
}

/// Checks whether a line that the file has once has a name as quoted: the block there uses the name as well.
fn is_used(aligned: &Aligned<'_, '_>, name: &str) -> bool {
    aligned.rows().any(|row| {
        let is_same = aligned.class(row) == Some(Class::Same) && aligned.is_telling(row);
        is_same && aligned.reading.old(row).line.tokens().any(|token| token == name)
    })
}

/// Returns the name that is replaced in all rows; `None` if different names are.
fn joined(names: &[(usize, OtherName)]) -> Option<OtherName> {
    let ((_, first), others) = names.split_first()?;
    let mut name = first.clone();
    for (_, other) in others {
        name.join(other)?;
    }
    Some(name)
}

/// Checks whether a row is inside the innermost block that is opened around a change, the file has the opening line, once, or
/// its name there, and no other block is around: that line names the block, whatever names are inside.
fn is_inside_named_block(aligned: &Aligned<'_, '_>, row: usize) -> bool {
    let Some(&opener) = aligned.reading.openers().last() else { return false };
    let depth = |row: usize| aligned.reading.old(row).line.depth();
    // A record without a name, as in a list, is between.
    let is_between = |between: usize| {
        let quoted = aligned.reading.old(between);
        let has_no_name =
            !quoted.is_blank() && (quoted.line.letters() == 0 || quoted.line.body().starts_with("- "));
        has_no_name && (depth(opener) + 1..depth(row)).contains(&depth(between))
    };
    opener < row
        && aligned.reading.block_of(opener).contains(&row)
        && !(opener + 1..row).any(is_between)
        && (aligned.is_alike(opener) && aligned.is_telling(opener) || has_name(aligned, opener))
        && !is_heading(&aligned.reading.old(opener).line)
        && openers_above(aligned).next().is_none()
}

/// Checks whether the innermost block around the quoted lines is one that a header names, and no other block is around.
fn is_in_block_of_header(aligned: &Aligned<'_, '_>, block: Scope) -> bool {
    let lines = aligned.lines().unwrap_or_default();
    let begins_block = |line: &usize| !continues(aligned.file.line(*line).text().as_bytes());
    let mut around = openers_above(aligned).filter(begins_block);
    block.has_in_block(lines.start)
        && lines.end <= block.end
        && around.next() == Some(block.line)
        && around.next().is_none()
}

/// Checks whether the file has the quoted line that opens the outermost block, and has that line once: that line shows the
/// block.
fn is_in_named_block(aligned: &Aligned<'_, '_>) -> bool {
    aligned.reading.openers().first().is_some_and(|row| aligned.is_alike(*row) && aligned.is_telling(*row))
}

/// Returns a row that opens a block around a change, if the file has that line once, and the block is another block. In a named block
/// around the quote, only a line of that block counts: `fn fmt(&self)` of another type is no other block.
fn names_other_block(aligned: &Aligned<'_, '_>) -> Option<usize> {
    let lines = aligned.lines()?;
    // A line that begins the quote names the block, whatever the lines below show.
    let is_first = |row: usize| aligned.reading.old_rows().take(row).all(Row::is_blank);
    let mut rows = aligned.reading.openers().iter().copied();
    rows.find(|row| {
        let may_be_other = is_first(*row) || !aligned.is_alike(*row);
        let Some(block) = only_block(aligned, *row, Fold::Exact).filter(|_| may_be_other) else {
            return false;
        };
        let may_be_there =
            || named_block(aligned, *row).is_none_or(|around| around.holds(block.line, block.line));
        !block.holds(lines.start, lines.end - 1) && may_be_there()
    })
}
