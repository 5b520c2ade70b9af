//! The public API as a list of lines, `tests/public_api.txt`: a change of the API shows there in review.
//!
//! The list is made from the sources, as a caller with the feature `cli` sees them. `UPDATE_API=1 cargo test --test public_api`
//! writes it.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "in a test a panic is the report")]

mod list;
#[allow(dead_code, reason = "shared with the test of the imports")]
mod source;

use std::path::Path;

use self::list::Listing;
use self::source::Crate;

#[test]
fn the_public_api_is_the_one_in_the_list() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let listing = Listing::of(&Crate::read(&root.join("src/lib.rs")));
    let (text, file) = (listing.text(), root.join("tests/public_api.txt"));
    println!("{} modules, {} names", listing.modules(), listing.names());
    if std::env::var_os("UPDATE_API").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let expected = std::fs::read_to_string(&file).unwrap();
    if let Some((found, expected)) =
        text.lines().zip(expected.lines()).find(|(found, expected)| found != expected)
    {
        panic!(
            "the API has\n  {found}\nand the list has\n  {expected}\nrun `UPDATE_API=1 cargo test --test public_api`, and review the list"
        );
    }
    assert_eq!(text, expected, "run `UPDATE_API=1 cargo test --test public_api`, and review the list");
}
