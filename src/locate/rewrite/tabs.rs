//! Tabs of the file for spaces of added lines: between the columns of a row, and before the recipe of a rule.

use crate::locate::align::file::File;
use crate::locate::align::line_text::LineText;
use crate::locate::explanation::Obstacle;
use crate::locate::syntax::{
    is_comment_sign, is_make_directive, is_make_rule, literals, opened_conditionals,
};
use crate::text::Document;

/// What the file has for the spaces between the words of the quote: for a single space, and for several.
#[derive(Default)]
pub(super) struct Columns {
    seen: [Option<String>; 2],
    /// Whether the file has different whitespace for the same spaces.
    differs: [bool; 2],
    /// The lines of the file that have tabs between words, and the lines that have none.
    rows: usize,
    others: usize,
    /// How many tabs each line has; `None` if the numbers differ.
    tabs: Option<usize>,
    /// The columns of a table without tabs, whose spaces the quote has only one of.
    table: Table,
}

/// The lines of a table whose columns are apart by several spaces.
#[derive(Default)]
struct Table {
    /// Where the columns of the first line begin, in characters.
    columns: Vec<usize>,
    rows: usize,
    /// Whether a line is no line of the same table, or quoted with its spaces.
    is_other: bool,
}

impl Table {
    /// The least number of columns and of lines of a table.
    const LEAST: usize = 3;
    const ROWS: usize = 2;

    fn learn(&mut self, quoted: &str, actual: &str) {
        let is_plain = |c: char| c.is_alphanumeric() || " .,-:/".contains(c);
        let is_collapsed = || gaps(quoted).all(|gap| gap == " ") && gaps(actual).any(|gap| gap.len() > 1);
        if self.is_other || !is_collapsed() || !actual.chars().all(is_plain) {
            self.is_other = true;
            return;
        }
        let columns = columns(actual);
        self.is_other = columns.len() < Table::LEAST || self.rows > 0 && columns != self.columns;
        self.columns = columns;
        self.rows += 1;
    }

    /// Checks whether an added line lacks the spaces between the columns.
    fn lacks_columns(&self, body: &str) -> bool {
        self.rows >= Table::ROWS && !self.is_other && columns(body) != self.columns
    }
}

/// Returns where the words of a line begin, in characters.
fn columns(line: &str) -> Vec<usize> {
    let mut before = ' ';
    let mut columns = Vec::new();
    for (at, c) in line.chars().enumerate() {
        if before == ' ' && c != ' ' {
            columns.push(at);
        }
        before = c;
    }
    columns
}

impl Columns {
    /// Learns from a quoted line and its line of the file.
    pub(super) fn learn(&mut self, quoted: &str, actual: &str) {
        if !quoted.split_whitespace().eq(actual.split_whitespace()) {
            return;
        }
        self.table.learn(quoted, actual);
        let tabs = gaps(actual).filter(|gap| gap.contains('\t')).count();
        if tabs > 0 {
            self.tabs = self.tabs.filter(|same| *same == tabs).or((self.rows == 0).then_some(tabs));
            self.rows += 1;
        } else {
            self.others += 1;
        }
        for (spaces, actual) in gaps(quoted).zip(gaps(actual)) {
            let Some(nth) = class(spaces) else { continue };
            let seen = self.seen[nth].get_or_insert_with(|| actual.to_owned());
            self.differs[nth] |= seen != actual;
        }
    }

    /// Returns an added line with the tabs of the file; `None` if the quote shows no tabs for spaces of the line.
    ///
    /// # Errors
    /// The lines are rows of a table, and the file has tabs for some of the same spaces only, or the line would have another number
    /// of columns.
    pub(super) fn with_tabs(&self, body: &str) -> Result<Option<String>, Obstacle> {
        if self.table.lacks_columns(body) {
            return Err(Obstacle::Garbled);
        }
        let is_tab = |seen: &Option<String>| seen.as_ref().is_some_and(|seen| seen.contains('\t'));
        if !self.seen.iter().any(is_tab) || !literals(body).is_empty() {
            return Ok(None);
        }
        let mut words = body.split_whitespace();
        let mut written = words.next().unwrap_or_default().to_owned();
        let mut is_in_comment = is_comment_sign(&written);
        for (spaces, word) in gaps(body).zip(words) {
            // Spaces in a comment separate sentences.
            let mut nth = class(spaces).filter(|_| !is_in_comment);
            is_in_comment |= is_comment_sign(word);
            if nth.is_some_and(|nth| self.differs[nth]) {
                if self.rows > 1 && self.others == 0 {
                    return Err(Obstacle::Garbled);
                }
                nth = None;
            }
            written += nth.and_then(|nth| self.seen[nth].as_deref()).unwrap_or(spaces);
            written += word;
        }
        // A single space may be a part of a cell.
        let is_cell = self.seen[0].as_ref().is_some_and(|seen| seen.contains('\t'));
        let tabs = gaps(&written).filter(|gap| gap.contains('\t')).count();
        if written != body && is_cell && self.tabs.is_some_and(|of_rows| of_rows != tabs) {
            return Err(Obstacle::Garbled);
        }
        Ok((written != body).then_some(written))
    }
}

