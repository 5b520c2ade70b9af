//! The prose of the project: comments, documentation and the words of reports, checked by the rules of CONTRIBUTING.md.
//!
//! Two rules can be counted: words that have a plainer one from the field, and pronouns, because a reader has to look
//! for the thing that a pronoun names. `PROSE_ROOT=FOLDER cargo test --test prose -- --nocapture` prints the counts of
//! another checkout.

mod extract;
mod rules;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use extract::Words;
use rules::Rates;

/// Pronouns in 10,000 words. Five Rust projects were counted in the same way: 92 (diffy) to 236 (gix-ref).
const MOST_PRONOUNS: usize = 250;

/// The words of the field (match, return, candidate, position, parse) in 10,000 words of documentation comments.
const LEAST_OF_FIELD: usize = 100;

/// The folders that the pass over the prose has not reached. Empty when the pass is done.
const NOT_YET: &[&str] = &[];

/// The repository, or the tree that `PROSE_ROOT` names.
fn root() -> PathBuf {
    std::env::var_os("PROSE_ROOT").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from)
}

/// The files that are checked, as paths relative to the repository.
fn files() -> Vec<String> {
    let root = root();
    let mut files = Vec::new();
    let folders = [(".", "md", 1), ("docs", "md", 1), ("grammar", "md", 1), ("benches", "md", 1)];
    for (folder, ending, depth) in
        folders.into_iter().chain([("fixtures", "md", 1), ("src", "rs", usize::MAX)])
    {
        for entry in walkdir::WalkDir::new(root.join(folder)).max_depth(depth) {
            let path = entry.expect("a readable tree").into_path();
            if path.extension().is_some_and(|found| found == ending) {
                let name = path.strip_prefix(&root).expect("a path of the tree");
                files.push(
                    name.to_str().expect("UTF-8").replace('\\', "/").trim_start_matches("./").to_owned(),
                );
            }
        }
    }
    files.sort();
    files
}

/// The part of the project that a file is counted with: the top-level folder, or the module under `src`.
fn part(file: &str) -> &str {
    match file.split('/').collect::<Vec<_>>()[..] {
        [_] => "root",
        ["src", module, ..] => &file[.."src/".len() + module.len()],
        ["docs" | "grammar", _] => &file[..file.find('/').expect("a folder")],
        _ => file,
    }
}

/// Returns the words of one file: of Markdown all, of Rust the comments, and of reports and help also the strings.
fn words(file: &str) -> Words {
    let text = fs::read_to_string(root().join(file)).expect("a readable file");
    if Path::new(file).extension().is_some_and(|ending| ending == "md") {
        return extract::markdown(&text);
    }
    let mut words = extract::comments(&text);
    if file.starts_with("src/report/") || file == "src/cli/help.rs" {
        words.append(extract::strings(&text));
    }
    words
}

/// Returns the rates of every part, and of everything as the last.
fn rates(files: &[String]) -> Vec<(String, Rates)> {
    let (mut parts, mut all) = (BTreeMap::<String, Rates>::new(), Rates::default());
    for file in files {
        let words = words(file);
        parts.entry(part(file).to_owned()).or_default().count(&words);
        all.count(&words);
    }
    parts.into_iter().chain([("everything".to_owned(), all)]).collect()
}

#[test]
fn no_unwanted_words() {
    let mut hits = Vec::new();
    for file in files().iter().filter(|file| !NOT_YET.contains(&part(file))) {
        hits.extend(rules::unwanted(&words(file)).map(|(line, word)| format!("{file}:{line}: {word}")));
    }
    assert!(hits.is_empty(), "{} words that have a plainer one:\n{}", hits.len(), hits.join("\n"));
}

#[test]
fn few_pronouns() {
    let files = files();
    let mut failures = Vec::new();
    for (part, rates) in rates(&files) {
        println!("{part:20} {rates}");
        let unfinished = NOT_YET.contains(&&*part) || part == "everything" && !NOT_YET.is_empty();
        if rates.of_pronouns() >= MOST_PRONOUNS && !unfinished {
            failures.push(format!("{part} has {} pronouns in 10,000 words:", rates.of_pronouns()));
            for file in files.iter().filter(|file| self::part(file) == part) {
                let words = words(file);
                failures.extend(rules::pronouns(&words).map(|(line, word)| format!("{file}:{line}: {word}")));
            }
        }
    }
    assert!(failures.is_empty(), "the limit is {MOST_PRONOUNS}\n{}", failures.join("\n"));
}

#[test]
fn doc_comments_use_the_words_of_the_field() {
    let mut rates = Rates::default();
    for file in files().iter().filter(|file| file.starts_with("src/")) {
        rates.count(&extract::doc_comments(&fs::read_to_string(root().join(file)).expect("a readable file")));
    }
    println!("doc comments of src  {rates}");
    assert!(rates.of_field() >= LEAST_OF_FIELD, "{rates}");
    assert!(rates.of_pronouns() < MOST_PRONOUNS, "{rates}");
}

#[test]
fn the_list_of_unfinished_parts_names_parts() {
    let files = files();
    for name in NOT_YET {
        assert!(files.iter().any(|file| part(file) == *name), "{name} is no part");
    }
}
