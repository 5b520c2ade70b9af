//! The command `apply-patch`.

use std::process::ExitCode;

fn main() -> ExitCode {
    apply_patch::cli::run()
}
