//! What the command says about itself, and about arguments that make no sense.

#![cfg(feature = "cli")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

#[allow(dead_code, reason = "it is run by hand as well")]
#[path = "../examples/packaging.rs"]
mod packaging;

#[cfg(unix)]
#[path = "readme/place.rs"]
mod place;

const PROGRAM: &str = env!("CARGO_BIN_EXE_apply-patch");

fn run(args: &[&str]) -> Output {
    let mut command = Command::new(PROGRAM);
    // As a terminal of 80 columns shows it.
    command.args(args).stdin(Stdio::null()).env("COLUMNS", "80");
    command.output().expect("the program starts")
}

fn out(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// What is said on standard error, with exit status 2 and nothing on standard output.
fn wrong(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}");
    String::from_utf8(output.stderr).expect("text")
}

/// The commands of the program that are shown.
fn commands() -> Vec<clap::Command> {
    let mut program = apply_patch::cli::command();
    program.build();
    program.get_subcommands().filter(|command| !command.is_hide_set()).cloned().collect()
}

// Help.

#[test]
fn the_short_help_fits_a_screen() {
    let commands = commands();
    let names = commands.iter().map(|command| vec![command.get_name(), "-h"]);
    for args in names.chain([vec!["-h"]]) {
        let help = out(&args);
        let widest = help.lines().map(|line| line.chars().count()).max().expect("words");
        assert!(help.lines().count() <= 24 && widest <= 80, "{args:?}, {widest} columns:\n{help}");
    }
}

#[test]
fn the_long_help_has_every_option_and_examples() {
    let mut program = apply_patch::cli::command();
    program.build();
    for command in commands().iter().chain([&program]) {
        let name = Some(command.get_name()).filter(|name| *name != "apply-patch");
        let args: Vec<&str> = name.into_iter().chain(["--help"]).collect();
        let help = out(&args);
        for option in command.get_arguments().filter_map(clap::Arg::get_long) {
            assert!(help.contains(&format!("--{option}")), "{args:?} says nothing of --{option}:\n{help}");
        }
        assert!(help.contains("\nExamples:\n  apply-patch "), "{args:?} has no examples:\n{help}");
        for command in program.get_subcommands().filter(|_| name.is_none()) {
            let shown = help.contains(&format!("\n  {}", command.get_name()));
            assert!(shown != command.is_hide_set(), "{}:\n{help}", command.get_name());
        }
    }
}

#[test]
fn the_command_help_is_the_long_help() {
    assert_eq!(out(&["help"]), out(&["--help"]));
    assert_eq!(out(&["help", "replace"]), out(&["replace", "--help"]));
    assert!(
        wrong(&["help", "nothing"]).starts_with("Nothing was changed: there is no command \"nothing\"\n")
    );
}

/// Every line of the examples in every help, in a folder that has what they speak of.
#[test]
#[cfg(unix)]
fn every_example_runs() {
    let mut all = vec![out(&["--help"])];
    all.extend(commands().iter().map(|command| out(&[command.get_name(), "--help"])));
    let help = all.concat();
    let examples: Vec<&str> = help.lines().filter(|line| line.starts_with("  apply-patch ")).collect();
    let has_git = Command::new("git").arg("--version").output().is_ok();
    for example in examples.iter().filter(|example| has_git || !example.contains("--git")) {
        let place = place::make();
        let search = std::env::var_os("PATH").unwrap_or_default();
        let own = Path::new(PROGRAM).parent().expect("it is in a folder").as_os_str();
        let path = [own, &search].join(std::ffi::OsStr::new(":"));
        let mut command = Command::new("sh");
        command.args(["-c", example]).current_dir(place.path()).env("PATH", path).stdin(Stdio::null());
        let output = command.env("ANSWER", place::ANSWER).output().expect("a shell");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{example}: {said}");
    }
    assert!(examples.len() >= 15, "{examples:?}");
}

// Wrong usage.

#[test]
fn a_misspelt_option_command_or_value_is_told_the_right_one() {
    let tips = [
        (&["--chek"][..], "'--check'"),
        (&["--match", "guardd"], "'guarded'"),
        (&["--for", "modl"], "'model'"),
        (&["--format", "search-replce"], "'search-replace'"),
        (&["--compat", "codx"], "'codex'"),
        (&["convert", "--to", "unifed"], "'unified'"),
        (&["grammar", "--without", "delte"], "'delete'"),
        (&["replace", "greet.py", "--alll", "--old", "x"], "'--all'"),
        (&["repalce", "greet.py", "--old", "x"], "`replace`"),
        (&["explian"], "`explain`"),
        (&["instruction"], "`instructions`"),
    ];
    for (args, tip) in tips {
        let words = wrong(args);
        assert!(words.contains("\n  tip: ") && words.contains(tip), "{args:?}: {words}");
    }
}

#[test]
fn what_is_like_no_command_gets_no_tip() {
    for name in ["answer.txt", "fix", "patch.diff"] {
        assert!(!wrong(&[name]).contains("tip: "), "{name}");
    }
}

