//! What a host may do to a server: kill it, start two of them, call one for hours.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;

use crate::client::Client;

/// So many files take long enough to write that a kill hits the server at work.
const FILES: usize = 400;

fn name(nth: usize) -> String {
    format!("file{nth:03}.txt")
}

/// A patch that changes every file of the tree.
fn patch() -> String {
    let hunks = (0..FILES).map(|nth| format!("*** Update File: {}\n@@\n-old {nth}\n+new {nth}\n", name(nth)));
    format!("*** Begin Patch\n{}*** End Patch\n", hunks.collect::<String>())
}

fn tree() -> TempDir {
    let dir = TempDir::new().unwrap();
    for nth in 0..FILES {
        fs::write(dir.path().join(name(nth)), format!("old {nth}\n")).unwrap();
    }
    dir
}

/// How many files have the new content. Every file has the old or the new content.
fn count_new(dir: &Path) -> usize {
    let is_new = |nth: &usize| {
        let content = fs::read_to_string(dir.join(name(*nth))).unwrap();
        assert!(content == format!("old {nth}\n") || content == format!("new {nth}\n"), "{content:?}");
        content.starts_with("new")
    };
    (0..FILES).filter(is_new).count()
}

/// The files that a run keeps beside the tree while it is at work.
fn has_side_files(dir: &Path) -> bool {
    let names = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name());
    names.into_iter().any(|name| name.to_string_lossy().starts_with(".apply-patch-"))
}

/// Kills a server as soon as the tree shows what the test waits for. Returns whether it was killed in the middle.
fn killed_at(dir: &Path, is_reached: impl Fn() -> bool) -> bool {
    let mut client = Client::with_handshake(dir, &[]);
    client.send("tools/call", json!({"name": "apply_patch", "arguments": {"patch": patch()}}));
    let start = Instant::now();
    while !is_reached() {
        assert!(start.elapsed() < Duration::from_secs(60), "the server does not work");
    }
    client.server.kill().unwrap();
    client.server.wait().unwrap();
    has_side_files(dir)
}

/// Finishes or takes back what a killed server left, by a call that has nothing else to do.
fn call_after(dir: &Path) {
    let mut client = Client::stateless(dir, &[]);
    client.accepted("edit_file", json!({"path": "other.txt", "edits": [{"old_text": "a", "new_text": "b"}]}));
    assert!(!has_side_files(dir));
}

/// The kill is aimed at two phases: new contents are written, and new contents take the places of their files. A kill may
/// come late, so that each phase has several attempts.
#[test]
fn the_next_call_recovers_what_a_killed_server_left() {
    for phase in ["written", "published"] {
        let hit = (0..10).any(|_| {
            let dir = tree();
            fs::write(dir.path().join("other.txt"), "a\n").unwrap();
            let first = dir.path().join(name(0));
            let hit = killed_at(dir.path(), || match phase {
                "written" => has_side_files(dir.path()),
                _ => fs::read_to_string(&first).is_ok_and(|content| content.starts_with("new")),
            });
            call_after(dir.path());
            let new = count_new(dir.path());
            assert!(new == 0 || new == FILES, "{phase}: {new} of {FILES} files are new");
            hit
        });
        assert!(hit, "no kill came while files were {phase}");
    }
}

/// Two hosts in one directory: each call sees the file as the call before it left it, and no change is lost.
#[test]
fn two_clients_at_once_lose_no_change() {
    const CALLS: usize = 40;
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("log.txt"), "begin\nend\n").unwrap();
    std::thread::scope(|scope| {
        for who in ["left", "right"] {
            let dir = dir.path();
            scope.spawn(move || {
                let mut client = Client::with_handshake(dir, &[]);
                for nth in 0..CALLS {
                    let line = format!("{who} {nth}");
                    let insert = json!({"old_text": "end\n", "new_text": format!("{line}\nend\n")});
                    // The other client may change the file between the plan and the commit: then the call is refused, and
                    // is sent again.
                    while client.call("edit_file", json!({"path": "log.txt", "edits": [insert]}))["isError"]
                        == true
                    {}
                }
            });
        }
    });
    let log = fs::read_to_string(dir.path().join("log.txt")).unwrap();
    for who in ["left", "right"] {
        let expected: Vec<String> = (0..CALLS).map(|nth| format!("{who} {nth}")).collect();
        let found: Vec<&str> = log.lines().filter(|line| line.starts_with(who)).collect();
        assert_eq!(found, expected);
    }
    assert_eq!(log.lines().count(), 2 + 2 * CALLS, "{log}");
}

/// One client that does not wait for answers.
#[test]
fn calls_that_overlap_are_all_answered() {
    const CALLS: usize = 20;
    let dir = TempDir::new().unwrap();
    let mut client = Client::with_handshake(dir.path(), &[]);
    let sent: Vec<u64> = (0..CALLS)
        .map(|nth| {
            let patch = format!("*** Begin Patch\n*** Add File: {}\n+x\n*** End Patch\n", name(nth));
            client.send("tools/call", json!({"name": "apply_patch", "arguments": {"patch": patch}}))
        })
        .collect();
    let mut answered: Vec<u64> = (0..CALLS)
        .map(|_| {
            let answer = client.read();
            assert_eq!(answer["result"]["isError"], false, "{answer}");
            answer["id"].as_u64().unwrap()
        })
        .collect();
    answered.sort_unstable();
    assert_eq!(answered, sent);
    assert!((0..CALLS).all(|nth| dir.path().join(name(nth)).exists()));
}

/// The memory of a process, in kB.
#[cfg(target_os = "linux")]
fn resident(process: u32) -> usize {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// 1,000 calls, every fourth of them refused. A leak of 1 kB a call would show: the limit is 1 MB after 200 calls of warm-up,
/// while each call handles a file of 40 kB.
#[cfg(target_os = "linux")]
#[test]
fn a_thousand_calls_do_not_grow_the_memory() {
    let dir = TempDir::new().unwrap();
    let filler = (0..1000).map(|nth| format!("this is the line {nth} of the file"));
    let lines: Vec<String> = filler.chain(["state 0\n".to_owned()]).collect();
    fs::write(dir.path().join("a.txt"), lines.join("\n")).unwrap();
    let mut client = Client::with_handshake(dir.path(), &[]);
    let mut state = 0;
    let mut call = |client: &mut Client, nth: usize| {
        let quoted = if nth % 4 == 3 { format!("gone {nth}") } else { format!("state {state}") };
        let new = format!("state {}", state + 1);
        let patch =
            format!("*** Begin Patch\n*** Update File: a.txt\n@@\n-{quoted}\n+{new}\n*** End Patch\n");
        if client.call("apply_patch", json!({"patch": patch, "undo": true}))["isError"] == false {
            state += 1;
        }
    };
    (0..200).for_each(|nth| call(&mut client, nth));
    let before = resident(client.server.id());
    (0..1000).for_each(|nth| call(&mut client, nth));
    let after = resident(client.server.id());
    assert_eq!(state, 900);
    println!("{before} kB after 200 calls, {after} kB after 1,200 calls");
    assert!(after < before + 1024, "{before} kB became {after} kB");
}
