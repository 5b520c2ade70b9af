//! Functions that panic, for the test that a panic becomes an exception. No published module has them.

use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Result, Task};
use napi_derive::napi;

use crate::guard::guarded;
use crate::outcome::NativeOutcome;

/// Panics on this thread.
///
/// # Errors
/// Always.
#[napi]
pub fn panic_sync() -> Result<NativeOutcome> {
    guarded(panic)
}

/// Panics on a thread of the pool.
#[napi(ts_return_type = "Promise<NativeOutcome>")]
pub fn panic_async() -> AsyncTask<Panics> {
    AsyncTask::new(Panics)
}

/// A task that panics.
pub struct Panics;

impl Task for Panics {
    type Output = NativeOutcome;
    type JsValue = NativeOutcome;

    fn compute(&mut self) -> Result<NativeOutcome> {
        guarded(panic)
    }

    fn resolve(&mut self, _: Env, outcome: NativeOutcome) -> Result<NativeOutcome> {
        Ok(outcome)
    }
}

fn panic() -> NativeOutcome {
    panic!("asked for by a test")
}
