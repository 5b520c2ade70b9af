//! What holds for every patch that is made: it makes just what it was made for, with no more than that takes, and can be
//! taken back.

use apply_patch::format::{Format, Options, parse};
use apply_patch::generate::{self, Between, Entry, Tree, What, plan_between, text, undo, written};
use apply_patch::locate::{Matching, place};
use apply_patch::patch::edit::Edit;
use apply_patch::patch::{Action, Chunk, Dialect, LineKind};
use apply_patch::plan::{self, After, Files, Node, Plan, plan};
use apply_patch::text::{Bytes, Document};
use camino::Utf8PathBuf;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::cases;

/// Lines of which the same stand again and again, some at the beginning of blocks.
const LINES: &[&str] = &[
    "fn a() {",
    "fn b() {",
    "    if x {",
    "    }",
    "}",
    "",
    "    go();",
    "    go();",
    "    go();",
    "mod m {",
    "*** End Patch",
    "@@ x",
    "+ a",
    "- a",
];

fn lines(size: std::ops::Range<usize>) -> impl Strategy<Value = Vec<String>> {
    let line = prop_oneof![12 => select(LINES).prop_map(str::to_owned), 1 => "[a-c]{1,2}"];
    vec(line, size)
}

/// Blocks in blocks that differ by the lines at their heads alone, if by anything.
fn nested() -> impl Strategy<Value = Vec<String>> {
    let body = vec(select(&["go();", "go();", "stop();"][..]), 5..9);
    let block = (vec(body.clone(), 1..4), body).prop_map(|(bodies, same)| {
        let inside = |body: &[&str]| body.iter().map(|line| format!("        {line}")).collect::<Vec<_>>();
        let functions = bodies.iter().enumerate().flat_map(|(nth, body)| {
            // Most bodies are alike.
            let body = if nth == 0 { inside(body) } else { inside(&same) };
            [vec![format!("    fn f{nth}() {{")], body, vec!["    }".to_owned()]].concat()
        });
        functions.collect::<Vec<_>>()
    });
    (block, 2usize..4).prop_map(|(block, count)| {
        let named = |nth| [vec![format!("mod m{nth} {{")], block.clone(), vec!["}".to_owned()]].concat();
        (0..count).flat_map(named).collect()
    })
}

/// Lines, and the same with some of them changed. What comes is nowhere before: beside its like it may look as if it had
/// come already, and then it takes more to say than what leads to its place.
fn change() -> impl Strategy<Value = (Vec<String>, Vec<String>)> {
    let edit = (any::<Index>(), 0usize..3, vec(select(&["new()", "other()", "third()"][..]), 0..3));
    (prop_oneof![lines(1..60), nested()], vec(edit, 1..4)).prop_map(|(before, edits)| {
        let mut after = before.clone();
        for (at, removed, added) in edits {
            let at = at.index(after.len() + 1);
            let end = (at + removed).min(after.len());
            after.splice(at..end, added.into_iter().map(str::to_owned));
        }
        (before, after)
    })
}

fn with_ends(lines: &[String], end: &str) -> Vec<u8> {
    lines.iter().flat_map(|line| [line.as_str(), end]).collect::<String>().into_bytes()
}

fn one_file(bytes: Vec<u8>) -> Tree {
    let mut tree = Tree::default();
    tree.insert("file", Entry::File { bytes: bytes.into(), executable: false });
    tree
}

/// The chunks of a patch for one file.
fn chunks(text: &str) -> Vec<Chunk<'_>> {
    let (patch, _) = parse(text, &Options::default()).into_result().unwrap();
    match patch.hunks.into_iter().next().map(|hunk| hunk.action) {
        Some(Action::Update { chunks, .. }) => chunks,
        other => panic!("{other:?}"),
    }
}

/// Where a chunk by itself goes to the letter: the first line that it changes or adds behind.
fn goes(chunk: &Chunk<'_>, document: &Document) -> Option<usize> {
    let placed = place(document, &[Edit::from_chunk(chunk, Dialect::Envelope)], &Matching::default());
    let placement = placed.outcomes.into_iter().next()?.ok()?;
    let before = chunk.lines.iter().take_while(|line| line.kind == LineKind::Context).count();
    placement.drift.is_empty().then_some(placement.start + before)
}

