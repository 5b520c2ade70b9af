//! The order of the steps: read, recover, plan, write.

use super::hooks::{Hooks, Step, Watched};
use super::options::Options;
use super::report::{Changes, Outcome, Preview, Report, Stopped};
use super::tree::{Tree, change_all};
use crate::apply::{ApplyError, Phase, Prepared, Progress, Recovery, Roots};
use crate::format::{self, Call, ParseErrors, excerpt, parse};
use crate::generate;
use crate::parallel;
use crate::patch::Patch;
use crate::plan::{self, Failures, Files, Pinned, Plan, Replace};

/// Applies a text of any format to a tree, or checks the text.
///
/// ```
/// use apply_patch::run::{Options, Status, Tree, run};
///
/// let mut tree: Tree = [("greet.py", "def greet():\n    print('helo')\n")].into_iter().collect();
/// let text = "*** Begin Patch
/// *** Update File: greet.py
/// @@
/// -    print('helo')
/// +    print('hello')
/// *** End Patch";
/// let options = Options::default();
/// let report = run(text, &options, &mut tree);
/// assert_eq!(report.status(), Status::Applied);
/// assert!(report.for_model(4000).starts_with("Done: 1 file changed.\nM greet.py +1 -1\n"));
///
/// // The same patch again: the change is there, so that nothing is done twice.
/// let again = run(text, &options, &mut tree);
/// assert!(!again.changed());
///
/// let other = text.replace("greet.py", "great.py");
/// let refused = run(&other, &options, &mut tree);
/// assert_eq!(refused.status(), Status::Refused);
/// assert_eq!(refused.failures().map(|failures| failures.failures[0].kind.code()), Some("no-such-file"));
/// assert!(refused.for_model(4000).contains("did you mean greet.py?"));
/// ```
pub fn run(text: &str, options: &Options, tree: &mut Tree) -> Report {
    run_with(text, options, tree, &())
}

/// Does what [`run`] does, with a caller who takes part.
pub fn run_with(text: &str, options: &Options, tree: &mut Tree, hooks: &dyn Hooks) -> Report {
    let caller = options.caller;
    parallel::within(options.threads, || {
        let mut parsed = parse(text, &options.reading());
        let calls = std::mem::take(&mut parsed.calls);
        match parsed.into_result() {
            Err(errors) => Report { calls, caller, ..Report::of(Outcome::NotAPatch(errors)) },
            Ok((patch, repairs)) => {
                let driver = Driver { edit: Edit::Patch(&patch), options, hooks };
                named(Report { calls, repairs, caller, ..driver.drive(tree) })
            }
        }
    })
}

/// Applies a patch that was parsed or built before.
///
/// ```
/// use apply_patch::format::{self, parse};
/// use apply_patch::run::{Options, Tree, run_patch};
///
/// let text = "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch\n";
/// let (patch, _) = parse(text, &format::Options::default()).into_result()?;
/// let mut tree: Tree = [("a.txt", "one\ntwo\n")].into_iter().collect();
/// assert!(run_patch(&patch, &Options::default(), &mut tree).changed());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_patch(patch: &Patch<'_>, options: &Options, tree: &mut Tree) -> Report {
    let driver = Driver { edit: Edit::Patch(patch), options, hooks: &() };
    let report = parallel::within(options.threads, || driver.drive(tree));
    Report { caller: options.caller, ..report }
}

/// Applies each call of a text separately, or checks each call: a call that cannot be read or does not fit prevents no
/// other call. Returns a report for each call, in order; a single report if the text has no call, or is not a patch for a
/// reason that belongs to no call.
///
/// ```
/// use apply_patch::run::{Options, Status, Tree, run_each};
///
/// let edit = |old, new| format!(r#"{{"path": "a.txt", "old_str": "{old}", "new_str": "{new}"}}"#);
/// let text = format!("[{}, {}]", edit("one", "1"), edit("nowhere", "2"));
/// let mut tree: Tree = [("a.txt", "one\n")].into_iter().collect();
/// let reports = run_each(&text, &Options::default(), &mut tree);
/// let statuses: Vec<Status> = reports.iter().map(|report| report.status()).collect();
/// assert_eq!(statuses, [Status::Applied, Status::Refused]);
/// ```
pub fn run_each(text: &str, options: &Options, tree: &mut Tree) -> Vec<Report> {
    let caller = options.caller;
    let reading = format::Options { separate_calls: true, ..options.reading() };
    let mut parsed = parse(text, &reading);
    let calls = std::mem::take(&mut parsed.calls);
    let (patch, mut repairs) = match parsed.into_result() {
        Ok(_) if calls.is_empty() => return vec![run(text, options, tree)],
        Ok(result) => result,
        Err(errors) => return vec![Report { calls, caller, ..Report::of(Outcome::NotAPatch(errors)) }],
    };
    let mut run_call = |mut call: Call| {
        if !call.errors.is_empty() {
            let errors = ParseErrors::of(std::mem::take(&mut call.errors));
            return Report { calls: vec![call], caller, ..Report::of(Outcome::NotAPatch(errors)) };
        }
        let hunks = patch.hunks.get(call.hunks.clone()).unwrap_or_default().to_vec();
        let part = Patch { hunks, check_only: patch.check_only, ..Patch::default() };
        let driver = Driver { edit: Edit::Patch(&part), options, hooks: &() };
        let report = parallel::within(options.threads, || driver.drive(tree));
        let hunks = 0..call.hunks.len();
        // What was repaired is reported once.
        let (calls, repairs) = (vec![Call { hunks, ..call }], std::mem::take(&mut repairs));
        named(Report { calls, repairs, caller, ..report })
    };
    calls.into_iter().map(&mut run_call).collect()
}

