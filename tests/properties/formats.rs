//! What holds for every format: a change that is written in it is read back as that change, and is made once.

use std::collections::BTreeMap;

use apply_patch::format::{Assembly, Format, Options, ParseErrorKind, Parsed, Stream, parse};
use apply_patch::generate;
use apply_patch::plan::{self, After, Change, Content, Plan, Precondition, plan};
use camino::Utf8PathBuf;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};

use crate::cases;
use apply_patch::text::Bytes;

type Tree = BTreeMap<Utf8PathBuf, Vec<u8>>;

const FORMATS: [Format; 4] = [Format::Envelope, Format::SearchReplace, Format::Edit, Format::Unified];

/// Lines that some format has a use for.
const ODD: &[&str] = &[
    "",
    "=======",
    "<<<<<<< SEARCH",
    ">>>>>>> REPLACE",
    "<<<<<<< HEAD",
    "\\=======",
    "-----",
    "--- a/x",
    "+++ b/x",
    "@@ -1,2 +1,2 @@",
    "diff --git a/x b/x",
    "*** End Patch",
    "*** Begin Patch",
    "```",
    "- item",
    "+ item",
    "{\"old_string\": \"a\"}",
    "\\ No newline at end of file",
    ":start_line:3",
];

/// A file's lines, most of them unlike all others, and which of them a change replaces by what.
fn change() -> impl Strategy<Value = (Vec<String>, Vec<String>)> {
    let odd = subsequence(ODD.to_vec(), 0..5).prop_shuffle();
    let edits = vec((any::<Index>(), 0usize..3, vec(any::<Index>(), 0..3)), 1..4);
    (1usize..25, odd, vec(any::<Index>(), 5), edits).prop_map(|(plain, odd, places, edits)| {
        let mut lines: Vec<String> =
            (0..plain).map(|nth| format!("    value_{nth} = compute({nth})")).collect();
        for (line, at) in odd.iter().zip(places) {
            lines.insert(at.index(lines.len() + 1), (*line).to_owned());
        }
        let mut after = lines.clone();
        for (nth, (at, removed, added)) in edits.into_iter().enumerate() {
            let at = at.index(after.len() + 1);
            let end = (at + removed).min(after.len());
            let text = |(other, index): (usize, Index)| match index.index(4) {
                0 => ODD[index.index(ODD.len())].to_owned(),
                _ => format!("    added_{nth}_{other} = True"),
            };
            after.splice(at..end, added.into_iter().enumerate().map(text));
        }
        (lines, after)
    })
}

fn text(lines: &[String]) -> Vec<u8> {
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect::<String>().into_bytes()
}

fn tree(text: &[u8]) -> Tree {
    Tree::from([("src/file.py".into(), text.to_vec())])
}

/// The plan that makes one text of another.
fn to_make(before: &[u8], after: &[u8]) -> Plan {
    let content = Content::Bytes(Bytes::copy_from_slice(after));
    let after = After::File { content, mode_of: None, executable: None };
    let before = Precondition::MustBe(Bytes::copy_from_slice(before));
    Plan::of_changes(vec![Change::new("src/file.py", before, after)])
}

