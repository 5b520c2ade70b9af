//! The words for why a name cannot be used as a path.

use std::fmt::{self, Display, Formatter};

use crate::plan::path::{BadName, NotOnWindows, Outside, PathError, Protected};

/// How much of a name a message shows, in characters.
const SHOWN: usize = 120;

impl Display for PathError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let name = shown(self.name());
        match self {
            PathError::OutsideRoot { reason, .. } => write!(f, "{name} {reason}"),
            PathError::ProtectedPath { what, .. } => write!(f, "{name} {what}"),
            PathError::BadPath { reason, .. } => write!(f, "{name} {reason}"),
        }
    }
}

impl Display for Outside {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outside::Above => "leads above the root",
            Outside::Absolute => "is an absolute path outside the root",
            Outside::Drive => "begins with a drive, which is outside the root",
        })
    }
}

impl Display for Protected {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Protected::Git => "is in `.git`, which no patch may touch",
            Protected::Stage => "has the name of a temporary file of apply-patch",
        })
    }
}

impl Display for BadName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            BadName::Blank => f.write_str("is an empty name"),
            BadName::Folder => f.write_str("names a folder, not a file"),
            BadName::Control(c) => write!(f, "holds the control character U+{:04X}", u32::from(*c)),
            BadName::LongName(bytes) => {
                write!(f, "has a component of {bytes} bytes, more than the 255 that file systems allow")
            }
            BadName::LongPath(bytes) => {
                write!(f, "is {bytes} bytes long, more than the 4096 that systems allow")
            }
            BadName::Windows(why) => write!(f, "is not a name on Windows: {why}"),
        }
    }
}

impl Display for NotOnWindows {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotOnWindows::Stream => "a colon begins a stream",
            NotOnWindows::Sign => "it holds one of < > \" | ? *",
            NotOnWindows::End => "it ends with a dot or a space",
            NotOnWindows::Device => "it is a device",
        })
    }
}

/// A name as a message shows it: quoted, escaped, and cut where it is very long.
fn shown(name: &str) -> String {
    match name.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}…", &name[..end]),
        None => format!("{name:?}"),
    }
}
