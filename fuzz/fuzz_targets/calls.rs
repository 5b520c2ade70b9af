//! Calls of edit tools: any JSON, and any text with tags, is read or refused, never with a panic; what is read in pieces is
//! what is read as a whole, and each call's hunks are hunks of the patch.

#![no_main]

use apply_patch::format::{Assembly, Format, Options, ParseErrorKind, Stream, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else { return };
    let Ok(text) = str::from_utf8(rest) else { return };
    let format = if first & 1 == 0 { Format::Auto } else { Format::Edit };
    let file = (first & 2 != 0).then(|| "a.txt".to_owned());
    let options = Options::default()
        .with_format(format)
        .with_file(file)
        .with_strict(first & 4 != 0)
        .with_separate_calls(first & 8 != 0);
    let parsed = parse(text, &options);
    for call in &parsed.calls {
        assert!(call.hunks.start <= call.hunks.end && call.hunks.end <= parsed.patch.hunks.len());
    }
    let mut assembly = Assembly::default();
    let mut stream = Stream::new(&options);
    for piece in rest.chunks(usize::from(first >> 4) + 1) {
        stream.feed(piece, &mut |event| assembly.push(event.into_owned()));
    }
    stream.finish(&mut |event| assembly.push(event.into_owned()));
    // A stream takes the first of two formats.
    if parsed.errors.iter().all(|error| error.kind != ParseErrorKind::SeveralFormats) {
        assert_eq!(assembly.finish(), parsed);
    }
});
