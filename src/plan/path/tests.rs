use super::*;
use proptest::prelude::*;

fn borders() -> Borders {
    let names = [("/srv/project", ""), ("/alias/project", ""), ("/opt/shared", "/mnt/shared")];
    Borders { names: names.map(|(name, path)| (name.into(), path.into())).into() }
}

fn path(raw: &str) -> String {
    match check_for(raw, &borders(), false) {
        Ok(checked) => checked.path.into_string(),
        Err(refusal) => PathError::new(raw, refusal).code().to_owned(),
    }
}

fn on_windows(raw: &str) -> String {
    let borders = Borders { names: vec![(r"\\?\C:\work".into(), Utf8PathBuf::new())] };
    match check_for(raw, &borders, true) {
        Ok(checked) => checked.path.into_string(),
        Err(refusal) => PathError::new(raw, refusal).code().to_owned(),
    }
}

fn is_each(verdict: &str, names: &[&str], check: fn(&str) -> String) {
    for name in names {
        assert_eq!(check(name), verdict, "{name:?}");
    }
}

#[test]
fn ordinary_names_stay_as_they_are() {
    let names = [
        "x",
        "src/lib.rs",
        "a b/c d",
        "~/x",
        "~root/x",
        "$HOME/x",
        "%2e%2e/x",
        "..%2fx",
        "...",
        "..x",
        "x..",
        ".gitignore",
        ".github/workflows/ci.yml",
        ".gitmodules",
        ".gitattributes",
        "git",
        "git~x",
        "a.git",
        ".hg/hgrc",
        ".apply-patch",
        "aux.c",
        "CON",
        "a:b",
        "x.",
        "x ",
        "COM¹",
        "é",
        "日本/語",
        "-rf",
        "--",
        "x*?",
        "file:",
    ];
    for name in names {
        let checked = check_for(name, &Borders::default(), false);
        assert_eq!(checked, Ok(CheckedPath { path: name.into(), repairs: vec![] }), "{name:?}");
    }
}

#[test]
fn a_name_is_cleaned_by_component() {
    assert_eq!(path("./x"), "x");
    assert_eq!(path("a/./b"), "a/b");
    assert_eq!(path("a//b"), "a/b");
    assert_eq!(path("a/b/../c"), "a/c");
    assert_eq!(path("a/../b"), "b");
    assert_eq!(path(r"a\b\..\c"), "a/c");
}

#[test]
fn repairs_are_reported_once() {
    let repairs = |raw| check(raw, &Borders::default()).unwrap().repairs;
    assert_eq!(repairs("./a/./b"), [PathRepair::CurrentFolder]);
    assert_eq!(repairs(r".\a\b"), [PathRepair::Backslashes, PathRepair::CurrentFolder]);
    assert_eq!(repairs("a//b"), []);
    assert_eq!(repairs("a/../b"), []);
}

#[test]
fn what_leads_out_is_refused() {
    let names = [
        "..",
        "../x",
        "a/../../x",
        "a/b/../../../x",
        r"..\x",
        r"a\..\..\x",
        "./../x",
        "/abs/x",
        "//abs",
        "///x",
        "/../x",
        "/srv/project-evil/x",
        "/srv/project/../x",
        "/srv/x",
        r"C:\x",
        "C:/x",
        "C:",
        "c:\\srv\\project\\x",
        "ħ:/x",
        "./C:/x",
        "a/../C:/x",
        "/srv/project/C:/x",
        r"\\srv\share\x",
        r"\\?\C:\x",
        "//./pipe/x",
        "/proc/self/cwd/x",
        "/dev/fd/1",
    ];
    is_each("outside-root", &names, path);
}

#[test]
fn an_absolute_path_is_taken_inside_a_root() {
    assert_eq!(path("/srv/project/a/b"), "a/b");
    assert_eq!(path("//srv//project/./a"), "a");
    assert_eq!(path("/srv/project/../project/a"), "a");
    assert_eq!(path(r"\srv\project\a"), "a");
    assert_eq!(path("/alias/project/a"), "a");
    assert_eq!(path("/opt/shared/a"), "/mnt/shared/a");
    assert_eq!(path("/opt/shared-not/a"), "outside-root");
}

