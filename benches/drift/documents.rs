//! The documents that are edited, unchanged and in other forms (tabs, two spaces, no braces, CRLF, no final newline).
//!
//! [`fixed`] reads `documents/`, which was written for this benchmark: a seed names the same cases on every commit.
//! [`tree`] reads the sources and fixtures of this repository, which are more and change with each commit.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;

use walkdir::WalkDir;

use crate::random::Random;

/// A file's text, as lines.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    /// Its name in the patch.
    pub(crate) name: String,
    /// Its lines, without their endings.
    pub(crate) lines: Vec<String>,
    /// How its lines end.
    pub(crate) ending: &'static str,
    /// Whether the last line ends, too.
    pub(crate) final_newline: bool,
}

/// Below this many lines there is no room for an edit with context, and for another place.
const SHORTEST: usize = 8;

/// Reads the documents of `benches/drift/documents`.
pub(crate) fn fixed(root: &Path) -> Result<Vec<Text>, Box<dyn Error>> {
    let mut texts = Vec::new();
    for entry in WalkDir::new(root.join("benches/drift/documents")).min_depth(1).sort_by_file_name() {
        let entry = entry?;
        let text = fs::read_to_string(entry.path())?;
        texts.push(Text {
            name: entry.file_name().to_string_lossy().into_owned(),
            lines: text.lines().map(str::to_owned).collect(),
            ending: "\n",
            final_newline: true,
        });
    }
    Ok(texts)
}

/// The crate's sources and documents, and the files before each fixture's patch; each text once.
pub(crate) fn tree(root: &Path) -> Result<Vec<Text>, Box<dyn Error>> {
    let mut texts = Vec::new();
    let mut seen = BTreeSet::new();
    for part in ["src", "tests", "grammar", "fixtures", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        for entry in WalkDir::new(root.join(part)).sort_by_file_name() {
            let entry = entry?;
            let path = entry.path().strip_prefix(root)?;
            let fixture =
                path.starts_with("fixtures") && !path.components().any(|c| c.as_os_str() == "before");
            let snapshot = path.extension().is_some_and(|extension| extension == "snap");
            if !entry.file_type().is_file() || fixture || snapshot {
                continue;
            }
            // What is not UTF-8, and what ends its lines by more than a line feed, is for the fixtures.
            let Ok(text) = String::from_utf8(fs::read(entry.path())?) else { continue };
            let plain = !text.contains(['\r', '\u{feff}', '\0']) && text.ends_with('\n');
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            if plain && lines.len() >= SHORTEST && seen.insert(text) {
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
                let name = name.filter(|name| name.is_ascii()).unwrap_or_else(|| "file".to_owned());
                texts.push(Text { name, lines, ending: "\n", final_newline: true });
            }
        }
    }
    Ok(texts)
}

impl Text {
    /// The text as another author would have written it: what drifts is often indentation and line ends, and this
    /// repository knows only one kind of either.
    pub(crate) fn dressed(&self, random: &mut Random) -> Text {
        let mut text = self.clone();
        match random.below(10) {
            0 | 1 => text.reindent("\t"),
            2 => text.reindent("  "),
            3 => text.drop_braces(),
            4 => text.ending = "\r\n",
            5 => text.final_newline = false,
            _ => {}
        }
        text
    }

    /// Replaces each four spaces of indentation. A file with another unit stays as it is.
    fn reindent(&mut self, unit: &str) {
        let width = |line: &String| line.len() - line.trim_start_matches(' ').len();
        if self.lines.iter().any(|line| width(line) == 2) {
            return;
        }
        for line in &mut self.lines {
            let body = line.trim_start_matches(' ');
            let width = line.len() - body.len();
            *line = format!("{}{}{body}", unit.repeat(width / 4), " ".repeat(width % 4));
        }
    }

    /// Drops the lines that only close, as in a language that nests by indentation alone.
    fn drop_braces(&mut self) {
        let closes = |line: &String| {
            let line = line.trim();
            !line.is_empty() && line.chars().all(|c| "})],;".contains(c))
        };
        self.lines.retain(|line| !closes(line));
        for line in &mut self.lines {
            if let Some(head) = line.strip_suffix(" {") {
                *line = format!("{head}:");
            }
        }
    }
}
