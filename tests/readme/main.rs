//! Checks README.md and docs/cli.md: each link leads somewhere, each command runs, and the reports are those of the program.
//!
//! `UPDATE_README=1 cargo test --test readme` writes the reports.

#![cfg(all(feature = "cli", unix))]

mod place;
mod report;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_apply-patch");

/// Documents that another change brings. A name goes from here when the document is there.
const NOT_YET_WRITTEN: &[&str] = &[];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A fenced block of Markdown.
struct Block<'a> {
    /// The words after the fence.
    info: &'a str,
    text: &'a str,
    /// The HTML comment on the line before the fence, without `<!--` and `-->`.
    note: Option<&'a str>,
}

/// Returns the fenced blocks of a text. A fence has three backticks and no indentation.
fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find("```") {
        let before = &rest[..open];
        let (info, inside) = rest[open + 3..].split_once('\n').expect("a line after the fence");
        let (text, after) = inside.split_once("\n```").expect("the fence is closed");
        let note = before.trim_end().lines().last().unwrap_or_default();
        let note = note.strip_prefix("<!--").and_then(|note| note.strip_suffix("-->")).map(str::trim);
        blocks.push(Block { info, text, note });
        rest = after;
    }
    blocks
}

// Links.

/// The Markdown files of the repository whose links are checked.
fn documents() -> Vec<PathBuf> {
    let mut all = Vec::new();
    for folder in ["", "docs", "grammar", "benches", "fixtures"] {
        for entry in fs::read_dir(root().join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|ending| ending == "md") {
                all.push(path);
            }
        }
    }
    all
}

/// Returns the targets of the links of a text, without code.
fn targets(text: &str) -> Vec<String> {
    let mut plain = String::new();
    for (index, part) in text.split("```").enumerate() {
        if index % 2 == 0 {
            plain.push_str(part);
        }
    }
    let links = plain.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    links.map(|(target, _)| target.to_owned()).collect()
}

/// Returns the anchors of the headings of a text, in the way of the sites that render Markdown.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let words = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = words.chars().filter(|char| char.is_alphanumeric() || " -_".contains(*char));
        kept.map(|char| if char == ' ' { '-' } else { char }).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut broken = Vec::new();
    let mut checked = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document");
        for link in targets(&text).iter().filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let folder = document.parent().expect("a folder");
            let target = if file.is_empty() { document.clone() } else { folder.join(file) };
            checked += 1;
            if NOT_YET_WRITTEN.iter().any(|name| root().join(name) == target) {
                continue;
            }
            let read = || anchors(&fs::read_to_string(&target).unwrap_or_default());
            if !target.exists() || !anchor.is_empty() && !read().contains(anchor) {
                broken.push(format!("{}: {link}", document.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(checked > 40, "only {checked} links were found");
}

#[test]
fn a_document_that_is_written_is_no_longer_expected() {
    for name in NOT_YET_WRITTEN {
        assert!(!root().join(name).exists(), "{name} is there: take it from NOT_YET_WRITTEN");
    }
}

/// Documents name cases of the corpus by their path below `fixtures`.
#[test]
fn every_case_that_a_document_names_exists() {
    let mut named = 0;
    for document in ["grammar/README.md", "docs/codex.md"] {
        let text = fs::read_to_string(root().join(document)).expect("a document");
        let spans = text.split('`').skip(1).step_by(2);
        for case in spans.filter(|span| span.contains("/accepted") || span.contains("/refused")) {
            assert!(root().join("fixtures").join(case).is_dir(), "{document} names {case}");
            named += 1;
        }
    }
    assert!(named > 80, "only {named} cases were found");
}

// Commands.

/// Runs a line in a shell, with the program on the path.
fn shell(line: &str, folder: &Path) -> Output {
    let own = Path::new(PROGRAM).parent().expect("it is in a folder").as_os_str();
    let path = [own, &std::env::var_os("PATH").unwrap_or_default()].join(std::ffi::OsStr::new(":"));
    let mut command = Command::new("sh");
    command
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", path)
        .env("ANSWER", place::ANSWER)
        .stdin(Stdio::null());
    command.output().expect("a shell")
}

#[test]
fn every_command_runs() {
    let texts = ["README.md", "docs/cli.md"].map(|name| fs::read_to_string(root().join(name)).expect(name));
    let mut ran = 0;
    for block in texts.iter().flat_map(|text| blocks(text)).filter(|block| block.info == "sh") {
        if block.note.is_some_and(|note| note.starts_with("not run: ")) {
            continue;
        }
        for line in block.text.lines() {
            let place = place::make();
            copy(&root().join("examples"), &place.path().join("examples"));
            let output = shell(line, place.path());
            let words = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{line}: {words}");
            ran += 1;
        }
    }
    assert!(ran >= 19, "only {ran} commands were run");
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.expect("a readable tree");
        let target = to.join(entry.path().strip_prefix(from).expect("beneath"));
        if entry.file_type().is_dir() {
            fs::create_dir_all(&target).expect("a new folder");
        } else {
            fs::copy(entry.path(), &target).expect("a copy");
        }
    }
}

// Reports.

#[test]
fn the_demonstration_shows_the_patch_and_its_report() {
    let readme = fs::read_to_string(root().join("README.md")).expect("a README");
    let blocks = blocks(&readme);
    let patch = fs::read_to_string(root().join("examples/quickstart.patch")).expect("the patch");
    assert_eq!(blocks[0].text, patch.trim_end(), "the first block is the patch");

    let place = tempfile::tempdir().expect("a temporary folder");
    copy(&root().join("examples"), &place.path().join("examples"));
    let output = shell(blocks[1].text, place.path());
    let report = String::from_utf8(output.stdout).expect("text");
    shows("README.md", &readme, blocks[2].text, report.trim_end());
}

/// The refusal of docs/report.md is that of a case of the corpus, which a comment names.
#[test]
fn the_refusal_is_the_one_of_its_case() {
    let page = fs::read_to_string(root().join("docs/report.md")).expect("a page");
    let shown =
        |block: &Block<'_>| Some((block.note?.strip_prefix("shown: ")?.to_owned(), block.text.to_owned()));
    let (case, text) = blocks(&page).iter().find_map(shown).expect("a block with a case");
    let case = root().join(case);
    let patch = case.join("patch.txt");
    let line = format!("apply-patch --check --for model '{}'", patch.display());
    let output = shell(&line, &case.join("before"));
    assert_eq!(output.status.code(), Some(1));
    let printed = String::from_utf8(output.stderr).expect("text");
    shows("docs/report.md", &page, &text, printed.trim_end());
}

/// Checks that a block of a page is what the program prints, or writes the block if `UPDATE_README` is set.
fn shows(name: &str, page: &str, block: &str, printed: &str) {
    if std::env::var_os("UPDATE_README").is_some() {
        fs::write(root().join(name), page.replacen(block, printed, 1)).expect(name);
    } else {
        assert!(block == printed, "run `UPDATE_README=1 cargo test --test readme`:\n{printed}");
    }
}
