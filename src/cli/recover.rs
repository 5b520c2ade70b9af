//! What an interrupted run left.

use super::args::{Common, RecoverArgs};
use super::input::open_roots;
use super::output::Stream;
use super::stop::Stop;
use crate::apply::Recovery;
use crate::run::{Status, Stopped};
use crate::text::shown;

/// Runs the command `recover`.
pub(super) fn run(common: &Common, args: &RecoverArgs) -> Result<Status, Stop> {
    let roots = open_roots(common)?;
    let words = if args.abandon {
        let paths = roots.abandon().map_err(|error| Stop::of(Stopped::Recover(error)))?;
        if paths.is_empty() {
            "nothing to give up\n".to_owned()
        } else {
            format!("gave up what an interrupted run had begun{}\n", list(&paths))
        }
    } else {
        let recovery = roots.recover_all().map_err(|error| Stop::of(Stopped::Recover(error)))?;
        words(&recovery).unwrap_or_else(|| "nothing to recover\n".to_owned())
    };
    // The recovery is done, even if its report cannot be written.
    Stream::Out.write(&words);
    Ok(Status::Applied)
}

/// Returns the message about what an interrupted run left; `None` if nothing was left.
pub(super) fn words(recovery: &Recovery) -> Option<String> {
    Some(match recovery {
        Recovery::Nothing => return None,
        Recovery::LeftAlone { lists } => format!(
            "left alone: no run of yours wrote this list of an interrupted run. If it came with the files, \
             `apply-patch recover --abandon` removes it{}\n",
            list(lists)
        ),
        Recovery::Cleared => "removed what an interrupted run had left; it had changed nothing\n".to_owned(),
        Recovery::Finished { paths } => {
            format!("finished what an interrupted run had begun{}\n", list(paths))
        }
        Recovery::PutBack { paths } => format!("put back what an interrupted run had begun{}\n", list(paths)),
    })
}

/// Returns the paths, each on its own line.
fn list(paths: &[camino::Utf8PathBuf]) -> String {
    let mut words = String::new();
    for path in paths {
        words.push_str("\n    ");
        words.push_str(&shown(path.as_str()).to_string());
    }
    words
}
