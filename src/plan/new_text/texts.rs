//! An old and a new text beside their file.

use memchr::memmem;

use crate::patch::edit::Edit;
use crate::patch::{Line, LineKind};
use crate::text::Document;

/// The ends of the names of prose, where a fence, a mark or an entity may be the text.
const PROSE: [&str; 10] =
    [".md", ".mdx", ".mdc", ".markdown", ".qmd", ".rmd", ".rst", ".adoc", ".txt", ".tex"];

/// The ends of the names of patches.
const PATCHES: [&str; 3] = [".diff", ".patch", ".rej"];

/// The ends of the names of files with tags between other text.
const MARKUP: [&str; 27] = [
    ".html", ".htm", ".xhtml", ".xml", ".svg", ".vue", ".svelte", ".jsx", ".tsx", ".astro", ".php", ".erb",
    ".ejs", ".hbs", ".liquid", ".j2", ".twig", ".tmpl", ".tpl", ".heex", ".eex", ".cshtml", ".razor",
    ".xaml", ".xsl", ".plist", ".resx",
];

/// The ends of the names of files whose values have escapes without quotation marks.
const VALUES: [&str; 9] =
    [".properties", ".env", ".ini", ".cfg", ".conf", ".csv", ".tsv", ".strings", ".desktop"];

/// The names of a new text before a colon.
pub(super) const NAMES: [&str; 8] =
    ["new_string", "newString", "new_str", "new_text", "newText", "REPLACE", "REPLACEMENT", "NEW"];

/// What a file consists of, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Prose,
    Patch,
    Markup,
    Values,
    Code,
}

impl Kind {
    fn of(path: &str) -> Self {
        let lower = path.to_lowercase();
        let is_of = |ends: &[&str]| ends.iter().any(|end| lower.ends_with(end));
        let name = path.rsplit('/').next().unwrap_or(path);
        // README, LICENSE
        let is_title = !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_');
        match () {
            () if is_title || is_of(&PROSE) => Kind::Prose,
            () if is_of(&PATCHES) => Kind::Patch,
            () if is_of(&MARKUP) => Kind::Markup,
            () if is_of(&VALUES) => Kind::Values,
            () => Kind::Code,
        }
    }
}

/// The lines that an edit quotes, replaces and writes.
pub(in crate::plan) struct NewText<'t> {
    old: Vec<&'t str>,
    removed: Vec<&'t str>,
    written: Vec<&'t str>,
}

impl<'t> NewText<'t> {
    /// Returns the lines of an old and a new text; `None` if no written line may have a mark.
    pub(in crate::plan) fn of_texts(old: &'t str, new: &'t str) -> Option<Self> {
        new.lines().any(may_have_mark).then(|| {
            let old: Vec<&str> = old.lines().collect();
            NewText { removed: old.clone(), old, written: new.lines().collect() }
        })
    }

    /// Returns the lines of a chunk; `None` if no written line may have a mark. Of a chunk with signs, the removed lines are replaced
    /// by the added lines.
    pub(in crate::plan) fn of_edit(edit: &'t Edit<'_>) -> Option<Self> {
        let is_written = |line: &&Line<'_>| if edit.is_text() { line.is_new() } else { line.adds() };
        let mut written = edit.lines.iter().filter(is_written);
        written.any(|line| may_have_mark(&line.text)).then(|| NewText::of_lines(edit))
    }

    fn of_lines(edit: &'t Edit<'_>) -> Self {
        let of = |is_wanted: &dyn Fn(&Line<'_>) -> bool| {
            edit.lines.iter().filter(|line| is_wanted(line)).map(|line| &*line.text).collect()
        };
        let is_text = edit.is_text();
        NewText {
            old: of(&|line| line.is_old()),
            removed: of(&|line| if is_text { line.is_old() } else { line.kind == LineKind::Remove }),
            written: of(&|line| if is_text { line.is_new() } else { line.adds() }),
        }
    }
}

