//! Rows of the same folder take turns, in the order of the rows.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, PoisonError};

use camino::Utf8PathBuf;

/// The folders that rows wait for.
#[derive(Debug, Default)]
pub(super) struct Turns {
    folders: Mutex<HashMap<Utf8PathBuf, Queue>>,
    moved: Condvar,
}

/// The rows of one folder, by number.
#[derive(Debug, Default)]
struct Queue {
    /// The number of the row whose turn it is.
    current: u64,
    /// The number of the next row that comes.
    next: u64,
}

/// The turn of one row. The next row of the folder may begin when it is dropped, after a panic too.
#[derive(Debug)]
pub(super) struct Turn<'t> {
    turns: &'t Turns,
    folder: Utf8PathBuf,
    number: u64,
}

impl Turns {
    /// Takes a turn. Callers take turns in the order of the rows, and each thread waits for its rows in that order:
    /// the first row of each folder then never waits.
    pub(super) fn take(&self, folder: Utf8PathBuf) -> Turn<'_> {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        let queue = folders.entry(folder.clone()).or_default();
        queue.next += 1;
        Turn { turns: self, folder, number: queue.next - 1 }
    }
}

impl Turn<'_> {
    /// Waits until all earlier rows of the folder are done.
    pub(super) fn wait(&self) {
        let mut folders = self.turns.folders.lock().unwrap_or_else(PoisonError::into_inner);
        while folders.get(&self.folder).is_some_and(|queue| queue.current < self.number) {
            folders = self.turns.moved.wait(folders).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        // A row that never got its turn waits here, so that no later row overtakes an earlier one.
        self.wait();
        let mut folders = self.turns.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(queue) = folders.get_mut(&self.folder) {
            queue.current += 1;
            if queue.current == queue.next {
                folders.remove(&self.folder);
            }
        }
        self.turns.moved.notify_all();
    }
}
