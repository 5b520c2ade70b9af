//! Whether the fast way gives the result of the rounds.

use proptest::prelude::*;

use super::super::rounds::in_rounds;
use super::*;
use crate::locate::Matching;
use crate::patch::Dialect;

/// Lines that repeat, that are alike, and that differ in whitespace only.
const LINES: [&str; 14] = [
    "fn main() {",
    "    let value = 1;",
    "    let other = 2;",
    "    let  value = 1;",
    "        deeper(value);",
    "    }",
    "}",
    "",
    "  ",
    "[section]",
    "unique words here",
    "case 1:",
    "// ...",
    "say(\\\"x\\\") &amp; go",
];

fn line(kind: LineKind, text: &str, signed: bool) -> Line<'static> {
    Line { number: None, kind, text: Cow::Owned(text.to_owned()), signed }
}

/// Generates an edit of some lines of a document: each line is kept, removed or replaced, and lines are added.
fn edit(document: &[String], start: usize, ways: &[(u8, usize)], dialect: Dialect) -> Edit<'static> {
    let mut lines = Vec::new();
    for (nth, (way, other)) in ways.iter().enumerate() {
        let Some(text) = document.get(start + nth) else { break };
        let added = LINES.get(*other).map_or_else(|| format!("new line {other}"), |line| (*line).to_owned());
        match way {
            0..4 => lines.push(line(LineKind::Context, text, *way > 0 || !text.trim().is_empty())),
            4 => lines.push(line(LineKind::Remove, text, true)),
            5 => lines.extend([line(LineKind::Remove, text, true), line(LineKind::Add, &added, true)]),
            6 => lines.extend([line(LineKind::Add, &added, true), line(LineKind::Context, text, true)]),
            _ => lines.extend([line(LineKind::Context, text, true), line(LineKind::Add, &added, true)]),
        }
    }
    Edit { dialect, lines, ..Edit::default() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn clear_edits_are_placed_as_in_rounds(
        lines in prop::collection::vec(0..LINES.len() + 30, 3..40),
        edits in prop::collection::vec(
            (0..40_usize, prop::collection::vec((0..8_u8, 0..LINES.len() + 8), 2..7)), 1..4),
        is_text in prop::bool::weighted(0.2),
    ) {
        let lines: Vec<String> = lines.iter().enumerate().map(|(nth, line)| {
            LINES.get(*line).map_or_else(|| format!("line {nth} of the file"), |line| (*line).to_owned())
        }).collect();
        let dialect = if is_text { Dialect::Texts } else { Dialect::default() };
        let mut edits: Vec<_> =
            edits.iter().map(|(start, ways)| (*start, edit(&lines, *start, ways, dialect))).collect();
        edits.sort_by_key(|(start, _)| *start);
        let edits: Vec<_> = edits.into_iter().map(|(_, edit)| edit).collect();
        let document = Document::from(&*(lines.join("\n") + "\n"));
        let placed = placed(&Index::new(&document), &edits, &Costs::DEFAULT);
        if let Some(placed) = placed {
            let matching = Matching::default();
            let whole = in_rounds(&Index::new(&document), &edits, &matching, &Costs::DEFAULT);
            prop_assert_eq!(placed, whole);
        }
    }
}

#[test]
fn an_exact_edit_is_clear_and_a_result_beside_it_is_not() {
    let is_clear = |document: &str, old: &str, new: &str| {
        let edit = Edit { dialect: Dialect::default(), ..Edit::diff(old, new) };
        let index = Index::new(&Document::from(document));
        placed(&index, &[edit], &Costs::DEFAULT).is_some()
    };
    assert!(is_clear("one\ntwo\nthree\n", "one\ntwo\n", "one\n2\n"));
    assert!(!is_clear("one\ntwo\nthree\none\ntwo\n", "one\ntwo\n", "one\n2\n"));
    assert!(!is_clear("one\nfour\nthree\n", "one\nthree\n", "one\nfour\nthree\n"));
    // All inserted lines in a row, though they are inserted at two positions.
    assert!(!is_clear("{\na\ngo(a, 1)\nend\n", "{\na\n", "  a\n{\ngo(a, 1)\na\n"));
    let document = "one\nthree\nfour words\nfive words\nsix\n";
    assert!(!is_clear(document, "one\nthree\n", "one\nfour words\nfive words\nthree\n"));
}
