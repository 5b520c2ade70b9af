//! The shell script around an envelope: the directory that its commands lead to.

use crate::format::shell;

/// What is known of the script.
#[derive(Debug, Default)]
pub(super) struct Script {
    pub(super) part: Part,
    /// The folder that the `cd` commands so far lead to.
    pub(super) folder: Option<String>,
    /// Whether a patch was read in that folder already.
    pub(super) is_used: bool,
    /// Whether only a shell knows that folder.
    pub(super) is_unclear: bool,
    /// The line of a heredoc whose command would do something else with a patch than to apply the patch as it is.
    pub(super) other_use: Option<String>,
}

/// Which part of a script the reader is in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Part {
    /// Outside a heredoc.
    #[default]
    None,
    /// In the heredoc of a command that applies a patch.
    Heredoc,
    /// Behind that heredoc.
    Behind,
}

impl Script {
    /// Returns whether the reader is in the heredoc of a command that applies a patch.
    pub(super) fn is_in_heredoc(&self) -> bool {
        self.part == Part::Heredoc
    }

    /// Returns the folder that names are relative to.
    pub(super) fn folder(&self) -> Option<&str> {
        self.folder.as_deref()
    }

    /// Notes that a patch of the script has ended.
    pub(super) fn patch_ended(&mut self) {
        self.is_used = self.folder.is_some();
    }

    /// Takes a `cd` command.
    pub(super) fn change_folder(&mut self, folder: &str) {
        self.is_unclear |= shell::is_expanded(folder);
        let outer = self.folder.take().filter(|_| !folder.starts_with('/'));
        self.folder = Some(match outer {
            Some(outer) => format!("{}/{folder}", outer.trim_end_matches('/')),
            None => folder.to_owned(),
        });
    }
}
