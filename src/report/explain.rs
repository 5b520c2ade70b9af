//! For a person who asks why a chunk went where it did, or nowhere.

use std::fmt::{self, Write};
use std::ops::Range;

use crate::locate::{Explanation, Fit, Placement, TierPlaces};
use crate::plan::HunkExplanation;
use crate::text::shown;

/// Writes how each chunk was placed: where its headers lead, where its lines stand in each tier, what the ways to fit it in
/// cost, what the guard says to each, and what came of it.
///
/// # Errors
/// Those of `out`.
pub fn write(hunks: &[HunkExplanation], out: &mut dyn Write) -> fmt::Result {
    for hunk in hunks {
        writeln!(out, "{} (patch line {})", shown(&hunk.path), hunk.number)?;
        for (nth, (number, explanation)) in hunk.chunks.iter().enumerate() {
            writeln!(out, "  chunk {} (patch line {number})", nth + 1)?;
            write_chunk(explanation, out)?;
        }
        for failure in &hunk.failures {
            writeln!(out, "  refused: {failure} [{}]", failure.kind.code())?;
        }
        if hunk.failures.is_empty() {
            writeln!(out, "  fits")?;
        }
    }
    Ok(())
}

fn write_chunk(explanation: &Explanation, out: &mut dyn Write) -> fmt::Result {
    for (header, lines) in &explanation.headers {
        let lines: Vec<String> = lines.iter().map(|line| (line + 1).to_string()).collect();
        let leads =
            if lines.is_empty() { "is not there".to_owned() } else { format!("line {}", lines.join(", ")) };
        writeln!(out, "    header `{}`: {leads}", shown(header))?;
    }
    for tier in &explanation.tiers {
        write_tier(tier, out)?;
    }
    for fit in &explanation.fits {
        writeln!(out, "    fitted in: {}", words(fit, true))?;
    }
    if let Some(margin) = explanation.margin() {
        writeln!(out, "    margin of the cheapest: {margin}")?;
    }
    if explanation.crowded {
        writeln!(out, "    more stretches of the file may fit as well than were tried")?;
    }
    match &explanation.outcome {
        Ok(placement) => write_placement(placement, out),
        Err(miss) => writeln!(out, "    not placed: {}", miss.reason),
    }
}

fn write_tier(tier: &TierPlaces, out: &mut dyn Write) -> fmt::Result {
    let may_differ = tier.tier.to_string();
    let may_differ = may_differ.trim_end_matches(',');
    if tier.count == 0 {
        return writeln!(out, "    where {may_differ} may differ: nowhere");
    }
    let places: Vec<String> = tier.places.iter().map(|fit| words(fit, false)).collect();
    let more = tier.count - tier.places.len();
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    writeln!(out, "    where {may_differ} may differ: {}{more}", places.join("; "))
}

fn write_placement(placement: &Placement, out: &mut dyn Write) -> fmt::Result {
    let (line, added, removed) = (placement.start + 1, placement.added, placement.removed);
    write!(out, "    placed at line {line}, cost {}, +{added} -{removed}", placement.cost)?;
    for (nth, drift) in placement.drift.iter().enumerate() {
        write!(out, "{} {drift}", if nth == 0 { ":" } else { ";" })?;
    }
    writeln!(out)
}

fn words(fit: &Fit, cost: bool) -> String {
    let cost = if cost { format!(", cost {}", fit.cost) } else { String::new() };
    let guard = fit.doubt.map_or("the guard has no doubt".to_owned(), |doubt| {
        format!("the guard asks: {} [{}]", doubt.question(), doubt.code())
    });
    format!("{}{cost}, {guard}", lines(&fit.place))
}

fn lines(place: &Range<usize>) -> String {
    if place.len() > 1 {
        format!("lines {}-{}", place.start + 1, place.end)
    } else {
        format!("line {}", place.start + 1)
    }
}
