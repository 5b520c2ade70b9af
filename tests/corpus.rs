//! Runs every case of `fixtures/` as a test of its own; see `fixtures/README.md`.
//!
//! A test has the path of its case: `cargo test --test corpus guard/indentation` runs the cases of that rule.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::{LazyLock, Mutex, PoisonError};

use apply_patch::format::Format;
use apply_patch::grammar::instructions;
use libtest_mimic::{Arguments, Failed, Trial};
use walkdir::WalkDir;

fn main() -> ExitCode {
    let cases: Vec<Case> = Case::all();
    assert!(!cases.is_empty(), "no case in {}", fixtures().display());
    let mut trials = vec![
        Trial::test("every_folder_is_laid_out_alike", || fail_with(&misplaced())),
        Trial::test("every_example_of_the_instructions_is_a_case", || fail_with(&examples_without_a_case())),
        Trial::test("every_case_that_a_document_names_is_there", || fail_with(&named_but_missing())),
    ];
    trials.extend(cases.into_iter().map(|case| Trial::test(case.name(), move || fail_with(&case.check()))));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Returns an error with a line for every problem, if there is a problem.
fn fail_with(problems: &[String]) -> Result<(), Failed> {
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// A folder with a `case.txt`.
struct Case {
    folder: PathBuf,
}

impl Case {
    /// Finds all cases, in the order of their names.
    fn all() -> Vec<Self> {
        let entries = WalkDir::new(fixtures()).sort_by_file_name().into_iter().filter_map(Result::ok);
        entries
            .filter(|entry| entry.file_name() == "case.txt")
            .filter_map(|entry| entry.path().parent().map(Path::to_owned))
            .map(|folder| Self { folder })
            .collect()
    }

    /// Returns the path of the case in `fixtures/`, with `/` on every system.
    fn name(&self) -> String {
        let path = self.folder.strip_prefix(fixtures()).expect("the case was found there");
        path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
    }

    fn patch(&self) -> Vec<u8> {
        fs::read(self.folder.join("patch.txt")).expect("every case has a patch.txt")
    }

    /// Returns a new folder with the files that the case has before its patch.
    fn copy_of_before(&self) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a temporary folder");
        copy(&self.folder.join("before"), root.path());
        root
    }

    /// Returns everything that differs from what the case expects.
    fn check(&self) -> Vec<String> {
        let expectation = Expectation::read(&self.folder);
        let mut problems = self.check_files_and_report(&expectation);
        problems.extend(self.check_model(&expectation));
        problems.extend(self.check_json(&expectation));
        if !problems.is_empty() {
            problems.insert(0, expectation.shows);
        }
        problems
    }

    /// Checks the exit status, the files and the report for people.
    fn check_files_and_report(&self, expectation: &Expectation) -> Vec<String> {
        let root = self.copy_of_before();
        let run = run(&self.patch(), &expectation.options, &["--for", "people"], root.path());
        let mut problems = Vec::new();
        if run.status != expectation.status {
            problems.push(format!("exit status {}, not {}", run.status, expectation.status));
        }
        let after = self.folder.join("after");
        let expected = tree(&if after.exists() { after } else { self.folder.join("before") });
        let found = tree(root.path());
        if found != expected {
            problems.push(difference(&expected, &found));
        }
        let codes = expectation.why.iter().map(|code| format!("[{code}]"));
        let missing = codes.chain(expectation.report.iter().cloned());
        let missing = missing.filter(|words| !run.report.contains(words.as_str()));
        problems.extend(missing.map(|words| format!("the report does not contain {words:?}")));
        if problems.is_empty() {
            problems.extend(self.check_snapshot("report", expectation, &run.report));
        } else {
            problems.push(run.report);
        }
        problems
    }

    /// Checks the shape of the report for models.
    fn check_model(&self, expectation: &Expectation) -> Vec<String> {
        let run = run(&self.patch(), &expectation.options, &["--for", "model"], self.copy_of_before().path());
        let lines: Vec<&str> = run.report.lines().collect();
        let first = lines.first().copied().unwrap_or_default();
        let mut problems = Vec::new();
        if !first.starts_with("Done: ") && !first.starts_with("Nothing was changed") {
            problems.push("the report for models begins with another word".to_owned());
        }
        if !lines.last().is_some_and(|last| last.starts_with("Next: ")) {
            problems.push("the report for models does not end with what to do next".to_owned());
        }
        let chunks = lines.iter().filter(|line| line.contains(", chunk ")).count();
        if chunks <= 1 && run.status != 2 && run.report.chars().count() >= ONE_CHUNK {
            problems.push(format!("the report for models of one chunk has {ONE_CHUNK} characters or more"));
        }
        if !problems.is_empty() {
            problems.push(run.report);
        } else if expectation.also.iter().any(|also| also == "model") {
            problems.extend(self.check_snapshot("report.model", expectation, &run.report));
        }
        problems
    }

    /// Checks the JSON report: against its schema, against the case, and by applying the patch that it suggests.
    fn check_json(&self, expectation: &Expectation) -> Vec<String> {
        let run = run(&self.patch(), &expectation.options, &["--json"], self.copy_of_before().path());
        let json: serde_json::Value = match serde_json::from_str(&run.report) {
            Ok(json) => json,
            Err(error) => return vec![format!("not JSON: {error}\n{}", run.report)],
        };
        let mut problems: Vec<String> =
            SCHEMA.iter_errors(&json).map(|error| format!("against the schema: {error}")).collect();
        if json["status"] != run.status {
            problems.push(format!("the exit status is {}, but not in the JSON", run.status));
        }
        let failures = json["failures"].as_array().into_iter().chain(json["errors"].as_array()).flatten();
        let codes: Vec<&str> = failures.filter_map(|failure| failure["code"].as_str()).collect();
        let missing = expectation.why.iter().filter(|why| !codes.contains(&why.as_str()));
        problems.extend(missing.map(|why| format!("the code {why} is not in the JSON")));
        if let Some(suggestion) = json["suggestion"].as_str() {
            problems.extend(self.check_suggestion(expectation, suggestion));
        }
        if !problems.is_empty() {
            problems.push(run.report);
        } else if expectation.also.iter().any(|also| also == "json") {
            let pretty = serde_json::to_string_pretty(&json).expect("it was JSON");
            problems.extend(self.check_snapshot("report.json", expectation, &pretty));
        }
        problems
    }

    /// Checks that a suggested patch matches exactly.
    fn check_suggestion(&self, expectation: &Expectation, suggestion: &str) -> Option<String> {
        // The suggestion in place of a replacement is a patch.
        let options = expectation.options.split(|option| option == "replace").next().unwrap_or_default();
        let run = run(suggestion.as_bytes(), options, &["--json"], self.copy_of_before().path());
        let is_exact = run.status == 0 && run.report.contains("\"inexact\":0");
        (!is_exact).then(|| format!("the suggested patch does not match exactly:\n{}", run.report))
    }

    /// Compares a report with its snapshot, which lies beside the case.
    fn check_snapshot(&self, name: &str, expectation: &Expectation, report: &str) -> Option<String> {
        // A snapshot that differs is printed line by line: one at a time.
        static PRINTING: Mutex<()> = Mutex::new(());
        let _printing = PRINTING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(&self.folder);
        settings.set_prepend_module_to_snapshot(false);
        settings.set_description(expectation.shows.as_str());
        settings.set_omit_expression(true);
        let check = || settings.bind(|| insta::assert_snapshot!(name, report));
        let failed = catch_unwind(AssertUnwindSafe(check)).is_err();
        failed.then(|| format!("{name}.snap differs"))
    }
}

/// The characters that a model gets to read about one chunk that fails, at most.
const ONE_CHUNK: usize = 1500;

static SCHEMA: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
    let schema = serde_json::from_str(apply_patch::report::JsonReport::SCHEMA).expect("JSON");
    jsonschema::draft202012::options().build(&schema).expect("a schema")
});

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

