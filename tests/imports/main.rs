//! The imports between the files of `src`: no file depends on itself through other files.
//!
//! The imports are read from the sources. A path such as `super::marker::Marker` counts as an import of the file that defines the
//! name, so a re-export on the way counts as nothing. Code for tests is left out.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "in a test a panic is the report")]

mod graph;
#[path = "../public_api/source.rs"]
#[allow(dead_code, reason = "shared with the listing of the API")]
mod source;

use std::path::Path;

use self::graph::Graph;
use self::source::Crate;

#[test]
fn no_file_imports_itself_through_other_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let graph = Graph::of(&Crate::read(&root.join("src/lib.rs")));
    println!("{} files, {} imports", graph.files(), graph.imports());
    let cycles = graph.cycles();
    let wrong: Vec<String> = cycles.iter().map(|files| graph.describe(files)).collect();
    assert!(wrong.is_empty(), "these files import each other in a circle:\n{}", wrong.join("\n"));
}

#[test]
fn a_circle_of_two_files_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("lib.rs", "mod a;\nmod b;\npub use a::A;\n");
    write("a.rs", "pub struct A;\nfn f() { crate::b::g() }\n");
    write("b.rs", "pub fn g() {}\n");
    let lib = folder.path().join("lib.rs");
    assert!(Graph::of(&Crate::read(&lib)).cycles().is_empty());
    write("b.rs", "use crate::A;\npub fn g() { let _ = A; }\n");
    assert_eq!(Graph::of(&Crate::read(&lib)).cycles(), [["a.rs", "b.rs"]]);
}
