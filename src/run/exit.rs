//! The exit statuses of a run.

/// How a run ended. The numbers are the exit statuses of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum Status {
    /// The patch was applied, or would be.
    Applied = 0,
    /// The patch does not fit the files; nothing was changed.
    Refused = 1,
    /// The text is not a patch, or the arguments make no sense; nothing was changed.
    NotAPatch = 2,
    /// The system refused; nothing was changed, or everything was put back.
    System = 3,
    /// The patch was applied, but the clean-up failed.
    Unclean = 4,
    /// Changes of this run, or of an earlier run, can be neither finished nor rolled back yet.
    Unfinished = 5,
}

impl Status {
    /// Returns the exit status of the command.
    pub fn code(self) -> u8 {
        self as u8
    }
}
