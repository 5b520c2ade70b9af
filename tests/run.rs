//! The driver: one call from a text to changed files, on the disk and in memory.

use std::collections::BTreeMap;
use std::io::Error;
use std::num::NonZeroUsize;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use apply_patch::apply::{ApplyError, Left, Leftover, Roots};
use apply_patch::format::{Format, RepairKind};
use apply_patch::locate::Level;
use apply_patch::plan::{Digest, Replace};
use apply_patch::report::Look;
use apply_patch::run::{
    Bytes, Caller, Details, Hooks, Options, Outcome, Report, Status, Step, Stopped, Tree, many, replace, run,
    run_with,
};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;

const FILE: &str =
    "fn wait(&self) {\n    let most = self.retries;\n    let pause = 20;\n    self.sleep(pause);\n}\n";
const PATCH: &str = "*** Begin Patch\n*** Update File: src/wait.rs\n@@\n-    let pause = 20;\n+    let pause = 40;\n*** End Patch\n";

fn tree() -> Tree {
    [("src/wait.rs", FILE), ("notes.txt", "one\ntwo\n")].into_iter().collect()
}

/// The files of a tree in memory, as text.
fn texts(tree: &Tree) -> BTreeMap<String, String> {
    let Tree::Memory(files) = tree else { panic!("not in memory") };
    let text = |(path, bytes): (&Utf8PathBuf, &Bytes)| {
        (path.to_string(), String::from_utf8(bytes.to_vec()).expect("text"))
    };
    files.iter().map(text).collect()
}

/// The same files in a new folder on the disk.
fn on_disk() -> (tempfile::TempDir, Tree) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let base = Utf8Path::from_path(folder.path()).expect("UTF-8");
    for (path, text) in texts(&tree()) {
        let path = base.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
        std::fs::write(path, text).expect("a new file");
    }
    let roots = Roots::open(base).expect("a folder");
    (folder, Tree::Disk(roots))
}

fn json(report: &Report) -> Value {
    serde_json::from_str(&report.to_json()).expect("JSON")
}

#[test]
fn a_report_can_be_sent_and_shared_and_is_its_json() {
    fn is_sent_and_shared<T: Send + Sync + 'static>(_: &T) {}
    let report = run(PATCH, &Options::default(), &mut tree());
    is_sent_and_shared(&report);
    assert_eq!(serde_json::to_value(&report).expect("JSON"), json(&report));
}

#[test]
fn every_format_is_applied() {
    let edit = r#"{"file_path": "src/wait.rs", "old_string": "pause = 20", "new_string": "pause = 40"}"#;
    let block =
        "src/wait.rs\n<<<<<<< SEARCH\n    let pause = 20;\n=======\n    let pause = 40;\n>>>>>>> REPLACE\n";
    let diff =
        "--- a/src/wait.rs\n+++ b/src/wait.rs\n@@ -3 +3 @@\n-    let pause = 20;\n+    let pause = 40;\n";
    let formats = [
        (Format::Envelope, PATCH),
        (Format::Edit, edit),
        (Format::SearchReplace, block),
        (Format::Unified, diff),
    ];
    for (format, text) in formats {
        for format in [format, Format::Auto] {
            let mut tree = tree();
            let report = run(text, &Options::default().with_format(format), &mut tree);
            assert_eq!(report.status(), Status::Applied, "{text}");
            assert_eq!(texts(&tree)["src/wait.rs"], FILE.replace("20", "40"));
        }
    }
    let other = run(PATCH, &Options::default().with_format(Format::Unified), &mut tree());
    assert_eq!(other.status(), Status::NotAPatch);
}

#[test]
fn names_count_from_the_folder_of_a_cd() {
    let patch = PATCH.replace("src/wait.rs", "wait.rs");
    let mut tree = tree();
    let report = run(&format!("cd src && apply_patch <<'EOF'\n{patch}EOF\n"), &Options::default(), &mut tree);
    assert_eq!(report.status(), Status::Applied);
    assert!(
        report
            .repairs
            .iter()
            .any(|repair| matches!(&repair.kind, RepairKind::ChangeFolder(dir) if dir == "src")),
        "{:?}",
        report.repairs
    );
    assert_eq!(texts(&tree)["src/wait.rs"], FILE.replace("20", "40"));
}

