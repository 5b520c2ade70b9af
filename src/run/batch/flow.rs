//! Lines in, lines out, in order, on several threads, with a bounded number of lines in memory.

use std::collections::BTreeMap;
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::num::NonZeroUsize;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use memchr::memchr;
use memchr::memmem;

use super::turns::Turns;
use super::{Answer, Settings, json, wrong_usage};
use crate::run::{Options, Outcome, Report};

/// How often the caller hears of progress.
const OFTEN: Duration = Duration::from_millis(100);

/// What a run of [`lines()`] may use.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How many threads apply rows.
    pub threads: NonZeroUsize,
    /// The longest line that is read, in bytes. A longer line is skipped, and the answer is the reason.
    pub line: u64,
    /// No line is read while the lines that were read, and not yet answered, have so many bytes. One line is always read.
    pub bytes: usize,
    /// No line is read while so many lines were read and not yet answered.
    pub rows: usize,
}

impl Limits {
    /// The usual limits: lines of 256 MiB, 64 MiB of lines at once, 64 lines for each thread.
    pub fn new(threads: NonZeroUsize) -> Self {
        Limits { threads, line: 256 << 20, bytes: 64 << 20, rows: threads.get().saturating_mul(64) }
    }
}

/// How many rows were answered, by outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Rows that were applied, or would be.
    pub applied: u64,
    /// Rows whose patch does not fit the files.
    pub refused: u64,
    /// Rows whose text is not a patch.
    pub not_a_patch: u64,
    /// Lines that are no rows, and rows that the system refused.
    pub failed: u64,
    /// The bytes of the answered lines.
    pub bytes: u64,
}

impl Counts {
    /// Returns the number of answers.
    pub fn all(&self) -> u64 {
        self.applied + self.refused + self.not_a_patch + self.failed
    }

    fn add(&mut self, done: &Done) {
        match done.outcome {
            Ended::Applied => self.applied += 1,
            Ended::Refused => self.refused += 1,
            Ended::NotAPatch => self.not_a_patch += 1,
            Ended::Failed => self.failed += 1,
        }
        self.bytes += done.bytes as u64;
    }
}

/// Reads rows as lines of JSON, applies each, and writes an answer for each, in the same order. Blank lines are skipped.
/// `defaults` has the options that a row does not name. `watch` hears of progress now and then.
///
/// An answer is written as soon as all earlier answers are. Rows of the same folder are applied in their order. After an error
/// of `output` no line is read any more; a thread that waits for input then may outlive the call.
///
/// # Errors
/// Those of `input`, after all lines that were read are answered, and those of `output`.
///
/// ```
/// use std::num::NonZeroUsize;
/// use apply_patch::run::Options;
/// use apply_patch::run::batch::{Limits, Settings, lines};
///
/// let input = "{\"id\": 1, \"files\": {}, \"patch\": \"no patch\"}\n";
/// let limits = Limits::new(NonZeroUsize::MIN);
/// let counts = lines(input.as_bytes(), Vec::new(), &Options::default(), &Settings::default(), limits, &mut |_| {})?;
/// assert_eq!(counts.not_a_patch, 1);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn lines(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    defaults: &Options,
    settings: &Settings,
    limits: Limits,
    watch: &mut dyn FnMut(&Counts),
) -> io::Result<Counts> {
    let flow = Arc::new(Flow {
        input: Mutex::new(Input { from: input, number: 0, row: 0 }),
        state: Mutex::new(State::new(output, limits.threads.get())),
        room: Condvar::new(),
        ended: Condvar::new(),
        turns: Turns::default(),
        defaults: defaults.clone(),
        settings: settings.clone(),
        limits,
    });
    for _ in 0..limits.threads.get() {
        let worker = Worker(Arc::clone(&flow));
        // Where the system gives no more threads, the worker is dropped, and is no longer counted.
        let _ = thread::Builder::new().spawn(move || worker.0.work());
    }
    if flow.state().workers == 0 {
        flow.work();
    }
    flow.wait(watch)
}

/// What all threads share.
struct Flow<R, W> {
    input: Mutex<Input<R>>,
    state: Mutex<State<W>>,
    /// An answer was written.
    room: Condvar,
    /// A thread has ended, or the output has failed.
    ended: Condvar,
    turns: Turns,
    defaults: Options,
    settings: Settings,
    limits: Limits,
}

/// A thread at work, or one that never began. Dropping it counts it off, after a panic too.
struct Worker<R, W>(Arc<Flow<R, W>>);

impl<R, W> Drop for Worker<R, W> {
    fn drop(&mut self) {
        self.0.state().workers -= 1;
        self.0.ended.notify_all();
    }
}

struct Input<R> {
    from: R,
    /// The number of the last line that was read, from 1.
    number: u64,
    /// How many rows were read.
    row: u64,
}

/// A line that was read.
struct Line {
    /// Which row this is, from 0.
    row: u64,
    /// The number of the line, from 1.
    number: u64,
    /// The line, without its line break; `None` for a line that is too long.
    bytes: Option<Vec<u8>>,
}

struct State<W> {
    output: W,
    workers: usize,
    /// The row whose answer is written next.
    next: u64,
    /// Answers of later rows.
    waiting: BTreeMap<u64, Done>,
    in_flight: usize,
    bytes: usize,
    counts: Counts,
    failed_to_read: Option<io::Error>,
    failed_to_write: Option<io::Error>,
}

/// An answer that is ready to be written.
struct Done {
    text: Vec<u8>,
    bytes: usize,
    outcome: Ended,
}

/// How a row ended, for counting.
enum Ended {
    Applied,
    Refused,
    NotAPatch,
    Failed,
}