/// Returns everything in `fixtures/` that is not where `fixtures/README.md` says.
fn misplaced() -> Vec<String> {
    let mut problems: Vec<String> = Case::all().iter().flat_map(misplaced_in).collect();
    let cases: BTreeSet<PathBuf> = Case::all().into_iter().map(|case| case.folder).collect();
    let apart = ["README.md", "path/attacks.tsv"].map(|name| fixtures().join(name));
    let files = WalkDir::new(fixtures()).into_iter().filter_map(Result::ok).map(walkdir::DirEntry::into_path);
    let lost = files.filter(|path| !path.is_dir() && !apart.contains(path));
    let lost = lost.filter(|path| !path.ancestors().any(|folder| cases.contains(folder)));
    problems.extend(lost.map(|path| format!("{} belongs to no case", path.display())));
    problems
}

/// Returns what is wrong with the name and the entries of a case's folder.
fn misplaced_in(case: &Case) -> Vec<String> {
    let name = case.name();
    let mut problems = Vec::new();
    if name.split('/').count() != 4 {
        problems.push(format!("{name} is not STAGE/RULE/CASE/OUTCOME"));
    }
    let expectation = Expectation::read(&case.folder);
    let outcome = if expectation.status == 0 { "accepted" } else { "refused" };
    let last = name.rsplit('/').next().unwrap_or_default();
    if last.split('-').next() != Some(outcome) {
        problems.push(format!("{name} does not end in {outcome}, or {outcome}-OPTION"));
    }
    let mut known = ["case.txt", "patch.txt", "before", "after", "report.snap"].map(str::to_owned).to_vec();
    known.extend(expectation.also.iter().map(|also| format!("report.{also}.snap")));
    for entry in fs::read_dir(&case.folder).expect("the case was found there").filter_map(Result::ok) {
        let entry = entry.file_name().to_string_lossy().into_owned();
        // A snapshot that waits for its review has failed its own case.
        if !known.contains(&entry) && !entry.ends_with(".snap.new") {
            problems.push(format!("{name}/{entry} is no part of a case"));
        }
    }
    problems
}

