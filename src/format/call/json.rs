//! JSON values of a text, with the first duplicate key of an object.
//!
//! Parsers differ in which of two equal keys counts. So a text with a duplicate key has no clear meaning, and is
//! refused.

use std::cell::RefCell;
use std::fmt::{self, Formatter};

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::map::Entry;
use serde_json::value::RawValue;

use crate::format::call::names;

/// The fields of an object.
pub(super) type Map = serde_json::Map<String, Value>;

/// A value that was read. The value of a field for an id is the JSON text of the id.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Json {
    pub(super) value: Value,
    /// The first key that an object of the value has twice.
    pub(super) key_twice: Option<String>,
}

impl Json {
    /// Parses a text that is a single value.
    pub(super) fn parse(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let key_twice = RefCell::new(None);
        let value = Reader { key_twice: &key_twice }.deserialize(deserializer)?;
        Ok(Json { value, key_twice: key_twice.into_inner() })
    }
}

/// Reads a value, and notes a key that is there twice.
#[derive(Clone, Copy)]
struct Reader<'k> {
    key_twice: &'k RefCell<Option<String>>,
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(serde_json::Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = elements.next_element_seed(self)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = if names::ID.contains(&&*key) {
                id(entries.next_value()?).map_err(A::Error::custom)?
            } else {
                entries.next_value_seed(self)?
            };
            match fields.entry(key) {
                Entry::Vacant(place) => _ = place.insert(value),
                Entry::Occupied(place) => _ = self.key_twice.borrow_mut().get_or_insert(place.key().clone()),
            }
        }
        Ok(Value::Object(fields))
    }
}

/// Returns the value of a field for an id: the JSON text of a text or a number, because a number of a program may lose digits. Any
/// other value is no id, and counts as `null`.
fn id(json: &RawValue) -> serde_json::Result<Value> {
    Ok(match json.get().as_bytes() {
        [b'-' | b'0'..=b'9', ..] => Value::from(json.get()),
        [b'"', ..] => Value::from(serde_json::from_str::<Value>(json.get())?.to_string()),
        _ => Value::Null,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key_twice(text: &str) -> Option<String> {
        Json::parse(text).expect("JSON").key_twice
    }

    #[test]
    fn a_key_that_is_there_twice_is_seen_at_every_depth() {
        assert_eq!(key_twice(r#"{"a": 1, "b": [{"a": 1}, {"a": 2}]}"#), None);
        assert_eq!(key_twice(r#"{"a": 1, "a": 1}"#).as_deref(), Some("a"));
        assert_eq!(key_twice(r#"[1, {"b": {"a": null, "\u0061": true}}]"#).as_deref(), Some("a"));
    }

    #[test]
    fn values_are_those_of_serde() {
        let text =
            r#"{"n": null, "t": [true, -1, 18446744073709551615, 1.5e300, "a\nb", {}], "o": {"x": []}}"#;
        assert_eq!(
            Json::parse(text).expect("JSON").value,
            serde_json::from_str::<Value>(text).expect("JSON")
        );
        assert!(Json::parse("{\"a\": 1} x").is_err() && Json::parse("{\"a\"").is_err());
    }

    #[test]
    fn an_id_keeps_its_text() {
        for id in ["12345678901234567890123", "1e2", "-0", "1.50", "1e999", "\"a\\n\""] {
            let value = Json::parse(&format!(r#"[{{"id":{id}}}]"#)).expect("JSON").value;
            assert_eq!(value[0]["id"], id);
        }
        let deep = format!(r#"{{"id": {}1{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(Json::parse(&deep).expect("JSON").value["id"], Value::Null);
        assert!(Json::parse(r#"{"id": 01}"#).is_err() && Json::parse(r#"{"id": "\x"}"#).is_err());
    }
}