impl<W> State<W> {
    fn new(output: W, workers: usize) -> Self {
        State {
            output,
            workers,
            next: 0,
            waiting: BTreeMap::new(),
            in_flight: 0,
            bytes: 0,
            counts: Counts::default(),
            failed_to_read: None,
            failed_to_write: None,
        }
    }
}

impl<R, W> Flow<R, W> {
    fn state(&self) -> MutexGuard<'_, State<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until all is written, or nothing more can be.
    fn wait(&self, watch: &mut dyn FnMut(&Counts)) -> io::Result<Counts> {
        let mut state = self.state();
        while state.workers > 0 && state.failed_to_write.is_none() {
            let (after, _) = self.ended.wait_timeout(state, OFTEN).unwrap_or_else(PoisonError::into_inner);
            state = after;
            watch(&state.counts);
        }
        let failed = state.failed_to_write.take().or(state.failed_to_read.take());
        failed.map_or(Ok(state.counts), Err)
    }
}

impl<R: BufRead, W: Write> Flow<R, W> {
    /// Answers lines until there is no more.
    fn work(&self) {
        loop {
            let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
            if !self.wait_for_room() {
                return;
            }
            let line = match input.next(self.limits.line) {
                Ok(Some(line)) => line,
                Ok(None) => return,
                Err(error) => {
                    self.state().failed_to_read.get_or_insert(error);
                    return;
                }
            };
            let bytes = line.bytes.as_ref().map_or(0, Vec::len);
            self.begin(bytes);
            // A row with a folder has no contents, so that it is read at once: only then its turn is taken in order.
            let has_root =
                line.bytes.as_deref().is_some_and(|line| memmem::find(line, b"\"root\"").is_some());
            let input = has_root.then_some(input);
            let (text, outcome) = self.answer(&line, move || drop(input));
            self.finish(line.row, Done { text, bytes, outcome });
        }
    }

    /// Answers a line. `let_next` is called as soon as the next line may be read.
    fn answer(&self, line: &Line, let_next: impl FnOnce()) -> (Vec<u8>, Ended) {
        let Some(bytes) = &line.bytes else {
            let_next();
            let words = format!("line {}: it is longer than {} bytes", line.number, self.limits.line);
            return answer_text(None, &Answer::of(wrong_usage(words)));
        };
        let read = json::read(bytes, line.number, &self.defaults);
        let turn = read.row.as_ref().ok().and_then(|row| self.settings.turn(row, &self.turns));
        let_next();
        let answer = match read.row {
            Ok(row) => self.settings.answer_in_turn(row, turn.as_ref()),
            Err(report) => Answer::of(report),
        };
        answer_text(read.id, &answer)
    }

    /// Waits until a line may be read. Returns `false` if no more is to be read.
    fn wait_for_room(&self) -> bool {
        let Limits { bytes, rows, .. } = self.limits;
        let mut state = self.state();
        loop {
            if state.failed_to_write.is_some() || state.failed_to_read.is_some() {
                return false;
            }
            if state.in_flight == 0 || state.in_flight < rows && state.bytes < bytes {
                return true;
            }
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn begin(&self, bytes: usize) {
        let mut state = self.state();
        state.in_flight += 1;
        state.bytes += bytes;
    }

    /// Writes an answer, and all that waited for it.
    fn finish(&self, row: u64, done: Done) {
        let mut state = self.state();
        state.waiting.insert(row, done);
        let mut text = Vec::new();
        while let Some(done) = {
            let next = state.next;
            state.waiting.remove(&next)
        } {
            state.next += 1;
            state.in_flight -= 1;
            state.bytes -= done.bytes;
            state.counts.add(&done);
            if text.is_empty() {
                text = done.text;
            } else {
                text.extend_from_slice(&done.text);
            }
        }
        if !text.is_empty() && state.failed_to_write.is_none() {
            let written = state.output.write_all(&text);
            if let Err(error) = written.and_then(|()| state.output.flush()) {
                state.failed_to_write = Some(error);
                self.ended.notify_all();
            }
        }
        self.room.notify_all();
    }
}

fn answer_text(id: Option<&serde_json::value::RawValue>, answer: &Answer) -> (Vec<u8>, Ended) {
    (json::write(id, answer), Ended::of(&answer.report))
}

impl Ended {
    fn of(report: &Report) -> Self {
        match report.outcome {
            Outcome::Applied(_) | Outcome::WouldApply(_) => Ended::Applied,
            Outcome::Refused(_) => Ended::Refused,
            Outcome::NotAPatch(_) => Ended::NotAPatch,
            _ => Ended::Failed,
        }
    }
}

impl<R: BufRead> Input<R> {
    /// Reads the next line that is not blank; `None` at the end.
    fn next(&mut self, limit: u64) -> io::Result<Option<Line>> {
        loop {
            let mut bytes = Vec::new();
            (&mut self.from).take(limit.saturating_add(1)).read_until(b'\n', &mut bytes)?;
            if bytes.is_empty() {
                return Ok(None);
            }
            self.number += 1;
            let is_whole = bytes.pop_if(|last| *last == b'\n').is_some();
            let is_too_long = bytes.len() as u64 > limit;
            if is_too_long && !is_whole {
                self.skip_line()?;
            }
            if is_too_long || !bytes.trim_ascii().is_empty() {
                self.row += 1;
                let bytes = (!is_too_long).then_some(bytes);
                return Ok(Some(Line { row: self.row - 1, number: self.number, bytes }));
            }
        }
    }

    /// Skips the rest of a line without keeping it.
    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let some = match self.from.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                some => some?,
            };
            let (used, is_end) =
                memchr(b'\n', some).map_or((some.len(), some.is_empty()), |at| (at + 1, true));
            self.from.consume(used);
            if is_end {
                return Ok(());
            }
        }
    }
}
