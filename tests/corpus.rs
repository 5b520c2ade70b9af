//! Runs every folder of `fixtures/`; see `fixtures/README.md`.
//!
//! `CORPUS=substring cargo test --test corpus` runs the cases whose names hold the substring.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use apply_patch::grammar::{INSTRUCTIONS, SEARCH_REPLACE_INSTRUCTIONS};
use walkdir::WalkDir;

/// `case.txt`, its `key: value` lines.
#[derive(Default)]
struct Expectation {
    shows: String,
    status: i32,
    why: Vec<String>,
    report: Vec<String>,
    options: Vec<String>,
    also: Vec<String>,
}

impl Expectation {
    fn read(case: &Path) -> Self {
        let text = fs::read_to_string(case.join("case.txt")).expect("every case has a case.txt");
        let mut expectation = Expectation { status: -1, ..Expectation::default() };
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let (key, value) = line.split_once(':').unwrap_or_else(|| panic!("not `key: value`: {line}"));
            expectation.set(key.trim(), value.trim());
        }
        assert!(expectation.status >= 0, "no `expect`");
        assert!(!expectation.shows.is_empty(), "no `shows`");
        expectation
    }

    fn set(&mut self, key: &str, value: &str) {
        match key {
            "shows" => value.clone_into(&mut self.shows),
            "expect" => {
                self.status = match value {
                    "applied" => 0,
                    "refused" => 1,
                    "not-a-patch" => 2,
                    "system-refused" => 3,
                    _ => panic!("unknown expectation {value}"),
                }
            }
            "why" => self.why.push(value.to_owned()),
            "report" => self.report.push(value.to_owned()),
            "options" => self.options = value.split_whitespace().map(str::to_owned).collect(),
            "also" => self.also = value.split_whitespace().map(str::to_owned).collect(),
            _ => panic!("unknown key {key}"),
        }
    }
}

/// What is at a path.
#[derive(Debug, PartialEq, Eq)]
enum Node {
    File { bytes: Vec<u8>, executable: bool },
    Link(PathBuf),
}

/// All files and links of a folder, by their path in it. Empty folders do not count: git keeps none.
fn tree(root: &Path) -> BTreeMap<PathBuf, Node> {
    let entries = WalkDir::new(root).min_depth(1).into_iter().filter_map(Result::ok);
    entries
        .filter(|entry| !entry.file_type().is_dir())
        .map(|entry| {
            let path = entry.path().strip_prefix(root).expect("walked from the root").to_owned();
            (path, node(entry.path()))
        })
        .collect()
}

fn node(path: &Path) -> Node {
    if path.is_symlink() {
        return Node::Link(fs::read_link(path).expect("a link"));
    }
    Node::File { bytes: fs::read(path).expect("a file"), executable: is_executable(path) }
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|meta| meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    false
}

fn copy(from: &Path, to: &Path) {
    for entry in WalkDir::new(from).min_depth(1).into_iter().filter_map(Result::ok) {
        let target = to.join(entry.path().strip_prefix(from).expect("walked from there"));
        if entry.file_type().is_dir() {
            fs::create_dir(&target).expect("a new folder");
        } else if entry.file_type().is_symlink() {
            copy_link(entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).expect("a new file");
        }
    }
}

#[cfg(unix)]
fn copy_link(from: &Path, to: &Path) {
    std::os::unix::fs::symlink(fs::read_link(from).expect("a link"), to).expect("a new link");
}

#[cfg(not(unix))]
fn copy_link(_: &Path, _: &Path) {
    panic!("cases with links run on Unix only");
}

struct Run {
    status: i32,
    report: String,
}

fn run(case: &Path, options: &[String], rendering: &[&str], root: &Path) -> Run {
    let patch = fs::read(case.join("patch.txt")).expect("every case has a patch.txt");
    run_patch(&patch, options, rendering, root)
}

