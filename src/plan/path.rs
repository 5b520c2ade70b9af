//! Checks paths.
//!
//! A single total function, [`check`], maps the name in a patch to a path that the rest of the program may use: inside
//! the roots, without disguises, never in `.git`. The check uses only the text. The state of the file system (symbolic
//! links, kinds of file) is checked later, when the path is opened: see [`Files`](crate::plan::Files) and
//! [`apply`](crate::apply). Both checks are needed: a harmless name can lead through a link, and a harmless directory
//! can be named through `..`.
//!
//! The rules compare components, never text: `/srv/project-evil` is not inside `/srv/project`.

use std::borrow::Cow;

use camino::{Utf8Path, Utf8PathBuf};

use crate::plan::Files;

/// The prefix of side files. No patch may name a file with this prefix, and [`apply`](crate::apply) uses the prefix for
/// every side file.
pub(crate) const STAGE_PREFIX: &str = ".apply-patch-";

/// The longest name that common file systems hold, in bytes.
const LONGEST_NAME: usize = 255;

/// The longest path that common systems take, in bytes.
const LONGEST_PATH: usize = 4096;

/// The absolute paths of the roots, and the replacement for each.
///
/// A root may have several names: the name from the user may go through a link (`/tmp` on a Mac), and the model repeats
/// the name from its prompt. The default has no names, so that every absolute path is outside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Borders {
    /// The absolute name, and its replacement. The first match counts.
    names: Vec<(Utf8PathBuf, Utf8PathBuf)>,
}

impl Borders {
    /// Returns the borders of a view.
    pub fn of(files: &dyn Files) -> Self {
        Borders { names: files.borders() }
    }

    /// Returns the root that contains an absolute path, and how many components of the path belong to the root.
    fn enter(&self, names: &[&str], windows: bool) -> Option<(&Utf8Path, usize)> {
        self.names.iter().find_map(|(root, becomes)| {
            let root = components(root.as_str(), windows);
            starts_with(names, &root).then_some((becomes.as_path(), root.len()))
        })
    }
}

/// Returns the components of the absolute path of a root.
fn components(root: &str, windows: bool) -> Vec<String> {
    let text = if windows { root.replace('\\', "/") } else { root.to_owned() };
    // The canonical form of Windows, which no user types.
    let text = text.strip_prefix("//?/").unwrap_or(&text);
    text.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn starts_with(names: &[&str], root: &[String]) -> bool {
    names.len() >= root.len() && names.iter().zip(root).all(|(name, root)| name == root)
}

/// A name from a patch that may be used as a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedPath {
    /// Relative to the base root, or absolute inside a further root; cleaned, never empty.
    pub path: Utf8PathBuf,
    /// What was put right on the way.
    pub repairs: Vec<PathRepair>,
}

/// What was put right in a name, and is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PathRepair {
    /// Backslashes were read as separators, as on Windows.
    Backslashes,
    /// A `.` component, as in `./src/lib.rs`, was dropped.
    CurrentFolder,
}

/// Why a name cannot be used as a path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// The path leads out of the roots.
    OutsideRoot {
        /// The name, as the patch spells the name.
        name: String,
        /// How the path leaves the roots.
        reason: Outside,
    },
    /// The path leads to what no patch may touch.
    ProtectedPath {
        /// The name, as the patch spells the name.
        name: String,
        /// The protected entry that the path leads to.
        what: Protected,
    },
    /// The name is not allowed for a file.
    BadPath {
        /// The name, as the patch spells the name.
        name: String,
        /// The rule that the name breaks.
        reason: BadName,
    },
}

impl PathError {
    fn new(name: &str, refusal: Refusal) -> Self {
        let name = name.to_owned();
        match refusal {
            Refusal::Outside(reason) => PathError::OutsideRoot { name, reason },
            Refusal::Protected(what) => PathError::ProtectedPath { name, what },
            Refusal::Bad(reason) => PathError::BadPath { name, reason },
        }
    }

    /// Returns a stable code for the kind of error, for programs that read reports.
    pub fn code(&self) -> &'static str {
        match self {
            PathError::OutsideRoot { .. } => "outside-root",
            PathError::ProtectedPath { .. } => "protected-path",
            PathError::BadPath { .. } => "bad-path",
        }
    }

    /// Returns the name, as the patch spells the name. May be hostile: escape before display.
    pub fn name(&self) -> &str {
        match self {
            PathError::OutsideRoot { name, .. }
            | PathError::ProtectedPath { name, .. }
            | PathError::BadPath { name, .. } => name,
        }
    }
}

/// How a path leads out of the roots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Outside {
    /// By more `..` than there are folders to leave.
    Above,
    /// The path is absolute, and inside no root.
    Absolute,
    /// The path begins with a drive, and is inside no root.
    Drive,
}

