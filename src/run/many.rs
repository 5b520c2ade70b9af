//! Many texts at once.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use super::driver::run;
use super::options::Options;
use super::report::Report;
use super::tree::Tree;
use crate::parallel;

/// Runs independent jobs on `threads` threads, the current thread included, each job on a single thread. A job is a text, its
/// options, and the tree that the text changes, as [`run`] takes them. Returns the reports in the order of the jobs. A failed
/// job has a report with the reason, and does not stop further jobs.
///
/// ```
/// use std::num::NonZeroUsize;
/// use apply_patch::run::{Options, Status, Tree, many};
///
/// let text = |old: &str| format!("a.txt\n<<<<<<< SEARCH\n{old}\n=======\nnew\n>>>>>>> REPLACE\n");
/// let texts = [text("one"), text("nowhere"), "no patch".to_owned()];
/// let (options, tree) = (Options::default(), || Tree::from_iter([("a.txt", "one\n")]));
/// let mut jobs: Vec<_> = texts.iter().map(|text| (&**text, &options, tree())).collect();
/// let reports = many(&mut jobs, NonZeroUsize::MIN);
/// let statuses: Vec<Status> = reports.iter().map(|report| report.status()).collect();
/// assert_eq!(statuses, [Status::Applied, Status::Refused, Status::NotAPatch]);
/// ```
pub fn many(jobs: &mut [(&str, &Options, Tree)], threads: NonZeroUsize) -> Vec<Report> {
    let jobs: Vec<_> = jobs.iter_mut().map(Mutex::new).collect();
    let run_one = |job: &Mutex<&mut (&str, &Options, Tree)>| {
        let mut job = job.lock().unwrap_or_else(PoisonError::into_inner);
        let (text, options, tree) = &mut **job;
        parallel::within(Some(NonZeroUsize::MIN), || run(text, options, tree))
    };
    parallel::map_on(threads.get().min(jobs.len()), &jobs, run_one)
}
