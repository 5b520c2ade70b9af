//! Who is spoken to, and over which stream.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;

use super::args::{Common, ForArg};
use crate::report::{Look, human, json, model};
use crate::run::Report;

/// Who reads the report, and in which form.
#[derive(Debug, Clone, Copy)]
pub(super) struct Voice {
    json: bool,
    asked: Option<ForArg>,
    budget: usize,
}

/// A stream that words go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    Out,
    Err,
}

impl Voice {
    pub(super) fn new(args: &Common) -> Self {
        Voice { json: args.json, asked: args.reader, budget: args.budget.unwrap_or(model::BUDGET) }
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
        let budget = value("--budget").and_then(|budget| budget.parse().ok()).unwrap_or(model::BUDGET);
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

impl Stream {
    pub(super) fn is_terminal(self) -> bool {
        match self {
            Stream::Out => io::stdout().is_terminal(),
            Stream::Err => io::stderr().is_terminal(),
        }
    }

    /// Returns the look of the stream: colors as the terminal and the environment request (`NO_COLOR`,
    /// `CLICOLOR_FORCE`).
    pub(super) fn look(self) -> Look {
        let choice = match self {
            Stream::Out => AutoStream::choice(&io::stdout()),
            Stream::Err => AutoStream::choice(&io::stderr()),
        };
        let width =
            self.is_terminal().then(|| terminal_size::terminal_size().map(|(width, _)| width.0.into()));
        Look { colour: choice != ColorChoice::Never, width: width.map(|width| width.unwrap_or(80)) }
    }

    /// Writes words that were made for this stream. A closed pipe is nothing to complain about.
    pub(super) fn write(self, words: &str) {
        let _ = match self {
            Stream::Out if self.look().colour => anstream::stdout().write_all(words.as_bytes()),
            Stream::Err if self.look().colour => anstream::stderr().write_all(words.as_bytes()),
            // Text without colors is written unchanged, because a file may contain escape sequences.
            Stream::Out => io::stdout().write_all(words.as_bytes()),
            Stream::Err => io::stderr().write_all(words.as_bytes()),
        };
    }
}
