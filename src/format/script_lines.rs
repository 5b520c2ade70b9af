//! Reads the lines of a shell script around an envelope, and reports the commands that are not run.

use crate::format::envelope::{Reader, Wrapper};
use crate::format::error::ParseErrorKind;
use crate::format::repair::RepairKind;
use crate::format::script::{Part, Script};
use crate::format::shell::{self, Heredoc};

impl Reader<'_, '_> {
    /// Reads a line of words, of a script, or the end of a heredoc. Returns what the line is reported as.
    pub(super) fn prose(&mut self, line: &str) -> RepairKind {
        let state = &mut *self.state;
        if matches!(&state.wrapper, Some(Wrapper::Heredoc(word)) if word == line.trim()) {
            state.wrapper = None;
            if state.script.part == Part::Heredoc {
                state.script.part = Part::Behind;
            }
            return RepairKind::Heredoc;
        }
        if state.script.part == Part::Behind && shell::is_command(line) {
            return RepairKind::CommandAfter;
        }
        if let Some(folder) = shell::change_folder(line.trim()) {
            state.script.change_folder(folder);
        }
        RepairKind::Prose
    }

    /// Reads the line that begins a heredoc, and the effect of its commands on the patch.
    pub(super) fn heredoc(&mut self, number: usize, line: &str, heredoc: &Heredoc<'_>) {
        let script = &mut self.state.script;
        if !heredoc.is_script && heredoc.folders.is_empty() {
            *script = Script::default();
        }
        script.other_use = heredoc.is_unclear.then(|| line.to_owned());
        script.part = if heredoc.is_script { Part::Heredoc } else { Part::None };
        heredoc.folders.iter().for_each(|folder| script.change_folder(folder));
        let is_unclear = script.is_used || script.is_unclear;
        let folder = script.folder.clone();
        self.state.wrapper = Some(Wrapper::Heredoc(heredoc.word.to_owned()));
        if is_unclear {
            // In the same shell the directory of the earlier patch still counts, in a second shell not.
            self.error(number, ParseErrorKind::UnclearSetting, line);
        }
        let notes = [
            folder.map(RepairKind::ChangeFolder),
            heredoc.before.then_some(RepairKind::CommandBefore),
            heredoc.after.then_some(RepairKind::CommandAfter),
        ];
        notes.into_iter().flatten().for_each(|kind| self.repair(number, kind));
    }
}
