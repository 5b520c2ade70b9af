//! Corrects a refused edit: quotes the edit from the document.
//!
//! Only if the position is clear: each removed line has its line in the file, and the text of the added lines is known.
//! The correction is a suggestion and never applied, because an edit with a wrong quote may be wrong as a whole.

use crate::locate::align::file::File;
use crate::locate::align::relation::Class;
use crate::locate::comparison::MendedLine;
use crate::locate::explanation::{Aligned, Explanation, Rewritten, State};
use crate::locate::rewrite::Rewriter;
use crate::patch::LineKind;
use crate::patch::edit::Edit;

/// Returns an edit without a match at its nearest position, if there is no second position nearby.
pub(crate) fn of_nowhere(
    file: &File<'_>,
    edit: &Edit<'_>,
    explanations: &[Explanation<'_>],
) -> Option<Vec<MendedLine>> {
    let (best, others) = explanations.split_first()?;
    let near = best.cost + 2 * file.costs.margin;
    let has_second = others.iter().any(|other| other.is_apart(best) && other.cost < near);
    if best.state == State::Made || has_second {
        return None;
    }
    let aligned = best.aligned(file);
    let has_text = |row: &usize| !aligned.reading.old(*row).is_blank();
    let rows: Vec<usize> = aligned.rows().filter(has_text).collect();
    let alike = rows.iter().filter(|row| aligned.is_alike(**row)).count();
    if 2 * alike < rows.len() {
        return None;
    }
    quoted_from(file, edit, best)
}

/// Returns the edit with the lines of the document instead of the quoted lines; unquoted lines in between stay.
pub(crate) fn quoted_from(
    file: &File<'_>,
    edit: &Edit<'_>,
    explanation: &Explanation<'_>,
) -> Option<Vec<MendedLine>> {
    let aligned = explanation.aligned(file);
    // The lines of a made edit are those of the result.
    if explanation.state == State::Made || explanation.reading.has_dots() {
        return None;
    }
    Quoting { aligned: &aligned, is_text: edit.is_text(), lines: Vec::new(), next: None }.quoted()
}

struct Quoting<'a, 'r, 'q> {
    aligned: &'a Aligned<'r, 'q>,
    is_text: bool,
    lines: Vec<MendedLine>,
    /// The line behind the last quoted line.
    next: Option<usize>,
}

impl Quoting<'_, '_, '_> {
    fn quoted(mut self) -> Option<Vec<MendedLine>> {
        let rewriter = Rewriter::new(self.aligned);
        let rows = &self.aligned.reading.rows;
        let mut old = 0;
        for (nth, row) in rows.iter().enumerate() {
            if row.adds() {
                let text = rewriter.rewrite(&row.line, &[], &mut Rewritten::default()).ok()?;
                self.lines.push((LineKind::Add, text));
                continue;
            }
            let pair = self.aligned.pairs[old];
            old += 1;
            let Some(line) = pair.line() else {
                if pair.is_found() || !row.is_blank() || !row.is_context() {
                    return None;
                }
                continue;
            };
            if self.next.is_some_and(|next| next < line) && self.leaves_open(nth) {
                return None;
            }
            for between in self.next.unwrap_or(line)..line {
                self.quote(LineKind::Context, between)?;
            }
            let is_other = !row.is_blank() && self.aligned.class(old - 1) == Some(Class::Other);
            if row.removes() && is_other {
                return None;
            }
            self.quote(row.kind, line)?;
            self.next = Some(line + 1);
        }
        Some(self.lines)
    }

    fn quote(&mut self, kind: LineKind, line: usize) -> Option<()> {
        let text = self.aligned.file.document().text(line)?;
        self.lines.push((kind, text.to_owned()));
        Some(())
    }

    /// Checks whether an edit adds lines next to unquoted lines before its `nth` row, and the side is open.
    fn leaves_open(&self, nth: usize) -> bool {
        let rows = &self.aligned.reading.rows;
        let mut before = rows[..nth].iter().rev().take_while(|row| !row.is_context()).peekable();
        let mut behind = rows[nth..].iter().take_while(|row| !row.is_context());
        match before.peek() {
            // What is added in place of a removed line belongs to that.
            Some(row) if row.adds() => before.all(|row| row.adds()),
            // An envelope has its lines in the intended order; for two texts a comparison made the order.
            Some(_) => self.is_text && behind.any(|row| row.adds()),
            None => behind.next().is_some_and(|row| row.adds()),
        }
    }
}