/// What no patch may touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Protected {
    /// `.git`, in any disguise: who writes there can have programs run.
    Git,
    /// A side file of this program.
    Stage,
}

/// What is wrong with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadName {
    /// The name or a component is empty or only whitespace.
    Blank,
    /// The name is the name of a directory: ends with a slash, or the last component is `.` or `..`.
    Folder,
    /// The name contains a character that a terminal or a script acts on.
    Control(char),
    /// A component is longer than common file systems allow.
    LongName(usize),
    /// The path is longer than common systems allow.
    LongPath(usize),
    /// Windows does not allow the name. Checked on Windows only.
    Windows(NotOnWindows),
}

/// Why Windows cannot hold a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotOnWindows {
    /// The name contains a colon, which begins the name of a stream.
    Stream,
    /// The name contains `<`, `>`, `"`, `|`, `?` or `*`.
    Sign,
    /// The name ends with a dot or a space.
    End,
    /// The name is the name of a device.
    Device,
}

/// Why a name is refused, before the error takes the name along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refusal {
    Outside(Outside),
    Protected(Protected),
    Bad(BadName),
}

impl From<Outside> for Refusal {
    fn from(reason: Outside) -> Self {
        Refusal::Outside(reason)
    }
}

impl From<Protected> for Refusal {
    fn from(what: Protected) -> Self {
        Refusal::Protected(what)
    }
}

impl From<BadName> for Refusal {
    fn from(reason: BadName) -> Self {
        Refusal::Bad(reason)
    }
}

/// Returns the path for a name in a patch, or the reason why the name is refused.
///
/// - Backslashes are separators: they become slashes before any check, so that no rule can be bypassed with
///   backslashes.
/// - `.` and empty components are dropped; `..` removes the previous component; above the root, `..` is refused.
/// - An absolute path is accepted only inside a root. Relative paths begin at the base root, and stay there: `..` does
///   not lead from a root into another.
/// - `.git` and side files are refused in every disguise; `.gitignore`, `.github` and `.gitmodules` are ordinary files.
/// - Names that only Windows does not allow are refused on Windows only.
///
/// `~/x` and `$HOME/x` are unusual names without a special meaning: no shell reads a name.
///
/// # Errors
/// Returns a [`PathError`] for the first broken rule.
pub fn check(raw: &str, borders: &Borders) -> Result<CheckedPath, PathError> {
    check_for(raw, borders, cfg!(windows)).map_err(|refusal| PathError::new(raw, refusal))
}

/// Does the work of [`check`], with the system as a parameter, so that the rules of Windows are tested everywhere.
fn check_for(raw: &str, borders: &Borders, windows: bool) -> Result<CheckedPath, Refusal> {
    check_text(raw)?;
    let text = if raw.contains('\\') { raw.replace('\\', "/").into() } else { Cow::Borrowed(raw) };
    let cleaned = Cleaned::of(&text, windows)?;
    let path = cleaned.beneath(borders, windows)?;
    Ok(CheckedPath { path, repairs: repairs(raw, &cleaned) })
}

/// Checks the rules that need no components.
fn check_text(raw: &str) -> Result<(), BadName> {
    if raw.len() > LONGEST_PATH {
        return Err(BadName::LongPath(raw.len()));
    }
    if raw.trim().is_empty() {
        return Err(BadName::Blank);
    }
    match raw.chars().find(|c| is_control(*c)) {
        Some(found) => Err(BadName::Control(found)),
        None => Ok(()),
    }
}

/// Returns whether a character is a control character, or changes the direction of text and so disguises a name.
fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

fn repairs(raw: &str, cleaned: &Cleaned<'_>) -> Vec<PathRepair> {
    let backslashes = raw.contains('\\').then_some(PathRepair::Backslashes);
    let current = cleaned.had_dot.then_some(PathRepair::CurrentFolder);
    backslashes.into_iter().chain(current).collect()
}

/// A path taken apart: `.`, `..` and empty components are gone.
#[derive(Debug)]
struct Cleaned<'a> {
    names: Vec<&'a str>,
    start: Start,
    had_dot: bool,
}

/// Where a path begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    Here,
    Slash,
    Drive,
}

impl<'a> Cleaned<'a> {
    fn of(text: &'a str, windows: bool) -> Result<Self, Refusal> {
        let mut cleaned = Cleaned { names: Vec::new(), start: start(text, windows), had_dot: false };
        for name in text.split('/') {
            cleaned.push(name)?;
        }
        match text.rsplit('/').next() {
            Some("" | "." | "..") => Err(BadName::Folder.into()),
            _ => Ok(cleaned),
        }
    }

    fn push(&mut self, name: &'a str) -> Result<(), Outside> {
        match name {
            "" => {}
            "." => self.had_dot = true,
            ".." => {
                self.names.pop().ok_or(Outside::Above)?;
            }
            _ => self.names.push(name),
        }
        Ok(())
    }

