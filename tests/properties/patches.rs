//! Generated patches, and texts that are nearly patches.

use std::borrow::Cow;
use std::num::NonZeroUsize;

use apply_patch::format::{self, Format, Parsed, parse};
use apply_patch::patch::{Action, Chunk, Dialect, Header, Hunk, Line, LineKind, MoveTo, Patch, Properties};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};

pub(crate) fn lenient(text: &str) -> Parsed<'_> {
    parse(text, &format::Options::default())
}

pub(crate) fn strict(text: &str) -> Parsed<'_> {
    parse(text, &format::Options::default().with_format(Format::Envelope).with_strict(true))
}

// Patches.

/// Texts that have tripped parsers: markers, signs, blanks, separators that end no line.
const ODD: &[&str] = &[
    "",
    " ",
    "\t",
    "a",
    "- item",
    "+ item",
    "@@",
    "@@ fn x() {",
    "*** End Patch",
    " *** End Patch",
    "*** Begin Patch",
    "*** End of File",
    "*** Update File: a",
    "```",
    "EOF",
    "\\ No newline at end of file",
    "-1,3 +1,3 @@",
    "a\rb",
    "\u{b}\u{c}\u{85}\u{2028}",
    "\u{feff}bom",
    "\u{0}",
    "e\u{301} “x” — \u{a0}",
    "trailing \t ",
];

/// A line's text: no line feed, and no carriage return at its end, which would be half a CRLF.
pub(crate) fn text() -> impl Strategy<Value = String> {
    prop_oneof![3 => select(ODD).prop_map(str::to_owned), 2 => "[ -~]{0,12}", 1 => "\\PC{0,6}"]
        .prop_map(|text| text.replace('\n', "").trim_end_matches('\r').to_owned())
}

/// What follows a marker: something, and no white space at either end.
pub(crate) fn name() -> impl Strategy<Value = String> {
    let odd = vec!["a", "a b.txt", "src/é.rs", "***", "@@", "x\u{2028}y", "C:\\a", "../a", "-"];
    prop_oneof![select(odd).prop_map(str::to_owned), text()]
        .prop_map(|name| name.trim().to_owned())
        .prop_filter("a name is not empty", |name| !name.is_empty())
}

pub(crate) fn line(kind: LineKind, text: String) -> Line<'static> {
    Line { number: None, kind, text: text.into(), signed: true }
}

fn chunk() -> impl Strategy<Value = Chunk<'static>> {
    let header = text().prop_filter("a header is not blank", |text| !text.trim().is_empty());
    let kind = select(&[LineKind::Context, LineKind::Remove, LineKind::Add][..]);
    (vec(header, 0..3), vec((kind, text()), 1..6), any::<bool>()).prop_map(|(headers, lines, end_of_file)| {
        Chunk {
            number: None,
            headers: headers.into_iter().map(|text| Header { number: None, text: text.into() }).collect(),
            lines: lines.into_iter().map(|(kind, text)| line(kind, text)).collect(),
            end_of_file,
        }
    })
}

fn hunk() -> impl Strategy<Value = Hunk<'static>> {
    let add = vec(text(), 0..4)
        .prop_map(|texts| Action::Add(texts.into_iter().map(|text| line(LineKind::Add, text)).collect()));
    let update = (option::of(name()), vec(chunk(), 1..4)).prop_map(|(target, chunks)| Action::Update {
        move_to: target.map(|path| MoveTo { number: None, path: path.into() }),
        chunks,
    });
    let action = prop_oneof![add, Just(Action::Delete), update];
    (name(), action).prop_map(|(path, action)| Hunk {
        number: None,
        dialect: Dialect::Envelope,
        path: path.into(),
        action,
        properties: Properties::default(),
    })
}

/// A patch as the strict grammar allows it, every part with the line where `Display` prints it.
pub(crate) fn patch() -> impl Strategy<Value = Patch<'static>> {
    (option::of(name()), vec(hunk(), 1..4)).prop_map(|(environment, hunks)| {
        let mut patch = Patch { environment: environment.map(Cow::Owned), hunks, ..Patch::default() };
        number(&mut patch);
        patch
    })
}

/// Gives every part its line in the canonical envelope.
fn number(patch: &mut Patch<'_>) {
    let mut next = if patch.environment.is_some() { 3 } else { 2 };
    let mut take = || {
        next += 1;
        NonZeroUsize::new(next - 1)
    };
    for hunk in &mut patch.hunks {
        hunk.number = take();
        match &mut hunk.action {
            Action::Add(lines) => lines.to_mut().iter_mut().for_each(|line| line.number = take()),
            Action::Update { move_to, chunks } => {
                if let Some(target) = move_to {
                    target.number = take();
                }
                for chunk in chunks {
                    chunk.headers.to_mut().iter_mut().for_each(|header| header.number = take());
                    chunk.number = chunk.headers.first().map_or_else(&mut take, |header| header.number);
                    chunk.lines.to_mut().iter_mut().for_each(|line| line.number = take());
                    if chunk.end_of_file {
                        take();
                    }
                }
            }
            _ => {}
        }
    }
}

