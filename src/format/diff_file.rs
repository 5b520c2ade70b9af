//! The names of a file in a unified diff, and the lines above its hunks.

use std::borrow::Cow;
use std::num::NonZeroUsize;

use camino::Utf8Path;

use crate::format::Options;
use crate::format::error::ParseErrorKind;
use crate::format::file_name::ends_with;
use crate::patch::{Action, Chunk, Dialect, FinalNewline, Hunk, Line, LineKind, MoveTo, Properties};

/// The name for a file that is not there.
pub(super) const NOTHING: &str = "/dev/null";

/// The first folders that git gives to the two sides.
const SIDES: [&str; 6] = ["a", "b", "c", "i", "o", "w"];

/// The names of a file before and after.
type Names<'a> = (Cow<'a, str>, Cow<'a, str>);

/// A `--- NAME` or `+++ NAME` line.
#[derive(Debug, Default)]
pub(super) struct Side<'a> {
    name: Cow<'a, str>,
    /// Whether the time is the time that GNU diff assigns to a missing file.
    epoch: bool,
}

impl<'a> Side<'a> {
    /// Reads what follows `--- `.
    pub(super) fn read(text: &'a str) -> Self {
        if let Some((name, rest)) = quoted(text.trim_start()) {
            return Side { name: Cow::Owned(name), epoch: is_epoch(rest) };
        }
        let (name, time) = text.split_once('\t').unwrap_or((text, ""));
        Side { name: Cow::Borrowed(name.trim()), epoch: is_epoch(time) }
    }

    /// Returns both sides of a diff that has the name of one.
    pub(super) fn pair(name: &'a str) -> (Self, Self) {
        let side =
            |folder: &str, name: &str| Side { name: Cow::Owned(format!("{folder}/{name}")), epoch: false };
        match name.strip_prefix("a/").or_else(|| name.strip_prefix("b/")) {
            Some(bare) => (side("a", bare), side("b", bare)),
            None => (Side::read(name), Side::read(name)),
        }
    }

    fn is_nothing(&self) -> bool {
        self.name == NOTHING
    }
}

fn is_epoch(time: &str) -> bool {
    let time = time.trim();
    time.starts_with("1970-01-01 ") || time.starts_with("1969-12-31 ")
}

/// Parses a name in double quotes with the escapes of C, and returns the rest.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut bytes = Vec::new();
    let mut rest = text.strip_prefix('"')?;
    loop {
        let end = rest.find(['"', '\\'])?;
        bytes.extend_from_slice(&rest.as_bytes()[..end]);
        if rest.as_bytes()[end] == b'"' {
            return Some((String::from_utf8(bytes).ok()?, &rest[end + 1..]));
        }
        rest = &rest[end + 1..];
        let octal = rest.bytes().take(3).take_while(|byte| (b'0'..b'8').contains(byte)).count();
        if octal > 0 {
            bytes.push(u8::from_str_radix(&rest[..octal], 8).ok()?);
            rest = &rest[octal..];
            continue;
        }
        let escaped = rest.chars().next()?;
        let plain = match escaped {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'a' => '\u{7}',
            'b' => '\u{8}',
            'v' => '\u{b}',
            'f' => '\u{c}',
            other => other,
        };
        bytes.extend_from_slice(plain.encode_utf8(&mut [0; 4]).as_bytes());
        rest = &rest[escaped.len_utf8()..];
    }
}

/// Returns whether a line is a remark that other tools put above the diff of a file.
pub(super) fn is_remark(line: &str) -> bool {
    let commit = line.strip_prefix("index ").is_some_and(|rest| {
        let hashes = rest.split(' ').next().unwrap_or_default();
        hashes.split_once("..").is_some_and(|(old, new)| is_hash(old) && is_hash(new))
    });
    commit || line.starts_with("Only in ") || line.starts_with("diff -") || line.starts_with("Index: ")
}

