//! Work that is divided among the processors, where there is enough of it.
//!
//! It takes a thread up to some milliseconds until another processor is at work on it. So a patch of a few files is never
//! divided; a thousand files are, and one very long file. `docs/speed.md` has what was measured.

use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

/// From how many bytes on it pays to divide work that reads them once.
pub(crate) const WORTH: usize = 1 << 24;

/// What opening, looking at and closing a file costs, in bytes read.
pub(crate) const A_FILE: usize = 1 << 14;

/// More threads than this get in each other's way: memory and disk are shared.
const MOST: usize = 8;

/// What `make` makes of each item, in the order of the items; or the error of the first item that has one, and then not all
/// of them were tried. `bytes` says how much work there is in all.
pub(crate) fn try_map<T: Sync, R: Send, E: Send>(
    items: &[T],
    bytes: usize,
    make: impl Fn(&T) -> Result<R, E> + Sync,
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

/// What `make` makes of each item, in the order of the items. `bytes` says how much work there is in all.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], bytes: usize, make: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = threads(bytes).min(items.len());
    if threads < 2 {
        return items.iter().map(make).collect();
    }
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

/// Does something for each number below `count`, which the threads take in order.
fn for_each(count: usize, threads: usize, work: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(nth) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|nth| *nth < count) {
            work(nth);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // Where the system gives no more threads, those that there are do it all.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
}

/// Divides so many bytes into ranges, one for each processor that it pays to use. At least one, if an empty one.
pub(crate) fn ranges(bytes: usize) -> Vec<Range<usize>> {
    let each = bytes.div_ceil(threads(bytes)).max(1);
    let starts = (0..bytes.max(1)).step_by(each);
    starts.map(|start| start..bytes.min(start + each)).collect()
}

fn threads(bytes: usize) -> usize {
    // Finding out reads several files of the system.
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    let processors = || thread::available_parallelism().map_or(1, NonZero::get).min(MOST);
    if bytes < WORTH { 1 } else { *PROCESSORS.get_or_init(processors) }
}

#[cfg(test)]
mod tests {
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
    fn a_panic_comes_through() {
        let items: Vec<usize> = (0..100).collect();
        for bytes in [0, usize::MAX] {
            let all = || map(&items, bytes, |item| assert!(*item != 7, "seven"));
            assert!(std::panic::catch_unwind(all).is_err());
        }
    }
}
