//! A line of JSON → a row, and an answer → a line of JSON. `docs/batch.md` describes both.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use base64::prelude::{BASE64_STANDARD, Engine};
use camino::Utf8PathBuf;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::{Answer, Changed, Given, Row, Source, wrong_usage};
use crate::run::{Options, Report, UnknownValue};

/// A line as it is written. An unknown field is an error, because a misspelt option would otherwise have no effect.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonRow<'r> {
    #[serde(borrow, default)]
    id: Option<&'r RawValue>,
    #[serde(borrow)]
    patch: JsonPatch<'r>,
    files: Option<GivenFiles>,
    path: Option<Utf8PathBuf>,
    text: Option<Given>,
    root: Option<Utf8PathBuf>,
    #[serde(borrow, rename = "match")]
    level: Option<Cow<'r, str>>,
    #[serde(borrow)]
    ambiguity: Option<Cow<'r, str>>,
    #[serde(borrow)]
    format: Option<Cow<'r, str>>,
    file: Option<String>,
    strict: Option<bool>,
    overwrite: Option<bool>,
    check: Option<bool>,
}

/// The text of a patch, borrowed from the line where it has no escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct JsonPatch<'r>(#[serde(borrow)] Cow<'r, str>);

/// The only field that is looked for in a line that is no row.
#[derive(Deserialize)]
struct OnlyId<'r> {
    #[serde(borrow, default)]
    id: Option<&'r RawValue>,
}

/// A row that was read, or why there is no row, with the id of the line.
pub(super) struct Read<'r> {
    pub(super) id: Option<&'r RawValue>,
    pub(super) row: Result<Row<'r>, Report>,
}

/// Reads a line with a row. `defaults` has the options that a line does not name. The words of an error begin with the
/// number of the line.
pub(super) fn read<'r>(line: &'r [u8], number: u64, defaults: &Options) -> Read<'r> {
    let wrong = |words: String| wrong_usage(format!("line {number}: {words}"));
    let Ok(line) = str::from_utf8(line) else {
        return Read { id: None, row: Err(wrong("it is not UTF-8".to_owned())) };
    };
    // Some programs begin a file with a byte-order mark, which `cat` may have put before any line.
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    // Fields could come without their names, as an array, too.
    if !line.trim_ascii_start().starts_with('{') {
        return Read { id: None, row: Err(wrong("it is not a JSON object".to_owned())) };
    }
    match serde_json::from_str::<JsonRow<'r>>(line) {
        Ok(row) => Read { id: row.id, row: row.into_row(defaults).map_err(wrong) },
        Err(error) => {
            let id = serde_json::from_str::<OnlyId<'r>>(line).ok().and_then(|only| only.id);
            Read { id, row: Err(wrong(words_of(&error))) }
        }
    }
}

/// Returns the words of an error with the column alone, because a row is one line.
fn words_of(error: &serde_json::Error) -> String {
    let place = format!(" at line {} column {}", error.line(), error.column());
    let words = error.to_string();
    format!("{}, at column {}", words.strip_suffix(&place).unwrap_or(&words), error.column())
}

impl<'r> JsonRow<'r> {
    fn into_row(self, defaults: &Options) -> Result<Row<'r>, String> {
        let source = match (self.files, self.path, self.text, self.root) {
            (Some(files), None, None, None) => Source::Files(files.0),
            (None, Some(path), Some(text), None) => Source::Text { path, text },
            (None, None, None, Some(root)) => Source::Root(root),
            _ => return Err("a row has either `files`, or `path` and `text`, or `root`".to_owned()),
        };
        let mut options = defaults.clone();
        options.level = named(self.level.as_deref(), options.level)?;
        options.ambiguity = named(self.ambiguity.as_deref(), options.ambiguity)?;
        options.strict = self.strict.unwrap_or(options.strict);
        options.overwrite = self.overwrite.unwrap_or(options.overwrite);
        options.file = self.file.or(options.file);
        options.format = named(self.format.as_deref(), options.format)?;
        // A batch that only checks is not made to write by a line.
        options.check |= self.check == Some(true);
        Ok(Row { source, patch: self.patch.0, options })
    }
}