fn is_hash(text: &str) -> bool {
    text.len() >= 4 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns whether a name in a diff is the path, or `/dev/null`.
pub(super) fn names(name: &str, path: &str) -> bool {
    let name = Side::read(name).name;
    name == NOTHING || ends_with(&name, path) || !name.is_empty() && ends_with(path, bare(&name))
}

/// Returns a name of a diff without the first directory.
fn bare(name: &str) -> &str {
    name.strip_prefix("a/").or_else(|| name.strip_prefix("b/")).unwrap_or(name)
}

/// What keeps a file's diff from being read.
#[derive(Debug)]
pub(super) struct Wrong {
    /// Line in the diff, 1-based; `None` for the first line.
    pub(super) number: Option<usize>,
    pub(super) kind: ParseErrorKind,
    pub(super) found: String,
}

/// The diff of a file.
#[derive(Debug, Default)]
pub(super) struct FileDiff<'a> {
    /// The first line, 1-based.
    pub(super) number: usize,
    /// What follows `diff --git `.
    pub(super) git_names: Option<&'a str>,
    pub(super) old: Option<Side<'a>>,
    pub(super) new: Option<Side<'a>>,
    renamed: (Option<&'a str>, Option<&'a str>),
    copied: (Option<&'a str>, Option<&'a str>),
    made: bool,
    deleted: bool,
    executable: Option<bool>,
    /// A line of a diff that is not a text diff, or has no file, with its number.
    refused: Option<(usize, ParseErrorKind, &'a str)>,
    pub(super) chunks: Vec<Chunk<'a>>,
    /// Whether the last line of the old and of the new file has no line break.
    open: (bool, bool),
    /// The name that the caller gave.
    name: Option<String>,
    /// Whether an error of this file was already reported.
    pub(super) wrong: bool,
}

impl<'a> FileDiff<'a> {
    pub(super) fn new(number: usize) -> Self {
        FileDiff { number, ..FileDiff::default() }
    }

    pub(super) fn named(number: usize, name: String) -> Self {
        FileDiff { name: Some(name), ..FileDiff::new(number) }
    }

    /// Returns a diff without a name, whose error was reported.
    pub(super) fn unnamed(number: usize) -> Self {
        FileDiff { wrong: true, ..FileDiff::new(number) }
    }

    /// Returns whether the file does not exist before.
    pub(super) fn makes_file(&self) -> bool {
        self.made || self.old.as_ref().is_some_and(Side::is_nothing)
    }

    /// Records `\ No newline at end of file` behind a line.
    pub(super) fn note_open_end(&mut self, last: LineKind) {
        self.open.0 |= last != LineKind::Add;
        self.open.1 |= last != LineKind::Remove;
    }

    /// Reads a line of git below `diff --git`; returns `false` for any other line.
    pub(super) fn take_extended(&mut self, number: usize, line: &'a str) -> bool {
        let after = |start: &str| line.strip_prefix(start);
        if let Some(mode) = after("new file mode ") {
            self.made = true;
            self.mode(number, line, mode, None);
        } else if let Some(mode) = after("deleted file mode ") {
            self.deleted = true;
            self.mode(number, line, mode, None);
            self.executable = None;
        } else if let Some(mode) = after("new mode ") {
            self.mode(number, line, mode, Some(false));
        } else if let Some(name) = after("rename from ") {
            self.renamed.0 = Some(name);
        } else if let Some(name) = after("rename to ") {
            self.renamed.1 = Some(name);
        } else if let Some(name) = after("copy from ") {
            self.copied.0 = Some(name);
        } else if let Some(name) = after("copy to ") {
            self.copied.1 = Some(name);
        } else if line == "GIT binary patch" || line.starts_with("Binary files ") {
            self.refused = Some((number, ParseErrorKind::Binary, line));
        } else {
            let known = ["old mode ", "similarity index ", "dissimilarity index ", "index "];
            return known.iter().any(|start| line.starts_with(start));
        }
        true
    }

    fn mode(&mut self, number: usize, line: &'a str, mode: &str, plain: Option<bool>) {
        match mode.trim() {
            "100755" => self.executable = Some(true),
            mode if mode.starts_with("100") => self.executable = plain,
            _ => self.refused = Some((number, ParseErrorKind::SpecialFile, line)),
        }
    }

    /// Returns the diff as a hunk.
    pub(super) fn into_hunk(mut self, options: &Options) -> Result<Hunk<'a>, Wrong> {
        let (names, dialect) = self.names(options);
        if let Some((number, kind, line)) = self.refused.take() {
            let name = names.map_or_else(|| line.to_owned(), |(_, new)| new.into_owned());
            return Err(Wrong { number: Some(number), kind, found: name });
        }
        let wrong = |kind, found: &str| Wrong { number: None, kind, found: found.to_owned() };
        let Some((old, new)) = names else {
            return Err(wrong(ParseErrorKind::MissingName, self.git_names.unwrap_or_default()));
        };
        if old.is_empty() || new.is_empty() {
            return Err(wrong(ParseErrorKind::MissingName, ""));
        }
        let number = NonZeroUsize::new(self.number);
        let properties = Properties { executable: self.executable, final_newline: self.final_newline() };
        let to = |path: Cow<'a, str>| MoveTo { number, path };
        let (path, action) = if self.copied.1.is_some() {
            (old, Action::Copy { to: to(new), chunks: self.chunks })
        } else if self.makes_file() {
            (new, Action::Add(added(self.chunks)?.into()))
        } else if self.deletes_file() {
            (old, Action::DeleteQuoted(self.chunks))
        } else {
            let moves = self.renamed.1.is_some() && old != new;
            if !moves && old != new {
                return Err(wrong(ParseErrorKind::TwoNames, &format!("{old}, {new}")));
            }
            if !moves && self.chunks.is_empty() && self.executable.is_none() {
                return Err(wrong(ParseErrorKind::NoHunksInDiff, &new));
            }
            let move_to = moves.then(|| to(new));
            (old, Action::Update { move_to, chunks: self.chunks })
        };
        Ok(Hunk { number, dialect, path, action, properties })
    }

    fn deletes_file(&self) -> bool {
        self.deleted || self.new.as_ref().is_some_and(Side::is_nothing)
    }

    fn final_newline(&self) -> Option<FinalNewline> {
        match self.open {
            (_, true) if self.makes_file() => Some(FinalNewline::Missing),
            (false, false) => None,
            (true, true) => Some(FinalNewline::Kept),
            (true, false) => Some(FinalNewline::Present),
            (false, true) => Some(FinalNewline::Missing),
        }
    }

    /// Returns the names before and after, `None` if there is no name, and whether the first folders were dropped.
    fn names(&mut self, options: &Options) -> (Option<Names<'a>>, Dialect) {
        if let Some(name) = self.name.take() {
            return (Some((Cow::Owned(name.clone()), Cow::Owned(name))), Dialect::Diff);
        }
        for (from, to) in [self.renamed, self.copied] {
            if let (Some(from), Some(to)) = (from, to) {
                // These names have no first directory, except in a diff of two folders outside of a repository.
                let strip = options.strip.map_or(0, |strip| strip.saturating_sub(1));
                let names = without(whole(from), strip).zip(without(whole(to), strip));
                return (names, options.strip.map_or(Dialect::Diff, |_| Dialect::BareDiff));
            }
        }
        let names = match (&self.old, &self.new) {
            (Some(old), Some(new)) => Some((old.name.clone(), new.name.clone())),
            _ => self.git_names.and_then(git_names),
        };
        let Some((old, new)) = names else { return (None, Dialect::Diff) };
        self.marks_absent_side();
        let strip = options.strip.unwrap_or_else(|| guessed(&old, &new, self.git_names.is_some()));
        let is_bare = strip > 0 || options.strip.is_some();
        let dialect = if is_bare { Dialect::BareDiff } else { Dialect::Diff };
        (one_name(old, new, |name| without(name, strip)), dialect)
    }

    /// GNU diff names a missing file, with the earliest time.
    fn marks_absent_side(&mut self) {
        let range = |at: usize| {
            let header = self.chunks.first()?.headers.first()?;
            header.text.split(' ').nth(at)?.strip_prefix(['-', '+']).map(|range| range == "0,0")
        };
        let (no_old, no_new) = (range(0) == Some(true), range(1) == Some(true));
        self.made |= no_old && self.old.as_ref().is_some_and(|side| side.epoch);
        self.deleted |= no_new && self.new.as_ref().is_some_and(|side| side.epoch);
    }
}