#[test]
fn a_file_is_added_moved_and_deleted_in_memory_as_on_the_disk() {
    let patch = "*** Begin Patch\n*** Add File: new/a.txt\n+a\n*** Update File: src/wait.rs\n*** Move to: src/sleep.rs\n@@\n-    let pause = 20;\n+    let pause = 40;\n*** Delete File: notes.txt\n*** End Patch\n";
    let mut memory = tree();
    let in_memory = run(patch, &Options::default(), &mut memory);
    let (folder, mut disk) = on_disk();
    let on_disk = run(patch, &Options::default(), &mut disk);
    assert_eq!(json(&in_memory), json(&on_disk));
    assert_eq!(in_memory.for_model(0), on_disk.for_model(0));
    let expected =
        [("new/a.txt".to_owned(), "a\n".to_owned()), ("src/sleep.rs".into(), FILE.replace("20", "40"))];
    assert_eq!(texts(&memory), expected.clone().into());
    for (path, text) in expected {
        assert_eq!(std::fs::read_to_string(folder.path().join(path)).expect("a file"), text);
    }
    assert!(!folder.path().join("notes.txt").exists() && !folder.path().join("src/wait.rs").exists());
}

#[test]
fn a_check_changes_nothing_and_has_what_was_asked_for() {
    let mut tree = tree();
    let details = Details::default().with_diff(true).with_stat(true).with_contents(true).with_undo(true);
    let report = run(PATCH, &Options::default().with_check(true).with_details(details), &mut tree);
    assert_eq!(texts(&tree)["src/wait.rs"], FILE);
    assert!(!report.changed());
    let words = report.for_human(&Look::PLAIN);
    assert!(words.contains(" src/wait.rs | 2 +-\n") && words.contains("-    let pause = 20;\n"), "{words}");
    let changes = report.changes().expect("it fits");
    assert_eq!(changes.files[0].content.as_deref(), Some(FILE.replace("20", "40").as_bytes()));
    assert!(report.undo.expect("asked for").contains("+    let pause = 20;\n"));
}

#[test]
fn an_undo_takes_the_change_back() {
    let details = Details::default().with_undo(true);
    let mut tree = tree();
    let undo = run(PATCH, &Options::default().with_details(details), &mut tree).undo.expect("asked for");
    assert!(run(&undo, &Options::default(), &mut tree).changed());
    assert_eq!(texts(&tree)["src/wait.rs"], FILE);
}

#[test]
fn a_refusal_changes_nothing_and_suggests_what_to_send() {
    let patch = PATCH.replace("*** Begin Patch\n", "*** Begin Patch\n*** Add File: b.txt\n+b\n");
    let patch =
        patch.replace("@@\n", "@@\n     let most = self.retries;\n").replace("pause = 20", "pause = 10");
    let patch = patch.replace("*** End", "     self.sleep(pause);\n*** End");
    let mut tree = tree();
    let report = run(&patch, &Options::default(), &mut tree);
    assert_eq!(report.status(), Status::Refused);
    assert!(!texts(&tree).contains_key("b.txt"));
    let suggestion = report.suggestion.as_deref().unwrap_or_else(|| panic!("{patch}{}", report.for_model(0)));
    assert_eq!(suggestion, patch.replace("pause = 10", "pause = 20"));
    assert!(report.for_model(4000).contains("A corrected patch"));
    assert_eq!(json(&report)["suggestion"], suggestion);
    let details = Details::default().with_suggestion(false);
    let without = Options::default().with_details(details);
    assert_eq!(run(&patch, &without, &mut tree).suggestion, None);
}

#[test]
fn an_expectation_and_a_level_refuse() {
    let pin = |text: &[u8]| vec![("src/wait.rs".to_owned(), Digest::of(text))];
    let with = |options: Options| run(PATCH, &options, &mut tree()).status();
    assert_eq!(with(Options::default().with_expect(pin(FILE.as_bytes()))), Status::Applied);
    assert_eq!(with(Options::default().with_expect(pin(b"another"))), Status::Refused);
    let shifted = PATCH.replace("-    let", "-  let").replace("+    let", "+  let");
    let at = |level| {
        let options = Options::default().with_level(level);
        run(&shifted, &options, &mut tree()).status()
    };
    assert_eq!((at(Level::Guarded), at(Level::Exact)), (Status::Applied, Status::Refused));
    let strict = Options::default().with_strict(true);
    let fenced = format!("```\n{PATCH}```\n");
    assert_eq!(run(&fenced, &Options::default(), &mut tree()).status(), Status::Applied);
    assert_eq!(run(&fenced, &strict, &mut tree()).status(), Status::NotAPatch);
}