fn named<T: FromStr<Err = UnknownValue>>(name: Option<&str>, usual: T) -> Result<T, String> {
    name.map_or(Ok(usual), |name| name.parse().map_err(|error: UnknownValue| error.to_string()))
}

/// Files by their paths. A path that comes twice is an error.
struct GivenFiles(BTreeMap<Utf8PathBuf, Given>);

impl<'de> Deserialize<'de> for GivenFiles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(GivenFilesVisitor)
    }
}

struct GivenFilesVisitor;

impl<'de> Visitor<'de> for GivenFilesVisitor {
    type Value = GivenFiles;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object with a content for each path")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<GivenFiles, A::Error> {
        let mut files = BTreeMap::new();
        while let Some((path, given)) = fields.next_entry::<Utf8PathBuf, Given>()? {
            if files.contains_key(&path) {
                return Err(A::Error::custom(format!("the path {:?} comes twice", path.as_str())));
            }
            files.insert(path, given);
        }
        Ok(GivenFiles(files))
    }
}

/// A content is a string, or `{"base64": "…"}`.
impl<'de> Deserialize<'de> for Given {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(GivenVisitor)
    }
}

struct GivenVisitor;

impl<'de> Visitor<'de> for GivenVisitor {
    type Value = Given;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a string or {\"base64\": \"…\"}")
    }

    fn visit_str<E>(self, text: &str) -> Result<Given, E> {
        Ok(Given::text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Given, E> {
        Ok(Given::text(text))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Given, A::Error> {
        let name: Option<Cow<'de, str>> = fields.next_key()?;
        if name.as_deref() != Some("base64") {
            return Err(A::Error::custom("an object with a content has the field `base64` alone"));
        }
        let text: Cow<'de, str> = fields.next_value()?;
        let bytes = BASE64_STANDARD.decode(&*text).map_err(A::Error::custom)?;
        if fields.next_key::<Cow<'de, str>>()?.is_some() {
            return Err(A::Error::custom("an object with a content has the field `base64` alone"));
        }
        Ok(Given::bytes(bytes))
    }
}

impl Serialize for Given {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match str::from_utf8(&self.bytes) {
            Ok(text) if self.is_text => serializer.serialize_str(text),
            _ => {
                let mut fields = serializer.serialize_map(Some(1))?;
                fields.serialize_entry("base64", &BASE64_STANDARD.encode(&self.bytes))?;
                fields.end()
            }
        }
    }
}

/// The files of an answer, as an object.
struct Files<'a>(&'a [Changed]);

impl Serialize for Files<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|file| (file.path.as_str(), &file.content)))
    }
}

/// An answer as it is written.
#[derive(Serialize)]
struct JsonAnswer<'a> {
    id: Option<&'a RawValue>,
    outcome: &'static str,
    code: Option<&'static str>,
    tier: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a Option<Given>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<Files<'a>>,
    report: &'a Report,
}

/// Writes an answer as a line, with its line break.
pub(super) fn write(id: Option<&RawValue>, answer: &Answer) -> Vec<u8> {
    let outcome = &answer.report.outcome;
    let has_one = answer.text.is_some();
    let files = answer.files.as_deref().filter(|files| !(has_one && files.is_empty()));
    let json = JsonAnswer {
        id,
        outcome: outcome.name(),
        code: outcome.codes().first().copied(),
        tier: outcome.loosest_tier(),
        text: answer.text.as_ref(),
        files: files.map(Files),
        report: &answer.report,
    };
    // An answer has no map whose keys are not strings, and so is always JSON.
    let mut line = serde_json::to_vec(&json).unwrap_or_default();
    line.push(b'\n');
    line
}
