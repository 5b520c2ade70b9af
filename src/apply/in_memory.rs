//! A plan carried out on a map of files.

use std::collections::BTreeMap;

use camino::Utf8PathBuf;

use super::ApplyError;
use crate::plan::{After, Change, Plan, Precondition};
use crate::text::Bytes;

impl Plan {
    /// Makes the changes in a map of files, all of them or none.
    ///
    /// # Errors
    /// [`ApplyError::Changed`]: a file is not as it was when the plan was made. The map is unchanged then.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use apply_patch::{format, plan};
    ///
    /// let mut files = BTreeMap::from([("a.txt".into(), b"one\ntwo\n".to_vec())]);
    /// let text = "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch\n";
    /// let (patch, _) = format::parse(text, &format::Options::default()).into_result()?;
    /// let plan = plan::plan(&patch, &files, &plan::Options::default())?;
    /// plan.apply_to(&mut files)?;
    /// assert_eq!(files["a.txt".as_ref() as &camino::Utf8Path], b"one\n2\n");
    /// // The plan was made from another file.
    /// assert!(plan.apply_to(&mut files).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply_to<B>(&self, files: &mut BTreeMap<Utf8PathBuf, B>) -> Result<(), ApplyError>
    where
        B: AsRef<[u8]> + From<Bytes>,
    {
        let stale = self.changes.iter().find(|change| !is_as_planned(change, files));
        if let Some(Change { path, .. }) = stale {
            return Err(ApplyError::Changed { path: path.clone() });
        }
        for Change { path, after, .. } in &self.changes {
            match after {
                After::Gone => files.remove(path),
                After::File { content, .. } => files.insert(path.clone(), content.to_bytes().into()),
            };
        }
        Ok(())
    }
}

/// Checks the precondition of a change.
fn is_as_planned<B: AsRef<[u8]>>(change: &Change, files: &BTreeMap<Utf8PathBuf, B>) -> bool {
    match (&change.before, files.get(&change.path)) {
        (Precondition::MustNotExist, None) => true,
        (Precondition::MustBe(planned), Some(found)) => planned.as_ref() == found.as_ref(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Options as Reading, parse};
    use crate::plan::{Options, plan};

    type Files = BTreeMap<Utf8PathBuf, Vec<u8>>;

    fn planned(text: &str, files: &Files) -> Plan {
        let parsed = parse(text, &Reading::default());
        plan(&parsed.patch, files, &Options::default()).unwrap()
    }

    const TEXT: &str = "*** Begin Patch\n*** Add File: b.txt\n+new\n*** Update File: a.txt\n*** Move to: c.txt\n@@\n-two\n+2\n\
        *** Delete File: d.txt\n*** End Patch\n";

    fn tree() -> Files {
        [("a.txt", "one\ntwo\n"), ("d.txt", "gone\n")].map(|(path, text)| (path.into(), text.into())).into()
    }

    #[test]
    fn files_are_added_changed_moved_and_removed() {
        let mut files = tree();
        let plan = planned(TEXT, &files);
        assert!(!plan.is_noop());
        plan.apply_to(&mut files).unwrap();
        let expected: Files =
            [("b.txt", "new\n"), ("c.txt", "one\n2\n")].map(|(path, text)| (path.into(), text.into())).into();
        assert_eq!(files, expected);
    }

    #[test]
    fn nothing_is_changed_where_any_file_has_changed() {
        let plan = planned(TEXT, &tree());
        let changes: [fn(&mut Files); 4] = [
            |files| files.get_mut("a.txt".as_ref() as &camino::Utf8Path).unwrap().push(b'x'),
            |files| drop(files.remove("d.txt".as_ref() as &camino::Utf8Path)),
            |files| drop(files.insert("b.txt".into(), b"new\n".to_vec())),
            |files| drop(files.insert("c.txt".into(), Vec::new())),
        ];
        for change in changes {
            let mut files = tree();
            change(&mut files);
            let before = files.clone();
            assert!(plan.apply_to(&mut files).is_err());
            assert_eq!(files, before);
        }
    }

    #[test]
    fn a_plan_of_what_is_there_changes_nothing() {
        let files = BTreeMap::from([("a.txt".into(), b"one\n2\n".to_vec())]);
        let text = "*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+2\n*** End Patch\n";
        assert!(planned(text, &files).is_noop());
    }
}