/// Returns the lines of a new file.
fn added(chunks: Vec<Chunk<'_>>) -> Result<Vec<Line<'_>>, Wrong> {
    let lines: Vec<Line<'_>> = chunks.into_iter().flat_map(|chunk| chunk.lines.into_vec()).collect();
    match lines.iter().find(|line| line.is_old()) {
        Some(line) => Err(Wrong {
            number: line.number.map(NonZeroUsize::get),
            kind: ParseErrorKind::QuoteInNewFile,
            found: line.raw().into_owned(),
        }),
        None => Ok(lines),
    }
}

/// Returns a name, unquoted if quoted.
fn whole(name: &str) -> Cow<'_, str> {
    quoted(name).map_or(Cow::Borrowed(name), |(name, _)| Cow::Owned(name))
}

/// Returns the two names of a `diff --git` line, if equal except for the first directory; names that differ are on
/// other lines.
fn git_names(text: &str) -> Option<Names<'_>> {
    if let Some((old, rest)) = quoted(text) {
        return Some((Cow::Owned(old), whole(rest.trim_start())));
    }
    let bare = |name: &str| name.split_once('/').map_or(name.to_owned(), |(_, rest)| rest.to_owned());
    let spaces = text.match_indices(' ').map(|(at, _)| at);
    let mut splits = spaces.map(|at| (&text[..at], &text[at + 1..]));
    let (old, new) = splits.find(|(old, new)| old == new || bare(old) == bare(new))?;
    Some((Cow::Borrowed(old), Cow::Borrowed(new)))
}

