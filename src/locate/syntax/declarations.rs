//! Declarations: lines that give a name to what they begin, which a block has once.

use super::blocks::{begins_branch, begins_statement, closes, is_label, opens_body};
use super::fields::field;
use super::heads::{has_title, name_words, named_part, parameters, without_parameters};
use super::literals::literals;
use super::sections::Section;
use super::words::has_word;

/// The words before the name of what they declare, in most languages, in lower case. Used for what may be in a block once, so the words of
/// blocks that may be there several times with one name are missing: `impl`, `extension`, `namespace`.
const DECLARING: &str = "class const component def defmacro defmodule defp enum feature fn fun func function index interface let \
                         macro message method mod module newtype object package proc procedure protocol record rpc scenario service \
                         struct sub table trait trigger type union val var view";

/// The words that open a block without a name in most languages, apart from controls. Used for what may be in a block once.
const NAMELESS: &str = "begin default do ensure loop private protected public signals slots try";

/// Checks whether a line, without its indentation, gives a name to what it begins, which the block around has once: a function, a type, a
/// field, a section, a test with a title. A call with a block (`useEffect(() => {`), a block without a name (`typedef struct {`), an entry
/// of a list of tables (`[[bin]]`) and a statement may be there several times.
pub(crate) fn declares(body: &str) -> bool {
    let words = name_words(named_part(body));
    let line = body.as_bytes();
    let is_nameless = words.iter().all(|word| has_word(NAMELESS, word));
    if is_nameless || closes(line) || begins_branch(line) || is_label(line) || body.starts_with("[[") {
        return false;
    }
    let before_name = if body.starts_with('<') { &[][..] } else { &words[..words.len() - 1] };
    before_name.iter().any(|word| has_word(DECLARING, &word.to_ascii_lowercase()))
        || has_title(body) && is_named_by_title(body)
        || Section::read(line).is_some()
        || field(body).is_some()
        || has_signature(body, words.len())
}

/// Checks whether the title of a call is a name: of a test, a route, a sentence, but not of an event of an object (`button.on("click"`).
fn is_named_by_title(body: &str) -> bool {
    let has_object = without_parameters(body).contains('.');
    !has_object || literals(body).first().is_some_and(|title| title.contains([' ', '/']))
}

/// Checks whether a line has all parameters of a function behind its name. `words`: how many words are before the parameters. A single word
/// is a call unless a body follows.
fn has_signature(body: &str, words: usize) -> bool {
    let is_whole = parameters(body).is_some() && !named_part(body).contains(['=', '.']);
    is_whole && if words == 1 { opens_body(body.as_bytes()) } else { !begins_statement(body) }
}

#[cfg(test)]
mod tests {
    use super::declares;

    #[test]
    fn a_declaration_has_a_name() {
        for line in [
            "def load(path):",
            "fn main() {",
            "public IActionResult Ping()",
            "render() {",
            "int load_keys(Manager *manager, const char *path) {",
            "func (b *Boat) Sail() error {",
            "struct Boat {",
            "const LIMIT = {",
            "CREATE TABLE boats (",
            "it(\"sails\", () => {",
            "app.get(\"/boats\", (request, answer) => {",
            "[server]",
            "## Sailing",
            "jobs:",
            "width: 4,",
        ] {
            assert!(declares(line), "{line}");
        }
    }

    #[test]
    fn what_has_no_name_may_be_there_several_times() {
        for line in [
            "useEffect(() => {",
            "button.on(\"click\", () => {",
            "typedef struct {",
            "enum {",
            "impl Boat {",
            "template <typename T>",
            "static PyObject *",
            "[[bin]]",
            "- run: |",
            "<div class=\"row\">",
            "private:",
            "} catch {",
            "else:",
            "try:",
            "go func() {",
            "boat.apply {",
            "UPDATE boats",
            "RUN apt-get update && \\",
            "#ifdef __cplusplus",
        ] {
            assert!(!declares(line), "{line}");
        }
    }
}
