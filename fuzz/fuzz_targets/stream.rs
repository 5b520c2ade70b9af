//! Any text in pieces of any size: read as the whole text is.

#![no_main]

use apply_patch::format::{Assembly, Options, Stream, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &str)| {
    let (sizes, text) = input;
    let options = Options { strict: sizes & 1 != 0, accept_truncated: sizes & 2 != 0 };
    let mut assembly = Assembly::default();
    let mut stream = Stream::new(&options);
    for piece in text.as_bytes().chunks(1 + usize::from(sizes >> 2)) {
        stream.feed(piece, &mut |event| assembly.push(event.into_owned()));
    }
    stream.finish(&mut |event| assembly.push(event.into_owned()));
    assert_eq!(assembly.finish(), parse(text, &options));
});
