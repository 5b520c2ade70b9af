//! How an input of the fuzzer is taken apart.
//!
//! An input is a byte of options, then sections with a NUL between them. So the seeds, which `seed.sh` makes
//! from the fixtures, can be read, and the fuzzer can move sections about.

use std::collections::BTreeMap;

use apply_patch::format::{self, Format};
use apply_patch::locate::{Level, Matching};
use camino::Utf8PathBuf;

/// Files by path.
pub type Tree = BTreeMap<Utf8PathBuf, Vec<u8>>;

/// The byte of options, and the sections.
pub fn sections(data: &[u8]) -> Option<(u8, Vec<&[u8]>)> {
    let (options, rest) = data.split_first()?;
    Some((*options, rest.split(|byte| *byte == 0).collect()))
}

/// The text of a section.
pub fn text<'a>(section: Option<&&'a [u8]>) -> Option<&'a str> {
    str::from_utf8(section?).ok()
}

/// A patch, which is the first section, and the files, of which each has a section for its name and one for
/// its bytes.
pub fn patch_and_tree<'a>(sections: &[&'a [u8]]) -> Option<(&'a str, Tree)> {
    let (patch, files) = sections.split_first()?;
    let file = |file: &[&[u8]]| Some((str::from_utf8(file[0]).ok()?.into(), file[1].to_vec()));
    Some((str::from_utf8(patch).ok()?, files.chunks_exact(2).filter_map(file).collect()))
}

/// How edits are placed, by the byte of options.
pub fn matching(options: u8) -> Matching {
    let levels =
        [Level::Guarded, Level::Whitespace, Level::Exact, Level::Cascade, Level::ThreeTier, Level::Editkit];
    Matching::default().with_level(levels[usize::from(options) % levels.len()])
}

/// The formats that a text may be read as.
pub const FORMATS: [Format; 5] =
    [Format::Auto, Format::Envelope, Format::SearchReplace, Format::Edit, Format::Unified];

/// How a text is read, by a byte of options.
pub fn reading(options: u8) -> format::Options {
    format::Options::default()
        .with_format(FORMATS[usize::from(options >> 4) % FORMATS.len()])
        .with_strict(options & 1 != 0)
        .with_accept_truncated(options & 2 != 0)
        .with_file((options & 4 != 0).then(|| "f".to_owned()))
        .with_strip((options & 8 != 0).then_some(1))
}