/// Returns a report in which each failure names the tool of its call.
fn named(mut report: Report) -> Report {
    if let Outcome::Refused(failures) = &mut report.outcome {
        // A failure without a line belongs to the options.
        for failure in failures.failures.iter_mut().filter(|failure| failure.number.is_some()) {
            let call = report.calls.iter().find(|call| call.hunks.contains(&failure.hunk));
            failure.tool = call.and_then(|call| call.shown_tool.as_deref()).map(excerpt);
        }
    }
    report
}

/// Replaces a text in a file, by the same rules.
///
/// ```
/// use apply_patch::plan::Replace;
/// use apply_patch::run::{Options, Tree, replace};
///
/// let mut tree: Tree = [("a.py", "def f():\n    return 1\n")].into_iter().collect();
/// let request = Replace::new("a.py", "return 1", "return 2");
/// let report = replace(&request, &Options::default(), &mut tree);
/// assert!(report.changed());
/// ```
#[cfg(feature = "internals")]
pub fn replace(request: &Replace<'_>, options: &Options, tree: &mut Tree) -> Report {
    replace_with(request, options, tree, &())
}

/// Does what [`replace`] does, with a caller who takes part.
#[cfg_attr(not(any(feature = "cli", feature = "internals")), allow(dead_code, reason = "for the command"))]
pub fn replace_with(request: &Replace<'_>, options: &Options, tree: &mut Tree, hooks: &dyn Hooks) -> Report {
    let edit = Edit::Replace(*request);
    let report = parallel::within(options.threads, || Driver { edit, options, hooks }.drive(tree));
    Report { caller: options.caller, ..report }
}

/// What is to be done.
#[derive(Clone, Copy)]
enum Edit<'e> {
    Patch(&'e Patch<'e>),
    #[cfg_attr(
        not(any(feature = "cli", feature = "internals")),
        allow(dead_code, reason = "for the command")
    )]
    Replace(Replace<'e>),
}

/// The state of a run.
struct Driver<'d> {
    edit: Edit<'d>,
    options: &'d Options,
    hooks: &'d dyn Hooks,
}

/// A plan that does not come about.
enum Unplanned {
    Refused { failures: Failures, suggestion: Option<String> },
    Stopped(Stopped),
}

