//! What an interrupted run left.

use std::io::{self, Write};

use super::args::{Common, RecoverArgs};
use super::{Status, Stop, Words, chain, not_applied, open_roots};
use crate::apply::{Recovery, Roots};
use crate::text::shown;

/// The command `recover`.
pub(super) fn run(common: &Common, args: &RecoverArgs) -> Result<Status, Stop> {
    let roots = open_roots(common)?;
    let words = if args.abandon {
        let paths = roots.abandon().map_err(|error| not_applied(&error))?;
        format!("gave up what an interrupted run had begun{}\n", list(&paths))
    } else {
        let recovery = roots.recover().map_err(|error| not_applied(&error))?;
        words(&recovery).unwrap_or_else(|| "nothing to recover\n".to_owned())
    };
    let _ = io::stdout().write_all(words.as_bytes());
    Ok(Status::Applied)
}

/// Recovers before files are read for a plan. A run that writes nothing says that it would have to.
pub(super) fn before(writes: bool, roots: &Roots) -> Result<(), Stop> {
    if !writes {
        let is_torn = roots.is_torn().map_err(|error| not_applied(&error))?;
        let words = "an interrupted run left the files half done; run `apply-patch recover` first\n";
        return if is_torn { Err(Stop::new(Status::Unfinished, words)) } else { Ok(()) };
    }
    let recovery =
        roots.recover().map_err(|error| Stop { words: told(&chain(&error)), ..not_applied(&error) })?;
    if let Some(words) = words(&recovery) {
        let _ = io::stderr().write_all(words.as_bytes());
    }
    Ok(())
}

fn told(cause: &str) -> Words {
    Words::Message { words: format!("Nothing was changed: {cause}\n"), changed: false }
}

fn words(recovery: &Recovery) -> Option<String> {
    Some(match recovery {
        Recovery::Nothing => return None,
        Recovery::Cleared => "removed what an interrupted run had left; it had changed nothing\n".to_owned(),
        Recovery::Finished { paths } => {
            format!("finished what an interrupted run had begun{}\n", list(paths))
        }
        Recovery::PutBack { paths } => format!("put back what an interrupted run had begun{}\n", list(paths)),
    })
}

/// The paths, on a line each.
fn list(paths: &[camino::Utf8PathBuf]) -> String {
    let mut words = String::new();
    for path in paths {
        words.push_str("\n    ");
        words.push_str(&shown(path.as_str()).to_string());
    }
    words
}
