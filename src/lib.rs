//! Turns an edit that a language model wrote as an `apply_patch` envelope into changed files.
//!
//! The model quotes files from memory, so the quote often differs slightly from the file. An edit lands at the position
//! that was meant, or is refused with a reason; all of a patch is applied or nothing; every byte that the patch does
//! not name is unchanged.
//!
//! The library prints nothing, never ends the process, and touches the disk in [`apply`] only. [`run::run`] does
//! everything in a single call, on the disk or in memory, and returns a [`Report`](run::Report):
//!
//! ```
//! use apply_patch::apply::Roots;
//! use apply_patch::run::{Options, Tree, run};
//! # let folder = tempfile::tempdir()?;
//! # let folder = camino::Utf8Path::from_path(folder.path()).ok_or("not UTF-8")?;
//! # std::fs::write(folder.join("greet.py"), "def greet():\n    print('helo')\n")?;
//!
//! let text = "*** Begin Patch
//! *** Update File: greet.py
//! @@ def greet():
//! -    print('helo')
//! +    print('hello')
//! *** End Patch";
//! let report = run(text, &Options::default(), &mut Tree::Disk(Roots::open(folder)?));
//! assert!(report.changed());
//! assert!(report.for_model(4000).starts_with("Done: 1 file changed.\n"));
//! # assert_eq!(std::fs::read_to_string(folder.join("greet.py"))?, "def greet():\n    print('hello')\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The steps of a run are also available separately:
//!
//! 1. [`format::parse`] parses the text and returns a [`Patch`](patch::Patch) with the repairs.
//! 2. [`plan::plan`] matches the patch against the files, which it reads through [`plan::Files`], and returns a
//!    [`Plan`](plan::Plan), or every failure. This is the dry run.
//! 3. [`apply::Roots::prepare`] and [`commit`](apply::Prepared::commit) write the changes of the plan.
//! 4. A [`Report`](run::Report) of the outcome renders itself as text: see [`report`].
//!
//! ```
//! use apply_patch::apply::Roots;
//! use apply_patch::report::Look;
//! use apply_patch::run::{Changes, Details, Outcome, Report};
//! use apply_patch::{format, plan};
//! # let folder = tempfile::tempdir()?;
//! # let folder = camino::Utf8Path::from_path(folder.path()).ok_or("not UTF-8")?;
//! # std::fs::write(folder.join("greet.py"), "def greet():\n    print('helo')\n")?;
//!
//! let text = "*** Begin Patch
//! *** Update File: greet.py
//! @@ def greet():
//! -    print('helo')
//! +    print('hello')
//! *** End Patch";
//! let (patch, repairs) = format::parse(text, &format::Options::default()).into_result()?;
//! let roots = Roots::open(folder)?;
//! let plan = plan::plan(&patch, &roots, &plan::Options::default())?;
//! roots.prepare(&plan.changes)?.commit()?;
//!
//! let mut report = Report::of(Outcome::Applied(Changes::of(&plan, &Details::default())));
//! report.repairs = repairs;
//! assert_eq!(report.for_human(&Look::PLAIN), "M greet.py +1 -1\n");
//! # assert_eq!(std::fs::read_to_string(folder.join("greet.py"))?, "def greet():\n    print('hello')\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Modules in reading order: [`run`] (all steps in order), [`patch`] (the data), [`mod@format`] (text to patch), [`plan`],
//! [`apply`], [`report`], [`generate`] (from a plan to a text), [`grammar`] (what a model gets beforehand).
//!
//! The parts of a diagnosis are not types of the API: a report contains them as words, and as [JSON](report::JsonReport).
//!
//! # Features
//!
//! - `cli`, on by default: the command `apply-patch`. A library does not need the command:
//!   `cargo add apply-patch --no-default-features`. Cargo then compiles 44 dependencies instead of 59 (`cargo tree -e normal`, on
//!   Linux).
//! - `internals`: what the tests, benchmarks, fuzz targets and bindings of this repository reach. Not part of the API: it may change
//!   in any release.

#![cfg_attr(
    not(feature = "internals"),
    allow(unreachable_pub, reason = "the feature `internals` makes more of the crate reachable")
)]

pub mod apply;
#[cfg(not(feature = "internals"))]
#[allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "the feature `internals` makes the rest of the module reachable"
)]
mod baseline;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod baseline;
mod builders;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
pub mod format;
mod fs;
pub mod generate;
pub mod grammar;
#[cfg(not(feature = "internals"))]
#[allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "the feature `internals` makes the rest of the module reachable"
)]
mod locate;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod locate;
mod parallel;
pub mod patch;
pub mod plan;
pub mod report;
pub mod run;
#[cfg(not(feature = "internals"))]
#[allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "the feature `internals` makes the rest of the module reachable"
)]
mod text;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod text;
