//! Recognizes the lines that are not text: markers, `@@`, and the shell and Markdown lines around an envelope.
//!
//! All these lines are recognized here, with nom, each line separately.

use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case};
use nom::character::complete::{alpha1, char, space0, space1};
use nom::combinator::{all_consuming, map, opt, rest, value, verify};
use nom::sequence::preceded;
use nom::{IResult, Parser};

use crate::format::shell::{self, Heredoc};

/// A `***` line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marker<'a> {
    Begin,
    End,
    EndOfFile,
    Environment(&'a str),
    Add(&'a str),
    Delete(&'a str),
    Update(&'a str),
    MoveTo(&'a str),
}

/// Returns whether a line may be a marker. The first byte behind spaces and tabs decides for almost every line, and
/// almost no line is a marker.
#[inline]
pub(super) fn is_possible(line: &str) -> bool {
    let first = line.bytes().find(|byte| !byte.is_ascii_whitespace());
    first.is_some_and(|first| first == b'*' || !first.is_ascii())
}

/// Returns the marker of a line with exact spelling.
pub(super) fn exact(line: &str) -> Option<Marker<'_>> {
    if !line.starts_with("***") {
        return None;
    }
    let mut marker = all_consuming(alt((
        value(Marker::Begin, tag("*** Begin Patch")),
        value(Marker::End, tag("*** End Patch")),
        value(Marker::EndOfFile, tag("*** End of File")),
        map(preceded(tag("*** Environment ID: "), name), Marker::Environment),
        map(preceded(tag("*** Add File: "), name), Marker::Add),
        map(preceded(tag("*** Delete File: "), name), Marker::Delete),
        map(preceded(tag("*** Update File: "), name), Marker::Update),
        map(preceded(tag("*** Move to: "), name), Marker::MoveTo),
    )));
    marker.parse(line).ok().map(|(_, marker)| marker)
}

/// Parses a name to the end of the line, without surrounding whitespace.
fn name(input: &str) -> IResult<&str, &str> {
    verify(rest, |name: &str| !name.is_empty() && name.trim() == name).parse(input)
}

/// Returns the marker of a line with any spelling: other case, other spaces, a trailing `***` or colon. The name may be empty.
pub(super) fn loose(line: &str) -> Option<Marker<'_>> {
    let words = behind_stars(line)?;
    let mut marker = alt((
        value(Marker::Begin, bare("begin", "patch")),
        value(Marker::End, bare("end", "patch")),
        value(Marker::EndOfFile, all_consuming((tag_no_case("end"), space1, bare("of", "file")))),
        map(named("environment", "id"), Marker::Environment),
        map(named("add", "file"), Marker::Add),
        map(named("delete", "file"), Marker::Delete),
        map(named("update", "file"), Marker::Update),
        map(named("move", "to"), Marker::MoveTo),
    ));
    marker.parse(words).ok().map(|(_, marker)| marker)
}

/// Returns whether a line is any spelling of [`Marker::End`].
pub(super) fn is_loose_end(line: &str) -> bool {
    behind_stars(line).is_some_and(|words| bare("end", "patch").parse(words).is_ok())
}

/// Returns the text behind the `***` at the beginning of a line, ignoring spaces.
fn behind_stars(line: &str) -> Option<&str> {
    if !is_possible(line) {
        return None;
    }
    line.trim().strip_prefix("***").map(|words| words.trim_start_matches([' ', '\t']))
}

type LineError<'a> = nom::error::Error<&'a str>;

/// Parses two words, optionally followed by a colon or `***`.
fn bare<'a>(
    first: &'static str,
    second: &'static str,
) -> impl Parser<&'a str, Output = (), Error = LineError<'a>> {
    let words = (tag_no_case(first), space1, tag_no_case(second));
    value((), all_consuming((words, space0, opt(alt((tag(":"), tag("***")))))))
}

/// Parses two words, a colon, and a name.
fn named<'a>(
    first: &'static str,
    second: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = LineError<'a>> {
    let words = (tag_no_case(first), space1, tag_no_case(second), space0, char(':'), space0);
    preceded(words, map(rest, str::trim))
}

