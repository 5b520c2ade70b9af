//! Sections of flat texts: INI, TOML, Markdown, `AsciiDoc`, Org, LaTeX, POD, manual pages.

/// The header of a section in a flat text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    /// `[name]`
    Bracket,
    /// A heading with its level: `## Heading`, `== Heading`, `** Heading`, `\section{Heading}`, `=head2 Heading`, `.SS Heading`.
    Heading(usize),
}

impl Section {
    /// Returns the section that a line begins; `None` if the line begins none. A heading of signs is behind a blank line, one of a single
    /// sign also before a blank line, because `# text` is a comment in many languages; `are_blank` tells of the lines above and below.
    pub(crate) fn of(line: &[u8], are_blank: impl FnOnce() -> (bool, bool)) -> Option<Self> {
        let section = Section::read(line)?;
        let is_certain = section == Section::Bracket || command(line).is_some();
        let is_apart = |(above, below): (bool, bool)| above && (below || section.level() > 1);
        (is_certain || is_apart(are_blank())).then_some(section)
    }

    /// Returns the section that a line begins, if a line that reads as a heading is one.
    pub(crate) fn read(line: &[u8]) -> Option<Self> {
        let line = line.trim_ascii_end();
        if line.starts_with(b"[") && line.ends_with(b"]") {
            return Some(Section::Bracket);
        }
        command(line).or_else(|| signs(line)).map(Section::Heading)
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

/// Returns the level of a heading that begins with signs.
fn signs(line: &[u8]) -> Option<usize> {
    let sign = *line.first().filter(|byte| b"#=*".contains(byte))?;
    let count = line.iter().take_while(|byte| **byte == sign).count();
    // A single star is an entry of a list.
    let least = if sign == b'*' { 2 } else { 1 };
    ((least..=6).contains(&count) && line.get(count) == Some(&b' ')).then_some(count)
}

/// The words that begin a heading in LaTeX, POD and manual pages, with the level.
const COMMANDS: [(&str, usize); 11] = [
    ("\\part{", 1),
    ("\\chapter{", 2),
    ("\\section{", 3),
    ("\\subsection{", 4),
    ("\\subsubsection{", 5),
    ("=head1 ", 1),
    ("=head2 ", 2),
    ("=head3 ", 3),
    ("=head4 ", 4),
    (".SH ", 1),
    (".SS ", 2),
];

/// Returns the level of a heading that begins with a command.
fn command(line: &[u8]) -> Option<usize> {
    let mut commands = COMMANDS.iter();
    commands.find(|(command, _)| line.starts_with(command.as_bytes())).map(|(_, level)| *level)
}
