//! Many requests at once.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use super::driver::run;
use super::report::Report;
use super::request::Request;
use super::tree::Tree;
use crate::parallel;

/// A request and the tree to apply the request to.
#[derive(Debug)]
pub struct Job<'t> {
    /// What is asked for.
    pub request: Request<'t>,
    /// The files; changed by the run.
    pub tree: Tree,
}

/// Runs independent requests on `threads` threads, the current thread included, each request on a single thread.
/// Returns the reports in the order of the jobs. A failed request has a report with the reason, and does not stop
/// further requests.
///
/// ```
/// use std::num::NonZeroUsize;
/// use apply_patch::run::{Job, Request, Status, many};
///
/// let text = |old: &str| format!("a.txt\n<<<<<<< SEARCH\n{old}\n=======\nnew\n>>>>>>> REPLACE\n");
/// let texts = [text("one"), text("nowhere"), "no patch".to_owned()];
/// let job = |text| Job { request: Request::new(text), tree: [("a.txt", "one\n")].into_iter().collect() };
/// let mut jobs: Vec<Job<'_>> = texts.iter().map(|text| job(text)).collect();
/// let reports = many(&mut jobs, NonZeroUsize::MIN);
/// let statuses: Vec<Status> = reports.iter().map(|report| report.status()).collect();
/// assert_eq!(statuses, [Status::Applied, Status::Refused, Status::NotAPatch]);
/// ```
pub fn many(jobs: &mut [Job<'_>], threads: NonZeroUsize) -> Vec<Report> {
    let jobs: Vec<_> = jobs.iter_mut().map(Mutex::new).collect();
    let run_one = |job: &Mutex<&mut Job<'_>>| {
        let mut job = job.lock().unwrap_or_else(PoisonError::into_inner);
        let Job { request, tree } = &mut **job;
        parallel::within(Some(NonZeroUsize::MIN), || run(request, tree))
    };
    parallel::map_on(threads.get().min(jobs.len()), &jobs, run_one)
}