/// Returns whether the print leaves a line of a chunk without a sign, because only the file decides what the line means.
fn stays_unsigned(line: &Line<'_>) -> bool {
    let begins = |c: char| !c.is_whitespace() && !"+-*@\\`~<".contains(c);
    line.kind == LineKind::Context && line.text.starts_with(begins) && !line.text.ends_with('\r')
}

/// The same patch as it would stand in the canonical envelope.
pub(crate) fn canonical(patch: &Patch<'_>) -> Patch<'static> {
    let mut patch = patch.clone().into_owned();
    for hunk in &mut patch.hunks {
        match &mut hunk.action {
            Action::Add(lines) => lines.to_mut().iter_mut().for_each(|line| line.signed = true),
            Action::Update { chunks, .. } => {
                let lines = chunks.iter_mut().flat_map(|chunk| chunk.lines.to_mut());
                lines.for_each(|line| line.signed |= !stays_unsigned(line));
            }
            _ => {}
        }
    }
    number(&mut patch);
    patch
}

// Texts that are nearly patches.

/// Lines to put anywhere.
const PIECES: &[&str] = &[
    "*** Begin Patch",
    "*** End Patch",
    " *** End Patch",
    "*** begin patch ***",
    "*** Add File: b",
    "***Delete File:a.txt",
    "*** Update File: a.txt",
    "*** Update File:",
    "*** Move to: c",
    "*** End of File",
    "*** Environment ID: e",
    "*** Rename File: x",
    "@@",
    "@@x",
    "@@ one",
    " one",
    "-two",
    "+three",
    "one",
    "",
    "   ",
    "```diff",
    "cd sub && apply_patch <<'EOF'",
    "EOF",
    "{\"input\": \"",
    "\\ No newline at end of file",
];

/// One change to a text.
#[derive(Debug, Clone)]
enum Mutation {
    Drop(Index),
    Double(Index),
    Insert(Index, &'static str),
    Cut(Index),
    Type(Index, char),
    Indent(&'static str),
    Crlf,
    Escape,
    Wrap(&'static str, &'static str),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = any::<Index>;
    let wraps = [
        ("```\n", "```\n"),
        ("cd 'sub' && apply_patch <<'EOF'\n", "EOF\n"),
        ("Here:\n\n", "\nDone.\n"),
        ("\u{feff}", ""),
    ];
    prop_oneof![
        at().prop_map(Mutation::Drop),
        at().prop_map(Mutation::Double),
        (at(), select(PIECES)).prop_map(|(at, piece)| Mutation::Insert(at, piece)),
        at().prop_map(Mutation::Cut),
        (at(), select(&[' ', '*', '@', '+', '-', '\n', '\r', '"', '\\'][..]))
            .prop_map(|(at, c)| Mutation::Type(at, c)),
        select(&["  ", "\t"][..]).prop_map(Mutation::Indent),
        Just(Mutation::Crlf),
        Just(Mutation::Escape),
        select(wraps.to_vec()).prop_map(|(before, after)| Mutation::Wrap(before, after)),
    ]
}

impl Mutation {
    fn apply(&self, text: &str) -> String {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let (before, after) = match self {
            Mutation::Drop(at) | Mutation::Double(at) | Mutation::Insert(at, _) => {
                lines.split_at(at.index(lines.len() + 1))
            }
            _ => (&lines[..], &[][..]),
        };
        match self {
            Mutation::Drop(_) => [&before[..before.len().saturating_sub(1)], after].concat().concat(),
            Mutation::Double(_) => {
                [before, &before[before.len().saturating_sub(1)..], after].concat().concat()
            }
            Mutation::Insert(_, piece) => [before, &[piece, "\n"], after].concat().concat(),
            Mutation::Cut(at) => text.chars().take(at.index(text.chars().count() + 1)).collect(),
            Mutation::Type(at, c) => {
                let at = at.index(text.chars().count() + 1);
                text.chars().take(at).chain([*c]).chain(text.chars().skip(at)).collect()
            }
            Mutation::Indent(by) => lines.iter().flat_map(|line| [by, *line]).collect(),
            Mutation::Crlf => text.replace('\n', "\r\n"),
            Mutation::Escape => text.replace('\\', "\\\\").replace('\n', "\\n"),
            Mutation::Wrap(before, after) => [before, text, after].concat(),
        }
    }
}

/// A valid envelope with a few things wrong, or one put together from pieces, or anything.
pub(crate) fn nearly() -> impl Strategy<Value = String> {
    let broken = (patch(), vec(mutation(), 0..4)).prop_map(|(patch, mutations)| {
        mutations.iter().fold(patch.to_string(), |text, mutation| mutation.apply(&text))
    });
    let pieced = vec(select(PIECES), 0..14).prop_map(|pieces| pieces.join("\n"));
    prop_oneof![3 => broken, 2 => pieced, 1 => any::<String>()]
}
