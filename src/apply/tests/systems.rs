//! The implementations of the file system, and the names of other systems.

use std::fs;

use super::*;
use crate::fs::{Portable, system};
use crate::plan::{Files, Options as Planning, plan};

/// Returns every implementation, with its name.
fn ways() -> Vec<(&'static str, Box<dyn Fs>)> {
    vec![
        ("system", system()),
        ("portable", Box::new(Portable::default())),
        #[cfg(unix)]
        ("by steps", Box::new(crate::fs::Real::by_steps())),
    ]
}

fn on_disk(tree: Tree<'_>) -> (tempfile::TempDir, Utf8PathBuf) {
    let all = tempfile::tempdir().unwrap();
    let root = Utf8Path::from_path(all.path()).unwrap().join("root");
    fs::create_dir(&root).unwrap();
    for (path, text) in tree {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    (all, root)
}

#[test]
fn every_way_carries_a_plan_out() {
    for (name, fs) in ways() {
        let (_all, root) = on_disk(OLD);
        let roots = Roots::open_on(fs, &root).unwrap();
        apply(&roots, &changes(OLD, NEW)).unwrap();
        for (path, text) in NEW {
            assert_eq!(fs::read_to_string(root.join(path)).unwrap(), *text, "{name}: {path}");
        }
        assert!(!root.join("gone.txt").exists(), "{name}");
        let names = roots.fs.names(roots.base()).unwrap();
        assert!(!names.iter().any(|name| name.starts_with(".apply-patch-")), "{name}: {names:?}");
    }
}

#[cfg(unix)]
#[test]
fn no_way_goes_through_a_link() {
    use std::os::unix::fs::symlink;

    use crate::fs::NewMode;

    for (name, fs) in ways() {
        let (all, root) = on_disk(OLD);
        let away = Utf8Path::from_path(all.path()).unwrap().join("away");
        fs::create_dir(&away).unwrap();
        fs::write(away.join("x"), "x\n").unwrap();
        let roots = Roots::open_on(fs, &root).unwrap();
        symlink("../away", root.join("out")).unwrap();
        symlink("../../away", root.join("sub/out")).unwrap();
        symlink("../away/x", root.join("file")).unwrap();
        let at = |path: &str| roots.base().join(path);
        for path in ["out/x", "sub/out/x", "sub/out/new"] {
            let path = at(path);
            let side = at("side");
            let results = [
                roots.fs.look(&path).map(drop),
                roots.fs.open(&path).map(drop),
                roots.fs.create(&path, NewMode::Usual, None).map(drop),
                roots.fs.create_folder(&path),
                roots.fs.rename(&at("a.txt"), &path),
                roots.fs.rename(&path, &side),
                roots.fs.link(&at("a.txt"), &path),
                roots.fs.remove_file(&path),
                roots.fs.remove_folder(&path),
            ];
            for (nth, result) in results.into_iter().enumerate() {
                assert!(result.is_err(), "{name}: call {nth} on {path}");
            }
        }
        assert!(roots.fs.open(&at("file")).is_err(), "{name}");
        assert!(roots.fs.look(&away.join("x")).is_err(), "{name}: outside");
        assert_eq!(fs::read_dir(&away).unwrap().count(), 1, "{name}");
        assert_eq!(fs::read_to_string(root.join("a.txt")).unwrap(), "a\n", "{name}");
    }
}

/// Returns the result of a patch for a tree in memory.
fn patched(naming: Naming, tree: Tree<'_>, text: &str) -> Result<BTreeMap<String, String>, String> {
    let files = tree.iter().map(|(path, text)| ((*path).into(), text.as_bytes().to_vec())).collect();
    let roots = Roots::in_memory(&files, naming).unwrap();
    let text = format!("*** Begin Patch\n{text}*** End Patch\n");
    let parsed = crate::format::parse(&text, &crate::format::Options::default());
    let all = |roots: &Roots| -> BTreeMap<String, String> {
        let text = |name: &String| match roots.look_up(Utf8Path::new(name)).unwrap().node {
            crate::plan::Node::File { bytes, .. } => String::from_utf8(bytes.to_vec()).unwrap(),
            node => format!("{node:?}"),
        };
        roots.names("".into()).into_iter().map(|name| (name.clone(), text(&name))).collect()
    };
    let before = all(&roots);
    let outcome = match plan(&parsed.patch, &roots, &Planning::default()) {
        Ok(plan) => apply(&roots, &plan.changes).map(drop).map_err(|error| error.to_string()),
        Err(failures) => Err(failures.failures[0].kind.code().to_owned()),
    };
    if outcome.is_err() {
        assert_eq!(all(&roots), before);
    }
    outcome.map(|()| all(&roots))
}

const UPDATES: &str = "*** Update File: Foo\n@@\n-one\n+1\n*** Update File: foo\n@@\n-two\n+2\n";

#[test]
fn names_that_differ_by_case_are_one_file_where_they_are_one() {
    let tree = [("Foo", "one\ntwo\n")];
    let result = patched(Naming::AnyCase, &tree, UPDATES).unwrap();
    assert_eq!(result, BTreeMap::from([("Foo".to_owned(), "1\n2\n".to_owned())]), "no update is lost");
    assert_eq!(patched(Naming::Exact, &tree, UPDATES), Err("no-such-file".to_owned()));
    let two = [("Foo", "one\n"), ("foo", "two\n")];
    assert_eq!(patched(Naming::Exact, &two, UPDATES).unwrap().len(), 2);
}

#[test]
fn a_new_name_that_differs_by_case_alone_takes_no_file_away() {
    let tree = [("Foo", "one\n")];
    let add = "*** Add File: foo\n+new\n";
    assert_eq!(patched(Naming::AnyCase, &tree, add), Err("already-exists".to_owned()));
    assert_eq!(patched(Naming::Exact, &tree, add).unwrap().len(), 2);
    let both = "*** Add File: Bar\n+one\n*** Add File: bar\n+two\n";
    assert!(patched(Naming::AnyCase, &tree, both).is_err(), "one of them would be lost");
    assert_eq!(patched(Naming::Exact, &tree, both).unwrap().len(), 3);
}

#[test]
fn names_that_differ_by_their_form_are_one_file_where_they_are_one() {
    let tree = [("caf\u{e9}", "one\ntwo\n")];
    let text = "*** Update File: caf\u{e9}\n@@\n-one\n+1\n*** Update File: cafe\u{301}\n@@\n-two\n+2\n";
    let result = patched(Naming::AnyCaseAndForm, &tree, text).unwrap();
    assert_eq!(result.values().collect::<Vec<_>>(), ["1\n2\n"]);
    let add = "*** Add File: CAFE\u{301}\n+new\n";
    assert_eq!(patched(Naming::AnyCaseAndForm, &tree, add), Err("already-exists".to_owned()));
    assert_eq!(patched(Naming::Exact, &tree, add).unwrap().len(), 2);
}

#[test]
fn links_in_memory_are_followed_and_kept() {
    let memory = memory(OLD);
    memory.put_link("/root/link".into(), "sub/b.txt".into()).unwrap();
    memory.put_link("/root/out".into(), "/etc".into()).unwrap();
    let roots = roots(&memory);
    assert_eq!(roots.look_up("link".into()).unwrap().path, "sub/b.txt");
    assert!(roots.look_up("out/passwd".into()).is_err());
    let change =
        Change { path: "link".into(), before: Precondition::MustBe(shared("b\n")), after: After::Gone };
    let other = changes(&OLD[..1], &NEW[..1]);
    apply(&roots, &[vec![change], other].concat()).unwrap();
    assert!(!files(&memory).contains_key("link"));
    assert_eq!(files(&memory)["sub/b.txt"], "b\n");
}

/// A look at a path costs as much as the path has directories, so looking at each directory for each file would be
/// quadratic in the depth.
#[test]
fn a_new_file_in_a_deep_directory_takes_few_looks() {
    let calls = |depth: usize, files: usize| {
        let folder = "d/".repeat(depth);
        let memory = memory(&[]);
        memory.put(&Utf8Path::new(ROOT).join(&folder).join("x"), b"x\n").unwrap();
        let fs = Faulty::new(&memory, Fault::None, Abilities::All);
        let add = |nth| format!("*** Add File: {folder}f{nth}\n+x\n");
        let text = format!("*** Begin Patch\n{}*** End Patch\n", (0..files).map(add).collect::<String>());
        let parsed = crate::format::parse(&text, &crate::format::Options::default());
        let roots = roots(&fs);
        let plan = plan(&parsed.patch, &roots, &Planning::default()).unwrap();
        apply(&roots, &plan.changes).unwrap();
        fs.calls()
    };
    let for_a_file = |depth| (calls(depth, 30) - calls(depth, 10)) / 20;
    assert_eq!(for_a_file(400), for_a_file(4));
    assert!(for_a_file(400) < 40, "{}", for_a_file(400));
}

#[test]
fn missing_directories_are_counted_behind_any_number_of_existing_ones() {
    let memory = memory(&[("a/b/c/d/e/x", "x\n"), ("file", "x\n")]);
    memory.put_link("/root/a/link".into(), "b".into()).unwrap();
    let roots = roots(&memory);
    for (path, missing) in
        [("x", 0), ("a/x", 0), ("a/n/x", 1), ("a/b/c/d/e/y", 0), ("a/b/n/o/p/q/x", 4), ("n/o/x", 2)]
    {
        assert_eq!(roots.missing_folders(path.into()).unwrap(), missing, "{path}");
    }
    for path in ["file/x", "file/n/x", "a/b/c/d/e/x/n/o/p/x"] {
        let error = roots.missing_folders(path.into()).unwrap_err();
        assert!(matches!(error, ApplyError::NotAFolder { .. }), "{path}: {error:?}");
    }
    for path in ["a/link/x", "a/link/n/o/p/x", "a/link/c/x"] {
        let error = roots.missing_folders(path.into()).unwrap_err();
        assert!(matches!(error, ApplyError::Changed { .. }), "{path}: {error:?}");
    }
}
