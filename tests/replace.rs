//! Replacing a text: what is found, what is refused, and that nothing else changes.
//!
//! Most is asked of the library over a map of files; the command's own options and exit statuses of the program.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::collections::BTreeMap;

use apply_patch::locate::{Drift, Level, Matching, Reason};
use apply_patch::plan::{After, FailureKind, Failures, Options, Plan, Replace, replace};
use camino::Utf8PathBuf;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use Level::{Cascade, Editkit, Exact, Guarded, ThreeTier, Whitespace};

const NAME: &str = "a.txt";

fn planned(content: &[u8], old: &str, new: &str, all: bool, level: Level) -> Result<Plan, Failures> {
    let files: BTreeMap<Utf8PathBuf, Vec<u8>> = [(NAME.into(), content.to_vec())].into();
    let matching = Matching::default().with_level(level);
    replace(&Replace::new(NAME, old, new).with_all(all), &files, &Options::default().with_matching(matching))
}

/// The file afterwards, or the code of the refusal.
fn replaced(content: &[u8], old: &str, new: &str, all: bool, level: Level) -> Result<Vec<u8>, &'static str> {
    let plan = planned(content, old, new, all, level).map_err(|failures| {
        assert!(failures.placed.is_empty());
        failures.failures[0].kind.code()
    })?;
    Ok(match plan.changes.first().map(|change| &change.after) {
        Some(After::File { content, .. }) => content.bytes().into_owned(),
        Some(After::Gone) => panic!("a replacement removes no file"),
        None => content.to_vec(),
    })
}

fn guarded(content: &[u8], old: &str, new: &str) -> Result<Vec<u8>, &'static str> {
    replaced(content, old, new, false, Guarded)
}

struct Case {
    name: &'static str,
    content: &'static str,
    old: &'static str,
    new: &'static str,
    all: bool,
    level: Level,
    /// The text afterwards, or the code of the refusal.
    expected: Result<&'static str, &'static str>,
}

