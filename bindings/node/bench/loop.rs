//! What `bench/speed.mjs` measures, without Node: `cargo run --release --example loop -- ROUNDS`. Prints the microseconds of a call.

use std::error::Error;
use std::time::Instant;

use apply_patch::run::{Details, Options, Report, Status, Tree, run};

/// The calls of a round.
const CALLS: u32 = 1_000;

fn main() -> Result<(), Box<dyn Error>> {
    let line = |at: usize| format!("    value_{at} = compute({at})\n");
    let text: String = (0..200).map(line).collect();
    let patch = format!(
        "*** Begin Patch\n*** Update File: a.py\n@@\n {}-{}+    changed\n {}*** End Patch\n",
        line(99),
        line(100),
        line(101)
    );
    let details = Details::default().with_contents(true);
    let options = Options::default().with_details(details);
    let call = || {
        let mut tree: Tree = [("a.py", text.clone())].into_iter().collect();
        let report = run(&patch, &options, &mut tree);
        (report.status(), report.for_model(Report::BUDGET), report.to_json())
    };
    let rounds: usize = std::env::args().nth(1).map_or(Ok(20), |rounds| rounds.parse())?;
    // The fastest of several rounds, because other programs are at work, too.
    let mut fastest = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        for _ in 0..CALLS {
            let (status, words, json) = call();
            if status != Status::Applied || words.is_empty() || json.is_empty() {
                return Err("a call did something else".into());
            }
        }
        fastest = fastest.min(start.elapsed().as_secs_f64() * 1e6 / f64::from(CALLS));
    }
    println!("run: {fastest:.1}");
    Ok(())
}
