//! Plans on a real disk.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "in a test a panic is the report")]

use std::fs;
use std::sync::Mutex;

use apply_patch::apply::{ApplyError, Phase, Progress, Roots};
use apply_patch::plan::path::Borders;
use apply_patch::plan::{After, Change, Content, Files, Node, Precondition, ReadError};
use apply_patch::text::Bytes;
use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;

struct Disk {
    /// What is outside the root, too, is in here.
    all: TempDir,
    roots: Roots,
}

impl Disk {
    fn new(files: &[(&str, &str)]) -> Self {
        let all = tempfile::tempdir().unwrap();
        let base = Utf8Path::from_path(all.path()).unwrap().join("root");
        fs::create_dir(&base).unwrap();
        for (path, text) in files {
            let path = base.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Disk { roots: Roots::open(&base).unwrap(), all }
    }

    fn at(&self, path: &str) -> Utf8PathBuf {
        self.roots.base().join(path)
    }

    fn outside(&self, path: &str) -> Utf8PathBuf {
        Utf8Path::from_path(self.all.path()).unwrap().canonicalize_utf8().unwrap().join(path)
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    /// All there is in the root, with the mode and what it holds.
    fn tree(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut folders = vec![self.roots.base().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in folder.read_dir_utf8().unwrap() {
                let path = entry.unwrap().into_path();
                let meta = path.symlink_metadata().unwrap();
                let held = if meta.is_file() {
                    fs::read_to_string(&path).unwrap_or_default()
                } else {
                    String::new()
                };
                lines.push(format!("{path} {:?} {held:?}", meta.permissions()));
                if meta.is_dir() {
                    folders.push(path);
                }
            }
        }
        lines.sort();
        lines
    }

    fn apply(&self, changes: &[Change]) -> Result<(), ApplyError> {
        self.roots.prepare(changes)?.commit().map(drop)
    }

    fn node(&self, path: &str) -> Node {
        self.roots.look_up(path.into()).unwrap().node
    }

    fn refusal(&self, path: &str) -> ReadError {
        self.roots.look_up(path.into()).unwrap_err()
    }
}

fn bytes(text: &str) -> Bytes {
    Bytes::copy_from_slice(text.as_bytes())
}

fn file(text: &str) -> After {
    After::File { content: Content::Bytes(bytes(text)), mode_of: None, executable: None }
}

fn add(path: &str, text: &str) -> Change {
    Change::new(path, Precondition::MustNotExist, file(text))
}

fn update(path: &str, old: &str, new: &str) -> Change {
    Change::new(path, Precondition::MustBe(bytes(old)), file(new))
}

fn delete(path: &str, old: &str) -> Change {
    Change::new(path, Precondition::MustBe(bytes(old)), After::Gone)
}

fn moved(from: &str, to: &str, old: &str, new: &str) -> [Change; 2] {
    let content = Content::Bytes(bytes(new));
    let after = After::File { content, mode_of: Some(from.into()), executable: None };
    [delete(from, old), Change::new(to, Precondition::MustNotExist, after)]
}

#[test]
fn several_changes_are_one() {
    let disk = Disk::new(&[("a", "a\n"), ("b", "b\n"), ("sub/c", "c\n")]);
    let [gone, come] = moved("sub/c", "new/c", "c\n", "C\n");
    let changes = [update("a", "a\n", "A\n"), delete("b", "b\n"), gone, come, add("x/y/z", "z\n")];
    let committed = disk.roots.prepare(&changes).unwrap().commit().unwrap();
    assert_eq!(committed.written, ["a", "new/c", "x/y/z"]);
    assert_eq!(committed.removed, ["b", "sub/c"]);
    assert_eq!(
        (disk.text("a"), disk.text("new/c"), disk.text("x/y/z")),
        ("A\n".into(), "C\n".into(), "z\n".into())
    );
    assert_eq!(disk.tree().len(), 7, "three files, three new folders, and `sub`: {:?}", disk.tree());
}

#[test]
fn who_watches_hears_of_every_file() {
    let disk = Disk::new(&[("a", "a\n"), ("b", "b\n")]);
    let changes = [update("a", "a\n", "A\n"), delete("b", "b\n"), add("c", "c\n")];
    let heard = Mutex::new(Vec::new());
    let watch = |progress: Progress| heard.lock().unwrap().push((progress.phase, progress.done, progress.of));
    disk.roots.prepare_watched(&changes, &watch).unwrap().commit().unwrap();
    let each = |phase| (0..3).map(move |done| (phase, done, 3));
    let wanted: Vec<_> = each(Phase::Writing).chain(each(Phase::Publishing)).collect();
    assert_eq!(*heard.lock().unwrap(), wanted);
}

#[test]
fn dropping_what_is_prepared_leaves_nothing_behind() {
    let disk = Disk::new(&[("a", "a\n")]);
    let before = disk.tree();
    let prepared = disk.roots.prepare(&[update("a", "a\n", "A\n"), add("x/y/z", "z\n")]).unwrap();
    assert_ne!(disk.tree(), before, "the stage is on the disk");
    drop(prepared);
    assert_eq!(disk.tree(), before);
}

#[test]
fn one_change_that_does_not_fit_stops_all() {
    let disk = Disk::new(&[("a", "a\n"), ("full/x", "x\n"), ("b", "b\n")]);
    let before = disk.tree();
    let good = || vec![update("a", "a\n", "A\n"), add("x/y", "y\n"), delete("b", "b\n")];
    let fails = |bad: Change| {
        let error = disk.apply(&[good(), vec![bad]].concat()).unwrap_err();
        assert_eq!(disk.tree(), before, "{error}");
        error
    };
    assert!(matches!(fails(add("full", "")), ApplyError::Exists { .. }));
    assert!(matches!(fails(update("full", "", "x")), ApplyError::Changed { .. }));
    assert!(matches!(fails(delete("full", "")), ApplyError::Changed { .. }));
    assert!(matches!(fails(update("none", "", "x")), ApplyError::Missing { .. }));
    assert!(matches!(fails(delete("none/none", "")), ApplyError::Missing { .. }));
    assert!(matches!(fails(add("full/x/y", "")), ApplyError::NotAFolder { at, .. } if at == "full/x"));
    assert!(matches!(fails(add(&"n".repeat(256), "")), ApplyError::Io { .. }));
    assert!(matches!(fails(add("b", "")), ApplyError::Twice { .. }));
    let error = disk.apply(&[add("x/y", "1"), add("x//y", "2")]).unwrap_err();
    assert!(matches!(error, ApplyError::Twice { .. }), "one path, spelt in two ways: {error}");
    assert!(matches!(fails(add(&format!("deep/{}/x", "n".repeat(256)), "")), ApplyError::Io { .. }));
}

#[test]
fn a_plan_that_names_a_forbidden_path_is_refused_again_here() {
    let disk = Disk::new(&[("a", "a\n")]);
    let error = |path: &str| disk.apply(&[add(path, "")]).unwrap_err();
    for path in ["../x", "a/../../x", "/tmp/x", "", "sub/../x"] {
        assert!(matches!(error(path), ApplyError::OutsideRoot { .. }), "{path:?}: {:?}", error(path));
    }
    for path in [".git/config", "sub/.GIT/x", ".apply-patch-0"] {
        assert!(matches!(error(path), ApplyError::Protected { .. }), "{path:?}: {:?}", error(path));
    }
}

#[test]
fn a_file_changed_after_the_plan_is_noticed_before_and_after_preparing() {
    let disk = Disk::new(&[("a", "a\n"), ("b", "b\n")]);
    let changes = [update("b", "b\n", "B\n"), update("a", "a\n", "A\n")];
    fs::write(disk.at("a"), "x\n").unwrap();
    assert!(matches!(disk.apply(&changes), Err(ApplyError::Changed { path }) if path == "a"));
    fs::write(disk.at("a"), "a\n").unwrap();
    let prepared = disk.roots.prepare(&changes).unwrap();
    fs::write(disk.at("a"), "y\n").unwrap();
    let before = disk.text("a");
    assert!(matches!(prepared.commit(), Err(ApplyError::Changed { path }) if path == "a"));
    assert_eq!((disk.text("a"), disk.text("b")), (before, "b\n".into()));
    assert_eq!(disk.tree().len(), 2, "{:?}", disk.tree());
}

#[test]
fn a_long_file_is_compared_to_its_end() {
    let long = "0123456789abcde\n".repeat(20_000);
    let disk = Disk::new(&[("a", &long)]);
    let other = format!("{}x\n", &long[..long.len() - 2]);
    assert!(matches!(disk.apply(&[update("a", &other, "")]), Err(ApplyError::Changed { .. })));
    disk.apply(&[update("a", &long, "short\n")]).unwrap();
    assert_eq!(disk.text("a"), "short\n");
}

#[test]
fn a_new_file_never_replaces_what_appeared_meanwhile() {
    let disk = Disk::new(&[("a", "a\n")]);
    let prepared = disk.roots.prepare(&[update("a", "a\n", "A\n"), add("new", "mine\n")]).unwrap();
    fs::write(disk.at("new"), "theirs\n").unwrap();
    assert!(matches!(prepared.commit(), Err(ApplyError::Exists { path }) if path == "new"));
    assert_eq!((disk.text("a"), disk.text("new")), ("a\n".into(), "theirs\n".into()));
    assert_eq!(disk.tree().len(), 2, "{:?}", disk.tree());
}

/// The stage file of the second change is gone when the commit comes to it.
#[test]
fn a_step_that_fails_undoes_the_steps_before_it() {
    let disk = Disk::new(&[("a", "a\n"), ("sub/b", "b\n"), ("c", "c\n")]);
    let before = disk.tree();
    let changes =
        [add("new", "n\n"), update("a", "a\n", "A\n"), update("sub/b", "b\n", "B\n"), delete("c", "c\n")];
    let prepared = disk.roots.prepare(&changes).unwrap();
    for entry in disk.at("sub").read_dir_utf8().unwrap() {
        let path = entry.unwrap().into_path();
        if path.file_name() != Some("b") {
            fs::remove_file(path).unwrap();
        }
    }
    let error = prepared.commit().unwrap_err();
    assert!(
        matches!(error, ApplyError::Io { operation: "replace", ref path, .. } if path == "sub/b"),
        "{error:?}"
    );
    assert_eq!(disk.tree(), before);
}

#[test]
fn what_holds_its_new_bytes_already_is_not_written() {
    let disk = Disk::new(&[("a", "a\n")]);
    let times = || fs::metadata(disk.at("a")).unwrap().modified().unwrap();
    let before = times();
    let committed = disk.roots.prepare(&[update("a", "a\n", "a\n")]).unwrap().commit().unwrap();
    assert_eq!(committed.unchanged, ["a"]);
    assert_eq!(times(), before);
}

#[test]
fn names_are_those_of_the_folder_without_what_no_patch_may_name() {
    let disk = Disk::new(&[("src/a", ""), ("src/b", ""), (".git/config", ""), ("z", "")]);
    assert_eq!(disk.roots.names("".into()), ["src", "z"]);
    assert_eq!(disk.roots.names("src".into()), ["a", "b"]);
    assert!(disk.roots.names("z".into()).is_empty());
    assert!(disk.roots.names("none".into()).is_empty());
    assert!(disk.roots.names("../".into()).is_empty());
}

#[test]
fn what_is_at_a_path_is_told() {
    let disk = Disk::new(&[("src/a", "a\n")]);
    assert_eq!(disk.node("src/a"), Node::File { bytes: bytes("a\n"), link: false });
    assert_eq!(disk.node("src"), Node::Folder);
    assert_eq!(disk.node(""), Node::Folder);
    assert_eq!(disk.node("src/none"), Node::Missing);
    assert_eq!(disk.node("none/none"), Node::Missing);
    assert!(matches!(disk.refusal("src/a/b"), ReadError::NotAFolder { at, .. } if at == "src/a"));
    assert!(matches!(disk.refusal("../x"), ReadError::OutsideRoot { .. }));
    assert!(matches!(disk.refusal("/etc/passwd"), ReadError::OutsideRoot { .. }));
    assert!(matches!(disk.refusal(".git/config"), ReadError::Protected { .. }));
    assert!(matches!(disk.refusal(&"n".repeat(256)), ReadError::Io { .. }));
}

#[test]
fn a_root_has_to_be_a_folder() {
    let disk = Disk::new(&[("a", "a\n")]);
    assert!(matches!(Roots::open(&disk.at("none")), Err(ApplyError::Io { operation: "open", .. })));
    assert!(matches!(Roots::open(&disk.at("a")), Err(ApplyError::NotAFolder { .. })));
}

#[test]
fn a_further_root_is_named_by_absolute_paths() {
    let disk = Disk::new(&[("a", "a\n")]);
    let other = disk.outside("other");
    fs::create_dir(&other).unwrap();
    let disk = Disk { roots: disk.roots.with_further(&other).unwrap(), all: disk.all };
    let path = other.join("sub/x");
    disk.apply(&[add(path.as_str(), "x\n"), update("a", "a\n", "A\n")]).unwrap();
    let found = disk.roots.look_up(&path).unwrap();
    assert_eq!(found.path, path);
    assert_eq!(found.node, Node::File { bytes: bytes("x\n"), link: false });
    let absolute = disk.roots.look_up(&disk.at("a")).unwrap();
    assert_eq!(absolute.path, "a", "inside the base root a path is relative");
    let check = |raw: &str| {
        apply_patch::plan::path::check(raw, &Borders::of(&disk.roots)).map(|checked| checked.path)
    };
    assert_eq!(check(path.as_str()), Ok(path.clone()));
    assert_eq!(check(disk.at("a").as_str()), Ok("a".into()));
    assert!(check(disk.outside("elsewhere").as_str()).is_err());
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Utf8Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o7777
    }

    fn set_mode(path: &Utf8Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn mode_bits_stay_also_through_a_move() {
        let disk = Disk::new(&[("run.sh", "a\n"), ("secret", "s\n"), ("open", "o\n")]);
        set_mode(&disk.at("run.sh"), 0o755);
        set_mode(&disk.at("secret"), 0o600);
        set_mode(&disk.at("open"), 0o666);
        let [gone, come] = moved("run.sh", "bin/run.sh", "a\n", "A\n");
        let changes =
            [gone, come, update("secret", "s\n", "S\n"), update("open", "o\n", "O\n"), add("new", "n\n")];
        disk.apply(&changes).unwrap();
        fs::write(disk.at("usual"), "").unwrap();
        let modes = ["bin/run.sh", "secret", "open"].map(|path| mode(&disk.at(path)));
        assert_eq!(modes, [0o755, 0o600, 0o666]);
        assert_eq!(mode(&disk.at("new")), mode(&disk.at("usual")));
    }

    #[test]
    fn a_move_that_changes_nothing_else_still_brings_its_mode() {
        let disk = Disk::new(&[("a", "same\n"), ("b", "same\n")]);
        set_mode(&disk.at("a"), 0o700);
        let after = After::File {
            content: Content::Bytes(bytes("same\n")),
            mode_of: Some("a".into()),
            executable: None,
        };
        let over = Change::new("b", Precondition::MustBe(bytes("same\n")), after);
        disk.apply(&[delete("a", "same\n"), over]).unwrap();
        assert_eq!(mode(&disk.at("b")), 0o700);
    }

    #[test]
    fn the_content_of_a_private_file_is_never_open_to_others() {
        let disk = Disk::new(&[("secret", "s\n")]);
        set_mode(&disk.at("secret"), 0o400);
        let _prepared = disk.roots.prepare(&[update("secret", "s\n", "S\n")]).unwrap();
        for entry in disk.roots.base().read_dir_utf8().unwrap() {
            let path = entry.unwrap().into_path();
            let is_list = path.file_name() == Some(".apply-patch-pending");
            assert_eq!(mode(&path), if is_list { 0o600 } else { 0o400 }, "{path}");
        }
    }

    #[test]
    fn rights_of_the_owner_are_not_lent_by_the_new_file() {
        let disk = Disk::new(&[("tool", "t\n")]);
        set_mode(&disk.at("tool"), 0o4755);
        disk.apply(&[update("tool", "t\n", "T\n")]).unwrap();
        assert_eq!(mode(&disk.at("tool")), 0o755);
    }

    #[test]
    fn another_name_of_the_file_keeps_the_old_content() {
        let disk = Disk::new(&[("a", "a\n")]);
        fs::hard_link(disk.at("a"), disk.outside("other")).unwrap();
        disk.apply(&[update("a", "a\n", "A\n")]).unwrap();
        assert_eq!(fs::read_to_string(disk.outside("other")).unwrap(), "a\n");
    }

    #[test]
    fn the_owner_stays_where_the_system_lets_us() {
        let disk = Disk::new(&[("a", "a\n")]);
        if std::os::unix::fs::chown(disk.at("a"), Some(1234), Some(1235)).is_err() {
            eprintln!("skipped: this user may not give files away");
            return;
        }
        set_mode(&disk.at("a"), 0o640);
        disk.apply(&[update("a", "a\n", "A\n")]).unwrap();
        let meta = fs::metadata(disk.at("a")).unwrap();
        assert_eq!((meta.uid(), meta.gid(), meta.mode() & 0o777), (1234, 1235, 0o640));
    }

    #[test]
    fn a_link_stays_a_link_and_its_target_changes() {
        let disk = Disk::new(&[("real/a", "a\n")]);
        symlink("real/a", disk.at("relative")).unwrap();
        symlink(disk.at("real/a"), disk.at("absolute")).unwrap();
        symlink("real", disk.at("folder")).unwrap();
        symlink("../real/../folder/a", disk.at("real/chain")).unwrap();
        for path in ["relative", "absolute", "real/chain", "folder/chain"] {
            let found = disk.roots.look_up(path.into()).unwrap();
            assert_eq!(found.path, "real/a", "{path}");
            assert_eq!(found.node, Node::File { bytes: bytes("a\n"), link: true }, "{path}");
        }
        let found = disk.roots.look_up("folder/a".into()).unwrap();
        assert_eq!(
            (found.path.as_str(), found.node),
            ("real/a", Node::File { bytes: bytes("a\n"), link: false })
        );
        disk.apply(&[update("real/a", "a\n", "A\n")]).unwrap();
        assert_eq!(disk.text("relative"), "A\n");
        assert!(disk.at("relative").is_symlink());
    }

    #[test]
    fn a_dangling_link_says_where_the_file_would_be() {
        let disk = Disk::new(&[("real/a", "a\n")]);
        symlink("real/none/x", disk.at("link")).unwrap();
        let found = disk.roots.look_up("link".into()).unwrap();
        assert_eq!((found.path.as_str(), found.node), ("real/none/x", Node::Missing));
        symlink("none/../real/a", disk.at("odd")).unwrap();
        assert!(matches!(disk.refusal("odd"), ReadError::Io { .. }), "as the system has it");
    }

    #[test]
    fn deleting_a_link_removes_the_link_alone() {
        for last in [true, false] {
            let disk = Disk::new(&[("a", "a\n"), ("z", "z\n")]);
            symlink("a", disk.at("link")).unwrap();
            let other = if last { vec![] } else { vec![delete("z", "z\n")] };
            disk.apply(&[vec![delete("link", "a\n")], other].concat()).unwrap();
            assert!(!disk.at("link").is_symlink());
            assert_eq!(disk.text("a"), "a\n");
        }
    }

    #[test]
    fn a_link_to_be_deleted_must_lead_to_what_was_read() {
        let disk = Disk::new(&[("a", "a\n")]);
        fs::write(disk.outside("secret"), "a\n").unwrap();
        symlink("a", disk.at("link")).unwrap();
        assert!(matches!(disk.apply(&[delete("link", "b\n")]), Err(ApplyError::Changed { .. })));
        fs::remove_file(disk.at("link")).unwrap();
        symlink(disk.outside("secret"), disk.at("link")).unwrap();
        assert!(matches!(disk.apply(&[delete("link", "a\n")]), Err(ApplyError::OutsideRoot { .. })));
    }

    #[test]
    fn a_link_out_of_the_root_is_never_followed() {
        let disk = Disk::new(&[("a", "a\n"), (".git/config", "c\n")]);
        fs::create_dir(disk.outside("away")).unwrap();
        fs::write(disk.outside("away/x"), "x\n").unwrap();
        symlink("../away", disk.at("relative")).unwrap();
        symlink(disk.outside("away"), disk.at("absolute")).unwrap();
        symlink("../away/x", disk.at("file")).unwrap();
        symlink("..", disk.at("up")).unwrap();
        symlink("/", disk.at("top")).unwrap();
        symlink("../root-not", disk.at("prefix")).unwrap();
        for path in [
            "relative/x",
            "absolute/x",
            "relative/new",
            "file",
            "up",
            "up/away/x",
            "top",
            "top/etc/passwd",
            "prefix/x",
        ] {
            assert!(matches!(disk.refusal(path), ReadError::OutsideRoot { .. }), "{path}");
        }
        symlink(".git", disk.at("git")).unwrap();
        assert!(matches!(disk.refusal("git/config"), ReadError::Protected { .. }));
        assert_eq!(disk.roots.look_up("up/root/a".into()).unwrap().path, "a", "out and in again");
        let error = disk.apply(&[add("relative/new", "")]).unwrap_err();
        assert!(matches!(error, ApplyError::Changed { .. }), "no resolved path goes through a link");
        assert_eq!(fs::read_dir(disk.outside("away")).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_became_a_link_is_noticed_at_the_commit() {
        let disk = Disk::new(&[("sub/a", "a\n")]);
        fs::create_dir(disk.outside("away")).unwrap();
        fs::write(disk.outside("away/a"), "a\n").unwrap();
        let prepared = disk.roots.prepare(&[update("sub/a", "a\n", "A\n")]).unwrap();
        fs::rename(disk.at("sub"), disk.at("sub-before")).unwrap();
        symlink("../away", disk.at("sub")).unwrap();
        let error = prepared.commit().unwrap_err();
        assert!(matches!(error, ApplyError::Changed { ref path } if path == "sub/a"), "{error:?}");
        assert_eq!(fs::read_to_string(disk.outside("away/a")).unwrap(), "a\n");
    }

    #[test]
    fn loops_of_links_end() {
        let disk = Disk::new(&[("a", "a\n")]);
        symlink("two", disk.at("one")).unwrap();
        symlink("one", disk.at("two")).unwrap();
        symlink("self/x", disk.at("self")).unwrap();
        assert!(matches!(disk.refusal("one"), ReadError::LinkLoop { .. }));
        assert!(matches!(disk.refusal("self"), ReadError::LinkLoop { .. }));
        symlink("a", disk.at("l0")).unwrap();
        for n in 1..=40 {
            symlink(format!("l{}", n - 1), disk.at(&format!("l{n}"))).unwrap();
        }
        assert_eq!(disk.node("l39"), Node::File { bytes: bytes("a\n"), link: true });
        assert!(matches!(disk.refusal("l40"), ReadError::LinkLoop { .. }));
    }

    #[test]
    fn a_root_that_was_opened_through_a_link_is_known_by_both_names() {
        let disk = Disk::new(&[("a", "a\n")]);
        let alias = disk.outside("alias");
        symlink(disk.roots.base(), &alias).unwrap();
        symlink(alias.join("a"), disk.at("link")).unwrap();
        let roots = Roots::open(&alias).unwrap();
        assert_eq!(roots.base(), disk.roots.base());
        assert_eq!(roots.look_up("link".into()).unwrap().path, "a");
        let checked = apply_patch::plan::path::check(alias.join("a").as_str(), &Borders::of(&roots)).unwrap();
        assert_eq!(checked.path, "a");
    }

    #[test]
    fn what_is_no_regular_file_is_never_opened() {
        let disk = Disk::new(&[("a", "a\n")]);
        let _socket = std::os::unix::net::UnixListener::bind(disk.at("socket")).unwrap();
        assert_eq!(disk.node("socket"), Node::Other("socket"));
        let fifo = std::process::Command::new("mkfifo").arg(disk.at("fifo")).status();
        if fifo.is_ok_and(|status| status.success()) {
            assert_eq!(disk.node("fifo"), Node::Other("fifo"));
            assert!(matches!(disk.apply(&[update("fifo", "", "x")]), Err(ApplyError::Changed { .. })));
            assert!(matches!(disk.apply(&[add("fifo", "x")]), Err(ApplyError::Exists { .. })));
        }
    }

    /// Whether permission bits bind whoever runs the tests; they do not bind root.
    fn bits_bind(folder: &Utf8Path) -> bool {
        let probe = folder.join("probe");
        let free = fs::write(&probe, "").is_ok();
        if free {
            fs::remove_file(probe).unwrap();
            eprintln!("skipped: permission bits do not bind this user");
        }
        !free
    }

    #[test]
    fn a_folder_that_may_not_be_written_stops_all() {
        let disk = Disk::new(&[("a", "a\n"), ("shut/b", "b\n")]);
        set_mode(&disk.at("shut"), 0o555);
        let before = disk.tree();
        if bits_bind(&disk.at("shut")) {
            let error = disk.apply(&[update("a", "a\n", "A\n"), update("shut/b", "b\n", "B\n")]).unwrap_err();
            assert!(matches!(error, ApplyError::Io { operation: "write", .. }), "{error:?}");
            assert_eq!(disk.tree(), before);
        }
        set_mode(&disk.at("shut"), 0o755);
    }

    #[test]
    fn a_folder_that_is_shut_during_the_commit_leaves_the_tree_as_it_was() {
        let disk = Disk::new(&[("a", "a\n"), ("c", "c\n"), ("shut/b", "b\n")]);
        let changes = [update("a", "a\n", "A\n"), update("shut/b", "b\n", "B\n"), delete("c", "c\n")];
        let prepared = disk.roots.prepare(&changes).unwrap();
        set_mode(&disk.at("shut"), 0o555);
        if bits_bind(&disk.at("shut")) {
            let error = prepared.commit().unwrap_err();
            let ApplyError::RollBack { cause, left } = error else { panic!("{error:?}") };
            assert!(matches!(*cause, ApplyError::Io { operation: "replace", .. }), "{cause:?}");
            assert_eq!(left.len(), 2, "the new file and the kept one in the folder that is shut: {left:?}");
            let texts = ["a", "shut/b", "c"].map(|path| disk.text(path));
            assert_eq!(texts, ["a\n", "b\n", "c\n"]);
        }
        set_mode(&disk.at("shut"), 0o755);
    }
}