fn run_patch(patch: &[u8], options: &[String], rendering: &[&str], root: &Path) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_apply-patch"))
        .args(rendering)
        .args(options)
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // The program may refuse before it has read everything.
    let _ = child.stdin.take().expect("piped").write_all(patch);
    let output = child.wait_with_output().expect("the program ends");
    let report = [output.stdout, output.stderr].concat();
    Run { status: output.status.code().unwrap_or(-1), report: String::from_utf8(report).expect("text") }
}

/// Everything that is not as the case wants it.
fn check(case: &Path) -> Result<(), String> {
    let expectation = Expectation::read(case);
    let root = tempfile::tempdir().expect("a temporary folder");
    let (before, after) = (case.join("before"), case.join("after"));
    copy(&before, root.path());
    let run = run(case, &expectation.options, &["--for", "people"], root.path());
    let mut wrong = Vec::new();
    if run.status != expectation.status {
        wrong.push(format!("exit status {}, not {}", run.status, expectation.status));
    }
    let expected = if after.exists() { tree(&after) } else { tree(&before) };
    if tree(root.path()) != expected {
        wrong.push(difference(&expected, &tree(root.path())));
    }
    let codes = expectation.why.iter().map(|code| format!("[{code}]"));
    for words in
        codes.chain(expectation.report.iter().cloned()).filter(|words| !run.report.contains(words.as_str()))
    {
        wrong.push(format!("the report does not say {words:?}"));
    }
    if !wrong.is_empty() {
        return Err(format!("{}\n{}\n{}", expectation.shows, wrong.join("\n"), run.report));
    }
    let name = case.file_name().expect("a folder").to_string_lossy().into_owned();
    insta::with_settings!({ description => &expectation.shows, omit_expression => true }, {
        insta::assert_snapshot!(&*name, run.report);
    });
    check_model(case, &expectation, &name);
    check_json(case, &expectation, &name)
}

/// Runs the case in a copy of its own.
fn run_anew(case: &Path, expectation: &Expectation, rendering: &[&str]) -> Run {
    let root = tempfile::tempdir().expect("a temporary folder");
    copy(&case.join("before"), root.path());
    run(case, &expectation.options, rendering, root.path())
}

/// How much a model gets to read about one chunk that fails, in characters.
const ONE_CHUNK: usize = 1500;

fn check_model(case: &Path, expectation: &Expectation, name: &str) {
    let run = run_anew(case, expectation, &["--for", "model"]);
    let lines: Vec<&str> = run.report.lines().collect();
    let first = lines.first().expect("words");
    assert!(first.starts_with("Done: ") || first.starts_with("Nothing was changed"), "{}", run.report);
    assert!(lines.last().expect("words").starts_with("Next: "), "{}", run.report);
    let chunks = lines.iter().filter(|line| line.contains(", chunk ")).count();
    assert!(chunks > 1 || run.status == 2 || run.report.chars().count() < ONE_CHUNK, "{}", run.report);
    if expectation.also.iter().any(|also| also == "model") {
        insta::with_settings!({ description => &expectation.shows, omit_expression => true, snapshot_suffix => "model" }, {
            insta::assert_snapshot!(name, run.report);
        });
    }
}

