//! What holds for every text: what is printed is read back, and however a text is split it is read alike.

use std::fs;
use std::path::Path;

use apply_patch::format::{self, Assembly, Event, Format, Options, Parsed, Stream, parse};
use apply_patch::patch::{Action, Patch};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use walkdir::WalkDir;

use crate::cases;
use crate::patches::{canonical, lenient, nearly, patch, strict};

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn a_printed_patch_is_read_back_as_the_same_patch(patch in patch()) {
        let text = patch.to_string();
        let parsed = strict(&text);
        prop_assert_eq!(&parsed.errors, &[]);
        prop_assert_eq!(&parsed.patch, &patch);
        prop_assert_eq!(parsed.patch.to_string(), text);
    }

    #[test]
    fn what_was_repaired_is_printed_without_need_of_repair(text in nearly()) {
        let parsed = lenient(&text);
        if parsed.errors.is_empty() && has_one_print(&parsed.patch) {
            let printed = parsed.patch.to_string();
            let again = lenient(&printed);
            prop_assert_eq!(&again.errors, &[]);
            prop_assert_eq!(again.patch, canonical(&parsed.patch));
            let stays = [format::RepairKind::MoveOnly, format::RepairKind::UnsignedContext];
            let repairs = again.repairs.iter().filter(|repair| !stays.contains(&repair.kind));
            prop_assert_eq!(repairs.count(), 0);
        }
    }

    #[test]
    fn what_strict_mode_accepts_is_read_alike_by_default(text in nearly()) {
        let parsed = strict(&text);
        prop_assert!(parsed.repairs.is_empty());
        if parsed.errors.is_empty() {
            let default = lenient(&text);
            prop_assert_eq!(&default.patch, &parsed.patch);
            prop_assert!(default.repairs.is_empty() && default.errors.is_empty());
        }
    }
}

/// What a text gives that arrives in these pieces.
fn streamed<'p>(pieces: impl IntoIterator<Item = &'p [u8]>, options: &Options) -> Parsed<'static> {
    let mut assembly = Assembly::default();
    let mut stream = Stream::new(options);
    for piece in pieces {
        stream.feed(piece, &mut |event| assembly.push(event.into_owned()));
    }
    stream.finish(&mut |event| assembly.push(event.into_owned()));
    assembly.finish()
}

/// Every format, with and without a file that the caller names, in both modes.
fn all_options() -> Vec<Options> {
    const FORMATS: [Format; 5] =
        [Format::Auto, Format::Envelope, Format::SearchReplace, Format::Edit, Format::Unified];
    let mut all = Vec::new();
    for (format, bits) in FORMATS.into_iter().flat_map(|format| (0..8).map(move |bits| (format, bits))) {
        let options = Options::default().with_format(format).with_strict(bits & 1 != 0);
        let file = (bits & 4 != 0).then(|| "f".to_owned());
        all.push(options.with_accept_truncated(bits & 2 != 0).with_file(file));
    }
    all
}

proptest! {
    #![proptest_config(cases(600))]

    /// Of two formats in one text a stream takes the first, as the whole is read, and cannot know of the second yet.
    #[test]
    fn a_text_in_pieces_is_read_as_the_whole(text in nearly(), cuts in vec(any::<Index>(), 0..8)) {
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
        cuts.extend([0, text.len()]);
        cuts.sort_unstable();
        let pieces = || cuts.windows(2).map(|cut| &text.as_bytes()[cut[0]..cut[1]]);
        for options in all_options() {
            let (whole, streamed) = (parse(&text, &options), streamed(pieces(), &options));
            if whole.errors.iter().all(|error| error.kind.code() != "several-formats") {
                prop_assert_eq!(streamed, whole, "{:?}", options);
            } else {
                prop_assert_eq!(streamed.patch, whole.patch, "{:?}", options);
            }
        }
    }

    /// Whatever opens is closed before the next opens, and lines stand only where they belong.
    #[test]
    fn events_are_nested(text in nearly(), size in 1_usize..40) {
        let (mut hunk, mut chunk) = (false, false);
        let mut stream = Stream::new(&Options::default());
        let mut wrong = Vec::new();
        let mut take = |event: Event<'_>| {
            let fits = match event {
                Event::HunkBegun(_) => !hunk && !std::mem::replace(&mut hunk, true),
                Event::HunkEnded => !chunk && std::mem::take(&mut hunk),
                Event::ChunkBegun { .. } => hunk && !std::mem::replace(&mut chunk, true),
                Event::ChunkEnded { .. } | Event::ChunkDropped => std::mem::take(&mut chunk),
                Event::Header(_) => chunk,
                Event::MovedTo(_) | Event::Line(_) => hunk,
                _ => true,
            };
            wrong.extend((!fits).then(|| event.into_owned()));
        };
        text.as_bytes().chunks(size).for_each(|piece| stream.feed(piece, &mut take));
        stream.finish(&mut take);
        prop_assert_eq!(wrong, []);
    }
}

/// Reads the patch of every fixture that is UTF-8, with its path, in every way.
fn for_each_fixture(mut check: impl FnMut(&str, &str, &Options)) {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut read = 0;
    for entry in WalkDir::new(fixtures).into_iter().filter_map(Result::ok) {
        let bytes = if entry.file_name() == "patch.txt" { fs::read(entry.path()).unwrap() } else { continue };
        let Ok(text) = str::from_utf8(&bytes) else { continue };
        for options in all_options() {
            check(&entry.path().to_string_lossy(), text, &options);
        }
        read += 1;
    }
    assert!(read > 500, "{read} fixtures");
}

#[test]
fn every_fixture_in_pieces_is_read_as_the_whole() {
    for_each_fixture(|path, text, options| {
        let whole = parse(text, options);
        // A stream parses the first format of a text, before it knows of a second one.
        if whole.errors.iter().any(|error| error.kind.code() == "several-formats") {
            return;
        }
        for size in [1, 16] {
            let streamed = streamed(text.as_bytes().chunks(size), options);
            assert_eq!(streamed, whole, "{path} {options:?}");
        }
    });
}

#[test]
fn every_fixture_that_strict_mode_accepts_is_read_alike_by_default() {
    let mut accepted = 0;
    for_each_fixture(|path, text, options| {
        let strict = parse(text, &options.clone().with_strict(true));
        if strict.errors.is_empty() && !options.accept_truncated {
            let default = parse(text, &options.clone().with_strict(false));
            assert_eq!(default.errors, [], "{path} {options:?}");
            assert!(default.repairs.iter().all(|repair| repair.kind.is_note()), "{path} {options:?}");
            assert_eq!(default.patch, strict.patch, "{path} {options:?}");
            accepted += 1;
        }
    });
    assert!(accepted > 500, "{accepted} accepted");
}

/// Whether no text ends in a carriage return, which would be half a CRLF in print, and no name begins with a
/// separator, which print cannot tell from the space before it.
fn has_one_print(patch: &Patch<'_>) -> bool {
    let trimmed = |path: &str| path.trim() == path;
    let moves = |action: &Action<'_>| match action {
        Action::Update { move_to: Some(target), .. } => trimmed(&target.path),
        _ => true,
    };
    let names = patch.hunks.iter().all(|hunk| trimmed(&hunk.path) && moves(&hunk.action));
    names && patch.environment.as_deref().is_none_or(trimmed) && !patch.to_string().contains("\r\n")
}
