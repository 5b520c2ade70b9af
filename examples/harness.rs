//! A harness in one call: applies what a model sent, or turns the refusal into a tool result.
//!
//! Reads the text of a tool call from standard input, applies it in the folder of the first argument, and prints the result
//! that goes back to the model:
//!
//! ```sh
//! cp -R examples/quickstart /tmp/shop
//! cargo run --example harness /tmp/shop <examples/quickstart.patch
//! ```

use std::error::Error;
use std::io::{self, Read, Write};

use apply_patch::apply::Roots;
use apply_patch::run::{Options, Report, Status, Tree, run};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let mut tree = Tree::Disk(Roots::open(folder.as_str().into())?);
    let report = run(&text, &Options::default(), &mut tree);
    Ok(writeln!(io::stdout(), "{}", tool_result(&report))?)
}

/// What goes back to the model. A refusal says what to send next, so it is an answer and not the end of the conversation.
fn tool_result(report: &Report) -> Value {
    let is_error = !matches!(report.status(), Status::Applied | Status::Unclean);
    json!({ "type": "tool_result", "is_error": is_error, "content": report.for_model(Report::BUDGET) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_an_answer_that_says_what_to_do() {
        let mut tree: Tree = [("notes.txt", "one\n")].into_iter().collect();
        let text = "*** Begin Patch\n*** Update File: note.txt\n@@\n-one\n+1\n*** End Patch\n";
        let result = tool_result(&run(text, &Options::default(), &mut tree));
        assert_eq!(result["is_error"], true);
        let words = result["content"].as_str().unwrap_or_default();
        assert!(
            words.starts_with("Nothing was changed: ") && words.contains("did you mean notes.txt?"),
            "{words}"
        );
        let result =
            tool_result(&run(&text.replace("note.txt", "notes.txt"), &Options::default(), &mut tree));
        assert_eq!(result["is_error"], false);
    }
}
