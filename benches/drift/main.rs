//! How well the engine places drifted edits, and whether it ever places one wrongly.
//!
//! ```sh
//! cargo bench --bench drift
//! cargo bench --bench drift -- --seed 7 --cases 200 --only typo --show 3
//! ```
//!
//! `benches/README.md` describes the output. The exit status is 1 if more went wrong than `--wrong` and `--again` accept: an
//! edit that had to be refused, another tree than the right one, or a second run that changes the result again.
//!
//! In reading order: `documents` (what is edited), `edits` (what is meant), `scene` (a case as one list of lines),
//! `operators` (how it drifts), `judge` (what a careful person would do), `twins` (a second place near), `case`
//! (what the engine does), `mirror` (the patch is no drift), `moved` (files of another time), `rows` (all tables and their cases), `tables`.

mod case;
mod documents;
mod edits;
mod export;
mod jitter;
mod judge;
mod mirror;
mod moved;
mod operators;
mod random;
mod rows;
mod scene;
mod tables;
mod twins;
mod words;

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;

use similar::TextDiff;

use crate::case::{Case, Configuration, Outcome, Verdict, configurations};
use crate::documents::Text;
use crate::judge::Expectation;
use crate::random::Random;
use crate::rows::{Make, all_tables};
use crate::tables::{Row, Tally};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let Some(settings) = Settings::from_arguments()? else {
        io::stdout().write_all(USAGE.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let texts = if settings.tree { documents::tree(root)? } else { documents::fixed(root)? };
    let bench = Bench { settings, configurations: configurations(), texts };
    let mut out = io::stdout().lock();
    writeln!(out, "seed {}, {} documents", bench.settings.seed, bench.texts.len())?;
    if let Some(seed) = bench.settings.jitter {
        if !jitter::jitter(seed) {
            return Err("the costs were replaced before".into());
        }
        writeln!(out, "costs times random factors, seed {seed}")?;
    }
    if let Some(folder) = &bench.settings.export {
        let exported = export::export(&bench, folder)?;
        writeln!(out, "{exported} cases in {}", folder.display())?;
        return Ok(ExitCode::SUCCESS);
    }
    let count = bench.run(&mut out)?;
    let most = |rate: usize| count.runs * rate / PER;
    let holds = count.wrong <= most(bench.settings.wrong) && count.again <= most(bench.settings.again);
    Ok(if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The limits are rates: so many in this many runs.
const PER: usize = 10_000;

/// How many runs of cases were made, one for each level, and how many of these went wrong.
#[derive(Debug, Default)]
struct Count {
    runs: usize,
    wrong: usize,
    again: usize,
}

const USAGE: &str =
    "cargo bench --bench drift -- [--seed N] [--cases N] [--only PART] [--show N] [--save FOLDER]
                             [--tree] [--jitter SEED] [--export FOLDER] [--wrong N] [--again N]

  --seed N       other cases (1)
  --cases N      cases a row (100); many times as many for several drifts at once
  --only PART    rows, or tables, with this in their name
  --tree         edit the sources and fixtures of this repository instead of benches/drift/documents
  --jitter SEED  multiply each cost by a random factor of 0.8 to 1.2
  --export FOLDER  write all cases to FOLDER/cases.jsonl instead of running them
  --wrong N      accept N wrong results in 10,000 runs (0)
  --again N      accept N second runs in 10,000 that change the result again (0)
  --show N       print the first N cases of each row that are wrong, or refused although clear
  --save FOLDER  write these cases as folders: before/, patch.txt, after/
";

/// What the command line asks for.
#[derive(Debug, Default)]
struct Settings {
    seed: u64,
    cases: usize,
    only: String,
    show: usize,
    save: Option<PathBuf>,
    tree: bool,
    jitter: Option<u64>,
    export: Option<PathBuf>,
    wrong: usize,
    again: usize,
}

impl Settings {
    /// `None` where help is wanted. Without `--bench`, which cargo adds, this is `cargo test --benches`: a few cases
    /// show that everything still runs.
    fn from_arguments() -> Result<Option<Self>, Box<dyn Error>> {
        let mut settings = Settings { seed: 1, cases: 2, ..Settings::default() };
        let mut arguments = std::env::args().skip(1);
        let mut cases = None;
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} wants a value"));
            match &*argument {
                "--bench" => settings.cases = 100,
                "--seed" => settings.seed = value()?.parse()?,
                "--cases" => cases = Some(value()?.parse()?),
                "--only" => settings.only = value()?,
                "--show" => settings.show = value()?.parse()?,
                "--tree" => settings.tree = true,
                "--jitter" => settings.jitter = Some(value()?.parse()?),
                "--wrong" => settings.wrong = value()?.parse()?,
                "--again" => settings.again = value()?.parse()?,
                "--export" => settings.export = Some(value()?.into()),
                "--save" => settings.save = Some(value()?.into()),
                "--help" => return Ok(None),
                other => return Err(format!("{other} is not known\n\n{USAGE}").into()),
            }
        }
        settings.cases = cases.unwrap_or(settings.cases);
        Ok(Some(settings))
    }
}

struct Bench {
    settings: Settings,
    configurations: Vec<Configuration>,
    texts: Vec<Text>,
}

/// A case that did not come out right.
struct Fault {
    nth: usize,
    configuration: usize,
    verdict: Verdict,
    case: Case,
    outcome: Outcome,
}

impl Bench {
    /// Prints all tables. Returns how many results are wrong.
    fn run(&self, out: &mut dyn Write) -> Result<Count, Box<dyn Error>> {
        let mut count = Count::default();
        let mut refusals = BTreeMap::new();
        for table in all_tables(self.settings.cases, &self.settings.only) {
            let mut rows = Vec::new();
            let mut faults = Vec::new();
            for (label, cases, make) in &table.rows {
                let (row, found) = self.row(label, *cases, make);
                for fault in found.iter().filter(|fault| fault.verdict == Verdict::Refused) {
                    if let Outcome::Refused(reason) = &fault.outcome {
                        *refusals.entry((label.clone(), reason.clone())).or_default() += 1;
                    }
                }
                count.runs += row.cases * self.configurations.len();
                if row.cases > 0 {
                    rows.push(row);
                }
                faults.push((label, found));
            }
            if rows.is_empty() {
                continue;
            }
            let columns: Vec<&str> =
                self.configurations.iter().map(|configuration| configuration.name).collect();
            tables::print(out, table.title, &columns, &rows)?;
            for (label, faults) in &faults {
                let of = |verdict| faults.iter().filter(|fault| fault.verdict == verdict).count();
                count.wrong += of(Verdict::Wrong);
                count.again += of(Verdict::Again);
                self.tell(out, label, faults)?;
            }
        }
        tables::print_refusals(out, &refusals)?;
        let Count { runs, wrong, again } = count;
        writeln!(out, "\n{runs} runs: {wrong} wrong, {again} changed the result again")?;
        Ok(count)
    }

    /// Makes and runs the cases of a row, on all processors.
    fn row(&self, label: &str, cases: usize, make: &Make) -> (Row, Vec<Fault>) {
        let stripes = thread::available_parallelism().map_or(1, usize::from);
        let stripe = |first: usize| {
            let mut row = Row { label: label.to_owned(), ..Row::default() };
            row.tallies = vec![Tally::default(); self.configurations.len()];
            let mut faults = Vec::new();
            for nth in (first..cases).step_by(stripes) {
                self.case(label, nth, make, &mut row, &mut faults);
            }
            (row, faults)
        };
        let parts = thread::scope(|scope| {
            let threads: Vec<_> = (0..stripes).map(|first| scope.spawn(move || stripe(first))).collect();
            // A panic of the engine is one of the benchmark.
            let joined = threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            joined.collect::<Vec<_>>()
        });
        let mut parts = parts.into_iter();
        let (mut row, mut faults) = parts.next().unwrap_or_default();
        for (part, more) in parts {
            row.cases += part.cases;
            row.open += part.open;
            for (sum, tally) in row.tallies.iter_mut().zip(part.tallies) {
                sum.add(tally);
            }
            faults.extend(more);
        }
        faults.sort_by_key(|fault| (fault.nth, fault.configuration));
        (row, faults)
    }

    fn case(&self, label: &str, nth: usize, make: &Make, row: &mut Row, faults: &mut Vec<Fault>) {
        let make = || make(&self.texts, &mut Random::new(self.settings.seed, label, nth));
        let Some(case) = make() else { return };
        row.cases += 1;
        row.open += usize::from(case.expected == Expectation::Open);
        for (configuration, tally) in row.tallies.iter_mut().enumerate() {
            let mut outcome = case.run(&self.configurations[configuration]);
            let mut verdict = case.verdict(&outcome);
            if verdict == Verdict::Right
                && let Some(second) = case.changed_again(&outcome, &self.configurations[configuration])
            {
                (verdict, outcome) = (Verdict::Again, second);
            }
            tally.count(verdict);
            // That the tighter levels refuse drift is what they are for.
            let told = matches!(verdict, Verdict::Wrong | Verdict::Again)
                || verdict == Verdict::Refused && configuration + 1 == self.configurations.len();
            if let Some(case) = told.then(make).flatten() {
                faults.push(Fault { nth, configuration, verdict, case, outcome });
            }
        }
    }

    /// Lists what is wrong, and shows as many cases as are wanted.
    fn tell(&self, out: &mut dyn Write, label: &str, faults: &[Fault]) -> Result<(), Box<dyn Error>> {
        for (nth, configuration) in self.configurations.iter().enumerate() {
            let wrong =
                faults.iter().filter(|fault| fault.verdict != Verdict::Refused && fault.configuration == nth);
            let mut by_name: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
            for fault in wrong {
                let word = if fault.verdict == Verdict::Again { "AGAIN" } else { "WRONG" };
                by_name.entry((word, &fault.case.name)).or_default().push(fault.nth.to_string());
            }
            for ((word, name), cases) in by_name {
                let (seed, level) = (self.settings.seed, configuration.name);
                writeln!(out, "{word} at {level}, seed {seed}: {label} ({name}), cases {}", cases.join(" "))?;
            }
        }
        // What is wrong comes before what is only refused.
        let mut shown: Vec<&Fault> = faults.iter().collect();
        shown.sort_by_key(|fault| {
            (fault.verdict == Verdict::Refused, fault.nth, std::cmp::Reverse(fault.configuration))
        });
        shown.dedup_by_key(|fault| fault.nth);
        for fault in shown.into_iter().take(self.settings.show) {
            show(out, label, self.configurations[fault.configuration].name, fault)?;
            if let Some(folder) = &self.settings.save {
                save(&folder.join(format!("{}-{}", label.replace([' ', '/'], "-"), fault.nth)), &fault.case)?;
            }
        }
        Ok(())
    }
}

/// Prints a case: the patch, and what should have and what has become of the file.
fn show(out: &mut dyn Write, label: &str, level: &str, fault: &Fault) -> io::Result<()> {
    let Fault { nth, case, outcome, verdict, .. } = fault;
    let before = &case.before;
    let change = |after: &str| {
        let diff = TextDiff::from_lines(&**before, after);
        diff.unified_diff().context_radius(CONTEXT).to_string()
    };
    writeln!(out, "\n==== {verdict:?} at {level}: {label}, case {nth} ({})", case.name)?;
    writeln!(out, "---- patch\n{}---- right: {:?}", case.patch, case.expected)?;
    write!(out, "{}", change(&case.after))?;
    match outcome {
        Outcome::Taken(text) => write!(out, "---- but it is\n{}", change(text))?,
        Outcome::Refused(reason) => writeln!(out, "---- but it was refused: {reason}")?,
    }
    writeln!(out, "====\n")
}

/// How many lines around a change are printed.
const CONTEXT: usize = 8;

/// Writes a case as a folder, as `fixtures/` has them.
fn save(folder: &Path, case: &Case) -> io::Result<()> {
    for (part, text) in [("before", &case.before), ("after", &case.after)] {
        fs::create_dir_all(folder.join(part))?;
        fs::write(folder.join(part).join(&case.file), text)?;
    }
    fs::write(folder.join("patch.txt"), &case.patch)
}