/// What a text makes of the file; `None` where it is refused.
fn applied(text: &str, before: &[u8]) -> Option<Vec<u8>> {
    let (patch, _) = parse(text, &Options::default()).into_result().ok()?;
    let plan = plan(&patch, &tree(before), &plan::Options::default()).ok()?;
    let Some(change) = plan.changes.first() else { return Some(before.to_vec()) };
    match &change.after {
        After::File { content, .. } => Some(content.bytes().into_owned()),
        After::Gone => None,
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn a_change_in_any_format_is_that_change((before, after) in change()) {
        let (before, after) = (text(&before), text(&after));
        prop_assume!(before != after && !after.is_empty());
        for format in FORMATS {
            // A place that no quote makes the only one may be told instead; here a whole file is always enough.
            let written = generate::text(&to_make(&before, &after), &tree(&before), format);
            let written = written.map_err(|error| TestCaseError::fail(format!("{format:?}: {error:?}")))?;
            prop_assert_eq!(applied(&written, &before), Some(after.clone()), "{:?}\n{}", format, written);
        }
    }

    /// Where all lines differ, a second run finds the result, or is refused; it never makes a third thing.
    #[test]
    fn a_change_is_made_once((before, after) in change()) {
        let differ = |lines: &[String]| {
            let mut all: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
            all.sort_unstable();
            all.windows(2).all(|pair| pair[0] != pair[1])
        };
        prop_assume!(differ(&before) && differ(&after) && before != after && !after.is_empty());
        let (before, after) = (text(&before), text(&after));
        for format in FORMATS {
            let Ok(written) = generate::text(&to_make(&before, &after), &tree(&before), format) else { continue };
            if let Some(again) = applied(&written, &after) {
                prop_assert_eq!(
                    String::from_utf8_lossy(&again), String::from_utf8_lossy(&after), "{:?}\n{}", format, written
                );
            }
        }
    }

    /// A quote that lost its indentation lands where it was meant, with the file's indentation, or is refused.
    #[test]
    fn lost_indentation_does_no_harm(plain in 3usize..20, at in any::<Index>(), format in select(&FORMATS[1..3])) {
        let line = |nth: usize| format!("    value_{nth} = compute({nth})");
        let before: Vec<String> = (0..plain).map(line).collect();
        let mut after = before.clone();
        after[at.index(plain)] = "    other = True".to_owned();
        let (before, after) = (text(&before), text(&after));
        let written = generate::text(&to_make(&before, &after), &tree(&before), format).unwrap();
        let drifted = written.replace("\n    ", "\n").replace("\\n    ", "\\n").replace("\": \"    ", "\": \"");
        prop_assert!(drifted != written);
        if let Some(made) = applied(&drifted, &before) {
            prop_assert_eq!(String::from_utf8_lossy(&made), String::from_utf8_lossy(&after), "{}", drifted);
        }
    }
}

/// Lines of texts that are nearly blocks.
const PIECES: &[&str] = &[
    "src/file.py",
    "**a.py**",
    "File: b c.txt",
    "<<<<<<< SEARCH",
    "<<<<< SEARCH",
    "------- SEARCH",
    "=======",
    "=====",
    ">>>>>>> REPLACE",
    "+++++++ REPLACE",
    ">>>>>>> topic",
    "<<<<<<< HEAD",
    "\\=======",
    ":start_line:2",
    "-------",
    "one",
    "two",
    "",
    "```python",
    "Some words here:",
];

/// Lines of texts in other formats, and of none.
const MIXED: &[&str] = &[
    "{\"path\": \"a\", \"old_string\": \"x\", \"new_string\": \"y\"}",
    "{\"path\": \"a\", \"old_string\": \"x",
    "```json",
    "```",
    "--- a/x",
    "+++ b/x",
    "@@ -1 +1 @@",
    "-one",
    "+two",
    " three",
    "*** Begin Patch",
    "*** Delete File: x",
    "*** End Patch",
    "{ \"name\": \"words\"",
    "*** Begin Patch\\n*** Delete File: x",
    "a.py",
    "<<<<<<< SEARCH",
    "=======",
    ">>>>>>> REPLACE",
    "Some words here:",
    "",
    "<tool_call>",
    "{\"name\": \"edit\", \"arguments\": {\"path\": \"a\", \"old_str\": \"x\", \"new_str\": \"y\"}}",
    "</tool_call>",
    "<function=edit>",
    "<parameter=path>a</parameter>",
    "</function>",
    "cd web && apply_patch <<'EOF'",
    "EOF",
];

fn streamed<'p>(pieces: impl IntoIterator<Item = &'p [u8]>, options: &Options) -> Parsed<'static> {
    let mut assembly = Assembly::default();
    let mut stream = Stream::new(options);
    for piece in pieces {
        stream.feed(piece, &mut |event| assembly.push(event.into_owned()));
    }
    stream.finish(&mut |event| assembly.push(event.into_owned()));
    assembly.finish()
}

proptest! {
    #![proptest_config(cases(600))]

    /// Of two formats in one text a stream takes the first, and cannot take that back.
    #[test]
    fn any_format_in_pieces_is_read_as_the_whole(lines in vec(select(MIXED), 0..10), size in 1usize..30) {
        let text = lines.join("\n");
        for format in [Format::Auto, Format::Edit, Format::Unified] {
            for strict in [false, true] {
                let options = Options::default().with_format(format).with_strict(strict);
                let whole = parse(&text, &options);
                if whole.errors.iter().all(|error| error.kind != ParseErrorKind::SeveralFormats) {
                    prop_assert_eq!(streamed(text.as_bytes().chunks(size), &options), whole);
                }
            }
        }
    }

    #[test]
    fn blocks_in_pieces_are_read_as_the_whole(lines in vec(select(PIECES), 0..16), size in 1usize..30) {
        let text = lines.join("\n");
        for format in [Format::Auto, Format::SearchReplace] {
            for (strict, accept_truncated) in [(false, false), (true, false), (false, true)] {
                let options = Options::default().with_format(format).with_strict(strict).with_accept_truncated(accept_truncated);
                prop_assert_eq!(streamed(text.as_bytes().chunks(size), &options), parse(&text, &options));
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(200))]

    /// A diff without its envelope arrives in pieces, as a model writes it.
    #[test]
    fn hunks_in_pieces_are_read_as_the_whole(lines in vec(select(HUNK_LINES), 0..12), size in 1usize..30) {
        let text = lines.join("\n");
        for format in [Format::Hunks, Format::NewFile] {
            for file in [None, Some("a.txt".to_owned())] {
                let options = Options::default().with_format(format).with_file(file);
                prop_assert_eq!(streamed(text.as_bytes().chunks(size), &options), parse(&text, &options));
            }
        }
    }
}

/// Lines of texts that are nearly hunks without an envelope.
const HUNK_LINES: &[&str] = &[
    "@@",
    "@@ def f():",
    "@@ -1,2 +1,2 @@",
    "+",
    "+new",
    "-old",
    " same",
    "",
    "bare",
    "*** End of File",
    "*** End Patch",
    " *** End Patch",
    "*** Update File: b.txt",
    "*** Begin Patch",
    "```",
];