/// Returns the whitespace between the words of a line.
fn gaps(line: &str) -> impl Iterator<Item = &str> {
    line.trim().split(|c: char| !c.is_whitespace()).filter(|gap| !gap.is_empty())
}

fn class(gap: &str) -> Option<usize> {
    gap.bytes().all(|byte| byte == b' ').then_some(usize::from(gap.len() > 1))
}

/// Replaces the spaces before the recipes of rules by a tab in lines that are added before a line of the file, if the file is a Makefile
/// whose indented lines all begin with a tab. Returns whether a line changed.
pub(crate) fn indent_recipes(file: &File<'_>, at: usize, lines: &mut [String]) -> bool {
    let mut spaces =
        lines.iter().filter(|line| line.starts_with("  ")).map(|line| LineText::new(&**line).indent().len());
    let Some(width) = spaces.next() else { return false };
    if !spaces.all(|other| other == width) {
        return false;
    }
    let above = (0..at).rev().map(|line| file.line(line)).filter(|line| !line.is_blank());
    let mut above =
        above.skip_while(|line| line.indent() == "\t" && !line.body().ends_with([':', '{', '\\']));
    let mut is_recipe = above.next().is_some_and(|line| is_make_rule(line.text()));
    let mut changed = false;
    for line in lines {
        if line.starts_with("  ") && is_recipe && !is_conditional(line) {
            let is_makefile = || begins_with_tabs(file.document()) && is_makefile(file);
            if !(changed || is_makefile()) {
                return false;
            }
            *line = format!("\t{}", line.trim_start());
            changed = true;
        } else if !line.starts_with([' ', '\t']) && !line.is_empty() {
            is_recipe = is_make_rule(line);
        }
    }
    changed
}

/// Checks whether a line is a conditional of make, which has no tab also inside a recipe. The `else` of a shell goes on in the next line.
fn is_conditional(line: &str) -> bool {
    let line = line.trim();
    let behind = line.strip_prefix("else").map(str::trim_start);
    behind.is_some_and(|rest| rest.is_empty() || rest.starts_with("if") || rest.starts_with('#'))
        || opened_conditionals(line) != 0
}

/// Checks whether all indented lines of a document begin with a tab.
pub(crate) fn begins_with_tabs(document: &Document) -> bool {
    let mut indented =
        document.lines().filter(|line| line.starts_with(b" ") || line.starts_with(b"\t")).peekable();
    indented.peek().is_some() && indented.all(|line| line[0] == b'\t')
}

/// Checks whether each indented line of a file is below a rule, a directive or a line that goes on, as in a Makefile. A line of prose
/// that ends in a colon begins with a capital letter or a bullet.
fn is_makefile(file: &File<'_>) -> bool {
    let is_indented = |line: &str| line.starts_with(['\t', ' ']);
    let is_rule = |line: &str| {
        let is_prose = line.starts_with(|c: char| c.is_uppercase() || "-*+>|".contains(c));
        is_make_rule(line) && !is_prose
    };
    let is_head = |line: &str| {
        let goes_on = line.ends_with('\\') || line.starts_with("define ") || is_make_directive(line);
        is_rule(line) || is_conditional(line) || goes_on || line.starts_with('#')
    };
    let lines: Vec<&str> = (0..file.len()).map(|line| file.line(line).text()).collect();
    let mut pairs = lines.windows(2).filter(|pair| !is_indented(pair[0]) && is_indented(pair[1]));
    pairs.all(|pair| pair[0].trim().is_empty() || is_head(pair[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_the_tabs_of_the_file() {
        let mut columns = Columns::default();
        columns.learn("a b  1", "a b\t1");
        assert_eq!(columns.with_tabs("c d   2"), Ok(Some("c d\t2".to_owned())));
        assert_eq!(columns.with_tabs("f(\"c  d\")"), Ok(None));
        assert_eq!(columns.with_tabs("c d   2  # e.  f"), Ok(Some("c d\t2\t# e.  f".to_owned())));
        columns.learn("a  b  c", "a  b\tc");
        assert_eq!(columns.with_tabs("c  d"), Err(Obstacle::Garbled));
    }

    #[test]
    fn a_row_has_the_columns_of_the_table() {
        let mut columns = Columns::default();
        columns.learn("a b 1", "a\tb\t1");
        assert_eq!(columns.with_tabs("c d 2"), Ok(Some("c\td\t2".to_owned())));
        assert_eq!(columns.with_tabs("c d e 2"), Err(Obstacle::Garbled));
        let mut columns = Columns::default();
        columns.learn("a b 1", "a   b   1");
        columns.learn("aa b 1", "aa  b   1");
        assert_eq!(columns.with_tabs("c d 2"), Err(Obstacle::Garbled));
        assert_eq!(columns.with_tabs("c   d   2"), Ok(None));
    }
}