/// One place, at the default level.
const fn case(
    name: &'static str,
    [content, old, new]: [&'static str; 3],
    expected: Result<&'static str, &'static str>,
) -> Case {
    Case { name, content, old, new, all: false, level: Guarded, expected }
}

const fn all(
    name: &'static str,
    texts: [&'static str; 3],
    expected: Result<&'static str, &'static str>,
) -> Case {
    Case { all: true, ..case(name, texts, expected) }
}

const fn at(
    level: Level,
    name: &'static str,
    texts: [&'static str; 3],
    expected: Result<&'static str, &'static str>,
) -> Case {
    Case { level, ..case(name, texts, expected) }
}

/// Runs all cases, and reports all that differ at once.
#[track_caller]
fn check(cases: &[Case]) {
    let differing: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let found = replaced(case.content.as_bytes(), case.old, case.new, case.all, case.level);
            let found = found.map(|bytes| String::from_utf8(bytes).unwrap());
            let expected = case.expected.map(str::to_owned);
            (found != expected)
                .then(|| format!("{}:\n  found    {found:?}\n  expected {expected:?}\n", case.name))
        })
        .collect();
    assert!(differing.is_empty(), "\n{}", differing.concat());
}

// To the letter.

#[test]
fn a_text_that_is_there_to_the_letter_is_replaced_to_the_letter() {
    check(&[
        case("inside a line", ["let total = price;\n", "price", "price * 2"], Ok("let total = price * 2;\n")),
        case("made before, inside a line", ["a: x | y\n", "a: x", "a: x | y"], Ok("a: x | y\n")),
        case(
            "made before, a line below",
            ["use a\nuse b\n\n", "use a\n", "use a\nuse b\n"],
            Ok("use a\nuse b\n\n"),
        ),
        case("made before, a line above", ["init\nrun\n", "run", "init\nrun"], Ok("init\nrun\n")),
        case(
            "not made, beside another line",
            ["use a\nuse c\n", "use a\n", "use a\nuse b\n"],
            Ok("use a\nuse b\nuse c\n"),
        ),
        case("inside an operator", ["a += 1\n", "a +", "a -"], Err("not-found")),
        case("inside a word", ["unwrapped\n", "wrapp", "fold"], Err("not-found")),
        case("inside a number", ["timeout: 300\n", "timeout: 30", "timeout: 60"], Err("not-found")),
        case("as a word beside a longer one", ["valid = id\n", "id", "key"], Ok("valid = key\n")),
        case("beside a letter of several bytes", ["größe = ö\n", "ö", "o"], Ok("größe = o\n")),
        case(
            "from the middle of a line to the middle of another",
            ["open(a,\n     b)\nclose()\n", "a,\n     b)\nclose", "c)\nenclose"],
            Err("too-little-evidence"),
        ),
        case(
            "from the middle of a line to the middle of another, both lines the same",
            ["open(a,\n     b)\nclose()\n", "a,\n     b)\nclose", "a,\n     c)\nclose"],
            Ok("open(a,\n     c)\nclose()\n"),
        ),
        case(
            "from inside the indentation",
            ["def f():\n    a()\n", "  a()\n", "  a()\n  b()\n"],
            Ok("def f():\n    a()\n    b()\n"),
        ),
        case("lines with their ends", ["a\nb\nc\n", "b\n", ""], Ok("a\nc\n")),
        case("a line without its end", ["a\nb\nc\n", "b", ""], Ok("a\n\nc\n")),
        case("two lines become one", ["a(\n  b)\n", "a(\n  b)", "a(b)"], Ok("a(b)\n")),
        case("a part of two lines becomes one", ["a(\n  b)\n", "(\n  ", "("], Err("too-little-evidence")),
        case("one line becomes three", ["x; y; z\n", "x; y; z", "x\ny\nz"], Ok("x\ny\nz\n")),
        case("a part of a line becomes lines", ["x; y; z\n", "; y; ", "\ny\n"], Err("too-little-evidence")),
        case("everything", ["a\nb\n", "a\nb\n", "c\n"], Ok("c\n")),
        case("everything goes", ["a\nb\n", "a\nb\n", ""], Ok("")),
        case(
            "no variable of a regular expression",
            ["x = 1\n", "1", r"$& \1 $1 ${0}"],
            Ok("x = $& \\1 $1 ${0}\n"),
        ),
        case("no pattern either", ["a.c abc\n", "a.c", "[x]*"], Ok("[x]* abc\n")),
        case("characters of several bytes", ["größe: ½ — ok\n", "½ —", "1 –"], Ok("größe: 1 – ok\n")),
        case("white space is part of the text", ["a  b a b\n", "a  b", "c"], Ok("c a b\n")),
        case(
            "an exact place closes the looser ones",
            ["    send(x)\nif y:\n\tsend(x)\n", "\tsend(x)", "\tpost(x)"],
            Ok("    send(x)\nif y:\n\tpost(x)\n"),
        ),
    ]);
}

#[test]
fn line_endings_of_the_texts_do_not_matter_and_those_of_the_file_stay() {
    check(&[
        case("LF texts", ["a\r\nb\r\nc\r\n", "a\nb\n", "x\ny\nz\n"], Ok("x\r\ny\r\nz\r\nc\r\n")),
        case("CRLF texts", ["a\nb\nc\n", "a\r\nb", "x\r\ny"], Ok("x\ny\nc\n")),
        case("within a line", ["a 1\r\nb 2\r\n", "1", "3"], Ok("a 3\r\nb 2\r\n")),
        case("mixed, before", ["a\r\nb\nc\r\n", "b\nc", "d"], Ok("a\r\nd\n")),
        case("mixed, elsewhere", ["a\nb\r\nc\r\nd\n", "c", "x"], Ok("a\nb\r\nx\r\nd\n")),
        case("a blank line of a CRLF file", ["a\r\n\r\nb\r\n", "a\n\nb", "a\nb"], Ok("a\r\nb\r\n")),
    ]);
}

#[test]
fn the_final_line_break_is_as_the_texts_say() {
    check(&[
        case("none stays none", ["a\nb", "b", "c"], Ok("a\nc")),
        case("none stays none over more lines", ["a\nb", "a\nb", "x\ny\nz"], Ok("x\ny\nz")),
        case("none stays none where the line above changes", ["a\nb", "a", "x"], Ok("x\nb")),
        case("one stays one", ["a\nb\n", "b", "c"], Ok("a\nc\n")),
        case("one is added with a change", ["a\nb", "b", "c\n"], Ok("a\nc\n")),
        case("one is dropped", ["a\nb\n", "b\n", "b"], Ok("a\nb")),
        case("one is dropped with a change", ["a\r\nb\r\n", "b\n", "c"], Ok("a\r\nc")),
        case("the last line goes with the break before it", ["a\nb", "\nb", ""], Ok("a")),
        case(
            "none stays none in an inexact place",
            ["go(a)\n    run(b)", "go(a) \n    run(b)", "go(a) \n    walk(b)"],
            Ok("go(a)\n    walk(b)"),
        ),
    ]);
}

#[test]
fn an_encoding_and_its_mark_stay() {
    assert_eq!(guarded(b"\xef\xbb\xbfa\nb\n", "a\n", "x\n").unwrap(), b"\xef\xbb\xbfx\nb\n");
    assert_eq!(guarded(b"\xef\xbb\xbfa", "a", "").unwrap(), b"\xef\xbb\xbf");
    let little = |text: &str| -> Vec<u8> {
        format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect()
    };
    let big = |text: &str| -> Vec<u8> {
        format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect()
    };
    let (before, after) = ("eins 1\r\nzwei 2\r\n", "eins 1\r\n\u{1f600} ü\r\n");
    assert_eq!(guarded(&little(before), "zwei 2\n", "\u{1f600} ü\n").unwrap(), little(after));
    assert_eq!(guarded(&big(before), "zwei 2", "\u{1f600} ü").unwrap(), big(after));
}

#[test]
fn bytes_that_are_no_text_stay_where_the_change_is_elsewhere() {
    assert_eq!(guarded(b"caf\xe9\nx = 1\n\xff\xfe", "x = 1", "x = 2").unwrap(), b"caf\xe9\nx = 2\n\xff\xfe");
}

// Several places.

#[test]
fn several_places_are_refused_with_the_lines_of_all() {
    let places = |content: &str, old: &str, new: &str| {
        let failures = planned(content.as_bytes(), old, new, false, Guarded).unwrap_err();
        match &failures.failures[0].kind {
            FailureKind::Chunk { miss, .. } => miss.reason.clone(),
            other => panic!("{other}"),
        }
    };
    assert_eq!(places("a\nb\na\n", "a", "c"), Reason::Ambiguous { places: vec![0, 2] });
    assert_eq!(places("x x\n", "x", "y"), Reason::Ambiguous { places: vec![0, 0] });
    assert_eq!(places("-+-+-\n", "-+-", "*"), Reason::Ambiguous { places: vec![0, 0] });
    assert_eq!(
        places("if a:\n  go(1)\nif b:\n    go(1)\n", "\tgo(1)", "\tgo(2)"),
        Reason::Ambiguous { places: vec![1, 3] }
    );
}

#[test]
fn all_replaces_every_place_of_the_tightest_comparison() {
    check(&[
        all("several in a line and in lines", ["a b a\nb\na\n", "a", "cc"], Ok("cc b cc\nb\ncc\n")),
        all("the only one", ["a\nb\n", "b", "c"], Ok("a\nc\n")),
        all("the new text holds the old", ["a a\n", "a", "aa"], Ok("aa aa\n")),
        all("overlapping, from the left", ["-----\n", "--", "+"], Ok("++-\n")),
        all("whole words alone", ["id = valid(id, idx)\n", "id", "key"], Ok("key = valid(key, idx)\n")),
        all("across lines, one after the other", ["a\nb\na\nb\n", "a\nb\n", "c\n"], Ok("c\nc\n")),
        all("a place that begins where one ends", ["(a)(a)\n", "(a)", "[]"], Ok("[][]\n")),
        all("all of them go", ["x,\ny\nx,\nz\n", "x,\n", ""], Ok("y\nz\n")),
        all("no variables", ["1 1\n", "1", "$&"], Ok("$& $&\n")),
        all("CRLF", ["a\r\nb\r\na\r\nb", "a\nb", "c"], Ok("c\r\nc")),
        all("exact closes looser", ["  go()\n\tgo()\n", "\tgo()", "\trun()"], Ok("  go()\n\trun()\n")),
        all("nowhere", ["a\nb\n", "no_such_thing", "x"], Err("not-found")),
        all(
            "each place at its own depth",
            [
                "def f():\n    if a:\n        log(a)\n        go(a)\n\nif a:\n    log(a)\n    go(a)\n",
                "  if a:\n      log(a)\n      go(a)",
                "  if a:\n      go(a)\n      log(a, 1)",
            ],
            Ok("def f():\n    if a:\n        go(a)\n        log(a, 1)\n\nif a:\n    go(a)\n    log(a, 1)\n"),
        ),
        all(
            "each place with its own tabs or spaces",
            [
                "{\n\t\tsend(user, mail);\n\t}\n{\n      send(user, mail);\n  }\n",
                "    send(user, mail);\n}",
                "    post(user, mail);\n}",
            ],
            Ok("{\n\t\tpost(user, mail);\n\t}\n{\n      post(user, mail);\n  }\n"),
        ),
    ]);
}

// Whole lines that differ.

#[test]
fn whole_lines_are_found_where_only_their_form_differs() {
    check(&[
        case(
            "the file has trailing space",
            ["first  \nsecond\t\nthird\n", "first\nsecond\nthird", "first\n2nd\nthird"],
            Ok("first  \n2nd\nthird\n"),
        ),
        case(
            "the quote has trailing space",
            ["first\nsecond\nthird\n", "first  \nsecond ", "first  \n2nd"],
            Ok("first\n2nd\nthird\n"),
        ),
        case(
            "the quote has lost its indentation",
            [
                "class A:\n    def f(self):\n        return 1\n",
                "def f(self):\n    return 1",
                "def f(self):\n    x = 1\n    return x",
            ],
            Ok("class A:\n    def f(self):\n        x = 1\n        return x\n"),
        ),
        case(
            "the quote has spaces for tabs",
            [
                "func f() {\n\tif a {\n\t\tgo()\n\t}\n}\n",
                "    if a {\n        go()\n    }",
                "    if a {\n        stop()\n    }",
            ],
            Ok("func f() {\n\tif a {\n\t\tstop()\n\t}\n}\n"),
        ),
        case(
            "look-alikes, mended in the new text",
            [
                "say(\u{201c}good day\u{201d}, 1)\nend\n",
                "say(\"good day\", 1)\nend",
                "say(\"good day\", 2)\nend",
            ],
            Ok("say(\u{201c}good day\u{201d}, 2)\nend\n"),
        ),
        case(
            "escaped quotes, mended in the new text",
            [
                "def greet(name):\n    print(\"hello\", name)\n",
                "def greet(name):\n    print(\\\"hello\\\", name)",
                "def greet(name):\n    print(\\\"goodbye\\\", name)",
            ],
            Ok("def greet(name):\n    print(\"goodbye\", name)\n"),
        ),
        case(
            "line breaks as two characters",
            ["start()\nfirst(1)\nsecond(2)\nstop()\n", "first(1)\\nsecond(2)", "first(1)\\nthird(3)"],
            Ok("start()\nfirst(1)\nthird(3)\nstop()\n"),
        ),
        case(
            "inner white space",
            [
                "let  total = sum( items );\nprint(total);\n",
                "let total = sum(items);\nprint(total);",
                "let total = product(items);\nprint(total);",
            ],
            Ok("let total = product(items);\nprint(total);\n"),
        ),
        case(
            "blank lines around the quote",
            ["alpha()\nbeta()\ngamma()\n", "\n\nalpha()\nbeta()\n\n", "\n\nalpha()\ndelta()\n\n"],
            Ok("alpha()\ndelta()\ngamma()\n"),
        ),
        case(
            "line numbers copied with the text",
            ["zero()\none()\ntwo()\n", "2: one()\n3: two()", "2: one()\n3: three()"],
            Ok("zero()\none()\nthree()\n"),
        ),
        case(
            "only the line that changes is written",
            ["\tone  \n\ttwo\n\tthree \n", "one\ntwo\nthree", "one\nTWO\nthree"],
            Ok("\tone  \n\tTWO\n\tthree \n"),
        ),
        case(
            "an inexact place in a CRLF file",
            ["if a {\r\n\tgo(1);\r\n}\r\n", "if a {\n  go(1);\n}", "if a {\n  go(2);\n}"],
            Ok("if a {\r\n\tgo(2);\r\n}\r\n"),
        ),
    ]);
}

#[test]
fn an_inexact_place_is_reported_as_such() {
    let drift = |content: &str, old: &str, new: &str| {
        let plan = planned(content.as_bytes(), old, new, false, Guarded).unwrap();
        plan.hunks[0].chunks[0].placement.drift.clone()
    };
    assert_eq!(drift("a\nb\n", "b", "c"), []);
    let reindented = drift("if a:\n        go()\n", "\tgo()", "\tstop()");
    assert!(reindented.contains(&Drift::Reindented), "{reindented:?}");
    assert!(reindented.iter().any(|drift| matches!(drift, Drift::Lines { .. })), "{reindented:?}");
}

#[test]
fn what_is_not_clear_is_refused() {
    check(&[
        case("a fragment of a word", ["counter += 1\n", "cuonter", "total"], Err("not-found")),
        case(
            "a fragment of a line, but for its space",
            ["if (ready && open) { go(now); }\n", "ready &&  open", "ready"],
            Err("not-found"),
        ),
        case(
            "a fragment of a line, but for its quotes",
            ["print(\u{201c}hi\u{201d}); done();\n", "\"hi\"", "\"ho\""],
            Err("not-found"),
        ),
        case(
            "a line forgotten in the middle",
            [
                "open_connection(host)\nauthenticate(user)\nsend_request(body)\nclose_connection(host)\n",
                "open_connection(host)\nsend_request(body)\nclose_connection(host)",
                "open_connection(other)\nclose_connection(other)",
            ],
            Err("lines-not-quoted"),
        ),
        case(
            "a sibling",
            [
                "def load_user(key):\n    return users[key]\n",
                "def load_group(key):\n    return groups[key]",
                "def load_group(key):\n    return groups.get(key)",
            ],
            Err("too-little-evidence"),
        ),
        case(
            "another string",
            [
                "greeting = \"hello\"\nname = \"x\"\n",
                "greeting = \"hallo\"\nname = \"x\"",
                "greeting = \"hi\"\nname = \"x\"",
            ],
            Err("misspelt-removal"),
        ),
        case(
            "another number",
            ["timeout = 300\nretries = 5\n", "timeout = 30\nretries = 5", "timeout = 60\nretries = 5"],
            Err("not-found"),
        ),
        case(
            "another operator",
            [
                "if count <= limit:\n    proceed(count)\n",
                "if count < limit:\n    proceed(count)",
                "if count != limit:\n    proceed(count)",
            ],
            Err("not-found"),
        ),
        case(
            "space within a string",
            ["say(\"a  b\")\nnext_step()\n", "say(\"a b\")\nnext_step()", "say(\"c\")\nnext_step()"],
            Err("not-found"),
        ),
        case(
            "another case",
            ["Value = compute()\n", "value = compute()", "value = other()"],
            Err("misspelt-removal"),
        ),
        case("a place that is not there", ["a\nb\n", "something else altogether", "x"], Err("not-found")),
        case("an empty file", ["", "a", "b"], Err("not-found")),
        case("empty", ["a\n", "", "b"], Err("empty-old")),
        case("blank", ["a\n  \n", "  \n", "b"], Err("empty-old")),
        case("the same", ["a\n", "a", "a"], Err("same-text")),
        case("the same, and nowhere", ["a\n", "b", "b"], Err("same-text")),
        case(
            "indentation alone, quoted wrongly",
            ["if a:\n        go()\n", "if a:\n    go()", "if a:\n  go()"],
            Err("indentation"),
        ),
    ]);
}

#[test]
fn a_file_that_is_not_there_is_refused() {
    let files: BTreeMap<Utf8PathBuf, Vec<u8>> = [("dir/a.txt".into(), b"a\n".to_vec())].into();
    let code = |path: &str| {
        let request = Replace::new(path, "a", "b");
        replace(&request, &files, &Options::default()).unwrap_err().failures[0].kind.code()
    };
    assert_eq!(code("other.txt"), "no-such-file");
    assert_eq!(code("dir"), "not-a-file");
}

// The levels.

/// Of another indentation than the quote.
const NESTED: [&str; 3] = [
    "class A:\n    def f(self):\n        return 1\n",
    "def f(self):\n    return 1",
    "def f(self):\n    return 2",
];

/// With another line in the middle than the quote.
const OTHER_MIDDLE: [&str; 3] =
    ["begin\nsomething_else(4)\nend\n", "begin\nwork(1)\nend", "begin\nwork(2)\nend"];

const TWICE: [&str; 3] = ["a = 1\nb\na = 1\n", "a = 1", "a = 2"];

const TRAILING: [&str; 3] = ["one  \ntwo\n", "one\ntwo", "one\n2"];

#[test]
fn each_level_accepts_what_it_says() {
    check(&[
        at(Exact, "exact: the same", ["a b\n", "b", "c"], Ok("a c\n")),
        at(Exact, "exact: no other indentation", NESTED, Err("not-found")),
        at(Exact, "exact: no trailing space", TRAILING, Err("not-found")),
        at(
            Whitespace,
            "whitespace: indentation",
            NESTED,
            Ok("class A:\n    def f(self):\n        return 2\n"),
        ),
        at(Whitespace, "whitespace: trailing space", TRAILING, Ok("one  \n2\n")),
        at(Whitespace, "whitespace: no inner white space", ["f( a );\n", "f(a);", "g(a);"], Err("not-found")),
        at(Guarded, "guarded: no other middle", OTHER_MIDDLE, Err("not-found")),
        at(Guarded, "guarded: not one of two", TWICE, Err("ambiguous")),
        at(Cascade, "cascade: not one of two", TWICE, Err("ambiguous")),
        Case { all: true, ..at(Cascade, "cascade: both", TWICE, Ok("a = 2\nb\na = 2\n")) },
        at(Cascade, "cascade: the new text as it is", NESTED, Ok("class A:\ndef f(self):\n    return 2\n")),
        at(Cascade, "cascade: any middle", OTHER_MIDDLE, Ok("begin\nwork(2)\nend\n")),
        at(Cascade, "cascade: the whole block", TRAILING, Ok("one\n2\n")),
        at(Cascade, "cascade: nowhere", ["a\n", "b", "c"], Err("not-found")),
        at(ThreeTier, "three-tier: the first of two", TWICE, Ok("a = 2\nb\na = 1\n")),
        at(
            ThreeTier,
            "three-tier: the new text as it is",
            NESTED,
            Ok("class A:\ndef f(self):\n    return 2\n"),
        ),
        at(ThreeTier, "three-tier: any middle", OTHER_MIDDLE, Ok("begin\nwork(2)\nend\n")),
        at(Editkit, "editkit: not one of two", TWICE, Err("ambiguous")),
        at(Editkit, "editkit: re-indented", NESTED, Ok("class A:\n    def f(self):\n        return 2\n")),
        at(Editkit, "editkit: the whole block", TRAILING, Ok("one\n2\n")),
        at(Editkit, "editkit: no other middle", OTHER_MIDDLE, Err("not-found")),
        at(Editkit, "editkit: no inner white space", ["f( a );\n", "f(a);", "g(a);"], Err("not-found")),
        at(Cascade, "cascade: inner white space", ["f(a,  b);\n", "f(a, b);", "g(a);"], Ok("g(a);\n")),
        at(
            ThreeTier,
            "three-tier: no inner white space",
            ["f(a,  b);\n", "f(a, b);", "g(a);"],
            Err("not-found"),
        ),
    ]);
}

#[test]
fn the_levels_for_comparison_keep_line_endings_and_marks() {
    for level in [Cascade, ThreeTier, Editkit] {
        let crlf = "\u{feff}a\r\nb\r\nc\r\n".as_bytes();
        let after = "\u{feff}x\r\ny\r\nc\r\n".as_bytes();
        assert_eq!(replaced(crlf, "a\nb\n", "x\ny\n", false, level).unwrap(), after, "{level:?}");
    }
}

// The command.

#[cfg(feature = "cli")]
mod command {
    use std::fs;
    use std::process::{Command, Stdio};

    use tempfile::TempDir;

    const BEFORE: &str = "one\ntwo\nthree\n";

    struct Place(TempDir);

    /// The exit status, standard output, standard error.
    type Run = (i32, String, String);

    impl Place {
        fn new() -> Self {
            let place = Place(tempfile::tempdir().unwrap());
            place.write("a.txt", BEFORE);
            place
        }

        fn write(&self, name: &str, text: &str) {
            fs::write(self.0.path().join(name), text).unwrap();
        }

        fn text(&self) -> String {
            fs::read_to_string(self.0.path().join("a.txt")).unwrap()
        }

        fn run(&self, args: &[&str]) -> Run {
            let mut command = Command::new(env!("CARGO_BIN_EXE_apply-patch"));
            command.arg("replace").args(args).current_dir(self.0.path()).stdin(Stdio::null());
            let output = command.output().unwrap();
            let text = |bytes| String::from_utf8(bytes).unwrap();
            (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
        }

        /// Stopped with this status and these words, and nothing changed.
        #[track_caller]
        fn assert_stopped(&self, args: &[&str], status: i32, words: &str) {
            let (found, out, err) = self.run(args);
            assert_eq!((found, &*out), (status, ""), "{err}");
            assert!(err.contains(words), "no {words:?} in: {err}");
            assert_eq!(self.text(), BEFORE);
        }
    }

    fn applied(out: &str) -> Run {
        (0, out.to_owned(), String::new())
    }

    #[test]
    fn a_replacement_is_made_and_said() {
        let place = Place::new();
        let done = "Done: 1 file changed.\nM a.txt +1 -1\n   2|2\nNext: nothing is left to do.\n";
        assert_eq!(place.run(&["a.txt", "--old", "two", "--new", "2"]), applied(done));
        assert_eq!(place.text(), "one\n2\nthree\n");
    }

    #[test]
    fn texts_come_from_files() {
        let place = Place::new();
        place.write("old", "one\r\ntwo\r\n");
        place.write("new", "1 \"$&\"\n");
        let (status, ..) = place.run(&["a.txt", "--old-file", "old", "--new-file", "new", "-q"]);
        assert_eq!((status, &*place.text()), (0, "1 \"$&\"\nthree\n"));
    }

    #[test]
    fn texts_that_cannot_be_read_are_named() {
        let place = Place::new();
        place.assert_stopped(&["a.txt", "--old-file", "none", "--new", "x"], 2, "none");
        fs::write(place.0.path().join("binary"), b"\xff\xfe\x00").unwrap();
        place.assert_stopped(&["a.txt", "--old", "two", "--new-file", "binary"], 2, "binary");
    }

    #[test]
    fn a_text_may_begin_with_a_dash_and_may_be_empty() {
        let place = Place::new();
        place.run(&["a.txt", "--old=two", "--new=--all"]);
        assert_eq!(place.text(), "one\n--all\nthree\n");
        place.run(&["a.txt", "--old=--all\n", "--new="]);
        assert_eq!(place.text(), "one\nthree\n");
    }

    #[test]
    fn stdout_shows_the_file_and_writes_none() {
        let place = Place::new();
        let run = place.run(&["a.txt", "--old", "two", "--new", "2", "--stdout"]);
        assert_eq!(run, applied("one\n2\nthree\n"));
        assert_eq!(place.text(), BEFORE);
        place.assert_stopped(&["a.txt", "--old", "four", "--new", "4", "--stdout"], 1, "[not-found]");
    }

    #[test]
    fn check_says_what_would_be_done() {
        let place = Place::new();
        let run = place.run(&["a.txt", "--old", "two", "--new", "2", "--check"]);
        assert!(run.1.starts_with("Nothing was changed, as this was a check"), "{}", run.1);
        assert_eq!((run.0, &*run.2), (0, ""));
        assert_eq!(place.text(), BEFORE);
        place.assert_stopped(&["a.txt", "--old", "four", "--new", "4", "--check"], 1, "[not-found]");
    }

    #[test]
    fn diff_shows_the_change() {
        let place = Place::new();
        let (status, out, _) = place.run(&["a.txt", "--old", "two", "--new", "2", "--diff", "-n", "-q"]);
        assert_eq!(status, 0);
        assert!(out.contains("\n one\n-two\n+2\n three\n"), "{out}");
    }

    #[test]
    fn all_takes_every_place() {
        let place = Place::new();
        place.write("a.txt", "one two\ntwo\nthree\n");
        let run = place.run(&["a.txt", "--old", "two", "--new", "2"]);
        assert_eq!((run.0, run.2.contains("[ambiguous]")), (1, true), "{}", run.2);
        let run = place.run(&["a.txt", "--old", "two", "--new", "2", "--all"]);
        let done = "Done: 1 file changed.\nM a.txt +2 -2\n   1|one 2\n   2|2\nNext: nothing is left to do.\n";
        assert_eq!(run, applied(done));
        assert_eq!(place.text(), "one 2\n2\nthree\n");
    }

    #[test]
    fn all_that_is_missing_is_named() {
        let place = Place::new();
        place.assert_stopped(&[], 2, "<FILE>");
        place.assert_stopped(&["a.txt"], 2, "--old");
        place.assert_stopped(&["a.txt", "--old", "two"], 2, "--new");
        place.assert_stopped(&["a.txt", "--new", "2"], 2, "--old");
        place.assert_stopped(&["--old", "two", "--new", "2"], 2, "<FILE>");
        place.assert_stopped(&["a.txt", "--old", "two", "--old-file", "o", "--new", "2"], 2, "--old-file");
        place.assert_stopped(&["a.txt", "--old", "two", "--new", "2", "--match", "loose"], 2, "loose");
    }

    #[test]
    fn what_cannot_be_asked_is_refused_with_what_to_do_instead() {
        let place = Place::new();
        place.assert_stopped(&["a.txt", "--old", "", "--new", "2"], 1, "[empty-old]");
        place.assert_stopped(&["a.txt", "--old", " \n", "--new", "2"], 1, "quote the lines to change");
        place.assert_stopped(&["a.txt", "--old", "two", "--new", "two"], 1, "[same-text]");
        place.assert_stopped(&["b.txt", "--old", "two", "--new", "2"], 1, "[no-such-file]");
        place.assert_stopped(&["../a.txt", "--old", "two", "--new", "2"], 1, "..");
    }

    #[test]
    fn the_level_is_an_option() {
        let place = Place::new();
        let quote = ["a.txt", "--old", "\tone\n\ttwo", "--new", "\tone\n\t2", "--stdout", "--match"];
        let at = |level| place.run(&[&quote[..], &[level]].concat());
        assert_eq!(at("exact").0, 1);
        assert_eq!(at("whitespace"), applied("one\n2\nthree\n"));
        assert_eq!(at("guarded"), applied("one\n2\nthree\n"));
        assert_eq!(at("cascade"), applied("\tone\n\t2\nthree\n"));
        assert_eq!(at("editkit"), applied("one\n2\nthree\n"));
    }
}

// What holds for every text.

/// A text of few different lines and characters, so that places are often alike.
fn small_text() -> impl Strategy<Value = String> {
    let line = select(vec!["", "a", "b", "ab a", "  a", "\tb", "{", "go(a, 1)", "  go(b, 2)", "x ", "é“”"]);
    (vec(line, 0..8), any::<bool>()).prop_map(|(lines, ends)| {
        let end = if ends && !lines.is_empty() { "\n" } else { "" };
        lines.join("\n") + end
    })
}

/// A text, and a part of it that is not blank.
fn text_and_part() -> impl Strategy<Value = (String, String)> {
    (small_text(), any::<(prop::sample::Index, prop::sample::Index)>())
        .prop_map(|(text, (a, b))| {
            let cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let (a, b) = (cuts[a.index(cuts.len())], cuts[b.index(cuts.len())]);
            let part = text[a.min(b)..a.max(b)].to_owned();
            (text, part)
        })
        .prop_filter("a part is not blank", |(_, part)| !part.trim().is_empty())
}

fn count(text: &str, part: &str) -> usize {
    text.char_indices().filter(|(at, _)| text[*at..].starts_with(part)).count()
}

/// Returns where a part of a text may be replaced to the letter: it cuts no word, and with a line break in either text it
/// leaves nothing of a line that changes, and begins in no indentation.
fn whole_parts(text: &str, old: &str, new: &str) -> Vec<usize> {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let is_whole = |at: &usize| {
        let (before, after) = (&text[..*at], &text[at + old.len()..]);
        let cuts = is_word(before.chars().next_back()) && is_word(old.chars().next())
            || is_word(old.chars().next_back()) && is_word(after.chars().next());
        let line_before = before.rsplit('\n').next().unwrap();
        let begins = line_before.is_empty()
            || !line_before.trim().is_empty() && old.split('\n').next() == new.split('\n').next();
        let ends = after.is_empty()
            || after.starts_with('\n')
            || old.ends_with('\n')
            || old.rsplit('\n').next() == new.rsplit('\n').next();
        !cuts && (!old.contains('\n') && !new.contains('\n') || begins && ends)
    };
    let starts = text.char_indices().map(|(at, _)| at).filter(|at| text[*at..].starts_with(old));
    starts.filter(is_whole).collect()
}

/// Whether a text is in the file to the letter, but added lines would be between a line and its block, or the text is a
/// part of something else.
fn is_in_doubt<T, E: PartialEq<&'static str>>(found: &Result<T, E>) -> bool {
    matches!(found, Err(code) if *code == "place-open" || *code == "too-little-evidence")
}

/// Whether a replacement is refused as made that adds to a text, and the file has the result, whatever the whitespace, or has a word of
/// an added line elsewhere.
fn may_be_made<T, E: PartialEq<&'static str>>(found: &Result<T, E>, [text, old, new]: [&str; 3]) -> bool {
    let squashed = |text: &str| text.split_whitespace().collect::<String>();
    let is_made = || squashed(new).contains(&squashed(old)) && squashed(text).contains(&squashed(new));
    matches!(found, Err(code) if *code == "looks-applied") && (is_made() || adds_known_word(text, old, new))
}

