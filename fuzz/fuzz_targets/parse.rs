//! Any text, in any format: parsed without a panic; what strict mode accepts is read alike by default.

#![no_main]

use apply_patch::format::parse;
use apply_patch_fuzz::reading;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &str)| {
    let (how, text) = input;
    let read = reading(how).with_strict(false).with_accept_truncated(false);
    let default = parse(text, &read);
    for error in &default.errors {
        assert!(!error.to_string().is_empty());
    }
    let strict = parse(text, &read.clone().with_strict(true));
    if strict.errors.is_empty() {
        assert!(default.errors.is_empty());
        assert!(default.repairs.iter().all(|repair| repair.kind.is_note()));
        assert_eq!(default.patch, strict.patch);
    }
    let _ = parse(text, &read.with_accept_truncated(true));
});
