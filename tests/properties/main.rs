//! What holds for every patch and every file, on generated ones.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod changes;
mod format;
mod formats;
mod grammar;
mod make;
mod patches;
mod shapes;

use proptest::test_runner::Config;

/// So many cases; with `TIMES=100` in the environment a hundred times as many. A failure prints its case, which is short:
/// a file of seeds would say nothing more.
pub(crate) fn cases(cases: u32) -> Config {
    let times = std::env::var("TIMES").map_or(1, |times| times.parse().expect("TIMES is a number"));
    Config { cases: cases * times, failure_persistence: None, ..Config::default() }
}