#[test]
fn a_name_that_leads_out_of_a_tree_in_memory_is_refused() {
    for name in ["../wait.rs", "/etc/passwd", ".git/config", "src/wait.rs/below"] {
        let patch = format!("*** Begin Patch\n*** Add File: {name}\n+x\n*** End Patch\n");
        let mut tree = tree();
        assert_eq!(run(&patch, &Options::default(), &mut tree).status(), Status::Refused, "{name}");
        assert_eq!(texts(&tree).len(), 2);
    }
}

#[test]
fn a_text_is_replaced() {
    let request = Replace::new("notes.txt", "two", "2");
    let mut tree = tree();
    let report = replace(&request, &Options::default(), &mut tree);
    assert_eq!(report.status(), Status::Applied);
    assert_eq!(texts(&tree)["notes.txt"], "one\n2\n");
}

#[test]
fn many_requests_have_the_reports_of_each_in_their_order() {
    let texts: Vec<String> = (0..40)
        .map(|nth| match nth % 4 {
            0 => PATCH.to_owned(),
            1 => PATCH.replace("20", "77"),
            2 => "no patch".to_owned(),
            _ => PATCH.replace("40", &nth.to_string()),
        })
        .collect();
    let alone: Vec<String> =
        texts.iter().map(|text| run(text, &Options::default(), &mut tree()).to_json()).collect();
    let options = Options::default();
    for threads in [1, 3, 64] {
        let mut jobs: Vec<_> = texts.iter().map(|text| (&**text, &options, tree())).collect();
        let reports = many(&mut jobs, NonZeroUsize::new(threads).expect("some"));
        assert_eq!(reports.iter().map(Report::to_json).collect::<Vec<_>>(), alone);
        assert_eq!(self::texts(&jobs[3].2)["src/wait.rs"], FILE.replace("20", "3"));
    }
    assert!(many(&mut [], NonZeroUsize::MIN).is_empty());
}

#[test]
fn many_requests_for_one_folder_wait_for_each_other() {
    let (folder, _) = on_disk();
    let base = Utf8Path::from_path(folder.path()).expect("UTF-8");
    let texts: Vec<String> = (0..8)
        .map(|nth| format!("*** Begin Patch\n*** Add File: {nth}.txt\n+{nth}\n*** End Patch\n"))
        .collect();
    let options = Options::default();
    let job = |text| (text, &options, Roots::open(base).expect("a folder").into());
    let mut jobs: Vec<_> = texts.iter().map(|text| job(&**text)).collect();
    let reports = many(&mut jobs, NonZeroUsize::new(4).expect("some"));
    assert!(reports.iter().all(|report| report.status() == Status::Applied));
    assert!((0..8).all(|nth| folder.path().join(format!("{nth}.txt")).exists()));
}

/// A caller who takes part: notes the steps, and may end the run before the commit.
#[derive(Default)]
struct Watcher {
    steps: Mutex<Vec<Step>>,
    undo: Mutex<Option<String>>,
    stops: bool,
}

impl Hooks for Watcher {
    fn progress(&self, step: Step, _: usize, _: usize) {
        self.steps.lock().expect("no panic").push(step);
    }

    fn before_commit(&self, undo: Option<&str>) -> Result<(), Stopped> {
        *self.undo.lock().expect("no panic") = undo.map(str::to_owned);
        let text = "the caller ended it".to_owned();
        let stopped = Stopped::Caller { status: Status::System, changed: false, says_unchanged: true, text };
        if self.stops { Err(stopped) } else { Ok(()) }
    }
}

#[test]
fn a_caller_sees_the_steps_and_can_end_a_run_before_the_commit() {
    let details = Details::default().with_undo(true);
    let options = Options::default().with_details(details);
    let (folder, mut disk) = on_disk();
    let caller = Watcher { stops: true, ..Watcher::default() };
    let report = run_with(PATCH, &options, &mut disk, &caller);
    assert!(matches!(report.outcome, Outcome::Stopped(Stopped::Caller { .. })));
    assert_eq!(report.for_human(&Look::PLAIN), "Nothing was changed: the caller ended it\n");
    assert_eq!(std::fs::read_to_string(folder.path().join("src/wait.rs")).expect("a file"), FILE);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 2, "side files are left");
    assert!(caller.undo.lock().expect("no panic").as_deref().is_some_and(|undo| undo.contains("pause = 20")));

    let caller = Watcher::default();
    assert_eq!(run_with(PATCH, &options, &mut disk, &caller).status(), Status::Applied);
    let steps = caller.steps.lock().expect("no panic");
    assert_eq!((steps.first(), steps.last()), (Some(&Step::Planning), Some(&Step::Writing)));
}

