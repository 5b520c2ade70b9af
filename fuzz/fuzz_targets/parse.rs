//! Any text: parsed without a panic; what strict mode accepts is read alike by default, and printed as it was
//! read.

#![no_main]

use apply_patch::format::{Options, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let default = parse(text, &Options::default());
    for error in &default.errors {
        assert!(!error.to_string().is_empty());
    }
    let strict = parse(text, &Options { strict: true, ..Options::default() });
    if strict.errors.is_empty() {
        assert!(default.errors.is_empty() && default.repairs.is_empty());
        assert_eq!(default.patch, strict.patch);
    }
    let _ = parse(text, &Options { accept_truncated: true, ..Options::default() });
});
