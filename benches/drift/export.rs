//! Writes the cases as data, for programs that run them through other tools.

use std::error::Error;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

use apply_patch::format;
use apply_patch::patch::{Action, LineKind};
use serde_json::{Value, json};

use crate::Bench;
use crate::case::Case;
use crate::judge::Expectation;
use crate::random::Random;
use crate::rows::all_tables;
use crate::scene::Blanks;

/// Writes `cases.jsonl`, one JSON object a line, to a new or existing folder. Returns the number of cases.
pub(crate) fn export(bench: &Bench, folder: &Path) -> Result<usize, Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let mut out = BufWriter::new(fs::File::create(folder.join("cases.jsonl"))?);
    let mut written = 0;
    for table in all_tables(bench.settings.cases, &bench.settings.only) {
        for (label, cases, make) in &table.rows {
            for nth in 0..*cases {
                let mut random = Random::new(bench.settings.seed, label, nth);
                let Some(case) = make(&bench.texts, &mut random) else { continue };
                writeln!(out, "{}", value(table.title, label, nth, &case))?;
                written += 1;
            }
        }
    }
    out.flush()?;
    Ok(written)
}

fn value(table: &str, row: &str, nth: usize, case: &Case) -> Value {
    json!({
        "table": table,
        "row": row,
        "nth": nth,
        "file": case.file,
        "before": case.before,
        "after": case.after,
        "expected": match case.expected {
            Expectation::Applied => "applied",
            Expectation::Open => "open",
            Expectation::Refused => "refused",
        },
        "blanks": match case.blanks {
            Blanks::Counted => "counted",
            Blanks::Squeezed => "squeezed",
            Blanks::Ignored => "ignored",
        },
        "patch": case.patch,
        // For formats without these parts: none of the chunks has a header, a lost sign or an end of file.
        "chunks": chunks(&case.patch),
        "lines": case.lines,
    })
}

/// The chunks of a patch as lists of `[sign, text]`; null if another format cannot express one of them.
fn chunks(patch: &str) -> Value {
    let Ok((patch, _)) = format::parse(patch, &format::Options::default()).into_result() else {
        return Value::Null;
    };
    let [hunk] = &patch.hunks[..] else { return Value::Null };
    let Action::Update { chunks, .. } = &hunk.action else { return Value::Null };
    let mut all = Vec::new();
    for chunk in chunks {
        let unsigned = chunk.lines.iter().any(|line| !line.signed && !line.text.is_empty());
        if unsigned || chunk.end_of_file || !chunk.headers.is_empty() {
            return Value::Null;
        }
        let sign = |kind: LineKind| kind.sign().to_string();
        let lines: Vec<Value> = chunk.lines.iter().map(|line| json!([sign(line.kind), line.text])).collect();
        all.push(Value::from(lines));
    }
    Value::from(all)
}
