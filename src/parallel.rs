//! Divides work among the processors, if there is enough work.
//!
//! A new thread needs about a tenth of a millisecond until it runs on another processor. So the work for a patch of a
//! few files is never divided; the work for a hundred files is, and for a single long file. `docs/speed.md` has the
//! measurements.

use std::cell::Cell;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

/// The number of bytes from which dividing pays, for work that reads each byte once.
pub(crate) const WORTH: usize = 1 << 22;

/// What opening, looking at and closing a file costs, in bytes read.
pub(crate) const A_FILE: usize = 1 << 14;

/// More threads than this get in each other's way: memory and disk are shared.
const MOST: usize = 8;

thread_local! {
    /// How many threads the caller of this thread allows; `None`: as many as the machine has processors.
    static ALLOWED: Cell<Option<NonZeroUsize>> = const { Cell::new(None) };
}

/// Runs `work` with at most `threads` threads, the current thread included; `None` sets no limit. An inner limit never
/// raises an outer limit.
pub(crate) fn within<R>(threads: Option<NonZeroUsize>, work: impl FnOnce() -> R) -> R {
    let outer = ALLOWED.get();
    let allowed = match (outer, threads) {
        (Some(outer), Some(threads)) => Some(outer.min(threads)),
        (outer, threads) => outer.or(threads),
    };
    let _restored = Allowing::set(allowed);
    work()
}

/// Sets the number of allowed threads, and restores the old number on drop, also after a panic.
struct Allowing(Option<NonZeroUsize>);

impl Allowing {
    fn set(allowed: Option<NonZeroUsize>) -> Self {
        Allowing(ALLOWED.replace(allowed))
    }
}

impl Drop for Allowing {
    fn drop(&mut self) {
        ALLOWED.set(self.0);
    }
}

/// Maps each item with `make`, in the order of the items; or returns the error of the first item that fails, in which
/// case not all items were tried. `bytes` is the amount of work in total.
pub(crate) fn try_map<'i, T: Sync, R: Send, E: Send>(
    items: &'i [T],
    bytes: usize,
    make: impl Fn(&'i T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let failed = AtomicBool::new(false);
    let results = map(items, bytes, |item| {
        // All before the first that failed have begun, and so are done.
        let result = if failed.load(Ordering::Relaxed) { None } else { Some(make(item)) };
        if matches!(result, Some(Err(_))) {
            failed.store(true, Ordering::Relaxed);
        }
        result
    });
    results.into_iter().flatten().collect()
}

/// Maps each item with `make`, in the order of the items. `bytes` is the amount of work in total.
pub(crate) fn map<'i, T: Sync, R: Send>(
    items: &'i [T],
    bytes: usize,
    make: impl Fn(&'i T) -> R + Sync,
) -> Vec<R> {
    let threads = threads(bytes).min(items.len());
    if threads < 2 {
        return items.iter().map(make).collect();
    }
    map_on(threads, items, make)
}

/// Maps each item on exactly `threads` threads, the current thread included, for any amount of work.
pub(crate) fn map_on<'i, T: Sync, R: Send>(
    threads: usize,
    items: &'i [T],
    make: impl Fn(&'i T) -> R + Sync,
) -> Vec<R> {
    let places: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    for_each(items.len(), threads, &|nth| {
        let result = make(&items[nth]);
        *places[nth].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    });
    places
        .into_iter()
        .filter_map(|place| place.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect()
}

/// Calls `work` for each number below `count`; the threads take the numbers in order.
fn for_each(count: usize, threads: usize, work: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(nth) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|nth| *nth < count) {
            work(nth);
        }
    };
    let here = processor::current();
    let allowed = ALLOWED.get();
    let work_elsewhere = || {
        processor::leave(here);
        ALLOWED.set(allowed);
        work();
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // If the system refuses further threads, the existing threads do all the work.
            let _ = thread::Builder::new().spawn_scoped(scope, work_elsewhere);
        }
        // Gives this processor to a waiting thread, which then moves away.
        thread::yield_now();
        work();
    });
}

/// Drops `what`. If `bytes` is large, drops it on a background thread, because unmapping large allocations takes
/// milliseconds.
pub(crate) fn drop_in_background(bytes: usize, what: impl Send + 'static) {
    if threads(bytes) < 2 {
        return;
    }
    let here = processor::current();
    // If the system refuses the thread, the closure is dropped, and `what` with it.
    let _ = thread::Builder::new().spawn(move || {
        processor::leave(here);
        drop(what);
    });
    // The new thread starts on this processor and then moves away.
    thread::yield_now();
}

/// Moves a thread to another processor.
///
/// Linux usually starts a thread on the processor of its creator, and takes milliseconds to move the thread: meanwhile
/// the thread waits and further processors are idle. If the affinity excludes the processor, Linux moves the thread at
/// once.
#[cfg(target_os = "linux")]
mod processor {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

    /// Returns the number of processors for this thread. The function of the standard library also reads several system
    /// files for a limit on processor time, but a time limit does not change how work is best divided.
    pub(super) fn count() -> usize {
        sched_getaffinity(None).map_or(1, |allowed| allowed.count() as usize)
    }

