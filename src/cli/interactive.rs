//! Asking which chunks of a patch are to be applied, as `git add -p` does.
//!
//! The patch may come from standard input, so that the terminal itself is asked.

use std::fs::OpenOptions;
use std::io::{self, BufRead, BufReader, Write};

use anstream::{AutoStream, ColorChoice};

use crate::patch::{Action, Chunk, Hunk, Patch, TextEdit};
use crate::plan::{Files, Options, plan};
use crate::report::{Look, diff};
use crate::text::shown;

/// Asks about each change of a patch that fits the files, and returns the chosen part.
///
/// # Errors
/// There is no terminal to ask.
pub(super) fn choose<'p>(patch: &Patch<'p>, files: &dyn Files, options: &Options) -> io::Result<Patch<'p>> {
    let (input, output) = if cfg!(windows) { ("CONIN$", "CONOUT$") } else { ("/dev/tty", "/dev/tty") };
    let mut input = BufReader::new(OpenOptions::new().read(true).open(input)?);
    let mut output = OpenOptions::new().write(true).open(output)?;
    // The terminal that is asked, whatever standard output is.
    let width = terminal_size::terminal_size().map_or(80, |(width, _)| width.0.into());
    let look = &Look { colour: AutoStream::choice(&output) != ColorChoice::Never, width: Some(width) };
    let mut asking = Asking { files, options, look, input: &mut input, output: &mut output, rest: None };
    asking.patch(patch)
}

struct Asking<'a> {
    files: &'a dyn Files,
    options: &'a Options,
    look: &'a Look,
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
    /// The answer to all that is still to be asked.
    rest: Option<bool>,
}

const HELP: &str = "\
y - apply this
n - leave it out
a - apply this and all that is left
q - leave out this and all that is left
? - print this help
";

