//! The commands that plan a patch and change nothing: `convert` and `explain`.

use super::args::{Common, ConvertArgs, ExplainArgs};
use super::input::{open_roots, parsed, patch_bytes, patch_text};
use super::output::{Stream, write_content, write_product};
use super::stop::Stop;
use crate::plan::{self, plan};
use crate::report::{self, human};
use crate::run::{Outcome, Report, Status};

/// Prints the changes of a patch in another format. Repairs go to standard error.
pub(super) fn convert(common: &Common, args: &ConvertArgs) -> Result<Status, Stop> {
    let bytes = patch_bytes(args.patch.as_deref(), common)?;
    let text = patch_text(&bytes)?;
    let (patch, repairs) = parsed(&text, common)?;
    let roots = open_roots(common)?;
    let plan = plan(&patch, &roots, &common.planning()).map_err(|failures| {
        Stop::report(Report { repairs: repairs.clone(), ..Report::of(Outcome::Refused(failures)) })
    })?;
    let text = crate::generate::text(&plan, &roots, args.to.into()).map_err(|unrepresentable| {
        let lines: Vec<String> = unrepresentable.iter().map(ToString::to_string).collect();
        Stop::new(Status::Refused, format!("The patch cannot be converted.\n{}\n", lines.join("\n")))
    })?;
    if !common.quiet {
        let mut words = String::new();
        // Writing to a string does not fail.
        let _ = human::applied(&plan, &repairs, &mut words);
        Stream::Err.write(&words);
    }
    write_content(text.as_bytes())?;
    Ok(Status::Applied)
}

/// Prints how the chunks of a patch match.
pub(super) fn explain(common: &Common, args: &ExplainArgs) -> Result<Status, Stop> {
    let bytes = patch_bytes(args.patch.as_deref(), common)?;
    let text = patch_text(&bytes)?;
    let (patch, _) = parsed(&text, common)?;
    let roots = open_roots(common)?;
    let hunks = plan::explain(&patch, &roots, &common.planning());
    let mut words = String::new();
    // Writing to a string does not fail.
    let _ = if common.json {
        report::json::write_explanations(&hunks, &mut words)
    } else {
        report::explain::write(&hunks, &mut words)
    };
    write_product(&words)?;
    let failures = || hunks.iter().flat_map(|hunk| &hunk.failures);
    Ok(match failures().next() {
        None => Status::Applied,
        Some(_) if failures().any(|failure| failure.kind.is_system()) => Status::System,
        Some(_) => Status::Refused,
    })
}
