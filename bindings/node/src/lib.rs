//! The Node-API module behind the npm package `@apply-patch/node`: `run::run` and `format::Stream`, called from JavaScript.
//!
//! The module is private to the package. `lib/` wraps it: there are the classes, the checks of arguments, and the types that
//! a caller sees. Options come in as JSON, and reports and events go out as JSON, because one string costs less than the
//! Node-API calls for the fields of an object.

mod events;
mod guard;
mod live;
mod outcome;
#[cfg(feature = "panic-test")]
pub mod panics;
mod request;

use napi::bindgen_prelude::{AsyncTask, Either, Uint8Array};
use napi::{Env, Result, Task};
use napi_derive::napi;

use crate::outcome::NativeOutcome;
use crate::request::Call;

/// A text or bytes, as JavaScript has them.
pub type Content = Either<String, Uint8Array>;

/// Applies a patch on this thread. `root` is a directory, or absent for the files `names` and `contents` in memory.
///
/// # Errors
/// `InvalidArg` for options that are wrong, `GenericFailure` for a panic. A refusal is an outcome.
#[napi]
pub fn run_sync(
    patch: Content,
    root: Option<String>,
    names: Vec<String>,
    contents: Vec<Content>,
    options: Option<String>,
) -> Result<NativeOutcome> {
    let mut call = Call::new(patch, root, names, contents, options.as_deref())?;
    guard::guarded(|| call.run())
}

/// Applies a patch on a thread of the pool that Node keeps. The arguments are those of [`run_sync`].
///
/// # Errors
/// As [`run_sync`]; a panic rejects the promise.
#[napi(ts_return_type = "Promise<NativeOutcome>")]
pub fn run(
    patch: Content,
    root: Option<String>,
    names: Vec<String>,
    contents: Vec<Content>,
    options: Option<String>,
) -> Result<AsyncTask<Background>> {
    Call::new(patch, root, names, contents, options.as_deref()).map(|call| AsyncTask::new(Background(call)))
}

/// Returns the paths that a plan of a patch may look up; `null` if the caller has to give all files.
///
/// # Errors
/// As [`run_sync`].
#[napi]
pub fn paths(patch: Content, options: Option<String>) -> Result<Option<Vec<String>>> {
    guard::guarded(|| request::paths(patch, options.as_deref()))?
}

/// A call that a thread of the pool makes.
pub struct Background(Call);

impl Task for Background {
    type Output = NativeOutcome;
    type JsValue = NativeOutcome;

    fn compute(&mut self) -> Result<NativeOutcome> {
        guard::guarded(|| self.0.run())
    }

    fn resolve(&mut self, _: Env, outcome: NativeOutcome) -> Result<NativeOutcome> {
        Ok(outcome)
    }
}

/// Returns the instructions about the format for a model, in Markdown.
#[napi]
pub fn instructions() -> &'static str {
    apply_patch::grammar::instructions(apply_patch::format::Format::Envelope).unwrap_or_default()
}
