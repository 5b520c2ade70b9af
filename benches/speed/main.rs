//! How long things take.
//!
//! ```sh
//! cargo bench --bench speed            # times
//! benches/counts                       # instruction counts at n, 2n, 4n, which do not change from run to run
//! ```
//!
//! `benches/README.md` says how to read them. `work` has the work; here it is named and sized.

mod work;

use divan::Bencher;
use divan::counter::BytesCount;

use self::work::{HOSTILE, placings, work};

const MB: usize = 1 << 20;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--once", name, size, times] => once(name, size, times),
        _ => divan::main(),
    }
}

/// Does one piece of work so many times, for a tool that counts instructions.
fn once(name: &str, size: &str, times: &str) {
    let number = |text: &str| text.parse::<usize>().expect("a number");
    let work = work(name, number(size)).expect("a name of work");
    (0..number(times)).for_each(|_| work());
}

fn bench(bencher: Bencher<'_, '_>, name: &str, size: usize) {
    let work = work(name, size).expect("a name of work");
    bencher.bench_local(work);
}

/// 1 MB of patch.
#[divan::bench(args = ["count-lines", "parse/default", "parse/strict", "stream"])]
fn envelope(bencher: Bencher<'_, '_>, name: &str) {
    bench(bencher.counter(BytesCount::new(MB)), name, MB);
}

/// One chunk in a file of 600 lines.
#[divan::bench(args = std::iter::once("split-and-hash".to_owned()).chain(placings().map(|name| format!("place/{name}"))))]
fn small_file(bencher: Bencher<'_, '_>, name: &str) {
    bench(bencher, name, 600);
}

/// One chunk in a file of 50,000 lines.
#[divan::bench(args = std::iter::once("split-and-hash".to_owned()).chain(placings().map(|name| format!("place/{name}"))))]
fn large_file(bencher: Bencher<'_, '_>, name: &str) {
    bench(bencher, name, 50_000);
}

/// What matchers blow up on, 10,000 lines of it.
#[divan::bench(args = HOSTILE)]
fn hostile(bencher: Bencher<'_, '_>, name: &str) {
    bench(bencher, &format!("hostile/{name}"), 10_000);
}

/// One replacer of the cascade, in a file of 2,000 lines.
#[divan::bench(args = apply_patch::baseline::cascade::REPLACERS.map(|(name, _)| name))]
fn replacer(bencher: Bencher<'_, '_>, name: &str) {
    bench(bencher, &format!("replacer/{name}"), 2000);
}