    /// The number of a processor.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub(super) struct Processor(usize);

    /// Returns the processor of this thread.
    pub(super) fn current() -> Processor {
        Processor(sched_getcpu())
    }

    /// Moves this thread away from a processor, if the thread may run elsewhere. The thread may come back later.
    pub(super) fn leave(here: Processor) {
        let Processor(number) = here;
        // If the system does not provide the number, `current` is out of range.
        if current() != here || number >= CpuSet::MAX_CPU {
            return;
        }
        let Ok(allowed) = sched_getaffinity(None) else { return };
        let mut others = allowed;
        others.unset(number);
        if others.count() > 0 && sched_setaffinity(None, &others).is_ok() {
            // The system may refuse an affinity that it allows otherwise; the thread then stays where it is.
            let _ = sched_setaffinity(None, &allowed);
        }
    }
}

/// Only Linux needs this.
#[cfg(not(target_os = "linux"))]
mod processor {
    pub(super) fn count() -> usize {
        std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
    }

    #[derive(Clone, Copy)]
    pub(super) struct Processor;

    pub(super) fn current() -> Processor {
        Processor
    }

    pub(super) fn leave(_: Processor) {}
}

/// Divides a number of bytes into ranges, a range for each processor that pays. Returns at least one range, possibly
/// empty.
pub(crate) fn ranges(bytes: usize) -> Vec<Range<usize>> {
    ranges_of(bytes, bytes)
}

/// Divides a number of items into ranges, given the total number of bytes.
pub(crate) fn ranges_of(items: usize, bytes: usize) -> Vec<Range<usize>> {
    let each = items.div_ceil(threads(bytes)).max(1);
    let starts = (0..items.max(1)).step_by(each);
    starts.map(|start| start..items.min(start + each)).collect()
}

/// Returns the number of threads to use for work that reads so many bytes.
fn threads(bytes: usize) -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    if bytes < WORTH {
        return 1;
    }
    match ALLOWED.get() {
        Some(allowed) => allowed.get(),
        None => *PROCESSORS.get_or_init(|| processor::count().clamp(1, MOST)),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn the_order_is_that_of_the_items() {
        let items: Vec<usize> = (0..1000).collect();
        for bytes in [0, usize::MAX] {
            let made = try_map(&items, bytes, |item| Ok::<_, ()>(item * 2));
            assert_eq!(made, Ok(items.iter().map(|item| item * 2).collect()));
        }
        assert_eq!(try_map(&[0; 0], usize::MAX, |item| Ok::<_, ()>(*item)), Ok(Vec::new()));
    }

    #[test]
    fn the_error_is_that_of_the_first_item_that_has_one() {
        let items: Vec<usize> = (0..1000).collect();
        for bytes in [0, usize::MAX] {
            let made = try_map(&items, bytes, |item| if item % 300 < 299 { Ok(()) } else { Err(*item) });
            assert_eq!(made, Err(299));
        }
    }

    #[test]
    fn ranges_hold_every_byte_once() {
        for bytes in [0, 1, WORTH - 1, WORTH, WORTH + 1, 10 * WORTH + 7] {
            let ranges = ranges(bytes);
            let joined: Vec<_> = ranges.iter().flat_map(|range| [range.start, range.end]).collect();
            assert_eq!((joined.first(), joined.last()), (Some(&0), Some(&bytes)));
            assert!(joined[1..joined.len() - 1].chunks(2).all(|pair| pair[0] == pair[1]), "{bytes}");
        }
    }

    #[test]
    fn a_limit_holds_in_the_threads_too_and_ends_with_its_work() {
        let limit = |count| NonZeroUsize::new(count);
        let items = [(); 8];
        let unlimited = threads(usize::MAX);
        let inside = within(limit(3), || map(&items, usize::MAX, |()| threads(usize::MAX)));
        assert_eq!(inside, [3; 8]);
        // An inner limit lowers the outer limit, and never raises it.
        assert_eq!(within(limit(2), || within(limit(5), || threads(usize::MAX))), 2);
        assert_eq!(within(limit(5), || within(limit(2), || threads(usize::MAX))), 2);
        assert_eq!(within(limit(1), || within(None, || ranges(10 * WORTH).len())), 1);
        let panicked = std::panic::catch_unwind(|| within(limit(1), || panic!("in between")));
        assert!(panicked.is_err());
        assert_eq!(threads(usize::MAX), unlimited);
    }

    #[test]
    fn what_is_dropped_in_the_background_is_dropped() {
        struct Tells(mpsc::Sender<()>);
        impl Drop for Tells {
            fn drop(&mut self) {
                self.0.send(()).unwrap();
            }
        }
        for bytes in [0, usize::MAX] {
            let (sender, receiver) = mpsc::channel();
            drop_in_background(bytes, Tells(sender));
            assert_eq!(receiver.recv(), Ok(()));
        }
    }

    #[test]
    fn a_panic_comes_through() {
        let items: Vec<usize> = (0..100).collect();
        for bytes in [0, usize::MAX] {
            let all = || map(&items, bytes, |item| assert!(*item != 7, "seven"));
            assert!(std::panic::catch_unwind(all).is_err());
        }
    }
}
