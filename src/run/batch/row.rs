//! A row and its answer: data.

use std::borrow::Cow;
use std::collections::BTreeMap;

use camino::Utf8PathBuf;

use crate::run::options::Options;
use crate::run::report::Report;
use crate::text::Bytes;

/// A patch, and the files that it is for.
#[derive(Debug)]
pub struct Row<'r> {
    /// The files.
    pub source: Source,
    /// The text that the model wrote.
    pub patch: Cow<'r, str>,
    /// How the text is read, and where its edits go. One thread works, whatever the options contain.
    pub options: Options,
}

/// The files of a row.
#[derive(Debug)]
pub enum Source {
    /// Files in memory, by their path.
    Files(BTreeMap<Utf8PathBuf, Given>),
    /// One file in memory. A patch that names no file is for this file.
    Text {
        /// The path of the file.
        path: Utf8PathBuf,
        /// The content of the file.
        text: Given,
    },
    /// A folder on the disk. A row is one transaction.
    Root(Utf8PathBuf),
}

/// The content of a file, and how it was given: the answer has the same form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The content.
    pub bytes: Bytes,
    /// Whether the content was given as text, not as bytes.
    pub is_text: bool,
}

/// What became of a row.
#[derive(Debug)]
pub struct Answer {
    /// The report.
    pub report: Report,
    /// The changed files of a row in memory, sorted by path; `None` if the patch does not fit, or the files are on the disk.
    /// [`Answer::text`] is not among the files.
    pub files: Option<Vec<Changed>>,
    /// The content of the file of a [`Source::Text`] afterwards, changed or not; `None` if the patch does not fit, and `None`
    /// inside if the patch removes the file.
    #[allow(
        clippy::option_option,
        reason = "a patch that does not fit is not a patch that removes the file"
    )]
    pub text: Option<Option<Given>>,
}

/// A changed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The path.
    pub path: Utf8PathBuf,
    /// The content afterwards; `None` if the patch removes the file.
    pub content: Option<Given>,
}

impl<'r> Row<'r> {
    /// A patch of any format, with the usual options.
    pub fn new(source: Source, patch: impl Into<Cow<'r, str>>) -> Self {
        Row { source, patch: patch.into(), options: Options::default() }
    }
}

impl Given {
    /// A content that was given as text.
    pub fn text(text: impl Into<Bytes>) -> Self {
        Given { bytes: text.into(), is_text: true }
    }

    /// A content that was given as bytes.
    pub fn bytes(bytes: impl Into<Bytes>) -> Self {
        Given { bytes: bytes.into(), is_text: false }
    }
}
