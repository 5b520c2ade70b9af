//! All tables, and what makes the cases of each row.

use crate::case::{Case, drifted, several};
use crate::documents::Text;
use crate::mirror::{self, Mirror, SPECIAL};
use crate::moved::{self, Foreign, Reversed};
use crate::operators::OPERATORS;
use crate::random::Random;
use crate::twins::{Distance, Slip, twin};

/// Makes a case of a row.
pub(crate) type Make = Box<dyn Fn(&[Text], &mut Random) -> Option<Case> + Sync>;

/// A row: its label, how many cases it has, and what makes them.
pub(crate) type Cases = (String, usize, Make);

/// A table: its title and its rows.
pub(crate) struct Table {
    pub(crate) title: &'static str,
    pub(crate) rows: Vec<Cases>,
}

/// How many times as many cases a row of several drifts has as a row of a single drift: it represents many pairs.
const SEVERAL: usize = 30;

/// Returns all tables, without the rows that have `only` neither in their label nor in the title of their table.
pub(crate) fn all_tables(cases: usize, only: &str) -> Vec<Table> {
    let mut tables = vec![single(cases), more(cases)];
    tables.extend(Slip::ALL.iter().map(|(slip, title)| twins_by_distance(*slip, title, cases)));
    let mirrors =
        [(Mirror::Alone, "mirror: the file has the quote"), (Mirror::Beside, "mirror: the file has both")];
    tables.extend(mirrors.map(|(mirror, title)| images(mirror, title, cases)));
    tables.extend([special(cases), history(cases), left_out(cases)]);
    for table in &mut tables {
        table.rows.retain(|(label, _, _)| label.contains(only) || table.title.contains(only));
    }
    tables
}

fn row(
    label: &str,
    cases: usize,
    make: impl Fn(&[Text], &mut Random) -> Option<Case> + Sync + 'static,
) -> Cases {
    (label.to_owned(), cases, Box::new(make))
}

fn single(cases: usize) -> Table {
    let rows = OPERATORS
        .iter()
        .map(|operator| row(operator.name, cases, move |texts, random| drifted(texts, &[operator], random)));
    Table { title: "one drift at a time", rows: rows.collect() }
}

fn more(cases: usize) -> Table {
    let rows = [(2, "two at once"), (3, "three at once")].map(|(count, label)| {
        row(label, SEVERAL * cases, move |texts, random| several(texts, count, random))
    });
    Table { title: "several drifts", rows: rows.into() }
}

fn twins_by_distance(slip: Slip, title: &'static str, cases: usize) -> Table {
    let rows = Distance::ALL.iter().map(|(distance, label)| {
        row(label, cases, move |texts, random| twin(texts, *distance, slip, random))
    });
    Table { title, rows: rows.collect() }
}

/// The label of a row is part of the seed of its cases, so that it differs from the operator's own row.
fn images(mirror: Mirror, title: &'static str, cases: usize) -> Table {
    let word = if mirror == Mirror::Alone { "has" } else { "has both" };
    let rows = OPERATORS.iter().map(|operator| {
        let label = format!("{word}: {}", operator.name);
        row(&label, cases, move |texts, random| mirror::image(texts, operator, mirror, random))
    });
    Table { title, rows: rows.collect() }
}

fn special(cases: usize) -> Table {
    let rows = SPECIAL.iter().map(|(label, make)| row(label, cases, make));
    Table { title: "mirror: beside the quote", rows: rows.collect() }
}

fn history(cases: usize) -> Table {
    let mut rows = Vec::new();
    for earlier in [false, true] {
        for count in [1, 5, 20] {
            let label = format!("{count} commits {}", if earlier { "earlier" } else { "later" });
            rows.push(row(&label, cases, move |texts, random| moved::commits(texts, count, earlier, random)));
        }
    }
    for (label, what) in [
        ("reversed", Reversed::Clean),
        ("reversed, one drift", Reversed::Drifted),
        ("reversed, never applied", Reversed::NeverApplied),
    ] {
        rows.push(row(label, cases, move |texts, random| moved::reversed(texts, what, random)));
    }
    for (label, which) in [
        ("foreign name in context", Foreign::Context),
        ("foreign name, two blocks", Foreign::TwoBlocks),
        ("foreign name in a removed line", Foreign::Removed),
    ] {
        rows.push(row(label, cases, move |texts, random| moved::foreign(texts, which, random)));
    }
    Table { title: "other times and names", rows }
}

fn left_out(cases: usize) -> Table {
    let rows = OPERATORS.iter().map(|operator| {
        let label = format!("left out: {}", operator.name);
        row(&label, cases, move |texts, random| moved::line_left_out(texts, operator, random))
    });
    Table { title: "one context line left out", rows: rows.collect() }
}
