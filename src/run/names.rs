//! The names of options, as spelled by the command and the bindings.

use std::str::FromStr;

use thiserror::Error;

use crate::format::Format;
use crate::locate::{Ambiguity, Level};

/// A name that no value of an option has.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown {option}: {name:?}; expected one of {known}")]
pub struct UnknownName {
    /// The option.
    pub option: &'static str,
    /// The name that was given.
    pub name: String,
    /// The names that the option has, separated by commas.
    pub known: String,
}

/// Returns the value with a name.
fn find<T: Copy>(option: &'static str, known: &[(&str, T)], name: &str) -> Result<T, UnknownName> {
    known.iter().find(|(other, _)| *other == name).map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        UnknownName { option, name: name.to_owned(), known: known.join(", ") }
    })
}

impl FromStr for Format {
    type Err = UnknownName;

    /// Parses the name that `--format` of the command uses.
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let known = [
            ("auto", Format::Auto),
            ("envelope", Format::Envelope),
            ("search-replace", Format::SearchReplace),
            ("edit", Format::Edit),
            ("unified", Format::Unified),
            ("hunks", Format::Hunks),
            ("new-file", Format::NewFile),
        ];
        find("format", &known, name)
    }
}

impl FromStr for Level {
    type Err = UnknownName;

    /// Parses the name that `--match` of the command uses.
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let known = [("exact", Level::Exact), ("whitespace", Level::Whitespace), ("guarded", Level::Guarded)];
        find("match", &known, name)
    }
}

impl FromStr for Ambiguity {
    type Err = UnknownName;

    /// Parses the name that `--ambiguity` of the command uses.
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        find("ambiguity", &[("refuse", Ambiguity::Refuse), ("first", Ambiguity::First)], name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_lists_the_known_names() {
        assert_eq!("search-replace".parse(), Ok(Format::SearchReplace));
        assert_eq!("guarded".parse(), Ok(Level::Guarded));
        assert_eq!("first".parse(), Ok(Ambiguity::First));
        let error = "loose".parse::<Level>().map_err(|error| error.to_string());
        assert_eq!(
            error,
            Err("unknown match: \"loose\"; expected one of exact, whitespace, guarded".to_owned())
        );
    }
}
