//! Many requests at once.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use super::driver::run;
use super::report::Report;
use super::request::Request;
use super::tree::Tree;
use crate::parallel;

/// Runs independent requests on `threads` threads, the current thread included, each request on a single thread. A job is a
/// request and the tree that the request changes. Returns the reports in the order of the jobs. A failed request has a report with the reason, and does not stop
/// further requests.
///
/// ```
/// use std::num::NonZeroUsize;
/// use apply_patch::run::{Request, Status, Tree, many};
///
/// let text = |old: &str| format!("a.txt\n<<<<<<< SEARCH\n{old}\n=======\nnew\n>>>>>>> REPLACE\n");
/// let texts = [text("one"), text("nowhere"), "no patch".to_owned()];
/// let tree = || Tree::from_iter([("a.txt", "one\n")]);
/// let mut jobs: Vec<_> = texts.iter().map(|text| (Request::new(text), tree())).collect();
/// let reports = many(&mut jobs, NonZeroUsize::MIN);
/// let statuses: Vec<Status> = reports.iter().map(|report| report.status()).collect();
/// assert_eq!(statuses, [Status::Applied, Status::Refused, Status::NotAPatch]);
/// ```
pub fn many(jobs: &mut [(Request<'_>, Tree)], threads: NonZeroUsize) -> Vec<Report> {
    let jobs: Vec<_> = jobs.iter_mut().map(Mutex::new).collect();
    let run_one = |job: &Mutex<&mut (Request<'_>, Tree)>| {
        let mut job = job.lock().unwrap_or_else(PoisonError::into_inner);
        let (request, tree) = &mut **job;
        parallel::within(Some(NonZeroUsize::MIN), || run(request, tree))
    };
    parallel::map_on(threads.get().min(jobs.len()), &jobs, run_one)
}
