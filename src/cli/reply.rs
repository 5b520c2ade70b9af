//! Prints answers to calls on standard output, a JSON object a line.

use super::apply;
use super::args::{Args, ReplyArg};
use super::hook::hook;
use super::input::{open_roots, patch_bytes, patch_text};
use super::output::{Stream, Voice, write_product};
use super::stop::Stop;
use crate::report::ReplyStyle;
use crate::run::{Report, Status, Tree, run_each};

/// Applies a patch, and prints the answers to its calls.
pub(super) fn run(args: &Args, style: ReplyArg) -> Result<Status, Stop> {
    let style = match style {
        ReplyArg::Openai => ReplyStyle::OpenAi,
        ReplyArg::Anthropic => ReplyStyle::Anthropic,
        ReplyArg::Mcp => ReplyStyle::Mcp,
        ReplyArg::Hook => return Ok(answer_hook(args)),
    };
    let reports =
        match if args.patch.each_call { each(args) } else { apply::run(args).map(|report| vec![report]) } {
            Ok(reports) => reports,
            Err(Stop::Report(report)) => vec![*report],
            Err(stop) => return Err(stop),
        };
    let worst = reports.iter().map(Report::status).max_by_key(|status| status.code());
    let budget = Voice::new(&args.common).budget();
    let replies = reports.into_iter().flat_map(|report| report.replies(style, budget));
    let mut lines: Vec<String> = replies.collect();
    lines.push(String::new());
    write_product(&lines.join("\n"))?;
    Ok(worst.unwrap_or(Status::Applied))
}

/// Applies each call by itself.
fn each(args: &Args) -> Result<Vec<Report>, Stop> {
    let common = &args.common;
    let bytes = patch_bytes(args.patch.patch.as_deref(), common)?;
    let text = patch_text(&bytes)?;
    let options = common.options(args.patch.details(common.details()));
    Ok(run_each(&text, &options, &mut Tree::Disk(open_roots(common)?)))
}

/// Answers the event of a hook. After any error the client continues as without the hook.
fn answer_hook(args: &Args) -> Status {
    let common = &args.common;
    let bytes = patch_bytes(args.patch.patch.as_deref(), common);
    let text = bytes.as_ref().ok().and_then(|bytes| patch_text(bytes).ok());
    if let (Some(text), Ok(roots)) = (text, open_roots(common))
        && let Some(answer) = hook(&text, &roots, &common.options(common.details()))
    {
        Stream::Out.write(&format!("{answer}\n"));
    }
    Status::Applied
}
