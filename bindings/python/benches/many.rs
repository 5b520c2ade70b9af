//! The plain Rust loop beside which the module is measured: `cargo run --release --example many -- ROWS THREADS`, where ROWS is
//! the file of JSON lines that `rows.py` writes. Prints how many microseconds a row takes, without reading the file.

use std::error::Error;
use std::num::NonZeroUsize;
use std::time::Instant;

use apply_patch::run::{Options, Tree, many};
use serde::Deserialize;

/// A row of one file.
#[derive(Deserialize)]
struct Row {
    path: String,
    text: String,
    patch: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(file), Some(threads)) = (args.next(), args.next()) else {
        return Err("usage: many ROWS THREADS".into());
    };
    let text = std::fs::read_to_string(file)?;
    let rows: Vec<Row> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let threads: NonZeroUsize = threads.parse()?;
    let (options, mut best) = (Options::default(), f64::INFINITY);
    for _ in 0..3 {
        let job = |row| {
            let Row { path, text, patch }: &Row = row;
            let tree: Tree = [(path.clone(), text.clone())].into_iter().collect();
            (&**patch, &options, tree)
        };
        let begin = Instant::now();
        let mut jobs: Vec<_> = rows.iter().map(job).collect();
        let reports = many(&mut jobs, threads);
        best = best.min(begin.elapsed().as_secs_f64());
        if !reports.iter().all(apply_patch::run::Report::changed) {
            return Err("a row was not applied".into());
        }
    }
    #[allow(clippy::cast_precision_loss, reason = "there are few rows")]
    let each = best * 1e6 / rows.len() as f64;
    #[allow(clippy::print_stdout, reason = "it is a program")]
    {
        println!("{each:.1}");
    }
    Ok(())
}