#[test]
fn a_clean_up_that_failed_has_a_status_of_its_own() {
    let mut report = run(PATCH, &Options::default(), &mut tree());
    let left =
        Leftover { path: "/root/.apply-patch-1".into(), what: Left::StageFile, source: Error::other("busy") };
    report.unclean = Some(ApplyError::CleanUp { committed: Box::default(), left: vec![left] });
    assert_eq!((report.status(), report.changed()), (Status::Unclean, true));
    let json = json(&report);
    assert_eq!((&json["outcome"], &json["status"]), (&"applied".into(), &4.into()));
    assert!(json["message"].as_str().is_some_and(|message| message.contains("clean-up failed")), "{json}");
}

/// What the command prints is what the library returns.
#[test]
fn the_command_prints_the_report_of_the_library() {
    for text in [PATCH, &PATCH.replace("20", "77"), "no patch", &PATCH.replace("wait", "want")] {
        for (option, words) in [
            ("--json", Report::to_json as fn(&Report) -> String),
            ("--for=model", |report| report.for_model(4000)),
        ] {
            let (folder, _) = on_disk();
            let mut child = Command::new(env!("CARGO_BIN_EXE_apply-patch"))
                .args([option, "--suggest"])
                .current_dir(folder.path())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the program starts");
            let mut stdin = child.stdin.take().expect("piped");
            std::io::Write::write_all(&mut stdin, text.as_bytes()).expect("it reads");
            drop(stdin);
            let output = child.wait_with_output().expect("the program ends");
            let report = run(text, &Options::default(), &mut tree());
            let printed = [output.stdout, output.stderr].concat();
            assert_eq!(String::from_utf8(printed).expect("text"), words(&report), "{text}");
            assert_eq!(output.status.code(), Some(report.status().code().into()));
        }
    }
}

/// Texts whose report names an option of the command, and the option.
fn texts_with_advice() -> Vec<(&'static str, Options, &'static str)> {
    let usual = Options::default();
    let strict = Options::default().with_strict(true);
    let strip = Options::default().with_strip(Some(9));
    vec![
        (PATCH, usual.clone(), "`--check`"),
        ("<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n", usual.clone(), "`--file`"),
        ("@@ -1,1 +1,1 @@\n-one\n+1\n", usual, "`--file`"),
        ("--- a/notes.txt\n+++ b/notes.txt\n@@ -1,1 +1,1 @@\n-one\n+1\n", strip, "`-p`"),
        ("```\n*** Begin Patch\n*** Delete File: notes.txt\n*** End Patch\n```\n", strict, "`--strict`"),
    ]
}

#[test]
fn advice_has_the_names_of_the_caller_and_no_names_without_them() {
    const SERVER: Caller = Caller { dry_run: Some("dry_run: true"), file: Some("path"), ..Caller::NONE };
    for (text, options, name) in texts_with_advice() {
        let renderings = |caller| {
            let options = options.clone().with_check(true).with_caller(caller);
            let report = run(text, &options, &mut tree());
            [report.for_model(0), report.for_human(&Look::PLAIN), report.to_json()]
        };
        let [model, ..] = renderings(Caller::COMMAND);
        assert!(model.contains(name), "{name}\n{model}");
        for words in renderings(Caller::NONE) {
            assert!(!words.contains(name) && !words.contains("`apply-patch"), "{name}\n{words}");
        }
        let [model, ..] = renderings(SERVER);
        let own = match name {
            "`--check`" => Some("`dry_run: true`"),
            "`--file`" => Some("`path`"),
            _ => None,
        };
        assert!(own.is_none_or(|own| model.contains(own)) && !model.contains(name), "{name}\n{model}");
    }
}

#[test]
fn a_replacement_advises_to_change_all_only_if_the_caller_can() {
    let request = Replace::new("src/wait.rs", "self", "this");
    let words = |caller| {
        let options = Options::default().with_check(true).with_caller(caller);
        replace(&request, &options, &mut tree()).for_model(0)
    };
    assert!(words(Caller::COMMAND).contains("or change all positions with `--all`"));
    assert!(!words(Caller::NONE).contains("all positions"));
}
