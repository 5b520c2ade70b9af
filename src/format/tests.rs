//! Rules that a fixture cannot show: positions, the data itself, cost on hostile texts.

use super::*;
use crate::patch::{Action, Span};
use std::num::NonZeroUsize;

fn lenient(text: &str) -> Parsed<'_> {
    parse(text, &Options::default())
}

fn kinds(parsed: &Parsed<'_>) -> Vec<RepairKind> {
    parsed.repairs.iter().map(|repair| repair.kind.clone()).collect()
}

#[test]
fn every_part_knows_its_line() {
    let text = "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@ one\n@@ two\n x\n-y\n+z\n*** End of File\n*** Delete File: c\n*** End Patch\n";
    let parsed = parse(text, &Options { strict: true, ..Options::default() });
    assert_eq!(parsed.errors, []);
    let Action::Update { move_to, chunks } = &parsed.patch.hunks[0].action else { panic!("an update") };
    let at = NonZeroUsize::new;
    assert_eq!(parsed.patch.hunks[0].number, at(2));
    assert_eq!(move_to.as_ref().expect("a move").number, at(3));
    assert_eq!(chunks[0].number, at(4));
    assert_eq!(chunks[0].headers.iter().map(|h| h.number).collect::<Vec<_>>(), [4, 5].map(at));
    assert_eq!(chunks[0].lines.iter().map(|l| l.number).collect::<Vec<_>>(), [6, 7, 8].map(at));
    assert!(chunks[0].end_of_file);
    assert_eq!(parsed.patch.hunks[1].number, at(10));
}

#[test]
fn all_errors_are_found_at_once() {
    let text = "*** Begin Patch\nstray\nlines\n*** Update File:\n@@\n-a\n*** Rename File: x\n*** Update File: b\n*** End Patch\n*** Delete File: c\n";
    let codes: Vec<_> = lenient(text).errors.iter().map(|e| (e.span, e.kind.code())).collect();
    assert_eq!(
        codes,
        [
            (Span { first: 2, last: 3 }, "unexpected-line"),
            (Span::line(4), "missing-path"),
            (Span::line(7), "unknown-marker"),
            (Span::line(8), "no-changes"),
            (Span::line(10), "hunk-outside"),
        ]
    );
}

#[test]
fn equal_repairs_of_neighbouring_lines_are_one() {
    let text = "*** Begin Patch\n*** Add File: a\n+x\ny\nz\n*** End Patch\n";
    assert_eq!(
        lenient(text).repairs,
        [Repair { span: Span { first: 4, last: 5 }, kind: RepairKind::UnsignedAdd }]
    );
}

#[test]
fn an_unsigned_line_keeps_its_text() {
    let text = "*** Begin Patch\n*** Update File: a\n@@\n\tx\n-y\n*** End Patch\n";
    let parsed = lenient(text);
    let Action::Update { chunks, .. } = &parsed.patch.hunks[0].action else { panic!("an update") };
    assert_eq!((chunks[0].lines[0].text.as_ref(), chunks[0].lines[0].signed), ("\tx", false));
    assert_eq!(kinds(&parsed), [RepairKind::UnsignedContext]);
}

#[test]
fn strict_mode_reports_each_repair_as_an_error() {
    let text = "```\n*** Begin Patch\n*** Delete File: a\n\n*** End Patch\n```\n";
    let strict = parse(text, &Options { strict: true, ..Options::default() });
    assert_eq!(strict.errors.iter().map(|e| e.span.first).collect::<Vec<_>>(), [1, 4, 6]);
    assert_eq!(strict.repairs, []);
}

#[test]
fn strict_mode_accepts_what_is_only_noted() {
    let dry_run = r#"{"name": "edit_file", "dryRun": true, "arguments": {"path": "a", "edits": [{"oldText": "x", "newText": "y"}]}}"#;
    let new_file = Options { format: Format::NewFile, file: Some("a".to_owned()), ..Options::default() };
    for (text, options) in [(dry_run, Options::default()), ("+one\n+", new_file)] {
        let default = parse(text, &options);
        let strict = parse(text, &Options { strict: true, ..options });
        assert_eq!((default.errors, &strict.errors), (vec![], &vec![]), "{text}");
        assert_eq!(default.patch, strict.patch, "{text}");
        assert_eq!(
            default.repairs.iter().map(|repair| repair.kind.is_note()).collect::<Vec<_>>(),
            [true],
            "{text}"
        );
    }
}

/// Ten thousand errors: the first are kept, all are counted, and errors of neighbouring lines are merged behind the first
/// ones too.
#[test]
fn many_errors_are_counted_and_not_kept() {
    let text = format!("[{}0]", "0, ".repeat(9_999));
    let parsed = parse(&text, &Options { format: Format::Edit, ..Options::default() });
    assert_eq!((parsed.errors.len(), parsed.errors_in_all), (ParseErrors::MOST, 10_000));

    let stray = "*** Rename File: x\n\nstray\nlines\n";
    let text = format!(
        "*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n{}*** End Patch\n",
        stray.repeat(500)
    );
    let parsed = lenient(&text);
    let lines: Vec<_> = parsed.errors.iter().map(|error| error.span).collect();
    let expected =
        (0..50).flat_map(|nth| [Span::line(5 + 4 * nth), Span { first: 7 + 4 * nth, last: 8 + 4 * nth }]);
    assert_eq!(lines, expected.collect::<Vec<_>>());
    assert_eq!(parsed.errors_in_all, 1_000);
    assert_eq!(parsed.into_result().expect_err("no patch").in_all, 1_000);
}

/// An error that arrives before the errors of earlier lines does not keep these from being merged.
#[test]
fn many_errors_before_a_line_of_another_format_are_merged() {
    let stray = "*** Rename File: x\n\nstray\nlines\n";
    let text = format!("*** Begin Patch\n*** Delete File: b\n{}*** End Patch\n", stray.repeat(60));
    let with_diff = format!("{text}--- a/old.txt\n+++ b/old.txt\n");
    let parsed = lenient(&with_diff);
    assert_eq!((parsed.errors.len(), parsed.errors_in_all), (ParseErrors::MOST, 121));
    assert_eq!(parsed.errors, lenient(&text).errors);
}

/// Megabytes of text that could make a parser look back or ahead repeatedly. A quadratic parser would not finish within
/// a test run.
#[test]
fn hostile_texts_take_linear_time() {
    const SIZE: usize = 2 << 20;
    let begin = "*** Begin Patch\n*** Update File: a\n";
    for piece in ["@@\n", "@@ x\n", " ", "+", "+\n", "\n", " *** End Patch\n", "***", "\\"] {
        let text = begin.to_owned() + &piece.repeat(SIZE / piece.len());
        assert!(!lenient(&text).errors.is_empty(), "{piece:?} has no end");
    }
    for piece in [
        "  *** Begin Patch\n",
        "*** Begin Patch\n *** End Patch\n",
        "```\n",
        "<<'EOF'\n",
        "{\"a\":",
        "[",
        "\"",
        "*** Begin Patch\\n",
    ] {
        let text = piece.repeat(SIZE / piece.len());
        assert!(!lenient(&text).errors.is_empty(), "{piece:?} is no patch");
    }
    let line = format!("{begin}@@\n-{}\n*** End Patch\n", "x".repeat(SIZE));
    assert_eq!(lenient(&line).errors, []);
}
