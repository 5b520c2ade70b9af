//! Who is spoken to, and over which stream.

use std::ffi::OsString;
use std::io::{self, Write};

use clap::ValueEnum;

use super::args::{Common, ForArg};
use super::stop::Stop;
pub(super) use super::stream::Stream;
use crate::report::{human, json, model};
use crate::run::{Report, Status};
use crate::text::acts;

/// Who reads the report, and in which form.
#[derive(Debug, Clone, Copy)]
pub(super) struct Voice {
    json: bool,
    asked: Option<ForArg>,
    budget: usize,
}

impl Voice {
    pub(super) fn new(args: &Common) -> Self {
        Voice { json: args.json, asked: args.reader, budget: args.budget.unwrap_or(Report::BUDGET) }
    }

    /// Finds the options for the reader among invalid arguments, at any position.
    pub(super) fn said_in(args: &[OsString]) -> Self {
        let words = args.iter().skip(1).map_while(|word| word.to_str().filter(|word| *word != "--"));
        let words: Vec<&str> = words.collect();
        let value = |option: &str| {
            words.iter().enumerate().find_map(|(nth, word)| match word.strip_prefix(option)? {
                "" => words.get(nth + 1).copied(),
                value => value.strip_prefix('='),
            })
        };
        let asked = value("--for").and_then(|reader| ForArg::from_str(reader, false).ok());
        let budget = value("--budget").and_then(|budget| budget.parse().ok()).unwrap_or(Report::BUDGET);
        Voice { json: words.contains(&"--json"), asked, budget }
    }

    /// Returns the text of a report, and its stream: JSON always goes to standard output, where a program reads.
    pub(super) fn words(&self, report: &Report) -> (Stream, String) {
        let stream = if report.changes().is_some() || self.json { Stream::Out } else { Stream::Err };
        let mut words = String::new();
        // Writing to a string does not fail.
        let _ = match self.reader(stream) {
            _ if self.json => json::write(report, &mut words),
            ForArg::People => human::write(report, &stream.look(), &mut words),
            ForArg::Model => model::write(report, self.budget, &stream.look(), &mut words),
        };
        (stream, words)
    }

    /// Writes the words of a command that ended early, and returns its status.
    pub(super) fn tell(&self, stop: Stop) -> Status {
        let (status, stream, words) = match stop {
            Stop::Told(status, stream, words) => (status, stream, words),
            Stop::Report(report) => {
                let (stream, words) = self.words(&report);
                (report.status(), stream, words)
            }
        };
        stream.write(&words);
        status
    }

    /// Returns the reader of a stream. A person reads a terminal; captured output is for the caller, which is usually a
    /// model.
    pub(super) fn reader(&self, stream: Stream) -> ForArg {
        let usual = if stream.is_terminal() { ForArg::People } else { ForArg::Model };
        self.asked.unwrap_or(usual)
    }

    /// Returns whether a person can see a progress bar.
    pub(super) fn shows_progress(&self) -> bool {
        !self.json && self.reader(Stream::Err) == ForArg::People && Stream::Err.is_terminal()
    }

    /// Returns the maximum number of characters of the report for a model.
    pub(super) fn budget(&self) -> usize {
        self.budget
    }

    /// Returns whether the report is for a program.
    pub(super) fn is_json(&self) -> bool {
        self.json
    }
}

/// Writes to standard output what a command was called for.
///
/// # Errors
/// The output cannot be written, other than to a reader that has closed the pipe: then the output is cut off, and must
/// not be taken for the whole.
pub(super) fn write_product(words: &str) -> Result<(), Stop> {
    written(Stream::Out.try_write(words.as_bytes()))
}

fn written(result: io::Result<()>) -> Result<(), Stop> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Stop::new(Status::System, format!("cannot write standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a patch, or a file's content, to standard output. A terminal gets U+FFFD for each character that it would act
/// on.
///
/// # Errors
/// As [`write_product`].
pub(super) fn write_content(content: &[u8]) -> Result<(), Stop> {
    if Stream::Out.is_terminal() {
        return write_product(&visible_lines(&String::from_utf8_lossy(content)));
    }
    written(io::stdout().write_all(content).and_then(|()| io::stdout().flush()))
}

/// Replaces each character that a terminal acts on, other than line breaks.
fn visible_lines(text: &str) -> String {
    let visible = |c: char| if acts(c) { char::REPLACEMENT_CHARACTER } else { c };
    let line = |line: &str| match line.strip_suffix('\r') {
        Some(line) => line.chars().map(visible).chain(['\r']).collect::<String>(),
        None => line.chars().map(visible).collect(),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_nothing_to_act_on() {
        let text = "a\tb\r\n\u{1b}]0;x\u{7}\u{9b}31m\u{202e}\u{7f}\u{e9}\n";
        assert_eq!(visible_lines(text), "a\tb\r\n\u{fffd}]0;x\u{fffd}\u{fffd}31m\u{fffd}\u{fffd}\u{e9}\n");
    }
}