/// Checks whether a line may have a mark, by the characters with which marks begin and end.
fn may_have_mark(line: &str) -> bool {
    let text = line.trim();
    let begins = |c: char| c.is_ascii_digit() || "[L+->`~\"'<".contains(c);
    line.contains(['&', '\\'])
        || line.starts_with(['+', '-', '>'])
        || text.starts_with(begins)
        || text.ends_with('>')
        || text.split_once(':').is_some_and(|(name, _)| NAMES.contains(&name))
}

/// The lines of an edit without the blank lines at both ends, and the file.
pub(super) struct Texts<'l, 't> {
    pub(super) document: &'l Document,
    pub(super) kind: Kind,
    pub(super) old: &'l [&'t str],
    /// The old text, or the removed lines of a chunk, or if there is none the quoted lines.
    pub(super) replaced: &'l [&'t str],
    /// The new text, or the added lines of a chunk.
    pub(super) written: &'l [&'t str],
    /// Whether lines of a chunk are removed.
    pub(super) removes: bool,
    /// The first line of the position, 0-based.
    pub(super) start: usize,
}

impl<'l, 't> Texts<'l, 't> {
    pub(super) fn new(document: &'l Document, path: &'l str, edit: &'l NewText<'t>, start: usize) -> Self {
        let removes = edit.removed.iter().any(|line| !line.trim().is_empty());
        let replaced = trimmed(if removes { &edit.removed } else { &edit.old });
        let (old, written) = (trimmed(&edit.old), trimmed(&edit.written));
        Texts { document, kind: Kind::of(path), old, replaced, written, removes, start }
    }

    /// Checks whether the old text is a part of its line.
    pub(super) fn is_part_of_line(&self) -> bool {
        let line = self.document.text(self.start).unwrap_or_default();
        matches!(self.old, [old] if line.trim() != old.trim())
    }

    /// Checks whether the old text or the file has such a line.
    pub(super) fn has(&self, is_such: impl Fn(&str) -> bool) -> bool {
        let of_file = |line: &[u8]| std::str::from_utf8(line).is_ok_and(&is_such);
        self.old.iter().any(|line| is_such(line)) || self.document.lines().any(of_file)
    }

    /// Checks whether the old text or the file contains a text.
    pub(super) fn contain(&self, text: &str) -> bool {
        self.old.iter().any(|line| line.contains(text))
            || memmem::find(self.document.content(), text.as_bytes()).is_some()
    }

    /// Checks whether a line begins with the indentation and the first word of the replaced lines.
    pub(super) fn begin_alike(&self, line: &str) -> bool {
        let is_alike =
            |old: &&str| indent(line).len() == indent(old).len() && first_word(line) == first_word(old);
        self.replaced.first().is_some_and(is_alike)
    }

    /// Checks whether the first line with text is indented, and as deep as a quoted line.
    pub(super) fn is_as_deep(&self, lines: &[&str]) -> bool {
        let first = lines.iter().find(|line| !line.trim().is_empty()).map(|line| indent(line));
        first.is_some_and(|first| !first.is_empty() && self.old.iter().any(|old| indent(old) == first))
    }

    /// Checks whether at least half of the lines begin as a replaced line does.
    pub(super) fn are_alike(&self, lines: &[&str]) -> bool {
        let is_like_old = |line: &&&str| self.replaced.iter().any(|old| first_word(old) == first_word(line));
        2 * lines.iter().filter(is_like_old).count() >= lines.len()
    }
}

/// Returns lines without the blank lines at both ends.
pub(super) fn trimmed<'l, 't>(lines: &'l [&'t str]) -> &'l [&'t str] {
    let is_filled = |line: &&str| !line.trim().is_empty();
    let Some(first) = lines.iter().position(is_filled) else { return &[] };
    let last = lines.iter().rposition(is_filled).unwrap_or(first);
    &lines[first..=last]
}

/// Returns the whitespace before a line.
fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// Returns the first word of a line, or its first sign.
pub(super) fn first_word(line: &str) -> &str {
    let line = line.trim_start();
    let end = line.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(line.len());
    let sign = line.chars().next().map_or(0, char::len_utf8);
    &line[..end.max(sign)]
}
