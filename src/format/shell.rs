//! Parses the lines of a shell script that passes a patch to a command: `cd DIR && apply_patch <<'WORD'`.
//!
//! No script is run. A `cd` before the command counts, because names are relative to that directory; any other command
//! is reported as not run. A command that would do something else with the patch than to apply it as it is, is unclear.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::{char, one_of, space0};
use nom::combinator::opt;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

/// Names of commands that read a patch from a heredoc.
const COMMANDS: [&str; 3] = ["apply_patch", "applypatch", "apply-patch"];

/// Options of `git apply` and `patch` that do not change which edit is made. Numbers of directories to drop are settled by the
/// names of the diff.
const HARMLESS: [&str; 23] = [
    "-",
    "-p0",
    "-p1",
    "-p2",
    "-v",
    "--verbose",
    "-q",
    "--quiet",
    "-s",
    "--silent",
    "-u",
    "-N",
    "--forward",
    "-f",
    "--force",
    "-t",
    "--batch",
    "-l",
    "--index",
    "--3way",
    "--recount",
    "--unidiff-zero",
    "--ignore-whitespace",
];

/// What may follow a word that ends a script, and runs nothing.
const CLOSERS: [&str; 3] = [")", "}", "fi"];

/// A line that begins a heredoc.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a separate fact of the line")]
pub(super) struct Heredoc<'a> {
    /// The folders of the `cd` commands before, in order.
    pub(super) folders: Vec<&'a str>,
    /// Whether the command of the heredoc applies a patch, so that the line belongs to a script.
    pub(super) is_script: bool,
    /// Whether other commands precede.
    pub(super) before: bool,
    /// Whether other commands follow on the line.
    pub(super) after: bool,
    /// The word that ends the heredoc.
    pub(super) word: &'a str,
    /// Whether the line would do something else with a patch than to apply the patch as it is.
    pub(super) is_unclear: bool,
}

/// Reads a line that begins a heredoc; the white space around the line is dropped already.
pub(super) fn heredoc(line: &str) -> Option<Heredoc<'_>> {
    let (commands, input) = line.split_at(line.find('<')?);
    let (rest, word) = opener(input).ok()?;
    let mut parts = segments(commands);
    let last = parts.pop().unwrap_or_default();
    let name = last.split_whitespace().next().unwrap_or_default();
    let is_script = is_applier(name);
    let mut behind = rest.split(['|', ';']);
    let reader = format!("{last} {}", behind.next().unwrap_or_default());
    let is_unclear = std::iter::once(&*reader).chain(behind).any(is_other_use);
    let folders: Vec<&str> = parts.iter().filter_map(|part| folder(part)).collect();
    let others = parts.iter().filter(|part| !part.is_empty()).count();
    let after = is_script && rest.contains(['&', ';', '|']) && rest.trim() != "2>&1";
    Some(Heredoc { before: is_script && others > folders.len(), folders, is_script, after, word, is_unclear })
}

/// Returns whether a word is the name of a command that applies a patch.
fn is_applier(name: &str) -> bool {
    COMMANDS.contains(&name.rsplit('/').next().unwrap_or_default())
}

/// Returns whether a command changes what becomes of a patch that it reads: by options of the commands that apply a patch, or
/// by a file that it writes. Every other command is not run, whatever its words are.
fn is_other_use(command: &str) -> bool {
    // Behind `&&` is another command.
    let command = command.split("&&").next().unwrap_or_default();
    let mut words = command.split_whitespace().filter(|word| !is_output(word));
    if words.clone().any(|word| word.starts_with('>') || word == "tee") {
        return true;
    }
    match words.next() {
        Some(name) if is_applier(name) => words.any(|word| word != "-"),
        Some("git") if words.next() != Some("apply") => command.contains("apply"),
        Some("git" | "patch") => {
            words.any(|word| !HARMLESS.contains(&word) && !word.starts_with("--whitespace"))
        }
        _ => false,
    }
}

/// Returns whether a word of a command leads output to nowhere or to another stream.
fn is_output(word: &str) -> bool {
    word.ends_with(">&1") || word.ends_with(">&2") || word.ends_with(">/dev/null")
}

/// Returns the folder of a line that is a `cd` command and nothing else.
pub(super) fn change_folder(line: &str) -> Option<&str> {
    match segments(line).as_slice() {
        [part] => folder(part),
        _ => None,
    }
}

/// Returns whether a line behind a heredoc is a command.
pub(super) fn is_command(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#') && !CLOSERS.contains(&line)
}

/// Returns whether a folder's name depends on the shell that would run the `cd`.
pub(super) fn is_expanded(folder: &str) -> bool {
    folder == "-" || folder.starts_with('~') || folder.contains(['$', '`', '*', '?'])
}

