//! The words for what ended a run.

use std::fmt::{self, Display, Formatter};

use crate::run::{Caller, Stopped};

/// What words for people and for models begin with where nothing was changed.
pub(in crate::report) const UNCHANGED: &str = "Nothing was changed: ";

/// What happened, for people, without the names of a caller.
impl Display for Stopped {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(&Caller::NONE))
    }
}

impl Stopped {
    /// Checks whether the words for people begin with the statement that nothing was changed.
    fn says_unchanged(&self) -> bool {
        match self {
            Stopped::Apply(error) | Stopped::Recover(error) => !error.is_half_done(),
            Stopped::NoUndo(_) => true,
            Stopped::Interrupted => false,
            Stopped::Caller { says_unchanged, .. } => *says_unchanged,
        }
    }

    /// Returns what happened in the caller's names, for people.
    pub(in crate::report) fn words(&self, caller: &Caller) -> String {
        let unchanged = if self.says_unchanged() { UNCHANGED } else { "" };
        format!("{unchanged}{}", self.cause(caller))
    }

    /// Returns what happened, without a statement on whether anything was changed, and without a line break at the end.
    pub(in crate::report) fn cause(&self, caller: &Caller) -> String {
        match self {
            Stopped::Apply(error) | Stopped::Recover(error) => caller.apply_error(error),
            Stopped::Interrupted => {
                format!("an interrupted run left the files half done{}", caller.after_interruption())
            }
            Stopped::NoUndo(unrepresentable) => {
                let mut words = format!("an undo cannot bring all of it back{}.", caller.without_undo());
                for what in unrepresentable {
                    words.extend(["\n", &what.to_string()]);
                }
                words
            }
            Stopped::Caller { text, .. } => text.clone(),
        }
    }
}
