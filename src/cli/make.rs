//! A patch from what two trees hold.

use super::args::{Common, MakeArgs};
use super::output::{Stream, Voice, write_content};
use super::progress::Bar;
use super::stop::Stop;
use super::{folders, git};
use crate::generate::{Unrepresentable, Written, plan_between, written};
use crate::run::Status;

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
