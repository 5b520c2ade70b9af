//! How well the engine places drifted edits, and whether it ever places one wrongly.
//!
//! ```sh
//! cargo bench --bench drift
//! cargo bench --bench drift -- --seed 7 --cases 200 --only typo --show 3
//! ```
//!
//! `benches/README.md` says how to read what it prints. The exit status is 1 where anything went wrong: an edit made
//! that should not have been, or a tree that is not the right one.
//!
//! In reading order: `documents` (what is edited), `edits` (what is meant), `scene` (a case as one list of lines),
//! `operators` (how it drifts), `judge` (what a careful person would do), `twins` (a second place near), `case`
//! (what the engine does), `tables`.

mod case;
mod documents;
mod edits;
mod judge;
mod operators;
mod random;
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

use crate::case::{Case, Configuration, Outcome, Verdict, configurations, drifted, several};
use crate::documents::{Text, gather};
use crate::judge::Expectation;
use crate::operators::OPERATORS;
use crate::random::Random;
use crate::tables::{Row, Tally};
use crate::twins::{Distance, Slip, twin};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let Some(settings) = Settings::from_arguments()? else {
        io::stdout().write_all(USAGE.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    };
    let texts = gather(Path::new(env!("CARGO_MANIFEST_DIR")))?;
    let bench = Bench { settings, configurations: configurations(), texts };
    let mut out = io::stdout().lock();
    writeln!(out, "seed {}, {} documents", bench.settings.seed, bench.texts.len())?;
    let wrong = bench.run(&mut out)?;
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

const USAGE: &str =
    "cargo bench --bench drift -- [--seed N] [--cases N] [--only PART] [--show N] [--save FOLDER]

  --seed N       other cases (1)
  --cases N      cases a row (100); many times as many for several drifts at once
  --only PART    rows with this in their name
  --show N       print the first N cases of each row that are wrong, or refused although clear
  --save FOLDER  write these cases as folders: before/, patch.txt, after/
";

/// What the command line asks for.
#[derive(Debug)]
struct Settings {
    seed: u64,
    cases: usize,
    only: String,
    show: usize,
    save: Option<PathBuf>,
}

/// How many times as many cases a row of several drifts has as one of a single drift: it stands for many pairs.
const SEVERAL: usize = 30;

impl Settings {
    /// `None` where help is wanted. Without `--bench`, which cargo adds, this is `cargo test --benches`: a few cases
    /// show that everything still runs.
    fn from_arguments() -> Result<Option<Self>, Box<dyn Error>> {
        let mut settings = Settings { seed: 1, cases: 2, only: String::new(), show: 0, save: None };
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
                "--save" => settings.save = Some(value()?.into()),
                "--help" => return Ok(None),
                other => return Err(format!("{other} is not known\n\n{USAGE}").into()),
            }
        }
        settings.cases = cases.unwrap_or(settings.cases);
        Ok(Some(settings))
    }
}

/// What makes the cases of a row.
type Make<'m> = Box<dyn Fn(&[Text], &mut Random) -> Option<Case> + Sync + 'm>;

