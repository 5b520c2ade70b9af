//! What keeps a panic from ending the process.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use napi::{Error, Result, Status};

/// Calls `work`, and returns a panic as an error with the panic's message. What `work` was working on is not used any more.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        Error::new(Status::GenericFailure, format!("apply-patch panicked: {}", message(payload.as_ref())))
    })
}

/// Returns the message of a panic.
fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