impl Asking<'_> {
    fn patch<'p>(&mut self, patch: &Patch<'p>) -> io::Result<Patch<'p>> {
        let mut chosen = Patch { hunks: Vec::new(), ..patch.clone() };
        for hunk in &patch.hunks {
            let only = |action| Patch { hunks: vec![Hunk { action, ..hunk.clone() }], ..Patch::default() };
            let kept = match &hunk.action {
                Action::Update { move_to, chunks } => {
                    let moves = match move_to {
                        Some(target) => {
                            let what = format!("Move {} to {}", shown(&hunk.path), shown(&target.path));
                            self.ask(&what, None)?
                        }
                        None => false,
                    };
                    let chunks = self.chunks(hunk, chunks, &only)?;
                    let move_to = move_to.clone().filter(|_| moves);
                    let any = move_to.is_some() || !chunks.is_empty();
                    any.then_some(Action::Update { move_to, chunks })
                }
                Action::Replace(edits) => {
                    let edits = self.edits(hunk, edits, &only)?;
                    (!edits.is_empty()).then_some(Action::Replace(edits))
                }
                action => {
                    let what = match action {
                        Action::Add(_) => format!("Add {}", shown(&hunk.path)),
                        Action::Copy { to, .. } => {
                            format!("Copy {} to {}", shown(&hunk.path), shown(&to.path))
                        }
                        _ => format!("Delete {}", shown(&hunk.path)),
                    };
                    self.ask(&what, Some(&only(action.clone())))?.then(|| action.clone())
                }
            };
            chosen.hunks.extend(kept.map(|action| Hunk { action, ..hunk.clone() }));
        }
        Ok(chosen)
    }

    /// Returns the chosen chunks, and the anchors before each, because an anchor narrows the position of the next
    /// chunk.
    fn chunks<'p>(
        &mut self,
        hunk: &Hunk<'p>,
        chunks: &[Chunk<'p>],
        only: &impl Fn(Action<'p>) -> Patch<'p>,
    ) -> io::Result<Vec<Chunk<'p>>> {
        let (mut kept, mut anchors) = (Vec::new(), Vec::new());
        for (nth, chunk) in chunks.iter().enumerate() {
            anchors.push(chunk.clone());
            if chunk.is_anchor() {
                continue;
            }
            let what = format!("Apply chunk {} of {} to {}", nth + 1, chunks.len(), shown(&hunk.path));
            let alone = only(Action::Update { move_to: None, chunks: anchors.clone() });
            if self.ask(&what, Some(&alone))? {
                kept.append(&mut anchors);
            }
            anchors.clear();
        }
        Ok(kept)
    }

    /// Returns the chosen replacements.
    fn edits<'p>(
        &mut self,
        hunk: &Hunk<'p>,
        edits: &[TextEdit<'p>],
        only: &impl Fn(Action<'p>) -> Patch<'p>,
    ) -> io::Result<Vec<TextEdit<'p>>> {
        let mut kept = Vec::new();
        for (nth, edit) in edits.iter().enumerate() {
            let what = format!("Apply edit {} of {} to {}", nth + 1, edits.len(), shown(&hunk.path));
            if self.ask(&what, Some(&only(Action::Replace(vec![edit.clone()]))))? {
                kept.push(edit.clone());
            }
        }
        Ok(kept)
    }

    /// Shows the change of a part of the patch, and asks whether to apply the part.
    fn ask(&mut self, what: &str, alone: Option<&Patch<'_>>) -> io::Result<bool> {
        if let Some(rest) = self.rest {
            return Ok(rest);
        }
        let shown = alone.map(|patch| self.preview(patch)).unwrap_or_default();
        self.output.write_all(shown.as_bytes())?;
        loop {
            write!(self.output, "{what} [y,n,a,q,?]? ")?;
            self.output.flush()?;
            let mut answer = String::new();
            let ended = self.input.read_line(&mut answer)? == 0;
            match answer.trim() {
                _ if ended => self.rest = Some(false),
                "y" => return Ok(true),
                "n" => return Ok(false),
                "a" => self.rest = Some(true),
                "q" => self.rest = Some(false),
                _ => {
                    self.output.write_all(HELP.as_bytes())?;
                    continue;
                }
            }
            return Ok(self.rest.unwrap_or_default());
        }
    }

    /// Returns the diff of the part; if the part depends on earlier parts of the patch, its lines in the patch.
    fn preview(&self, patch: &Patch<'_>) -> String {
        let mut words = String::new();
        let planned = plan(patch, self.files, self.options);
        let written = planned.is_ok_and(|plan| diff::write(&plan, self.look, false, &mut words).is_ok());
        if written && !words.is_empty() {
            return words;
        }
        let lines: Vec<String> = patch.to_string().lines().map(|line| format!("{}\n", shown(line))).collect();
        lines.concat()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use camino::Utf8PathBuf;

    use super::*;
    use crate::format::{Options as Reading, parse};

    const PATCH: &str = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+1\n@@\n two\n@@\n-three\n+3\n*** Add File: b.txt\n+b\n*** Delete File: c.txt\n*** End Patch\n";

    /// Returns the chosen part of the patch after these answers, and the output.
    fn answered(answers: &str) -> (String, String) {
        let files: BTreeMap<Utf8PathBuf, Vec<u8>> =
            [("a.txt".into(), b"one\ntwo\nthree\n".to_vec()), ("c.txt".into(), b"c\n".to_vec())].into();
        let parsed = parse(PATCH, &Reading::default());
        let (mut input, mut output) = (answers.as_bytes(), Vec::new());
        let mut asking = Asking {
            files: &files,
            options: &Options::default(),
            look: &Look::PLAIN,
            input: &mut input,
            output: &mut output,
            rest: None,
        };
        let chosen = asking.patch(&parsed.patch).unwrap();
        (chosen.to_string(), String::from_utf8(output).unwrap())
    }

    #[test]
    fn each_change_is_shown_and_asked_for_once() {
        let (chosen, shown) = answered("y\ny\ny\ny\n");
        assert_eq!(chosen, PATCH);
        assert_eq!(shown.matches("[y,n,a,q,?]? ").count(), 4);
        assert!(shown.contains("-three\n+3\nApply chunk 3 of 3 to a.txt"), "{shown}");
    }

    #[test]
    fn what_is_not_wanted_is_left_out_with_its_anchor() {
        let (chosen, _) = answered("y\nn\nn\ny\n");
        assert_eq!(
            chosen,
            "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+1\n*** Delete File: c.txt\n*** End Patch\n"
        );
    }

    #[test]
    fn the_rest_is_answered_at_once() {
        assert_eq!(answered("n\na\n").0, PATCH.replace("@@\n-one\n+1\n", ""));
        assert_eq!(
            answered("y\nq\n").0,
            "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+1\n*** End Patch\n"
        );
    }

    #[test]
    fn no_more_answers_is_no_and_an_unknown_one_is_asked_again() {
        let (chosen, shown) = answered("x\n");
        assert_eq!(chosen, "*** Begin Patch\n*** End Patch\n");
        assert!(shown.contains(HELP) && shown.matches("[y,n,a,q,?]? ").count() == 2, "{shown}");
    }
}
