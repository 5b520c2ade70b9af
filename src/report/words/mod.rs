//! Every sentence of a report, one file for each enum that it puts into words.
//!
//! A type of the stages describes what happened as data; its `Display` is here, so that all sentences are read and changed in one
//! place. `thiserror` only derives the causes. The notation of a value (a digest, a span, an encoding) stays with the value,
//! and so does the one line of an error that no report shows.

pub(super) mod advice;
mod apply_error;
mod call;
mod caller;
mod difference;
mod doubt;
mod drift;
mod failure;
mod format;
#[cfg(feature = "cli")]
mod hook;
pub(super) mod mark;
pub(super) mod miss;
pub(super) mod miss_notes;
mod name_note;
mod parse_error;
mod path_error;
mod properties;
mod read_error;
mod repair;
pub(super) mod smallest;
pub(crate) mod stopped;
mod tier;
mod unrepresentable;

#[cfg(feature = "cli")]
pub(crate) use self::hook::quoted_again;

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    /// A caller of the library may have no options: only the sentences of `caller` name options.
    #[test]
    fn no_sentence_but_those_of_the_caller_names_an_option_of_the_command() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/report/words");
        let mut files = 0;
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]").next().unwrap();
            for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
                let names = line
                    .match_indices("--")
                    .any(|(at, _)| line[at + 2..].starts_with(|c: char| c.is_ascii_lowercase()));
                assert!(!names && !line.contains("`apply-patch"), "{}: {line}", path.display());
            }
            files += 1;
        }
        assert!(files > 10, "{files}");
    }
}
