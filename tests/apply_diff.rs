//! The diffs of OpenAI's hosted tool, side by side with the `apply_diff` of the Agents SDK. `tests/harnesses/apply_diff.json`
//! has both sides; the other side is checked by `tests/harnesses/apply_diff.py`. The table is in `grammar/README.md`.

use apply_patch::format::Format;
use apply_patch::run::{Options, Tree, run};
use serde_json::{Value, json};

const CASES: &str = include_str!("harnesses/apply_diff.json");
const TABLE: &str = include_str!("../grammar/README.md");

/// Returns what a text makes of the file of a case; `None` where it is refused.
fn made(case: &Value, text: &str, format: Format) -> Option<String> {
    let before = case["file"].as_str().map(|text| ("f.txt", text.to_owned()));
    let mut tree: Tree = before.into_iter().collect();
    let options = Options::default().with_file("f.txt".to_owned());
    let report = run(text, &options.with_format(format), &mut tree);
    let Tree::Memory(files) = tree else { panic!("the tree is in memory") };
    let content = files.get(camino::Utf8Path::new("f.txt"));
    let after = content.map(|bytes| String::from_utf8(bytes.to_vec()).expect("text"));
    if report.status().code() == 0 {
        return after;
    }
    assert_eq!(after.as_deref(), case["file"].as_str(), "a refusal changes nothing: {case}");
    None
}

#[test]
fn each_diff_is_read_as_the_table_says() {
    let cases: Vec<Value> = serde_json::from_str(CASES).expect("JSON");
    assert!(cases.len() >= 18, "{} cases", cases.len());
    for case in cases {
        let (diff, name) = (case["diff"].as_str().expect("a diff"), &case["name"]);
        let is_new = case["file"].is_null();
        let format = if is_new { Format::NewFile } else { Format::Hunks };
        assert_eq!(made(&case, diff, format).as_deref(), case["here"].as_str(), "{name}");
        let kind = if is_new { "create_file" } else { "update_file" };
        let call = json!({ "type": kind, "path": "f.txt", "diff": diff }).to_string();
        assert_eq!(made(&case, &call, Format::Auto).as_deref(), case["here"].as_str(), "{name} as a call");
        let about = case["about"].as_str().expect("words");
        let decision = if case["sdk"] == case["here"] { "the same" } else { "" };
        let row = format!("| {about} | {decision}");
        assert!(TABLE.contains(&row), "grammar/README.md has no row `{row}`");
    }
}
