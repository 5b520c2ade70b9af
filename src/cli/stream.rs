//! The output streams of the process.

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};

use crate::report::Look;

/// A stream that words go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    Out,
    Err,
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
        let _ = self.try_write(words.as_bytes());
    }

    pub(super) fn try_write(self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Stream::Out if self.look().colour => anstream::stdout().write_all(bytes)?,
            Stream::Err if self.look().colour => anstream::stderr().write_all(bytes)?,
            // Text without colors is written unchanged, because a file may contain escape sequences.
            Stream::Out => io::stdout().write_all(bytes)?,
            Stream::Err => io::stderr().write_all(bytes)?,
        }
        if self == Stream::Out { io::stdout().flush() } else { Ok(()) }
    }
}
