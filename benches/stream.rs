//! What reading a patch costs: as a whole, and while it is still being written.
//!
//! ```sh
//! cargo bench --bench stream
//! ```
//!
//! prints the best of several runs, in picoseconds a byte. For instruction counts, which do not change from run to run, one
//! reading alone:
//!
//! ```sh
//! valgrind --tool=callgrind target/release/deps/stream-* pieces 8
//! ```
//!
//! The first word is `pieces` (of 16 bytes) or `whole`, or `none` for what it costs to make the text; the second is the
//! size in MB.

use std::fmt::Write;
use std::hint::black_box;
use std::io::Write as _;
use std::time::{Duration, Instant};

use apply_patch::format::{Event, Options, Stream, parse};

const MB: usize = 1 << 20;

/// How many bytes arrive at once: about what a model writes at a time.
const PIECE: usize = 16;

/// How often each reading is timed.
const RUNS: usize = 7;

/// A patch of many files, made of the lines that models write: chunks with context, and new files.
fn patch(size: usize) -> String {
    let mut text = String::with_capacity(size + 1024);
    text.push_str("*** Begin Patch\n");
    for nth in 0.. {
        if text.len() >= size {
            break;
        }
        let _ = writeln!(text, "*** Update File: src/module_{nth}/handler.rs");
        for line in 0..20 {
            let _ = writeln!(text, "@@ fn step_{line}(&mut self, input: &Input) -> Result<Output, Error> {{");
            text.push_str("         let value = self.values.get(&input.key)?;\n \n");
            let _ = writeln!(
                text,
                "-        self.count += {line};\n+        self.count += {nth};\n         Ok(value)"
            );
        }
        let _ =
            writeln!(text, "*** Add File: docs/module_{nth}.md\n+# Module {nth}\n+\n+It handles one step.");
    }
    text.push_str("*** End Patch\n");
    text
}

fn whole(text: &str) -> usize {
    let parsed = parse(text, &Options::default());
    assert!(parsed.errors.is_empty() && parsed.repairs.is_empty());
    parsed.patch.hunks.len()
}

fn in_pieces(text: &str) -> usize {
    let mut hunks = 0;
    let mut take = |event: Event<'_>| match black_box(event) {
        Event::HunkBegun(_) => hunks += 1,
        Event::Error(error) => panic!("{error}"),
        _ => {}
    };
    let mut stream = Stream::new(&Options::default());
    text.as_bytes().chunks(PIECE).for_each(|piece| stream.feed(piece, &mut take));
    stream.finish(&mut take);
    hunks
}

fn best(read: impl Fn() -> usize) -> Duration {
    let once = |_| {
        let start = Instant::now();
        black_box(read());
        start.elapsed()
    };
    (0..RUNS).map(once).min().unwrap_or_default()
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let mut out = std::io::stdout().lock();
    if let [way, size] = &args[..] {
        let text = patch(size.parse::<usize>().expect("a size in MB") * MB);
        let hunks = match way.as_str() {
            "whole" => whole(&text),
            "pieces" => in_pieces(&text),
            _ => black_box(text.len()),
        };
        let _ = writeln!(out, "{hunks}");
        return;
    }
    let _ = writeln!(out, "{:>6}  {:>12}  {:>12}  {:>6}", "MB", "whole ps/B", "pieces ps/B", "ratio");
    for size in [1, 2, 4, 8] {
        let text = patch(size * MB);
        let (whole, pieces) = (best(|| whole(&text)), best(|| in_pieces(&text)));
        let bytes = u32::try_from(text.len()).expect("a few MB");
        let picoseconds = |time: Duration| (time * 1000 / bytes).as_nanos();
        let ratio = pieces.as_secs_f64() / whole.as_secs_f64();
        let (whole, pieces) = (picoseconds(whole), picoseconds(pieces));
        let _ = writeln!(out, "{size:>6}  {whole:>12}  {pieces:>12}  {ratio:>6.2}");
    }
}
