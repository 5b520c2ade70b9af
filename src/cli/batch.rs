//! The command `batch`: rows in, answers out, as JSON lines.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, IsTerminal};
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use super::args::{BatchArgs, Common, ForArg};
use super::output::{Stream, Voice};
use super::progress::Bar;
use super::stop::Stop;
use crate::run::batch::{Counts, Limits, Settings, lines};
use crate::run::{Caller, Details, Options, Status};
use crate::text::shown;

/// Answers each line.
pub(super) fn run(common: &Common, args: &BatchArgs) -> Result<Status, Stop> {
    let voice = Voice::new(common);
    let (input, size) = open(args.rows.as_deref())?;
    let threads = args.threads.unwrap_or_else(|| available_parallelism().unwrap_or(NonZeroUsize::MIN));
    let usual = Limits::new(threads);
    let limits = Limits { line: args.max_line_size.unwrap_or(usual.line), ..usual };
    let details = Details { diff: common.diff, trim: common.trim, ..Details::default() };
    // The reader of an answer has the fields of a row, not the options of the command.
    let defaults = Options { caller: Caller::NONE, ..common.options(details) };
    let within = [&common.dir].into_iter().chain(&common.root).cloned().collect();
    let settings = Settings { apply: common.writing.options(), within: Some(within) };
    let bar = Bar::new(&voice, "Rows");
    let mut watch = |counts: &Counts| show(&bar, counts, size);
    let result = lines(input, io::stdout(), &defaults, &settings, limits, &mut watch);
    drop(bar);
    match result {
        Ok(counts) => {
            if !common.quiet && Stream::Err.is_terminal() && voice.reader(Stream::Err) == ForArg::People {
                Stream::Err.write(&summary(&counts));
            }
            Ok(Status::Applied)
        }
        // The reader has enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Status::Applied),
        Err(error) => Err(Stop::new(Status::System, format!("the batch ended early: {error}"))),
    }
}

/// Opens the rows, and returns their size in bytes if it is known.
fn open(file: Option<&str>) -> Result<(Box<dyn BufRead + Send>, Option<u64>), Stop> {
    match file {
        Some(file) if file != "-" => {
            let opened = File::open(file).and_then(|opened| Ok((opened.metadata()?, opened)));
            let (metadata, opened) = opened.map_err(|error| {
                Stop::new(Status::NotAPatch, format!("cannot read `{}`: {error}", shown(file)))
            })?;
            let size = metadata.is_file().then_some(metadata.len());
            Ok((Box::new(BufReader::with_capacity(1 << 16, opened)), size))
        }
        None if io::stdin().is_terminal() => {
            Err(Stop::wrong_usage("there are no rows: no file is given, and standard input is a terminal"))
        }
        _ => Ok((Box::new(BufReader::with_capacity(1 << 16, io::stdin())), None)),
    }
}

/// Shows the bytes that are done of a file, or the number of rows.
fn show(bar: &Bar, counts: &Counts, size: Option<u64>) {
    let number = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
    match size {
        Some(size) => bar.at(number(counts.bytes), number(size)),
        None => bar.count(number(counts.all())),
    }
}

fn summary(counts: &Counts) -> String {
    let Counts { applied, refused, not_a_patch, failed, .. } = counts;
    let rows = counts.all();
    format!("{rows} rows: {applied} applied, {refused} refused, {not_a_patch} not a patch, {failed} failed\n")
}
