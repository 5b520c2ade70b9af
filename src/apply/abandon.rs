//! An interrupted run that is given up.

use camino::Utf8PathBuf;

use super::journal::{Entry, Was};
use super::list::List;
use super::stage::Stage;
use super::step::{Step, put_new};
use super::{ApplyError, Roots};

impl Roots {
    /// Abandons interrupted runs: the files stay as they are, possibly half changed; the lists and all side files are
    /// removed, including kept old contents. A file that was only set aside is restored. Lists from the tree itself are
    /// also removed, and their side files stay. Returns the paths of the runs, and the names of these lists.
    ///
    /// # Errors
    /// Returns the errors of the system.
    pub fn abandon(&self) -> Result<Vec<Utf8PathBuf>, ApplyError> {
        let _lock = self.lock()?;
        let mut given_up = Vec::new();
        loop {
            let lists = self.all_lists()?;
            if let Some(list) = lists.own {
                given_up.extend(self.abandon_own(list)?);
                continue;
            }
            for foreign in lists.foreign.into_iter().filter(|foreign| foreign.is_of_user) {
                let path = self.base().join(&foreign.name);
                let removed = self.fs.remove_file(&path).or_else(|_| self.fs.remove_folder(&path));
                removed.map_err(ApplyError::io("remove", &path))?;
                given_up.push(foreign.name);
            }
            return Ok(given_up);
        }
    }

    fn abandon_own(&self, list: List) -> Result<Vec<Utf8PathBuf>, ApplyError> {
        let journal = self.read_list(&list)?.unwrap_or_default();
        let with_say = self.with_say(&journal)?;
        for entry in &journal.steps {
            if let Ok(step) = self.step(entry)
                && with_say.is_over(&step.target)
            {
                self.put_back_aside(&step, entry)?;
            }
        }
        let files = journal.files.iter().filter_map(|file| self.side_file(file).ok());
        let files = files.filter(|file| with_say.is_over(file)).collect();
        let left = Stage::found(self, list, with_say.counterparts, files, Vec::new()).clear_and_sync();
        match left.into_iter().next() {
            None => Ok(journal.steps.into_iter().map(|entry| entry.path).collect()),
            Some(left) => Err(ApplyError::io("remove", &left.path)(left.source)),
        }
    }

    /// Restores a file that has only its second name, because its new content is not yet in place.
    fn put_back_aside(&self, step: &Step, entry: &Entry) -> Result<(), ApplyError> {
        let Some(staged) = &step.staged else { return Ok(()) };
        let is_aside = entry.was != Was::Nothing
            && self.now(step, &step.target)? == Was::Nothing
            && self.now(step, &step.kept)? == entry.was
            && self.now(step, staged)? != Was::Nothing;
        if !is_aside {
            return Ok(());
        }
        put_new(&*self.fs, &step.kept, &step.target).map_err(ApplyError::io("put back", &step.path))
    }
}