impl Driver<'_> {
    /// Checks whether the run changes nothing. A text that asks for a dry run is never applied.
    fn is_check(&self) -> bool {
        self.options.check || matches!(self.edit, Edit::Patch(patch) if patch.check_only)
    }

    fn drive(&self, tree: &mut Tree) -> Report {
        let recovery = match self.recover(tree) {
            Ok(recovery) => recovery,
            Err(stopped) => return Report::of(Outcome::Stopped(stopped)),
        };
        let report = match self.plan(tree.files()) {
            Ok(plan) => self.carry_out(plan, tree),
            Err(Unplanned::Refused { failures, suggestion }) => {
                Report { suggestion, ..Report::of(Outcome::Refused(failures)) }
            }
            Err(Unplanned::Stopped(stopped)) => Report::of(Outcome::Stopped(stopped)),
        };
        Report { recovery, ..report }
    }

    /// Recovers before files are read for a plan. A run that writes nothing only checks whether recovery is needed.
    fn recover(&self, tree: &Tree) -> Result<Recovery, Stopped> {
        match (tree, self.is_check()) {
            (Tree::Memory(_), _) => Ok(Recovery::Nothing),
            (Tree::Disk(roots), false) => roots.recover().map_err(Stopped::Recover),
            (Tree::Disk(roots), true) => match roots.is_torn() {
                Ok(false) => Ok(Recovery::Nothing),
                Ok(true) => Err(Stopped::Interrupted),
                Err(error) => Err(Stopped::Apply(error)),
            },
        }
    }

    fn plan(&self, files: &dyn Files) -> Result<Plan, Unplanned> {
        let files = Pinned::new(files, &self.options.expect)?;
        let options = self.options.planning();
        match &self.edit {
            Edit::Patch(patch) => self.plan_patch(patch, &files, &options),
            Edit::Replace(request) => plan::replace(request, &files, &options)
                .map_err(|failures| self.refused(&request.to_patch(), failures, &files, &options)),
        }
    }

    /// Plans a patch as a whole, and again the part that the caller chooses.
    fn plan_patch(
        &self,
        patch: &Patch<'_>,
        files: &dyn Files,
        options: &plan::Options,
    ) -> Result<Plan, Unplanned> {
        let watched = Watched::new(files, self.hooks, patch.hunks.len());
        let plan = plan::plan(patch, &watched, options)
            .map_err(|failures| self.refused(patch, failures, files, options))?;
        match self.hooks.choose(patch, files, options).map_err(Unplanned::Stopped)? {
            None => Ok(plan),
            Some(chosen) => Ok(plan::plan(&chosen, files, options)?),
        }
    }

    fn refused(
        &self,
        patch: &Patch<'_>,
        failures: Failures,
        files: &dyn Files,
        options: &plan::Options,
    ) -> Unplanned {
        let suggestion = if self.options.details.suggestion {
            generate::suggest(patch, &failures, files, options)
        } else {
            None
        };
        Unplanned::Refused { failures, suggestion }
    }

    /// Makes the report first, so that the commit is the only owner of the plan and the contents of the files.
    fn carry_out(&self, mut plan: Plan, tree: &mut Tree) -> Report {
        let undo = match self.undo(&plan, tree.files()) {
            Ok(undo) => undo,
            Err(stopped) => return Report::of(Outcome::Stopped(stopped)),
        };
        let details = &self.options.details;
        // The commit does not need the reports of the hunks, so that these are moved.
        let hunks = std::mem::take(&mut plan.hunks);
        let changes = Changes { hunks, ..Changes::of(&plan, details) };
        let preview = Preview::of(&plan, details);
        let written = if self.is_check() { None } else { Some(self.write(plan, undo.as_deref(), tree)) };
        let (outcome, unclean) = match written {
            None => (Outcome::WouldApply(changes), None),
            Some(Ok(unclean)) => (Outcome::Applied(changes), unclean),
            Some(Err(stopped)) => return Report::of(Outcome::Stopped(stopped)),
        };
        Report { preview, undo, unclean, ..Report::of(outcome) }
    }

    fn undo(&self, plan: &Plan, files: &dyn Files) -> Result<Option<String>, Stopped> {
        self.hooks.planned(plan)?;
        let undo = self.options.details.undo.then(|| generate::undo(plan, files));
        undo.transpose().map_err(Stopped::NoUndo)
    }

    /// Applies a plan, and drops the plan as soon as possible. Returns the error of the clean-up, if any.
    fn write(&self, plan: Plan, undo: Option<&str>, tree: &mut Tree) -> Result<Option<ApplyError>, Stopped> {
        match tree {
            Tree::Disk(roots) => self.commit(plan, undo, roots),
            Tree::Memory(files) => {
                self.hooks.before_commit(undo)?;
                change_all(files, &plan.changes);
                Ok(None)
            }
        }
    }

    fn commit(&self, plan: Plan, undo: Option<&str>, roots: &Roots) -> Result<Option<ApplyError>, Stopped> {
        let watch = |Progress { phase, done, of }: Progress| {
            let step = if phase == Phase::Writing { Step::Writing } else { Step::Publishing };
            self.hooks.progress(step, done, of);
        };
        let prepared = roots.prepare_with(&plan.changes, &watch).map_err(Stopped::Apply)?;
        drop(plan);
        self.hooks.before_commit(undo)?;
        match Prepared::commit(prepared) {
            Ok(_) => Ok(None),
            Err(error @ ApplyError::CleanUp { .. }) => Ok(Some(error)),
            Err(error) => Err(Stopped::Apply(error)),
        }
    }
}

impl From<Failures> for Unplanned {
    fn from(failures: Failures) -> Self {
        Unplanned::Refused { failures, suggestion: None }
    }
}
