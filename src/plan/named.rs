//! The files that a patch names, before any file is read.

use camino::Utf8PathBuf;

use super::names::{marks_dropped, prefix_dropped};
use super::path::{self, Borders};
use crate::patch::{Action, Patch};

/// Returns every path that planning the patch may look up, sorted: for a caller whose files have to be fetched first, because they
/// are on another machine or behind an asynchronous interface. A map of the fetched files is then the view that the plan
/// [reads](super::plan).
///
/// A path with a leading `a/` or `b/` is listed with and without that directory, and a name in backticks or quotation marks with
/// and without these marks, because the plan may try both. Names that no file may have are left out: the plan refuses them
/// without a look at any file. Absolute names are left out, too, because only a view with
/// [borders](crate::plan::Files::borders), or one that knows the [machine](crate::plan::Files::is_free_outside), accepts them.
///
/// ```
/// use apply_patch::{format, plan};
///
/// let text = "*** Begin Patch\n*** Update File: a/lib.rs\n*** Move to: ./new.rs\n@@\n-old\n+new\n*** End Patch\n";
/// let (patch, _) = format::parse(text, &format::Options::default()).into_result()?;
/// assert_eq!(plan::paths(&patch), ["a/lib.rs", "lib.rs", "new.rs"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn paths(patch: &Patch<'_>) -> Vec<Utf8PathBuf> {
    let borders = Borders::default();
    let names = patch.hunks.iter().flat_map(|hunk| {
        let target = match &hunk.action {
            Action::Update { move_to, .. } => move_to.as_ref(),
            Action::Copy { to, .. } => Some(to),
            _ => None,
        };
        [Some(&hunk.path), target.map(|target| &target.path)].into_iter().flatten()
    });
    let spellings = names.flat_map(|name| [Some(name.as_ref()), marks_dropped(name)]).flatten();
    let checked = spellings.filter_map(|name| path::check(name, &borders).ok());
    let all = checked.flat_map(|name| {
        let without = prefix_dropped(&name.path).map(ToOwned::to_owned);
        [Some(name.path), without].into_iter().flatten()
    });
    let mut names: Vec<Utf8PathBuf> = all.collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::{BTreeMap, BTreeSet};

    use camino::Utf8Path;

    use super::*;
    use crate::format::{Options as Reading, parse};
    use crate::plan::{self, Files, Found, Options, ReadError};

    /// A view that remembers which files were read.
    struct Remembers(BTreeMap<Utf8PathBuf, Vec<u8>>, RefCell<BTreeSet<Utf8PathBuf>>);

    impl Files for Remembers {
        fn look_up(&self, path: &Utf8Path) -> Result<Found, ReadError> {
            self.1.borrow_mut().insert(path.to_owned());
            self.0.look_up(path)
        }
    }

    #[test]
    fn a_plan_reads_no_file_that_is_not_listed() {
        let text = "diff --git a/src/x.rs b/src/y.rs\nrename from src/x.rs\nrename to src/y.rs\n--- a/src/x.rs\n+++ b/src/y.rs\n\
            @@ -1 +1 @@\n-one\n+1\n";
        let envelope = "*** Begin Patch\n*** Add File: b/new.txt\n+x\n*** Update File: a/src/x.rs\n@@\n-one\n+1\n\
            *** Update File: `src/x.rs`\n@@\n-one\n+1\n*** Delete File: /etc/passwd\n*** Update File: ../x\n@@\n-a\n+b\n*** End Patch\n";
        for text in [text, envelope] {
            let parsed = parse(text, &Reading::default());
            let listed = paths(&parsed.patch);
            let files = BTreeMap::from([("src/x.rs".into(), b"one\n".to_vec())]);
            let view = Remembers(files, RefCell::default());
            let _ = plan::plan(&parsed.patch, &view, &Options::default());
            for read in view.1.into_inner() {
                let is_listed = listed.contains(&read);
                // The directory `a` or `b` itself is looked up to find out whether it is part of the tree.
                let is_above = listed.iter().any(|path| path != &read && path.starts_with(&read));
                assert!(is_listed || is_above, "{read} is not among {listed:?}");
            }
            assert!(!listed.iter().any(|path| path.is_absolute() || path.starts_with("..")), "{listed:?}");
        }
    }
}