/// Returns whether a line that is not a marker was clearly meant as a marker: `*** Rename File: x`, `*** End of Chunk`.
pub(super) fn resembles(line: &str) -> bool {
    let verb =
        ["Add", "Begin", "Copy", "Create", "Delete", "End", "Move", "Remove", "Rename", "Replace", "Update"];
    let mut first: (_, _, _) = (tag::<_, _, LineError<'_>>("***"), space1, alpha1);
    let verb = first.parse(line).is_ok_and(|(_, (_, _, word))| verb.contains(&word));
    let mut file =
        (tag("***"), space1, alpha1::<&str, LineError<'_>>, space1, alt((tag("File"), tag("Patch"))));
    verb || file.parse(line).is_ok()
}

/// What a `@@` line holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChunkMarker<'a> {
    /// `@@` alone; `exact` is false where white space follows.
    Bare { exact: bool },
    /// `@@ text`; `exact` is false where the space is missing.
    Header { text: &'a str, exact: bool },
}

/// Reads a line that begins with `@@`.
pub(super) fn chunk_marker(line: &str) -> Option<ChunkMarker<'_>> {
    let text = line.strip_prefix("@@")?;
    Some(match text.strip_prefix(' ') {
        _ if text.trim().is_empty() => ChunkMarker::Bare { exact: text.is_empty() },
        Some(text) => ChunkMarker::Header { text, exact: true },
        None => ChunkMarker::Header { text, exact: false },
    })
}

/// Returns whether a line is `\ No newline at end of file`.
pub(super) fn is_no_newline_note(line: &str) -> bool {
    let note: IResult<&str, &str> = preceded(tag("\\ "), tag_no_case("no newline")).parse(line);
    note.is_ok()
}

/// The meaning of a line outside the envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outside<'a> {
    Blank,
    Fence,
    Heredoc(Heredoc<'a>),
    Prose,
}

/// Reads a line outside the envelope.
pub(super) fn outside(line: &str) -> Outside<'_> {
    let line = line.trim();
    if line.is_empty() {
        Outside::Blank
    } else if line.starts_with("```") || line.starts_with("~~~") || tags(line).is_some() {
        Outside::Fence
    } else if let Some(heredoc) = shell::heredoc(line) {
        Outside::Heredoc(heredoc)
    } else {
        Outside::Prose
    }
}

/// Tags that are a fence around code in HTML, and in texts whose code has backticks of its own.
const TAGS: [&str; 5] = ["source", "sourcecode", "code", "codeblock", "pre"];

/// Which tags a line has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tags {
    Open,
    Close,
}

/// Reads a line that has such tags and nothing else; all of them open, or all close.
pub(super) fn tags(line: &str) -> Option<Tags> {
    let mut rest = line.trim();
    let kind = if rest.starts_with("</") { Tags::Close } else { Tags::Open };
    loop {
        let (tag, behind) =
            rest.strip_prefix(if kind == Tags::Close { "</" } else { "<" })?.split_once('>')?;
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let is_tag = TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(name));
        if !is_tag || attributes.contains('<') || kind == Tags::Close && !attributes.is_empty() {
            return None;
        }
        if behind.is_empty() {
            return Some(kind);
        }
        rest = behind;
    }
}

/// Returns whether a line may close a fence.
pub(super) fn closes_fence(line: &str) -> bool {
    line.trim() == "```" || tags(line) == Some(Tags::Close)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_around_code_are_a_fence() {
        for line in ["<source>", "<pre><code>", " <code class=\"diff\">", "<PRE>"] {
            assert_eq!(tags(line), Some(Tags::Open), "{line}");
        }
        assert_eq!(tags("</code></pre>"), Some(Tags::Close));
        for line in ["<source", "<path>", "<code>x", "</code x>", "<code></code>", "<", "<sources>"] {
            assert_eq!(tags(line), None, "{line}");
        }
    }

    #[test]
    fn exact_markers_are_spelt_to_the_letter() {
        assert_eq!(exact("*** Begin Patch"), Some(Marker::Begin));
        assert_eq!(exact("*** Add File: a b.txt"), Some(Marker::Add("a b.txt")));
        for line in
            ["*** Begin Patch ", "***Begin Patch", "*** Add File: ", "*** Add File:  x", " *** End Patch"]
        {
            assert_eq!(exact(line), None, "{line:?}");
        }
    }

    #[test]
    fn loose_markers_forgive_case_spaces_and_stars() {
        for line in ["*** Begin Patch ***", "***begin  patch", "  *** Begin Patch  ", "*** Begin Patch:"] {
            assert_eq!(loose(line), Some(Marker::Begin), "{line:?}");
        }
        assert_eq!(loose("***Update file:src/a.rs  "), Some(Marker::Update("src/a.rs")));
        assert_eq!(loose("*** End of File"), Some(Marker::EndOfFile));
        assert_eq!(loose("*** Delete File:"), Some(Marker::Delete("")));
        for line in
            [" ***end  PATCH***", "*** End Patch", "*** End of File", "*** End Patch it", "** End Patch"]
        {
            assert_eq!(is_loose_end(line), loose(line) == Some(Marker::End), "{line:?}");
        }
        for line in [
            "*** Begin Patchwork",
            "*** End Patch it",
            "*** End Patch: a",
            "** End Patch",
            "*** Rename File: x",
        ] {
            assert_eq!(loose(line), None, "{line:?}");
        }
    }
}
