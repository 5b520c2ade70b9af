//! One change in the words of a format.

use std::borrow::Cow;

use serde_json::Value;
use similar::{ChangeTag, TextDiff};

use super::{Attempt, Piece, What, envelope};
use crate::format::{Format, escape_line, is_plain_name};
use crate::patch::LineKind;
use crate::plan::After;

/// The text of a whole patch, of its files' bodies.
pub(super) fn whole(bodies: &[String], format: Format) -> String {
    let all = bodies.concat();
    match format {
        Format::Auto | Format::Envelope => format!("*** Begin Patch\n{all}*** End Patch\n"),
        _ => all,
    }
}

/// What a format says of one file.
pub(super) fn body(piece: Piece<'_>, format: Format, attempt: Attempt) -> Result<String, What> {
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

/// Bytes as text, where they are any.
pub(super) fn text(bytes: &[u8]) -> Result<&str, What> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0')).ok_or(What::Binary)
}

/// A file before and after.
struct Sides<'p> {
    piece: Piece<'p>,
    before: Option<&'p str>,
    after: Option<&'p str>,
    executable: Option<bool>,
    /// How many unchanged lines stand around a change.
    context: usize,
}

/// A run of changes with what stands around it; texts without line ends.
type Group<'t> = Vec<(LineKind, &'t str)>;

impl Sides<'_> {
    fn path(&self) -> &str {
        self.piece.change.path.as_str()
    }

    fn groups(&self) -> Vec<Group<'_>> {
        let (before, after) = (self.before.unwrap_or_default(), self.after.unwrap_or_default());
        let old: Vec<&str> = before.lines().collect();
        let new: Vec<&str> = after.lines().collect();
        let diff = TextDiff::from_slices(&old, &new);
        let groups = diff.grouped_ops(self.context.min(old.len() + new.len()));
        let lines = |ops: &Vec<similar::DiffOp>| {
            let changes = ops.iter().flat_map(|op| {
                let (tag, olds, news) = op.as_tag_tuple();
                let keeps = tag == similar::DiffTag::Equal;
                let gone = if keeps { LineKind::Context } else { LineKind::Remove };
                let removed = old[olds].iter().map(move |line| (gone, *line));
                let added = new[if keeps { 0..0 } else { news }].iter().map(|line| (LineKind::Add, *line));
                removed.chain(added).collect::<Vec<_>>()
            });
            changes.collect()
        };
        groups.iter().map(lines).collect()
    }

    fn blocks(&self) -> String {
        let name = match self.path() {
            name if is_plain_name(name) => name.to_owned(),
            name => format!("File: {name}"),
        };
        let block = |group: &Group<'_>| {
            let side = |other: LineKind| {
                let lines = group.iter().filter(move |(kind, _)| *kind != other);
                lines.flat_map(|(_, text)| [escape_line(text), Cow::Borrowed("\n")]).collect::<String>()
            };
            let (old, new) = (side(LineKind::Add), side(LineKind::Remove));
            format!("{name}\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n")
        };
        match (self.before, self.after) {
            (None, Some(after)) => block(&after.lines().map(|line| (LineKind::Add, line)).collect()),
            _ => self.groups().iter().map(block).collect(),
        }
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
        let diff = TextDiff::from_lines(before, after);
        let most = before.len() + after.len();
        let groups = diff.grouped_ops(self.context.min(most));
        let text = |ops: &Vec<similar::DiffOp>, other: ChangeTag| {
            let changes = ops.iter().flat_map(|op| diff.iter_changes(op));
            changes.filter(|change| change.tag() != other).map(|change| change.value()).collect::<String>()
        };
        groups.iter().map(|ops| edit(&text(ops, ChangeTag::Insert), &text(ops, ChangeTag::Delete))).collect()
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
            // What follows a name with a space must not be taken for a part of it.
            let end = |name: String| if name.contains(' ') { format!("{name}\t") } else { name };
            let side = |name: String, there: Option<&str>| {
                if there.is_some() { end(name) } else { "/dev/null".to_owned() }
            };
            let (a, b) = (side(a, self.before), side(b, self.after));
            let context = self.context.min(before.len() + after.len());
            let diff = TextDiff::from_lines(before, after);
            text += &diff.unified_diff().context_radius(context).header(&a, &b).to_string();
        }
        text
    }
}

/// A name as git writes it: in quotes where it holds what would end or spoil the line.
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
