//! Any text in pieces of any size, in any format: read as the whole text is.

#![no_main]

use apply_patch::format::{Assembly, ParseErrorKind, Stream, parse};
use apply_patch_fuzz::reading;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u8, &str)| {
    let (sizes, how, text) = input;
    let options = reading(how);
    let mut assembly = Assembly::default();
    let mut stream = Stream::new(&options);
    for piece in text.as_bytes().chunks(1 + usize::from(sizes >> 2)) {
        stream.feed(piece, &mut |event| assembly.push(event.into_owned()));
    }
    stream.finish(&mut |event| assembly.push(event.into_owned()));
    let (streamed, mut whole) = (assembly.finish(), parse(text, &options));
    // A stream takes the first format that shows, and cannot take that back.
    if !whole.errors.iter().any(|error| error.kind == ParseErrorKind::SeveralFormats) {
        // That error may be among those which are only counted.
        let unseen = usize::from(whole.errors_in_all > whole.errors.len());
        assert!(whole.errors_in_all - streamed.errors_in_all <= unseen);
        whole.errors_in_all = streamed.errors_in_all;
        assert_eq!(streamed, whole);
    }
});
