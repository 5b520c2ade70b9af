//! Spares the program two kinds of work at every start: the unwinder is not bound, and no address is relocated.
//!
//! The standard library asks for `libgcc_s`. To find, map and bind it takes a tenth of a millisecond of each start, a twelfth of
//! the whole; the same code is in `libgcc_eh.a`, beside what every C compiler of GCC links. A program takes it from there
//! if the first folder that the linker looks in says that this is what `libgcc_s` stands for.
//!
//! A program that may be loaded anywhere has thousands of addresses to correct, in pages that have to be copied for that: another
//! sixteenth of the start. So the program has a fixed address; its stack, its heap and its libraries have not.
//!
//! Where anything is otherwise than expected, all stays as it is. The library is linked as its users link theirs: without the
//! feature `cli` nothing is done.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_CLI").is_none() {
        return Ok(());
    }
    println!("cargo:rerun-if-env-changed=RUSTC_LINKER");
    if loads_gnu_library()? {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
    if let Some(unwinder) = unwinder() {
        let folder = PathBuf::from(env::var("OUT_DIR")?);
        fs::write(folder.join("libgcc_s.so"), format!("INPUT ( {} )\n", unwinder.display()))?;
        println!("cargo:rustc-link-arg-bins=-L{}", folder.display());
    }
    Ok(())
}

/// Whether the program loads the C library of GNU: a program that contains a library is linked in another way.
fn loads_gnu_library() -> Result<bool, env::VarError> {
    let features = env::var("CARGO_CFG_TARGET_FEATURE")?;
    let is_static = features.split(',').any(|feature| feature == "crt-static");
    Ok(env::var("TARGET")?.ends_with("-linux-gnu") && !is_static)
}

/// The archive that the linker's driver would link, where the program is built for the machine that builds it, and for
/// the C library of GNU.
fn unwinder() -> Option<PathBuf> {
    let target = env::var("TARGET").ok()?;
    if env::var("HOST").ok()? != target || !target.ends_with("-linux-gnu") {
        return None;
    }
    let driver = env::var_os("RUSTC_LINKER").unwrap_or_else(|| "cc".into());
    let output = Command::new(driver).arg("-print-file-name=libgcc_eh.a").output().ok()?;
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    // The linker reads the name as a word.
    let is_word = |path: &Path| path.to_str().is_some_and(|path| !path.contains([' ', '"', ')', ',', ';']));
    (path.is_absolute() && path.is_file() && is_word(&path)).then_some(path)
}
