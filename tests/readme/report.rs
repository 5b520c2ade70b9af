//! Checks docs/report.md and docs/codes.md: every field of the JSON report and every stable code is documented.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::root;

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).expect("a document")
}

/// Returns the code spans of the tables of a document: the first column if `only_first`, otherwise every column.
fn spans_of_tables(text: &str, only_first: bool) -> BTreeSet<String> {
    let rows = text.lines().filter_map(|line| line.strip_prefix('|'));
    let cells = rows.flat_map(|row| row.split('|').take(if only_first { 1 } else { usize::MAX }));
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

/// The objects of the schema with a table, and the beginning of the table. The fields of other objects are in the table of
/// the object that contains the object, as `outer.inner`.
const TABLES: &[(&str, &str)] = &[
    ("Report", "| field of the report |"),
    ("Repair", "| field of a repair |"),
    ("Error", "| field of an error |"),
    ("Hunk", "| field of a hunk |"),
    ("Chunk", "| field of a chunk |"),
    ("File", "| field of a file |"),
    ("Failure", "| field of a failure |"),
    ("Miss", "| field of the chunk of a failure |"),
    ("Explanation", "| field of an explanation |"),
    ("Nearest", "| field of `nearest` |"),
    ("NearLine", "| field of a line of `nearest` |"),
];

/// Returns the name of the object that a field, or each element of a field, contains.
fn object_of(field: &Value) -> Option<&str> {
    let choices = field["anyOf"].as_array().into_iter().flatten();
    let mut places = choices.chain([field, &field["items"]]);
    places.find_map(|place| place["$ref"].as_str()?.strip_prefix("#/$defs/"))
}

/// Appends the names that a table needs for the fields of an object.
fn names(schema: &Value, object: &Value, before: &str, out: &mut Vec<String>) {
    for (field, content) in object["properties"].as_object().into_iter().flatten() {
        let name = format!("{before}{field}");
        let inner = object_of(content).filter(|inner| TABLES.iter().all(|(named, _)| named != inner));
        let inner =
            inner.map(|inner| &schema["$defs"][inner]).filter(|inner| inner["properties"].is_object());
        match inner {
            Some(inner) => names(schema, inner, &format!("{name}."), out),
            None => out.push(name),
        }
    }
}

#[test]
fn every_field_of_the_json_report_is_documented() {
    let schema: Value = serde_json::from_str(&read("docs/report.schema.json")).expect("JSON");
    let document = read("docs/report.md");
    let mut count = 0;
    for (name, start) in TABLES {
        let object = if *name == "Report" { &schema } else { &schema["$defs"][name] };
        let mut needed = Vec::new();
        names(&schema, object, "", &mut needed);
        assert!(!needed.is_empty(), "the schema has no object {name}");
        let (_, table) = document.split_once(start).unwrap_or_else(|| panic!("no table {start}"));
        let table = table.split("\n\n").next().unwrap_or_default();
        let documented = spans_of_tables(table, true);
        let needed: BTreeSet<String> = needed.into_iter().collect();
        assert_eq!(documented, needed, "the table of {name} and the schema");
        count += needed.len();
    }
    assert!(count > 80, "only {count} fields were found");
}

/// Appends the files of a directory and of its subdirectories.
fn sources(folder: &Path, out: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            out.push(fs::read_to_string(&path).expect("text"));
        }
    }
}

/// Returns the string literals in the bodies of all functions `code` that return a name.
fn codes() -> BTreeSet<String> {
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    let bodies = files.iter().flat_map(|text| {
        let functions = text.split("pub fn code(").skip(1);
        functions.filter_map(|rest| rest.split_once("-> &'static str {")).filter_map(|(head, body)| {
            let is_signature = !head.contains('{');
            is_signature.then(|| body.split("\n    }\n").next().unwrap_or(body))
        })
    });
    bodies.flat_map(|body| body.split('"').skip(1).step_by(2)).map(str::to_owned).collect()
}

#[test]
fn every_code_is_documented() {
    let documents = [read("docs/report.md"), read("docs/codes.md")];
    let documented: BTreeSet<String> =
        documents.iter().flat_map(|text| spans_of_tables(text, false)).collect();
    let codes = codes();
    assert!(codes.len() > 120, "only {} codes were found", codes.len());
    let missing: Vec<&String> = codes.difference(&documented).collect();
    assert!(missing.is_empty(), "docs/codes.md has no row for {missing:?}");
}

/// A code that is removed from the program is removed from its table.
#[test]
fn every_documented_code_exists() {
    let codes = codes();
    let documented = spans_of_tables(&read("docs/codes.md"), true);
    let unknown: Vec<&String> = documented.difference(&codes).collect();
    assert!(unknown.is_empty(), "the program has no code {unknown:?}");
}