/// Returns the examples of the instructions that no case applies unchanged, and the cases that are no example.
fn examples_without_a_case() -> Vec<String> {
    let blocks = |text: &'static str| text.split("```\n").skip(1).step_by(2);
    let instructions = [Format::Envelope, Format::SearchReplace].into_iter().filter_map(instructions);
    let mut examples: BTreeSet<&str> = instructions.flat_map(blocks).collect();
    let mut problems = Vec::new();
    for case in Case::all().into_iter().filter(|case| case.name().starts_with("instructions/")) {
        let expectation = Expectation::read(&case.folder);
        if (expectation.status, &*expectation.options.join(" ")) != (0, "--strict --match exact") {
            problems.push(format!("{} is not applied with --strict --match exact", case.name()));
        }
        let patch = String::from_utf8_lossy(&case.patch()).into_owned();
        if !examples.remove(patch.as_str()) {
            problems.push(format!("{} is no example of the instructions", case.name()));
        }
    }
    problems.extend(examples.iter().map(|example| format!("no case has this example:\n{example}")));
    problems
}

/// Returns a line for each path in a document that names a case, or a folder of `fixtures/`, but is not there.
fn named_but_missing() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let documents =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "grammar/README.md", "fixtures/README.md"];
    let mut problems = Vec::new();
    let mut found = 0;
    for document in documents {
        let text = fs::read_to_string(root.join(document)).expect("the document is there");
        for name in text.split('`').filter_map(named_case) {
            found += 1;
            if !fixtures().join(name).exists() {
                problems.push(format!("{document} names {name}, which is not in fixtures/"));
            }
        }
    }
    if found < 50 {
        problems.push(format!("{found} cases are named, which are too few to show anything"));
    }
    problems
}

/// Returns the path in `fixtures/`, if a word of a document is such a path: `fixtures/…`, or a case with its outcome.
fn named_case(word: &str) -> Option<&str> {
    let is_path = !word.contains(char::is_whitespace);
    let inside = word
        .strip_prefix("fixtures/")
        .filter(|path| path.starts_with(|first: char| first.is_ascii_lowercase()));
    let last = word.rsplit('/').next().unwrap_or_default();
    let is_case =
        word.matches('/').count() == 3 && (last.starts_with("accepted") || last.starts_with("refused"));
    if is_path { inside.or(is_case.then_some(word)) } else { None }
}

/// A file or a link.
#[derive(Debug, PartialEq, Eq)]
enum Node {
    File { bytes: Vec<u8>, executable: bool },
    Link(PathBuf),
}

/// Returns all files and links of a folder, by their path in it. Empty folders do not count: git keeps none.
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

fn run(patch: &[u8], options: &[String], rendering: &[&str], root: &Path) -> Run {
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

/// Returns a line for each path at which two trees differ.
fn difference(expected: &BTreeMap<PathBuf, Node>, found: &BTreeMap<PathBuf, Node>) -> String {
    let paths: BTreeSet<_> = expected.keys().chain(found.keys()).collect();
    let differing = paths.into_iter().filter(|path| expected.get(*path) != found.get(*path));
    let lines = differing.map(|path| {
        let (expected, found) = (describe(expected.get(path)), describe(found.get(path)));
        format!("{}:\n  expected {expected}\n  found    {found}", path.display())
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn describe(node: Option<&Node>) -> String {
    match node {
        None => "nothing".to_owned(),
        Some(Node::Link(to)) => format!("a link to {}", to.display()),
        Some(Node::File { bytes, executable }) => {
            format!("{:?}{}", String::from_utf8_lossy(bytes), if *executable { " (executable)" } else { "" })
        }
    }
}