    /// Returns the path for the rest of the program.
    fn beneath(&self, borders: &Borders, windows: bool) -> Result<Utf8PathBuf, Refusal> {
        let (root, taken) = match self.start {
            Start::Here => (Utf8Path::new(""), 0),
            Start::Slash => borders.enter(&self.names, windows).ok_or(Outside::Absolute)?,
            Start::Drive => borders.enter(&self.names, windows).ok_or(Outside::Drive)?,
        };
        let names = &self.names[taken..];
        check_names(names, windows)?;
        let path = names.join("/");
        Ok(if root.as_str().is_empty() { path.into() } else { root.join(path) })
    }
}

fn start(text: &str, windows: bool) -> Start {
    if text.starts_with('/') {
        Start::Slash
    } else if is_drive(text, windows) {
        Start::Drive
    } else {
        Start::Here
    }
}

/// Returns whether a path begins with a drive. Any character can be a drive (`subst` accepts any character), on every
/// system: a model that writes `C:\x` means a drive, not a directory `C:` to create. A name such as `a:b` is a drive on
/// Windows and a plain file elsewhere.
fn is_drive(text: &str, windows: bool) -> bool {
    let mut chars = text.chars();
    chars.next().is_some()
        && chars.next() == Some(':')
        && (windows || matches!(chars.next(), None | Some('/')))
}

fn check_names(names: &[&str], windows: bool) -> Result<(), Refusal> {
    let first = names.first().ok_or(BadName::Folder)?;
    // Also behind `./` or the path of a root: the path must not change its meaning when it is checked, or joined,
    // again.
    if is_drive(first, windows) {
        return Err(Outside::Drive.into());
    }
    names.iter().try_for_each(|name| check_name(name, windows))
}

fn check_name(name: &str, windows: bool) -> Result<(), Refusal> {
    if let Some(what) = protection(name) {
        return Err(what.into());
    }
    if name.trim().is_empty() {
        return Err(BadName::Blank.into());
    }
    if name.len() > LONGEST_NAME {
        return Err(BadName::LongName(name.len()).into());
    }
    match windows_trouble(name).filter(|_| windows) {
        Some(trouble) => Err(BadName::Windows(trouble).into()),
        None => Ok(()),
    }
}

/// Returns the protected entry that a component leads into; `None` if a patch may use the component.
pub(crate) fn protection(name: &str) -> Option<Protected> {
    // Almost every name begins with a different character, and no disguise begins with ASCII.
    if name.starts_with(|c: char| c.is_ascii() && !matches!(c, '.' | 'g' | 'G')) {
        return None;
    }
    let plain = undisguised(name);
    if plain == ".git" || is_short_git(&plain) {
        Some(Protected::Git)
    } else if plain.starts_with(STAGE_PREFIX) {
        Some(Protected::Stage)
    } else {
        None
    }
}

/// Returns the name that some file system treats as equal: without case, trailing dots and spaces, the stream behind a
/// colon (all Windows), and the code points that HFS+ ignores. The patch may be applied on a system and checked out on
/// another, so every disguise counts on every system.
fn undisguised(name: &str) -> String {
    let head = name.split(':').next().unwrap_or(name);
    let visible: String = head.chars().filter(|c| !is_ignorable(*c)).collect();
    visible.trim_end_matches(['.', ' ']).to_ascii_lowercase()
}

/// Returns whether the name is `git~1` or similar, the short name of `.git` on Windows.
fn is_short_git(plain: &str) -> bool {
    let digits = plain.strip_prefix("git~").unwrap_or("");
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Unicode's default ignorable code points.
fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFF8}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}')
}

/// Returns why Windows does not allow a name; `None` if Windows allows the name.
fn windows_trouble(name: &str) -> Option<NotOnWindows> {
    if name.contains(':') {
        Some(NotOnWindows::Stream)
    } else if name.contains(['<', '>', '"', '|', '?', '*']) {
        Some(NotOnWindows::Sign)
    } else if name.ends_with(['.', ' ']) {
        Some(NotOnWindows::End)
    } else if is_device(name) {
        Some(NotOnWindows::Device)
    } else {
        None
    }
}

/// Returns whether a name is a device, such as `CON`, `aux.c` and `COM¹`, with any extension.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end_matches(' ').to_ascii_uppercase();
    match stem.as_str() {
        "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" => true,
        _ => {
            let port = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
            port.is_some_and(|port| is_one_of(port, "0123456789¹²³"))
        }
    }
}

fn is_one_of(text: &str, chars: &str) -> bool {
    let mut all = text.chars();
    all.next().is_some_and(|c| chars.contains(c)) && all.next().is_none()
}

#[cfg(test)]
mod tests;
