//! The library inside another program: a view of files that lies, few threads, a transaction that is dropped.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::fs;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use apply_patch::apply::{ApplyError, Roots};
use apply_patch::format::{self, parse};
use apply_patch::plan::{self, Change, Files, Found, Node, ReadError, plan};
use apply_patch::run::{Options, Tree, run};
use camino::Utf8Path;

/// Counts how often files are read and directories are listed.
#[derive(Default)]
struct Counting {
    reads: AtomicUsize,
    lists: AtomicUsize,
}

impl Files for Counting {
    fn look_up(&self, path: &Utf8Path) -> Result<Found, ReadError> {
        let node = if path == "f" {
            self.reads.fetch_add(1, Ordering::Relaxed);
            Node::File { bytes: "one\ntwo\n".into(), link: false }
        } else {
            Node::Missing
        };
        Ok(Found { path: path.to_owned(), node })
    }

    fn names(&self, _: &Utf8Path) -> Vec<String> {
        self.lists.fetch_add(1, Ordering::Relaxed);
        vec!["f".to_owned()]
    }
}

#[test]
fn a_file_that_is_copied_many_times_is_read_once() {
    let copies = |count: usize| {
        let copy = |n| format!("diff --git a/f b/g{n}\nsimilarity index 100%\ncopy from f\ncopy to g{n}\n");
        let text: String = (0..count).map(copy).collect();
        let files = Counting::default();
        let parsed = parse(&text, &format::Options::default());
        let plan = plan(&parsed.patch, &files, &plan::Options::default()).unwrap();
        assert_eq!(plan.changes.len(), count);
        files.reads.into_inner()
    };
    assert_eq!(copies(50), copies(1));
}

#[test]
fn similar_names_are_looked_for_a_few_times() {
    let missing = |count: usize| {
        let hunk = |n| format!("*** Update File: missing{n}\n@@\n-x\n+y\n");
        let hunks: String = (0..count).map(hunk).collect();
        let text = format!("*** Begin Patch\n{hunks}*** End Patch\n");
        let files = Counting::default();
        let parsed = parse(&text, &format::Options::default());
        let failures = plan(&parsed.patch, &files, &plan::Options::default()).unwrap_err();
        assert_eq!(failures.failures.len(), count);
        files.lists.into_inner()
    };
    assert_eq!(missing(200), missing(20));
}

/// Gives other bytes each time.
#[derive(Default)]
struct Lying(AtomicUsize);

impl Files for Lying {
    fn look_up(&self, path: &Utf8Path) -> Result<Found, ReadError> {
        let nth = self.0.fetch_add(1, Ordering::Relaxed);
        let text = format!("one\n{}two\n", "other\n".repeat(nth));
        Ok(Found { path: path.to_owned(), node: Node::File { bytes: text.into(), link: false } })
    }

    fn names(&self, _: &Utf8Path) -> Vec<String> {
        vec!["f".to_owned()]
    }
}

fn planned(files: &dyn Files) -> Vec<Change> {
    let hunks = "*** Update File: f\n@@\n-two\n+TWO\n*** Add File: new/g\n+x\n";
    let text = format!(
        "*** Begin Patch\n{}*** End Patch\n",
        hunks.replace("*** Add", "*** Update File: f\n@@\n-one\n+ONE\n*** Add")
    );
    let parsed = parse(&text, &format::Options::default());
    plan(&parsed.patch, files, &plan::Options::default()).map(|plan| plan.changes).unwrap_or_default()
}

fn on_disk() -> (tempfile::TempDir, Roots) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("f"), "one\ntwo\n").unwrap();
    let roots = Roots::open(Utf8Path::from_path(folder.path()).unwrap()).unwrap();
    (folder, roots)
}

fn names(folder: &tempfile::TempDir) -> Vec<String> {
    let names = fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn what_a_lying_view_of_files_leads_to_is_checked_before_anything_is_written() {
    let (folder, roots) = on_disk();
    let changes = planned(&Lying(AtomicUsize::new(1)));
    // Where the lie makes the plan impossible, there is nothing to write.
    let refused = changes.is_empty() || roots.prepare(&changes).is_err();
    assert!(refused);
    assert_eq!(names(&folder), ["f"]);
    assert_eq!(fs::read_to_string(folder.path().join("f")).unwrap(), "one\ntwo\n");
}

#[test]
fn a_transaction_over_two_roots_that_is_dropped_leaves_nothing() {
    let (folder, roots) = on_disk();
    let (other, further) = on_disk();
    let roots = roots.with_further(further.base()).unwrap();
    let mut changes = planned(&roots);
    assert!(changes.len() > 1);
    let mut elsewhere = changes[0].clone();
    elsewhere.path = further.base().join("f");
    changes.push(elsewhere);
    let prepared = roots.prepare(&changes).unwrap();
    assert!(names(&other).iter().any(|name| name.starts_with(".apply-patch-part-")), "{:?}", names(&other));
    drop(prepared);
    assert_eq!((names(&folder), names(&other)), (vec!["f".to_owned()], vec!["f".to_owned()]));
    let committed: Result<_, ApplyError> = roots.prepare(&changes).unwrap().commit();
    committed.unwrap();
    assert_eq!(
        (names(&folder), names(&other)),
        (vec!["f".to_owned(), "new".to_owned()], vec!["f".to_owned()])
    );
}

#[test]
fn one_thread_does_as_many_do() {
    let hunks: Vec<String> = (0..40).map(|n| format!("*** Update File: f{n}\n@@\n-two\n+TWO\n")).collect();
    let text = hunks.concat();
    let text = format!("*** Begin Patch\n{text}*** End Patch\n");
    let reports = [NonZeroUsize::new(1), None].map(|threads| {
        let mut tree: Tree = (0..40).map(|n| (format!("f{n}"), "one\ntwo\n")).collect();
        let options = Options::default().with_threads(threads);
        format!("{:?}", run(&text, &options, &mut tree).changes())
    });
    assert_eq!(reports[0], reports[1]);
}