/// Whether a new text has all lines of the old one and others, and the text around the old one has a word of one of these.
fn adds_known_word(text: &str, old: &str, new: &str) -> bool {
    let mut rest = new.lines();
    if !old.lines().all(|line| rest.any(|other| other.trim_end_matches(',') == line)) {
        return false;
    }
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let around = words(&text.replacen(old, "", 1));
    let mut added = new.lines().filter(|line| !old.lines().any(|other| other == *line));
    added.any(|line| words(line).iter().any(|word| around.contains(word)))
}

/// Whether a text has the new text, which contains the old text: then the replacement was made. The file may lack its final line break.
fn has_result(text: &str, old: &str, new: &str) -> bool {
    let last_break = if text.ends_with('\n') { "" } else { "\n" };
    new.contains(old) && format!("{text}{last_break}").contains(new)
}

/// Returns a text with the part at an offset replaced.
fn with_part(text: &str, at: usize, old: &str, new: &str) -> String {
    [&text[..at], new, &text[at + old.len()..]].concat()
}

/// Whether a replacement is what gives a file its final line break; the table has this case.
fn gains_final_break(before: &str, after: &str) -> bool {
    !before.ends_with('\n') && after.ends_with('\n')
}

/// Distinct lines at several depths.
fn program() -> impl Strategy<Value = Vec<String>> {
    vec((0..3usize, "[a-z]{6}"), 4..9).prop_map(|lines| {
        let line = |(nth, (depth, word)): (usize, (usize, String))| {
            format!("{}{word}_{nth}(value, {nth});", "\t".repeat(depth))
        };
        lines.into_iter().enumerate().map(line).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, max_global_rejects: 20_000, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn the_only_place_is_replaced_to_the_letter(
        (text, old) in text_and_part(), new in small_text(),
    ) {
        let [at] = whole_parts(&text, &old, &new)[..] else { return Err(TestCaseError::reject("not one part")) };
        prop_assume!(old != new);
        prop_assume!(!has_result(&text, &old, &new));
        let expected = with_part(&text, at, &old, &new);
        prop_assume!(!gains_final_break(&text, &expected));
        let found = guarded(text.as_bytes(), &old, &new).map(|bytes| String::from_utf8(bytes).unwrap());
        prop_assume!(!is_in_doubt(&found) && !may_be_made(&found, [&text, &old, &new]));
        prop_assert_eq!(found, Ok(expected));
    }

    #[test]
    fn endings_of_a_file_do_not_matter((text, old) in text_and_part(), new in small_text()) {
        let [at] = whole_parts(&text, &old, &new)[..] else { return Err(TestCaseError::reject("not one part")) };
        prop_assume!(old != new && text.contains('\n'));
        prop_assume!(!has_result(&text, &old, &new));
        let expected = with_part(&text, at, &old, &new);
        prop_assume!(!gains_final_break(&text, &expected));
        let found = guarded(text.replace('\n', "\r\n").as_bytes(), &old, &new);
        let found = found.map(|bytes| String::from_utf8(bytes).unwrap());
        prop_assume!(!is_in_doubt(&found) && !may_be_made(&found, [&text, &old, &new]));
        prop_assert_eq!(found, Ok(expected.replace('\n', "\r\n")));
    }

    #[test]
    fn all_places_are_replaced_to_the_letter((text, old) in text_and_part(), new in small_text()) {
        let places = whole_parts(&text, &old, &new).len();
        prop_assume!(places == count(&text, &old) && places == text.matches(&old).count() && old != new);
        // A position that has the new text already is left.
        prop_assume!(!has_result(&text, &old, &new));
        let expected = text.replace(&old, &new);
        prop_assume!(!gains_final_break(&text, &expected));
        let found = replaced(text.as_bytes(), &old, &new, true, Guarded);
        prop_assume!(!is_in_doubt(&found));
        prop_assert_eq!(found.map(|bytes| String::from_utf8(bytes).unwrap()), Ok(expected));
    }

    #[test]
    fn there_and_back_is_where_it_was((text, old) in text_and_part(), new in small_text()) {
        let [at] = whole_parts(&text, &old, &new)[..] else { return Err(TestCaseError::reject("not one part")) };
        prop_assume!(old != new && !new.trim().is_empty());
        let there = with_part(&text, at, &old, &new);
        prop_assume!(whole_parts(&there, &new, &old) == [at]);
        prop_assume!(!gains_final_break(&text, &there) && !gains_final_break(&there, &text));
        prop_assume!(!has_result(&text, &old, &new) && !has_result(&there, &new, &old));
        let changed = there;
        let there = guarded(text.as_bytes(), &old, &new);
        prop_assume!(!is_in_doubt(&there) && !may_be_made(&there, [&text, &old, &new]));
        let back = guarded(&there.unwrap(), &new, &old);
        prop_assume!(!is_in_doubt(&back) && !may_be_made(&back, [&changed, &new, &old]));
        prop_assert_eq!(back, Ok(text.into_bytes()));
    }

    #[test]
    fn several_places_or_none_change_nothing(
        text in small_text(), old in small_text(), new in small_text(), level in select(vec![Exact, Whitespace, Guarded]),
    ) {
        let found = planned(text.as_bytes(), &old, &new, false, level);
        if old.trim().is_empty() || old == new || whole_parts(&text, &old, &new).len() > 1 {
            prop_assert!(found.is_err());
        }
        if let Err(failures) = found {
            prop_assert_eq!(failures.failures.len(), 1);
            prop_assert!(failures.placed.is_empty());
            prop_assert!(!failures.failures[0].to_string().is_empty());
        }
    }

    #[test]
    fn an_inexact_place_changes_no_line_that_was_not_quoted(
        lines in program(), start in 0..4usize, len in 2..4usize, changed in 0..2usize, drift in 0..4u8,
    ) {
        let (start, end) = (start, (start + len).min(lines.len()));
        prop_assume!(start + 2 <= end);
        let text = lines.join("\n") + "\n";
        let drifted = |line: &String| match drift {
            0 => line.trim_start().to_owned(),
            1 => format!("{line}  "),
            2 => line.replace('\t', "    "),
            _ => line.replace(", ", " ,  "),
        };
        let old: Vec<String> = lines[start..end].iter().map(drifted).collect();
        let mut new = old.clone();
        new[changed] = new[changed].replace("value", "other");
        let (old, new) = (old.join("\n"), new.join("\n"));
        prop_assume!(!text.contains(&old));
        if let Ok(bytes) = guarded(text.as_bytes(), &old, &new) {
            let after = String::from_utf8(bytes).unwrap();
            let after: Vec<&str> = after.lines().collect();
            prop_assert_eq!(after.len(), lines.len());
            for (nth, line) in lines.iter().enumerate() {
                if nth == start + changed {
                    let bare = |text: &str| text.replace(char::is_whitespace, "");
                    prop_assert_eq!(bare(after[nth]), bare(&line.replace("value", "other")));
                } else {
                    prop_assert_eq!(after[nth], line);
                }
            }
        }
    }
}