/// A table: its title, and for each row the label, how many cases, and what makes them.
struct Table<'m> {
    title: &'static str,
    rows: Vec<(String, usize, Make<'m>)>,
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
    /// Prints all tables; says how many outcomes are wrong.
    fn run(&self, out: &mut dyn Write) -> Result<usize, Box<dyn Error>> {
        let mut wrong = 0;
        let mut refusals = BTreeMap::new();
        for table in self.tables() {
            let mut rows = Vec::new();
            let mut faults = Vec::new();
            for (label, cases, make) in &table.rows {
                let (row, found) = self.row(label, *cases, make);
                for fault in found.iter().filter(|fault| fault.verdict == Verdict::Refused) {
                    if let Outcome::Refused(reason) = &fault.outcome {
                        *refusals.entry((label.clone(), reason.clone())).or_default() += 1;
                    }
                }
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
                wrong += faults.iter().filter(|fault| fault.verdict == Verdict::Wrong).count();
                self.tell(out, label, faults)?;
            }
        }
        tables::print_refusals(out, &refusals)?;
        writeln!(out, "\n{wrong} wrong")?;
        Ok(wrong)
    }

    fn tables(&self) -> Vec<Table<'static>> {
        let cases = self.settings.cases;
        let one = OPERATORS.iter().map(|operator| -> (String, usize, Make<'static>) {
            (
                operator.name.to_owned(),
                cases,
                Box::new(move |texts, random| drifted(texts, &[operator], random)),
            )
        });
        let more = [(2, "two at once"), (3, "three at once")].map(
            |(count, label)| -> (String, usize, Make<'static>) {
                (
                    label.to_owned(),
                    SEVERAL * cases,
                    Box::new(move |texts, random| several(texts, count, random)),
                )
            },
        );
        let mut tables = vec![
            Table { title: "one drift at a time", rows: one.collect() },
            Table { title: "several drifts", rows: more.into() },
        ];
        tables.extend(Slip::ALL.iter().map(|(slip, title)| twins_by_distance(*slip, title, cases)));
        for table in &mut tables {
            let named = |label: &str| {
                label.contains(&self.settings.only) || table.title.contains(&self.settings.only)
            };
            table.rows.retain(|(label, _, _)| named(label));
        }
        tables
    }

    /// Makes and runs the cases of a row, on all processors.
    fn row(&self, label: &str, cases: usize, make: &Make<'_>) -> (Row, Vec<Fault>) {
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
                sum.right += tally.right;
                sum.refused += tally.refused;
                sum.wrong += tally.wrong;
            }
            faults.extend(more);
        }
        faults.sort_by_key(|fault| (fault.nth, fault.configuration));
        (row, faults)
    }

    fn case(&self, label: &str, nth: usize, make: &Make<'_>, row: &mut Row, faults: &mut Vec<Fault>) {
        let make = || make(&self.texts, &mut Random::new(self.settings.seed, label, nth));
        let Some(case) = make() else { return };
        row.cases += 1;
        row.open += usize::from(case.expected == Expectation::Open);
        for (configuration, tally) in row.tallies.iter_mut().enumerate() {
            let outcome = case.run(&self.configurations[configuration]);
            let verdict = case.verdict(&outcome);
            tally.count(verdict);
            // That the tighter levels refuse drift is what they are for.
            let told = verdict == Verdict::Wrong
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
                faults.iter().filter(|fault| fault.verdict == Verdict::Wrong && fault.configuration == nth);
            let mut by_name: BTreeMap<&str, Vec<String>> = BTreeMap::new();
            for fault in wrong {
                by_name.entry(&fault.case.name).or_default().push(fault.nth.to_string());
            }
            for (name, cases) in by_name {
                let (seed, level) = (self.settings.seed, configuration.name);
                writeln!(out, "WRONG at {level}, seed {seed}: {label} ({name}), cases {}", cases.join(" "))?;
            }
        }
        // What is wrong comes before what is only refused.
        let mut shown: Vec<&Fault> = faults.iter().collect();
        shown.sort_by_key(|fault| fault.verdict != Verdict::Wrong);
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

fn twins_by_distance(slip: Slip, title: &'static str, cases: usize) -> Table<'static> {
    let rows = Distance::ALL.iter().map(|(distance, label)| -> (String, usize, Make<'static>) {
        let make: Make<'static> = Box::new(move |texts, random| twin(texts, *distance, slip, random));
        ((*label).to_owned(), cases, make)
    });
    Table { title, rows: rows.collect() }
}

/// Prints a case: the patch, and what should have and what has become of the file.
fn show(out: &mut dyn Write, label: &str, level: &str, fault: &Fault) -> io::Result<()> {
    let Fault { nth, case, outcome, verdict, .. } = fault;
    let before = case.scene.before();
    let change = |after: &str| {
        let diff = TextDiff::from_lines(&before, after);
        diff.unified_diff().context_radius(CONTEXT).to_string()
    };
    writeln!(out, "\n==== {verdict:?} at {level}: {label}, case {nth} ({})", case.name)?;
    writeln!(out, "---- patch\n{}---- right: {:?}", case.scene.patch(), case.expected)?;
    write!(out, "{}", change(&case.scene.after()))?;
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
    for (part, text) in [("before", case.scene.before()), ("after", case.scene.after())] {
        fs::create_dir_all(folder.join(part))?;
        fs::write(folder.join(part).join(&case.scene.name), text)?;
    }
    fs::write(folder.join("patch.txt"), case.scene.patch())
}
