//! The values of options, as spelled by the command and the bindings.

use std::str::FromStr;

use thiserror::Error;

use crate::format::Format;
use crate::locate::{Ambiguity, Level};
use crate::plan::Digest;

/// A text that no value of an option has.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown {option}: {value:?}; expected {expected}")]
pub struct UnknownValue {
    /// The option.
    pub option: &'static str,
    /// The text that was given.
    pub value: String,
    /// The texts that the option has, as words.
    pub expected: String,
}

/// Returns the value with a name.
fn find<T: Copy>(option: &'static str, known: &[(&str, T)], name: &str) -> Result<T, UnknownValue> {
    known.iter().find(|(other, _)| *other == name).map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        UnknownValue { option, value: name.to_owned(), expected: format!("one of {}", known.join(", ")) }
    })
}

impl FromStr for Format {
    type Err = UnknownValue;

    /// Parses the name that `--format` of the command uses.
    fn from_str(name: &str) -> Result<Self, UnknownValue> {
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
    type Err = UnknownValue;

    /// Parses the name that `--match` of the command uses.
    fn from_str(name: &str) -> Result<Self, UnknownValue> {
        let known = [("exact", Level::Exact), ("whitespace", Level::Whitespace), ("guarded", Level::Guarded)];
        find("match", &known, name)
    }
}

impl FromStr for Ambiguity {
    type Err = UnknownValue;

    /// Parses the name that `--ambiguity` of the command uses.
    fn from_str(name: &str) -> Result<Self, UnknownValue> {
        find("ambiguity", &[("refuse", Ambiguity::Refuse), ("first", Ambiguity::First)], name)
    }
}

impl FromStr for Digest {
    type Err = UnknownValue;

    /// Parses 64 hexadecimal digits.
    fn from_str(text: &str) -> Result<Self, UnknownValue> {
        Digest::of_digits(text).ok_or_else(|| UnknownValue {
            option: "SHA-256",
            value: text.to_owned(),
            expected: "64 hexadecimal digits".to_owned(),
        })
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
