//! Sections of flat texts: INI, TOML, Markdown.

/// The header of a section in a flat text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    /// `[name]`
    Bracket,
    /// `## Heading`, with the number of `#`.
    Heading(usize),
}

impl Section {
    /// Returns the section that a line begins; `None` if the line begins none. A heading is between blank lines, because `# text` is
    /// a comment in many languages; `is_between_blanks` tells.
    pub(crate) fn of(line: &[u8], is_between_blanks: impl FnOnce() -> bool) -> Option<Self> {
        Section::read(line).filter(|section| *section == Section::Bracket || is_between_blanks())
    }

    /// Returns the section that a line begins, if a line that reads as a heading is one.
    pub(crate) fn read(line: &[u8]) -> Option<Self> {
        let line = line.trim_ascii_end();
        if line.starts_with(b"[") && line.ends_with(b"]") {
            return Some(Section::Bracket);
        }
        let signs = line.iter().take_while(|byte| **byte == b'#').count();
        ((1..=6).contains(&signs) && line.get(signs) == Some(&b' ')).then_some(Section::Heading(signs))
    }

    /// Checks whether a line begins the next section, at the same level or above.
    pub(crate) fn ends_at(self, line: &[u8]) -> bool {
        match (self, Section::read(line)) {
            (Section::Bracket, Some(Section::Bracket)) => true,
            (Section::Heading(own), Some(Section::Heading(other))) => other <= own,
            _ => false,
        }
    }

    /// Returns the level of the header: 1 for `[name]`, 2 for `## Heading`.
    pub(crate) fn level(self) -> usize {
        match self {
            Section::Bracket => 1,
            Section::Heading(level) => level,
        }
    }
}