/// Parses `<<'WORD'`, and returns the rest.
fn opener(input: &str) -> IResult<&str, &str> {
    preceded((tag("<<"), opt(one_of("-<")), space0), quoted_word).parse(input)
}

/// Parses the word of a heredoc, with or without quotes.
fn quoted_word(input: &str) -> IResult<&str, &str> {
    alt((delimited(char('\''), word, char('\'')), delimited(char('"'), word, char('"')), word)).parse(input)
}

fn word(input: &str) -> IResult<&str, &str> {
    take_while1(|c: char| c.is_alphanumeric() || c == '_').parse(input)
}

/// Splits a line at `&&`, `||` and `;` outside quotes. The last part is empty if the line ends with such an operator.
fn segments(line: &str) -> Vec<&str> {
    let line = line.trim_start_matches(['(', '{', ' ', '\t']);
    let mut parts = Vec::new();
    let mut quote: Option<char> = None;
    let mut from = 0;
    for (at, c) in line.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            None if matches!(c, '&' | '|' | ';') => {
                parts.push(&line[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&line[from..]);
    parts.into_iter().map(str::trim).collect()
}

/// Returns the folder of a `cd` command.
fn folder(command: &str) -> Option<&str> {
    let name = ["cd", "pushd"].iter().find_map(|name| command.strip_prefix(name))?;
    let name = Some(name).filter(|rest| rest.starts_with([' ', '\t']))?.trim();
    let name = name.strip_prefix("-- ").unwrap_or(name).trim_start();
    for quote in ['\'', '"'] {
        if let Some(inside) = name.strip_prefix(quote) {
            return inside.strip_suffix(quote).filter(|name| !name.is_empty() && !name.contains(quote));
        }
    }
    (!name.is_empty() && !name.contains(char::is_whitespace)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heredoc_line_gives_folders_and_word() {
        let read = |line| heredoc(line).map(|found| (found.folders.join("+"), found.word.to_owned()));
        let found = |folders: &str, word: &str| Some((folders.to_owned(), word.to_owned()));
        assert_eq!(read("<<'EOF'"), found("", "EOF"));
        assert_eq!(read("apply_patch << \"PATCH\""), found("", "PATCH"));
        assert_eq!(read("cd sub/dir && apply_patch <<EOF"), found("sub/dir", "EOF"));
        assert_eq!(read("cd 'a b'; apply_patch <<-EOF"), found("a b", "EOF"));
        assert_eq!(read("cd a && cd b && apply_patch <<EOF"), found("a+b", "EOF"));
        assert_eq!(read("(cd a && apply_patch <<EOF"), found("a", "EOF"));
        assert_eq!(read("mkdir -p a && cd a && apply_patch <<EOF"), found("a", "EOF"));
        assert_eq!(read("Here is the patch:"), None);
    }

    #[test]
    fn a_command_that_does_not_just_apply_the_patch_is_unclear() {
        let unclear = |line| heredoc(line).map(|found| found.is_unclear);
        for line in [
            "apply_patch -C web <<'EOF'",
            "apply_patch <<'EOF' --check",
            "git -C web apply <<'EOF'",
            "git apply --check <<'EOF'",
            "patch -R -p1 <<'EOF'",
            "patch --dry-run -p1 <<'EOF'",
            "cat > p.patch <<'EOF'",
            "cat <<'EOF' > p.patch",
            "cat <<'EOF' | git apply -R",
            "cat <<'EOF' | tee p.patch",
        ] {
            assert_eq!(unclear(line), Some(true), "{line}");
        }
        for line in [
            "<<'EOF'",
            "apply_patch <<'EOF' 2>&1",
            "apply_patch - <<'EOF' >/dev/null",
            "git apply -p1 --whitespace=fix - <<'EOF'",
            "patch -p1 <<'EOF'",
            "cat <<'EOF' | apply_patch",
            "cat <<'EOF' | git apply",
            "cd web && apply_patch <<'EOF' && git status",
        ] {
            assert_eq!(unclear(line), Some(false), "{line}");
        }
    }

    #[test]
    fn other_commands_are_seen() {
        let read = |line| heredoc(line).map(|found| (found.before, found.after));
        assert_eq!(read("apply_patch <<'EOF'"), Some((false, false)));
        assert_eq!(read("cd web && apply_patch <<'EOF' 2>&1"), Some((false, false)));
        assert_eq!(read("make && apply_patch <<'EOF'"), Some((true, false)));
        assert_eq!(read("apply_patch <<'EOF' && make"), Some((false, true)));
    }
}