#[test]
fn what_is_no_name_of_a_file_is_refused() {
    let long = "é".repeat(128);
    let deep = "a/".repeat(2500) + "x";
    let names = [
        "",
        " ",
        "\t",
        "a/ /b",
        " /b",
        ".",
        "./",
        "a/",
        r"a\",
        "a/.",
        "a/b/..",
        "a/..",
        "/srv/project",
        "a\0b",
        "a\nb",
        "a\r",
        "\u{1b}[31mx",
        "a\u{7f}",
        "a\u{85}",
        "a\u{202e}b",
        "\u{2066}a",
        &long,
        &deep,
    ];
    is_each("bad-path", &names, path);
    assert_eq!(path(&"x".repeat(255)).len(), 255);
}

#[test]
fn git_is_refused_in_every_disguise() {
    let names = [
        ".git",
        ".git/config",
        ".git/hooks/pre-commit",
        "sub/.git/config",
        ".GIT/config",
        ".Git/x",
        ".git./config",
        ".git /config",
        ".git . ./config",
        "git~1/config",
        "GIT~1",
        "git~2",
        ".g\u{200c}it/config",
        "\u{feff}.git/x",
        ".git\u{200d}. /x",
        ".git::$INDEX_ALLOCATION/config",
        ".git:x",
        "./.git/x",
        r".git\config",
        "a/../.git/x",
        "/srv/project/.git/x",
        "/opt/shared/.git/x",
    ];
    is_each("protected-path", &names, path);
}

#[test]
fn our_own_side_files_are_refused() {
    let names = [".apply-patch-0123", "a/.apply-patch-x/b", ".APPLY-PATCH-1", ".apply\u{200b}-patch-1"];
    is_each("protected-path", &names, path);
}

#[test]
fn windows_refuses_what_it_cannot_hold() {
    let names = [
        "CON",
        "con.txt",
        "aux/x",
        "a/NUL",
        "COM1",
        "COM¹",
        "LPT9.log",
        "nul .txt",
        "conin$",
        "f.txt:evil",
        "f.txt::$DATA",
        "x.",
        "x ",
        "a?b",
        "<x>",
    ];
    is_each("bad-path", &names, on_windows);
    is_each("outside-root", &["C:x", "a:b", "ħ:x", r"D:\work\x", r"C:\workshop\x"], on_windows);
    assert_eq!(on_windows(r"C:\work\a\b"), "a/b");
    assert_eq!(on_windows("CONSOLE/com10/lpt"), "CONSOLE/com10/lpt");
}

#[test]
fn a_message_shows_a_hostile_name_escaped_and_cut() {
    let message = |raw: &str| check(raw, &Borders::default()).unwrap_err().to_string();
    assert_eq!(message("a\u{1b}[31m"), r#""a\u{1b}[31m" holds the control character U+001B"#);
    assert_eq!(message(".g\u{200c}it/x"), r#"".g\u{200c}it/x" is in `.git`, which no patch may touch"#);
    assert_eq!(message("\u{202e}x"), r#""\u{202e}x" holds the control character U+202E"#);
    assert_eq!(message("../x"), r#""../x" leads above the root"#);
    assert!(message(&"x/".repeat(9000)).len() < 250);
}

proptest! {
    #[test]
    fn what_is_accepted_is_clean_and_stays_so(
        raw in r"(/srv/project/|/opt/shared/|\PC)?([a.:/\\ ~]|\PC|\.\./|\.git){0,12}", windows: bool,
    ) {
        if let Ok(checked) = check_for(&raw, &borders(), windows) {
            let inside = checked.path.strip_prefix("/mnt/shared").unwrap_or(&checked.path);
            prop_assert!(!inside.as_str().is_empty() && !inside.as_str().starts_with('/'));
            for name in inside.as_str().split('/') {
                prop_assert!(!matches!(name, "" | "." | ".."));
                prop_assert!(protection(name).is_none() && !name.contains(['\\', '\0']));
            }
            let again = check_for(inside.as_str(), &borders(), windows);
            prop_assert_eq!(again, Ok(CheckedPath { path: inside.to_owned(), repairs: vec![] }));
        }
    }
}