/// What makes no sense, each in its own way: for the parser, or together.
const SENSELESS: [&[&str]; 10] = [
    &["--no-such-option"],
    &["--match", "sloppy"],
    &["-C"],
    &["a", "b"],
    &["replace"],
    &["replace", "greet.py", "--old", "x", "--old-file", "y", "--new", "z"],
    &["--trim"],
    &["answer.txt", "replace", "greet.py", "--old", "x", "--new", "y"],
    &["replace", "greet.py", "--old", "x", "--new", "y", "--all", "--match", "editkit"],
    &["help", "nothing"],
];

#[test]
fn a_model_is_told_first_that_nothing_was_changed_and_last_what_to_do() {
    for args in SENSELESS {
        let words = wrong(args);
        let last = words.lines().last().expect("words");
        assert!(words.starts_with("Nothing was changed: "), "{words}");
        assert!(last.starts_with("Next: ") && last.contains("apply-patch --help"), "{words}");
        let asked = wrong(&[&["--for", "model"], args].concat());
        assert!(asked.starts_with("Nothing was changed: "), "{asked}");
        let people = wrong(&[&["--for=people"], args].concat());
        assert!(people.starts_with("error: ") && !people.contains("Next: "), "{people}");
    }
}

#[test]
fn a_missing_argument_is_named() {
    let words = wrong(&["replace"]);
    assert!(
        words.contains("--old <TEXT>") && words.contains("--new <TEXT>") && words.contains("<FILE>"),
        "{words}"
    );
}

#[test]
fn json_is_one_object_also_where_the_arguments_make_no_sense() {
    let schema: Value = serde_json::from_str(apply_patch::report::JsonReport::SCHEMA).expect("JSON");
    let schema = jsonschema::draft202012::options().build(&schema).expect("a schema");
    let more: [&[&str]; 2] = [&["--for", "model"], &["-i"]];
    for args in SENSELESS.into_iter().chain(more) {
        let output = run(&[&["--json"], args].concat());
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!((output.status.code(), output.stderr.len()), (Some(2), 0), "{args:?}: {text}");
        let json: Value = serde_json::from_str(&text).expect("JSON");
        let errors: Vec<String> = schema.iter_errors(&json).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new(), "{text}");
        let fields = (&json["outcome"], &json["status"], &json["changed"]);
        assert_eq!(fields, (&"wrong-usage".into(), &2.into(), &false.into()), "{text}");
        assert!(json["message"].is_string() && json["next"].is_string(), "{text}");
    }
}

#[test]
fn behind_two_dashes_nothing_is_an_option() {
    let words = wrong(&["--chek", "--", "--json"]);
    assert!(words.starts_with("Nothing was changed: "), "{words}");
}

// What packages bring along.

/// `UPDATE_MAN=1 cargo test --test usage man` writes them.
#[test]
fn the_man_pages_are_those_of_the_program() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/man");
    let pages = packaging::pages().expect("no page fails");
    if std::env::var_os("UPDATE_MAN").is_some() {
        fs::create_dir_all(&folder).expect("docs is there");
        for (name, page) in &pages {
            fs::write(folder.join(name), page).expect("a page");
        }
    }
    for (name, page) in &pages {
        let kept = fs::read(folder.join(name)).unwrap_or_default();
        assert!(kept == *page, "run `UPDATE_MAN=1 cargo test --test usage man`, and look at {name}");
    }
    let kept = fs::read_dir(&folder).expect("it was written").count();
    assert_eq!((kept, pages.len()), (pages.len(), commands().len() + 1));
}

/// `UPDATE_MAN=1 cargo test --test usage reference` writes the reference behind the text of docs/cli.md.
#[test]
fn the_reference_is_that_of_the_program() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cli.md");
    let text = fs::read_to_string(&file).expect("docs/cli.md");
    let (own, kept) = text.split_once(REFERENCE).expect("the line where the reference begins");
    let reference = packaging::reference();
    if std::env::var_os("UPDATE_MAN").is_some() {
        fs::write(&file, [own, REFERENCE, &reference].concat()).expect("docs/cli.md");
    } else {
        assert!(
            kept == reference,
            "run `UPDATE_MAN=1 cargo test --test usage reference`, and look at docs/cli.md"
        );
    }
}

const REFERENCE: &str = "<!-- examples/packaging.rs writes the rest of this file. -->\n";

#[test]
fn completions_know_every_command() {
    for shell in [clap_complete::Shell::Bash, clap_complete::Shell::Fish, clap_complete::Shell::Zsh] {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut apply_patch::cli::command(), "apply-patch", &mut script);
        let script = String::from_utf8(script).expect("text");
        for command in commands() {
            assert!(script.contains(command.get_name()), "{shell}: {}", command.get_name());
        }
        assert!(script.contains("accept-truncated") && script.contains("three-tier"), "{shell}");
    }
}
