//! Sections of flat texts: INI, TOML, Markdown, reStructuredText, `AsciiDoc`, Org, LaTeX, POD, manual pages.

/// The signs of the line below a heading, by level. The order is free in reStructuredText; this one is usual.
const UNDERLINES: [u8; 5] = *b"=-~^\"";

/// The header of a section in a flat text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    /// `[name]`
    Bracket,
    /// A heading with its level: `## Heading`, `== Heading`, `** Heading`, `\section{Heading}`, `=head2 Heading`, `.SS Heading`, or
    /// a line of text above a line of signs.
    Heading(usize),
}

/// The lines around a line; an absent line is blank.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Around<'t> {
    pub(crate) above: &'t [u8],
    pub(crate) below: &'t [u8],
}

impl Section {
    /// Returns the section that a line begins; `None` if the line begins none. A heading of signs is behind a blank line, one of a single
    /// sign also before a blank line, because `# text` is a comment in many languages.
    pub(crate) fn of(line: &[u8], around: Around<'_>) -> Option<Self> {
        let [above, below] = [around.above, around.below].map(<[u8]>::trim_ascii);
        let Some(section) = Section::read(line) else {
            return underlined(line, above, below).map(Section::Heading);
        };
        let is_certain = section == Section::Bracket || command(line).is_some();
        let is_apart = || above.is_empty() && (below.is_empty() || section.level() > 1);
        (is_certain || is_apart()).then_some(section)
    }

    /// Returns the section that a line begins, if a line that reads as a heading is one.
    pub(crate) fn read(line: &[u8]) -> Option<Self> {
        let line = line.trim_ascii_end();
        if line.starts_with(b"[") && line.ends_with(b"]") {
            return Some(Section::Bracket);
        }
        command(line).or_else(|| signs(line)).map(Section::Heading)
    }

    /// Checks whether another section ends this one: it is at the same level or above.
    pub(crate) fn ends_at(self, other: Self) -> bool {
        match (self, other) {
            (Section::Bracket, Section::Bracket) => true,
            (Section::Heading(own), Section::Heading(other)) => other <= own,
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

/// Returns the level of a heading that has a line of signs below, at least as long as the heading in characters, and a blank line or
/// such a line above.
fn underlined(line: &[u8], above: &[u8], below: &[u8]) -> Option<usize> {
    let (level, length) = rule(below)?;
    let title = line.trim_ascii_end();
    let is_title = title.first().is_some_and(|first| !first.is_ascii_whitespace())
        && title.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
        && String::from_utf8_lossy(title).chars().count() <= length;
    (is_title && (above.is_empty() || rule(above).is_some())).then_some(level)
}

/// Returns the level and the length of a line of one repeated sign.
fn rule(line: &[u8]) -> Option<(usize, usize)> {
    /// Shorter lines separate documents, or mean something else.
    const LEAST: usize = 3;
    let sign = line.first()?;
    let level = UNDERLINES.iter().position(|other| other == sign)? + 1;
    (line.len() >= LEAST && line.iter().all(|byte| byte == sign)).then_some((level, line.len()))
}