/// The chunk with one thing less that leads to its place: a header, the mark of the end, or an outermost line of context
/// beyond three.
fn with_less<'t>(chunk: &Chunk<'t>) -> Vec<Chunk<'t>> {
    let mut all = Vec::new();
    for nth in 0..chunk.headers.len() {
        let mut less = chunk.clone();
        less.headers.to_mut().remove(nth);
        all.push(less);
    }
    if chunk.end_of_file {
        all.push(Chunk { end_of_file: false, ..chunk.clone() });
    }
    let context = |line: &&apply_patch::patch::Line<'_>| line.kind == LineKind::Context;
    if chunk.lines.iter().take_while(context).count() > 3 {
        let mut less = chunk.clone();
        less.lines.to_mut().remove(0);
        all.push(less);
    }
    if chunk.lines.iter().rev().take_while(context).count() > 3 {
        let mut less = chunk.clone();
        less.lines.to_mut().pop();
        all.push(less);
    }
    all
}

/// A tree as a plan leaves it.
fn after(tree: &Tree, plan: &Plan) -> Vec<(Utf8PathBuf, Vec<u8>)> {
    let mut files: std::collections::BTreeMap<_, _> = contents(tree).into_iter().collect();
    for change in &plan.changes {
        match &change.after {
            After::Gone => files.remove(&change.path),
            After::File { content, .. } => files.insert(change.path.clone(), content.bytes().into_owned()),
        };
    }
    files.into_iter().collect()
}

fn contents(tree: &Tree) -> Vec<(Utf8PathBuf, Vec<u8>)> {
    let file = |path: &camino::Utf8Path| match tree.look_up(path).unwrap().node {
        Node::File { bytes, .. } => bytes.to_vec(),
        other => panic!("{other:?}"),
    };
    tree.entries().map(|(path, _)| (path.to_owned(), file(path))).collect()
}

fn tree_of(files: &[(Utf8PathBuf, Vec<u8>)]) -> Tree {
    let mut tree = Tree::default();
    tree.extend(files.iter().map(|(path, bytes)| {
        (path.clone(), Entry::File { bytes: Bytes::from(bytes.clone()), executable: false })
    }));
    tree
}

fn planned(text: &str, files: &dyn Files) -> Plan {
    let (patch, _) = parse(text, &Options::default()).into_result().unwrap();
    plan(&patch, files, &plan::Options::default()).unwrap()
}

/// Files with all that text files may have: other ends of lines, a mark, no end at the end, and here and there bytes that
/// are no text.
fn file() -> impl Strategy<Value = Vec<u8>> {
    let end = prop_oneof![3 => Just("\n"), 1 => Just("\r\n")];
    (lines(0..12), end, any::<bool>(), 0u8..12).prop_map(|(lines, end, mark, odd)| {
        let mut bytes = if mark && odd < 6 { "\u{feff}".as_bytes().to_vec() } else { Vec::new() };
        bytes.extend(with_ends(&lines, end));
        match odd {
            0 => drop(bytes.pop()),
            1 => bytes.extend(b"caf\xe9\n"),
            2 => bytes.extend(b"zero\0\n"),
            _ => {}
        }
        bytes
    })
}

fn tree(file: impl Strategy<Value = Vec<u8>>) -> impl Strategy<Value = Tree> {
    let names = select(&["a.txt", "b.txt", "src/a.txt", "src/b.txt", "c d", "é"][..]);
    btree_map(names, file, 0..5).prop_map(|files| {
        tree_of(&files.into_iter().map(|(path, bytes)| (path.into(), bytes)).collect::<Vec<_>>())
    })
}

/// Two trees: some files the same, some changed, some moved.
///
/// No line that is inserted begins with a blank: beside ` b`, the new line `+ a` looks like an added line with two signs.
/// That is refused, and no envelope can express it.
fn trees<F: Strategy<Value = Vec<u8>>>(file: fn() -> F) -> impl Strategy<Value = (Tree, Tree)> {
    let kept = vec((any::<Index>(), any::<Index>(), "([a-z][a-z ]{0,7})?"), 0..4);
    (tree(file()), tree(file()), kept).prop_map(|(old, new, kept)| {
        let mut files = contents(&new);
        let olds = contents(&old);
        for (from, line, text) in kept.iter().filter(|_| !olds.is_empty()) {
            let (path, bytes) = &olds[from.index(olds.len())];
            let mut lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
            let text = format!("{text}\n");
            lines.insert(line.index(lines.len() + 1), text.as_bytes());
            let path = if text.len() > 4 { path.clone() } else { path.with_extension("moved") };
            files.retain(|(other, _)| *other != path);
            files.push((path, lines.concat()));
        }
        (old, tree_of(&files))
    })
}