/// Holds the JSON against its schema, and against what the case expects.
fn check_json(case: &Path, expectation: &Expectation, name: &str) -> Result<(), String> {
    let run = run_anew(case, expectation, &["--json"]);
    let json: serde_json::Value =
        serde_json::from_str(&run.report).map_err(|error| format!("not JSON: {error}\n{}", run.report))?;
    let errors: Vec<String> = SCHEMA.iter_errors(&json).map(|error| error.to_string()).collect();
    if !errors.is_empty() {
        return Err(format!("the JSON is not as its schema says:\n{}\n{}", errors.join("\n"), run.report));
    }
    assert_eq!(json["status"], run.status, "{}", run.report);
    let codes = json["failures"].as_array().into_iter().chain(json["errors"].as_array()).flatten();
    let codes: Vec<&str> = codes.filter_map(|failure| failure["code"].as_str()).collect();
    for why in &expectation.why {
        assert!(codes.contains(&why.as_str()), "{why} is not in the JSON: {}", run.report);
    }
    if let Some(suggestion) = json["suggestion"].as_str() {
        let root = tempfile::tempdir().expect("a temporary folder");
        copy(&case.join("before"), root.path());
        // What is suggested in place of a replacement is a patch.
        let options = expectation.options.split(|option| option == "replace").next().unwrap_or_default();
        let run = run_patch(suggestion.as_bytes(), options, &["--json"], root.path());
        assert!(
            run.status == 0 && run.report.contains("\"inexact\":0"),
            "what is suggested fits: {}",
            run.report
        );
    }
    if expectation.also.iter().any(|also| also == "json") {
        let pretty = serde_json::to_string_pretty(&json).expect("it was JSON");
        insta::with_settings!({ description => &expectation.shows, omit_expression => true, snapshot_suffix => "json" }, {
            insta::assert_snapshot!(name, pretty);
        });
    }
    Ok(())
}

static SCHEMA: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
    let schema = serde_json::from_str(apply_patch::report::json::SCHEMA).expect("JSON");
    jsonschema::draft202012::options().build(&schema).expect("a schema")
});

fn difference(expected: &BTreeMap<PathBuf, Node>, found: &BTreeMap<PathBuf, Node>) -> String {
    let show = |node: Option<&Node>| match node {
        None => "nothing".to_owned(),
        Some(Node::Link(to)) => format!("a link to {}", to.display()),
        Some(Node::File { bytes, executable }) => {
            format!("{:?}{}", String::from_utf8_lossy(bytes), if *executable { " (executable)" } else { "" })
        }
    };
    let paths: std::collections::BTreeSet<_> = expected.keys().chain(found.keys()).collect();
    let differing = paths.into_iter().filter(|path| expected.get(*path) != found.get(*path));
    let lines = differing.map(|path| {
        format!(
            "{}:\n  wanted {}\n  found  {}",
            path.display(),
            show(expected.get(path)),
            show(found.get(path))
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_case_is_as_expected() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let wanted = std::env::var("CORPUS").unwrap_or_default();
    let mut cases: Vec<_> = WalkDir::new(&fixtures)
        .min_depth(2)
        .max_depth(2)
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name() == "case.txt")
        .filter_map(|entry| entry.path().parent().map(Path::to_owned))
        .filter(|case| case.file_name().is_some_and(|name| name.to_string_lossy().contains(&wanted)))
        .collect();
    cases.sort();
    assert!(!cases.is_empty(), "no case in {}", fixtures.display());
    let failed: Vec<_> = cases
        .iter()
        .filter_map(|case| {
            let found = std::panic::catch_unwind(|| check(case)).unwrap_or_else(|_| Err("see above".into()));
            found.err().map(|wrong| format!("== {}\n{wrong}", case.display()))
        })
        .collect();
    assert!(failed.is_empty(), "{} of {} cases\n{}", failed.len(), cases.len(), failed.join("\n"));
}

/// What a model is taught is what the tool does: each example of the instructions is a case that is applied as it stands.
#[test]
fn every_example_of_the_instructions_is_a_case() {
    let examples = |text: &'static str| text.split("```\n").skip(1).step_by(2);
    let mut blocks: Vec<&str> = examples(INSTRUCTIONS).chain(examples(SEARCH_REPLACE_INSTRUCTIONS)).collect();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut cases = 0;
    for entry in fs::read_dir(fixtures).expect("the fixtures").filter_map(Result::ok) {
        if entry.file_name().to_string_lossy().starts_with("instructions-") {
            let patch = fs::read_to_string(entry.path().join("patch.txt")).expect("a patch");
            let expectation = Expectation::read(&entry.path());
            assert_eq!((expectation.status, &*expectation.options.join(" ")), (0, "--strict --match exact"));
            blocks.retain(|block| *block != patch);
            cases += 1;
        }
    }
    assert_eq!((blocks, cases), (vec![], 5), "examples without a case, and how many cases there are");
}
