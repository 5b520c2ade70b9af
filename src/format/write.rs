//! Patch → text: the canonical envelope.

use std::fmt::{self, Display, Formatter};

use crate::patch::{Action, Chunk, Hunk, Line, Patch, Properties};

/// Prints the canonical envelope, every line ended by LF; a line whose text ends in CR by CR LF, because its CR would
/// otherwise be parsed as a part of the ending.
///
/// Parsing the printed text returns the same patch. The text is strict grammar, except for an Update that only moves, and
/// for a context line without a sign: the file decides what that line means, so the line stays as it is.
///
/// ```
/// use apply_patch::format::{Options, parse};
///
/// let text = "```\n*** Begin Patch\n*** Delete File: old.txt\n\n*** End Patch\n```\n";
/// let parsed = parse(text, &Options::default());
/// assert_eq!(parsed.patch.to_string(), "*** Begin Patch\n*** Delete File: old.txt\n*** End Patch\n");
/// ```
impl Display for Patch<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("*** Begin Patch\n")?;
        if let Some(environment) = &self.environment {
            writeln!(f, "*** Environment ID: {environment}")?;
        }
        self.hunks.iter().try_for_each(|hunk| write_hunk(hunk, f))?;
        f.write_str("*** End Patch\n")
    }
}

impl Patch<'_> {
    /// Returns whether an envelope can express the whole patch. Features of other formats ([copies](Action::Copy),
    /// [texts of any extent](Action::Replace), quoted deletions, properties of files, a dry
    /// run) are lost in print.
    pub fn is_envelope(&self) -> bool {
        !self.check_only
            && self.hunks.iter().all(|hunk| {
                let says = matches!(hunk.action, Action::Add(_) | Action::Delete | Action::Update { .. });
                says && hunk.properties == Properties::default()
            })
    }
}

fn write_hunk(hunk: &Hunk<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    match &hunk.action {
        Action::Add(lines) => {
            writeln!(f, "*** Add File: {}", hunk.path)?;
            lines.iter().try_for_each(|line| write_line(line, f))
        }
        Action::Delete | Action::DeleteQuoted(_) => writeln!(f, "*** Delete File: {}", hunk.path),
        Action::Replace(_) => writeln!(f, "*** Update File: {}", hunk.path),
        Action::Copy { chunks, .. } => {
            writeln!(f, "*** Update File: {}", hunk.path)?;
            chunks.iter().try_for_each(|chunk| write_chunk(chunk, f))
        }
        Action::Update { move_to, chunks } => {
            writeln!(f, "*** Update File: {}", hunk.path)?;
            if let Some(target) = move_to {
                writeln!(f, "*** Move to: {}", target.path)?;
            }
            chunks.iter().try_for_each(|chunk| write_chunk(chunk, f))
        }
    }
}

fn write_chunk(chunk: &Chunk<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    if chunk.headers.is_empty() {
        f.write_str("@@\n")?;
    }
    for header in &chunk.headers {
        writeln!(f, "@@ {}", header.text)?;
    }
    for line in &*chunk.lines {
        if line.is_unsigned_text() {
            writeln!(f, "{}", line.text)?;
        } else {
            write_line(line, f)?;
        }
    }
    if chunk.end_of_file { f.write_str("*** End of File\n") } else { Ok(()) }
}

fn write_line(line: &Line<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    let ending = if line.text.ends_with('\r') { "\r\n" } else { "\n" };
    write!(f, "{}{}{ending}", line.kind.sign(), line.text)
}
