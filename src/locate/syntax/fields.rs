//! Fields of records: of objects and tables, enumerations, elements, lists of packages.

use super::comments::uncommented;
use super::words::is_word_char;

/// The keys of the fields whose value names a record, in JSON, YAML and the like. Used for siblings of a record.
const NAMING_KEYS: [&str; 7] = ["name", "id", "key", "path", "slug", "uuid", "route"];

/// Returns the name of a field of a record, however the name is written.
pub(crate) fn field(line: &str) -> Option<&str> {
    let line = line.trim();
    let forms = [element, arm, assigned, required, member, column];
    forms.iter().filter(|_| !uncommented(line).1).find_map(|form| form(line))
}

/// Returns the name of an element on a line of its own: `<cpu>4</cpu>`.
fn element(line: &str) -> Option<&str> {
    let name = line.strip_prefix('<')?.split(['>', ' ']).next()?;
    let end = line.strip_suffix('>')?.strip_suffix(name)?;
    (end.ends_with("</") && !name.is_empty()).then_some(name)
}

/// Returns the pattern of an arm: `State::Open => true,`.
fn arm(line: &str) -> Option<&str> {
    let (pattern, _) = line.strip_suffix(',')?.split_once("=>")?;
    Some(pattern.trim())
}

/// Returns the name before a colon or an equals sign, without the words that declare it: `"delete": 1`, `const MOST: usize = 1`,
/// `PORT=1`.
fn assigned(line: &str) -> Option<&str> {
    let end = line.find([':', '='])?;
    let (name, value) = (line[..end].trim(), &line[end + 1..]);
    let is_sign = |c: char| is_word_char(c) || matches!(c, ' ' | '"' | '\'' | '.' | '-' | '$' | '@');
    let is_name = !name.is_empty() && name.chars().all(is_sign) && !name.starts_with(['.', ' ']);
    // `- PORT=1` is a variable, and `- name: a` the first field of a record.
    let is_variable = line[end..].starts_with('=') && !line[..end].ends_with(' ');
    let is_item = name.starts_with('-') && !name.starts_with("--") && !is_variable;
    let last = if name.ends_with(['"', '\'']) { Some(name) } else { name.split_whitespace().next_back() };
    // `std::fs`, `https://`.
    let is_sign_of_two = value.starts_with(['=', ':', '>']) || line[end..].starts_with(":/");
    last.filter(|_| is_name && !is_item && !is_sign_of_two)
}

/// Returns the name of a required package: `"serde>=1.0",`.
fn required(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(['"', '\'']);
    let is_name = |c: char| is_word_char(c) || matches!(c, '-' | '.');
    let end = line.find(|c| !is_name(c))?;
    let version = line[end..].trim_start().trim_start_matches(['>', '<', '=', '~', '^']);
    let has_bound = line[end..].trim_start().starts_with(['>', '<', '~', '=']);
    (end > 0 && has_bound && version.trim_start().starts_with(|c: char| c.is_ascii_digit()))
        .then_some(&line[..end])
}

/// Returns the name of a member of an enumeration: `NOTICE(3),`, `Open,`, `| Open`, `| Number of int`.
fn member(line: &str) -> Option<&str> {
    let (bar, line) = line.strip_prefix("| ").map_or((false, line), |line| (true, line));
    let end = line.find(|c| !is_word_char(c)).unwrap_or(line.len());
    let (name, behind) = line.split_at(end);
    let is_constant = || name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    let is_member = match behind {
        "," => true,
        _ if bar => behind.is_empty() || behind.starts_with(" of "),
        _ => behind.starts_with('(') && line.ends_with([',', ';']) && is_constant(),
    };
    (is_member && name.starts_with(char::is_alphabetic)).then_some(name)
}

/// Returns the name of a column of a table: `email TEXT NOT NULL,`.
fn column(line: &str) -> Option<&str> {
    let (name, kind) = line.split_once(' ')?;
    let kind = kind.trim_start().split(|c: char| !c.is_alphanumeric()).next()?;
    let is_kind = kind.len() > 2 && kind.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    let is_name = name.chars().all(is_word_char) && name.contains(char::is_lowercase);
    (is_kind && is_name).then_some(name)
}

/// Returns the key and the value of a field that names its record: `name: web`, `android:id="@+id/save"`.
pub(crate) fn naming_field(line: &str) -> Option<(&str, &str)> {
    let is_in_namespace =
        |(key, _): &(&str, &str)| key.contains(':') && key.chars().all(|c| is_word_char(c) || c == ':');
    let (key, value) =
        line.split_once('=').filter(is_in_namespace).or_else(|| line.split_once([':', '=']))?;
    let key = key.rsplit(':').next().unwrap_or(key);
    let is_key_sign = |c: char| !c.is_alphanumeric();
    let name = key.trim_matches(is_key_sign);
    let value = value.trim_matches(|c: char| " \t,;\"'`".contains(c));
    let is_name = NAMING_KEYS.iter().any(|word| name.eq_ignore_ascii_case(word));
    (is_name && value.chars().all(|c| c.is_alphanumeric() || "_-./@+:".contains(c)) && !value.is_empty())
        .then_some((name, value))
}
