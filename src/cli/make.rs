//! A patch from what two trees hold.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};

use super::args::{Common, MakeArgs};
use super::output::{Stream, Voice, write_content};
use super::progress::Bar;
use super::{Stop, folders, git};
use crate::generate::{Tree, Unrepresentable, What, Written, plan_between, written};
use crate::run::Status;
use crate::text::shown;

/// Two trees, reduced to the entries that differ.
#[derive(Debug, Default)]
pub(super) struct Pair {
    pub(super) old: Tree,
    pub(super) new: Tree,
    /// What is in either and cannot be in a tree: a name that is not text.
    pub(super) beyond: Vec<(Utf8PathBuf, What)>,
    /// What was left out, and why that is no matter of the format: a line each.
    pub(super) left_out: Vec<String>,
}

/// Prints the patch from one tree to another. Changes that the format cannot express go to standard error.
pub(super) fn run(common: &Common, args: &MakeArgs) -> Result<Status, Stop> {
    let longest = common.writing.options().longest_file;
    let pair = match (&args.git, &args.old, &args.new) {
        (Some(range), ..) => git::pair(&common.dir, range, args.untracked, longest)?,
        (None, Some(old), Some(new)) => folders::pair(&common.dir, [old, new], longest)?,
        (None, ..) => return Err(Stop::new(Status::NotAPatch, "make takes OLD and NEW, or --git\n")),
    };
    let between = plan_between(&pair.old, &pair.new);
    let format = args.to.into();
    let bar = Bar::new(&Voice::new(common), "Making");
    let Written { text, mut unrepresentable } =
        written(&between.plan, &pair.old, format, &mut |done, of| bar.at(done, of));
    drop(bar);
    let beyond = pair.beyond.into_iter().chain(between.beyond);
    unrepresentable.extend(beyond.map(|(path, what)| Unrepresentable { path, format, what }));
    write_content(text.as_bytes())?;
    Stream::Err.write(&notes(&unrepresentable, &pair.left_out, text.is_empty(), common.quiet));
    Ok(if unrepresentable.is_empty() { Status::Applied } else { Status::Refused })
}

fn notes(unrepresentable: &[Unrepresentable], left_out: &[String], is_empty: bool, quiet: bool) -> String {
    let mut lines: Vec<String> = unrepresentable.iter().map(|what| format!("left out: {what}\n")).collect();
    lines.sort_unstable();
    if !quiet {
        lines.extend_from_slice(left_out);
        if is_empty && unrepresentable.is_empty() {
            lines.push("nothing differs\n".to_owned());
        }
    }
    lines.concat()
}

/// Returns a name as text; if the bytes are not text, an approximation for the message as `Err`.
pub(super) fn name_of(bytes: &[u8]) -> Result<&str, Utf8PathBuf> {
    std::str::from_utf8(bytes).map_err(|_| String::from_utf8_lossy(bytes).into_owned().into())
}

pub(super) fn unreadable(path: &Utf8Path, error: &io::Error) -> Stop {
    Stop::new(Status::System, format!("cannot read `{}`: {error}\n", shown(path.as_str())))
}

pub(super) fn too_long(path: &Utf8Path, len: u64, longest: u64) -> Stop {
    let path = shown(path.as_str()).to_string();
    let words = format!(
        "`{path}` is {len} bytes long, more than the {longest} that are allowed; --max-file-size allows more\n"
    );
    Stop::new(Status::System, words)
}