/// Returns how many leading directories of the names are not part of the tree.
fn guessed(old: &str, new: &str, by_git: bool) -> usize {
    let split = |name: &str| name.split_once('/').map(|(first, rest)| (first.to_owned(), rest.to_owned()));
    let is_side = |first: &str| SIDES.contains(&first);
    match (split(old), split(new)) {
        _ if old == NOTHING => {
            usize::from(split(new).is_some_and(|(first, _)| first == "b" || by_git && is_side(&first)))
        }
        _ if new == NOTHING => {
            usize::from(split(old).is_some_and(|(first, _)| first == "a" || by_git && is_side(&first)))
        }
        _ if old == new => 0,
        (Some((a, _)), Some((b, _))) if a != b && is_side(&a) && is_side(&b) => 1,
        _ => {
            let most = Utf8Path::new(old).components().count();
            let same = |strip: &usize| {
                without(old.into(), *strip).is_some_and(|name| Some(name) == without(new.into(), *strip))
            };
            (1..most).find(same).unwrap_or(0)
        }
    }
}

/// Returns a name without the leading directories; `None` for `/dev/null`.
fn without(name: Cow<'_, str>, strip: usize) -> Option<Cow<'_, str>> {
    if strip == 0 || name == NOTHING {
        return Some(name);
    }
    let mut rest: &str = &name;
    for _ in 0..strip {
        rest = rest.split_once('/')?.1.trim_start_matches('/');
    }
    (!rest.is_empty()).then(|| Cow::Owned(rest.to_owned()))
}

/// Endings of the names of backups and of new versions.
const VERSIONS: [&str; 9] =
    ["~", ".orig", ".bak", ".backup", ".old", ".save", ".new", ".modified", ".patched"];

/// Returns whether both names are of one file: one name may have more folders, or the ending of a version.
fn is_one_file(old: &str, new: &str) -> bool {
    let plain = |name: &str| {
        let version = VERSIONS.iter().find_map(|version| name.strip_suffix(version));
        version.unwrap_or(name).trim_start_matches("./").to_owned()
    };
    let (old, new) = (plain(old), plain(new));
    ends_with(&old, &new) || ends_with(&new, &old)
}

/// Returns the name of a file from the names of both sides: of two, the name that is not a backup. Returns both names if
/// these are of two files.
fn one_name<'a>(
    old: Cow<'a, str>,
    new: Cow<'a, str>,
    strip: impl Fn(Cow<'a, str>) -> Option<Cow<'a, str>>,
) -> Option<Names<'a>> {
    let (old, new) = (strip(old)?, strip(new)?);
    if old == NOTHING {
        return Some((new.clone(), new));
    }
    if new == NOTHING {
        return Some((old.clone(), old));
    }
    if !is_one_file(&old, &new) {
        return Some((old, new));
    }
    let length = |name: &str| (Utf8Path::new(name).components().count(), name.len());
    let name = if length(&old) < length(&new) { old } else { new };
    Some((name.clone(), name))
}
