//! Writes a change in a format.

use std::borrow::Cow;

use serde_json::Value;
use similar::ChangeTag;

use super::envelope;
use super::file_change::{Attempt, FileChange};
use super::unrepresentable::{What, text};
use crate::format::{Format, escape_line, is_plain_name};
use crate::plan::After;
use crate::text::{DiffHunk, LineDiff};

/// Joins the bodies of files to the text of a whole patch.
pub(super) fn whole(bodies: &[String], format: Format) -> String {
    let all = bodies.concat();
    match format {
        Format::Auto | Format::Envelope => format!("*** Begin Patch\n{all}*** End Patch\n"),
        _ => all,
    }
}

/// Returns a single file in a format.
pub(super) fn body(piece: FileChange<'_>, format: Format, attempt: Attempt) -> Result<String, What> {
    let before = piece.before();
    let (after, executable) = match &piece.change.after {
        After::Gone => (None, None),
        After::File { content, executable, .. } => (Some(content.bytes()), *executable),
    };
    let after = after.as_deref();
    let no_words = match format {
        Format::Unified => None,
        _ if executable.is_some() => Some(What::Executable),
        Format::SearchReplace | Format::Edit if after.is_none() => Some(What::Deletion),
        Format::SearchReplace | Format::Edit if piece.source.is_some() => Some(What::Move),
        _ => None,
    };
    if let Some(what) = no_words {
        return Err(what);
    }
    if matches!(format, Format::Auto | Format::Envelope) {
        return envelope::body(piece, before, after, attempt);
    }
    let (before, after) = (before.map(text).transpose()?, after.map(text).transpose()?);
    let sides = Sides { piece, before, after, executable, context: attempt.context };
    Ok(match format {
        Format::SearchReplace => sides.blocks(),
        Format::Edit => sides.edits(),
        _ => sides.unified(),
    })
}

/// A file before and after.
struct Sides<'p> {
    piece: FileChange<'p>,
    before: Option<&'p str>,
    after: Option<&'p str>,
    executable: Option<bool>,
    /// How many unchanged lines surround a change.
    context: usize,
}

impl Sides<'_> {
    fn path(&self) -> &str {
        self.piece.change.path.as_str()
    }

    fn blocks(&self) -> String {
        let name = match self.path() {
            name if is_plain_name(name) => name.to_owned(),
            name => format!("File: {name}"),
        };
        let block =
            |old: &str, new: &str| format!("{name}\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n");
        let text = |lines: &mut dyn Iterator<Item = &str>| {
            lines.flat_map(|line| [escape_line(line), Cow::Borrowed("\n")]).collect::<String>()
        };
        let after = self.after.unwrap_or_default();
        let Some(before) = self.before else { return block("", &text(&mut after.lines())) };
        // Line endings are the file's.
        let diff = LineDiff::of(before.lines().collect(), after.lines().collect(), None);
        let side = |hunk: &DiffHunk<'_>, other: ChangeTag| {
            text(&mut hunk.lines.iter().filter(|(tag, _)| *tag != other).map(|(_, line)| *line))
        };
        let hunks = diff.hunks(self.context);
        hunks
            .iter()
            .map(|hunk| block(&side(hunk, ChangeTag::Insert), &side(hunk, ChangeTag::Delete)))
            .collect()
    }

    fn edits(&self) -> String {
        let edit = |old: &str, new: &str| {
            // In the order in which tools have the fields.
            let [path, old, new] = [self.path(), old, new].map(|text| Value::from(text).to_string());
            format!("{{\"file_path\":{path},\"old_string\":{old},\"new_string\":{new}}}\n")
        };
        let (Some(before), after) = (self.before, self.after.unwrap_or_default()) else {
            return edit("", self.after.unwrap_or_default());
        };
        let text = |hunk: &DiffHunk<'_>, other: ChangeTag| {
            hunk.lines.iter().filter(|(tag, _)| *tag != other).map(|(_, line)| *line).collect::<String>()
        };
        let hunks = LineDiff::new(before, after, None).hunks(self.context);
        hunks
            .iter()
            .map(|hunk| edit(&text(hunk, ChangeTag::Insert), &text(hunk, ChangeTag::Delete)))
            .collect()
    }

    fn unified(&self) -> String {
        let (old, new) = (self.piece.old_path().as_str(), self.path());
        let side = |first: &str, name: &str| quoted(&format!("{first}/{name}"));
        let (a, b) = (side("a", old), side("b", new));
        let mode = |executable: bool| if executable { "100755" } else { "100644" };
        let executable = self.executable.unwrap_or_default();
        let mut rows = vec![format!("diff --git {a} {b}")];
        match (self.before, self.after, self.executable) {
            (None, _, _) => rows.push(format!("new file mode {}", mode(executable))),
            (_, None, _) => rows.push("deleted file mode 100644".to_owned()),
            (_, _, Some(executable)) => {
                rows.push(format!("old mode {}", mode(!executable)));
                rows.push(format!("new mode {}", mode(executable)));
            }
            _ => {}
        }
        if self.piece.source.is_some() {
            rows.push(format!("rename from {}", quoted(old)));
            rows.push(format!("rename to {}", quoted(new)));
        }
        let mut text = rows.join("\n") + "\n";
        let (before, after) = (self.before.unwrap_or_default(), self.after.unwrap_or_default());
        if before != after {
            // A tab separates a name with a space from the text that follows.
            let end = |name: String| if name.contains(' ') { format!("{name}\t") } else { name };
            let side = |name: String, there: Option<&str>| {
                if there.is_some() { end(name) } else { "/dev/null".to_owned() }
            };
            let (a, b) = (side(a, self.before), side(b, self.after));
            text.extend(["--- ", &a, "\n+++ ", &b, "\n"]);
            let hunks = LineDiff::new(before, after, None).hunks(self.context);
            text.extend(hunks.iter().map(in_diff));
        }
        text
    }
}

/// Returns a hunk as in a unified diff.
fn in_diff(hunk: &DiffHunk<'_>) -> String {
    let lines = hunk.lines.iter().map(|(tag, line)| {
        let open = if line.ends_with('\n') { "" } else { "\n\\ No newline at end of file\n" };
        format!("{tag}{line}{open}")
    });
    format!("{hunk}\n{}", lines.collect::<Vec<_>>().concat())
}

/// Returns a name as git writes names: quoted if a character would end or spoil the line.
fn quoted(name: &str) -> String {
    if !name.contains(|c: char| c.is_control() || c == '"' || c == '\\') {
        return name.to_owned();
    }
    let escape = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        c if c.is_control() => {
            c.to_string().bytes().map(|byte| format!("\\{byte:03o}")).collect::<Vec<_>>().concat()
        }
        c => c.to_string(),
    };
    format!("\"{}\"", name.chars().map(escape).collect::<String>())
}