/// Files that an envelope can say all of.
fn plain() -> impl Strategy<Value = Vec<u8>> {
    lines(0..12).prop_map(|lines| with_ends(&lines, "\n"))
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn a_place_is_told_by_what_it_takes_and_no_more((before, after) in change()) {
        let (before, after) = (with_ends(&before, "\n"), with_ends(&after, "\n"));
        prop_assume!(before != after && !before.is_empty());
        let document = Document::from(before.clone());
        let between = plan_between(&one_file(before.clone()), &one_file(after));
        let made = text(&between.plan, &one_file(before), Format::Envelope)
            .map_err(|error| TestCaseError::fail(format!("{error:?}")))?;
        for chunk in chunks(&made) {
            let place = goes(&chunk, &document);
            prop_assert!(place.is_some(), "by itself it goes nowhere\n{:?}\n{}", chunk, made);
            for less in with_less(&chunk) {
                prop_assert_ne!(goes(&less, &document), place, "{:?}\n{}", less, made);
            }
        }
    }
}

#[test]
fn a_line_that_looks_signed_is_left_out_and_told() {
    let (old, new) = (one_file(b" b\n".to_vec()), one_file(b"+ a\n".to_vec()));
    let made = written(&plan_between(&old, &new).plan, &old, Format::Envelope, &mut |_, _| {});
    assert_eq!(made.text, "");
    assert!(matches!(made.unrepresentable[..], [generate::Unrepresentable { what: What::Exactly, .. }]));
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn what_is_made_makes_the_new_tree_or_is_told((old, new) in trees(file)) {
        let Between { plan: wanted, beyond, .. } = plan_between(&old, &new);
        prop_assert!(beyond.is_empty());
        for format in [Format::Envelope, Format::Unified] {
            let made = written(&wanted, &old, format, &mut |_, _| {});
            let left_out: Vec<_> = made.unrepresentable.iter().map(|what| what.path.clone()).collect();
            let result = if made.text.is_empty() { contents(&old) } else { after(&old, &planned(&made.text, &old)) };
            if left_out.is_empty() {
                prop_assert_eq!(&result, &contents(&new), "{}", made.text);
            }
            for (path, bytes) in contents(&new).iter().filter(|(path, _)| !left_out.contains(path)) {
                prop_assert!(result.contains(&(path.clone(), bytes.clone())), "{path}\n{}", made.text);
            }
        }
    }

    #[test]
    fn plain_text_can_be_said((old, new) in trees(plain)) {
        let Between { plan: wanted, .. } = plan_between(&old, &new);
        let made = text(&wanted, &old, Format::Envelope);
        prop_assert!(made.is_ok(), "{made:?}");
    }

    #[test]
    fn applied_and_taken_back_is_as_it_was((old, new) in trees(file)) {
        let Between { plan: wanted, .. } = plan_between(&old, &new);
        let made = written(&wanted, &old, Format::Envelope, &mut |_, _| {});
        prop_assume!(!made.text.is_empty());
        let forth = planned(&made.text, &old);
        let between = tree_of(&after(&old, &forth));
        match undo(&forth, &old) {
            Ok(undo) if undo.is_empty() => prop_assert_eq!(contents(&between), contents(&old)),
            Ok(undo) => prop_assert_eq!(after(&between, &planned(&undo, &between)), contents(&old), "{}", undo),
            Err(unrepresentable) => for generate::Unrepresentable { what, path, .. } in unrepresentable {
                let known = matches!(what, What::FinalNewline | What::LineEnds | What::Binary | What::Exactly);
                prop_assert!(known, "{path}: {what:?}");
            }
        }
    }

    #[test]
    fn plain_text_can_be_taken_back((old, new) in trees(plain)) {
        let Between { plan: wanted, .. } = plan_between(&old, &new);
        let made = text(&wanted, &old, Format::Envelope).unwrap_or_default();
        prop_assume!(!made.is_empty());
        let forth = planned(&made, &old);
        let back = undo(&forth, &old);
        prop_assert!(back.is_ok(), "{back:?}\n{made}");
        let back = back.unwrap_or_default();
        prop_assert_eq!(after(&new, &planned(&back, &new)), contents(&old), "{}", back);
    }
}
