//! The long texts of the help.
//!
//! `tests/usage.rs` runs each line of the examples.

pub(super) const ABOUT: &str = "\
Applies a patch that a language model wrote, or reports why not.
The patch is a file, the argument itself, or standard input.";

pub(super) const LONG_ABOUT: &str = "\
Applies a patch that a language model wrote, or reports why not.

Either all changes of a patch are made, each at the only position that matches, or nothing changes. A quote may differ \
slightly from the file if the position is clear; the report lists the differences. The patch is a file, the argument \
itself, or standard input.";

/// The help below the options of the program.
pub(super) const OF_APPLY: &str = "\
Examples:
  apply-patch < answer.txt            # a patch on standard input
  apply-patch answer.txt              # from a file
  apply-patch \"$ANSWER\"               # the patch itself, as models call it
  apply-patch -C project answer.txt   # names are relative to project/
  apply-patch -n --diff answer.txt    # change nothing, show the diff
  apply-patch --undo undo.txt answer.txt   # also write the reverse patch
  apply-patch --json answer.txt       # the report for a program
  apply-patch --match exact --strict answer.txt

Exit status:
  0  applied (with --check: would apply)
  1  the patch does not fit the files; nothing was changed
  2  the text is not a patch, or wrong usage
  3  the system refused (permission, disk); nothing was changed, or everything was rolled back
  4  applied, but the clean-up failed: `apply-patch recover` finishes the run
  5  half done: the changes of this run, or of an interrupted earlier run, can be
     neither finished nor rolled back yet; `apply-patch recover` continues";

pub(super) const OF_REPLACE: &str = "\
Examples:
  apply-patch replace greet.py --old 'helo' --new 'hello'
  apply-patch replace greet.py --old-file old.txt --new-file new.txt --stdout
  apply-patch replace -C project greet.py --all --old 'helo' --new 'hello'";

pub(super) const OF_EXPLAIN: &str = "\
Examples:
  apply-patch explain answer.txt";

pub(super) const OF_CONVERT: &str = "\
Examples:
  apply-patch convert --to unified answer.txt          # for git apply
  apply-patch convert --to search-replace answer.txt";

pub(super) const OF_MAKE: &str = "\
Examples:
  apply-patch make before after > change.txt   # from one folder to the other
  apply-patch make --git                       # from HEAD to the work tree
  apply-patch make --git HEAD~3..HEAD --to unified

Changes that the format cannot express are listed, with exit status 1; the rest is printed.";

pub(super) const OF_FMT: &str = "\
Examples:
  apply-patch fmt < answer.txt > canonical.txt";

pub(super) const OF_GRAMMAR: &str = "\
Examples:
  apply-patch grammar                         # the whole format
  apply-patch grammar --without delete,move   # for a harness that forbids both";

pub(super) const OF_INSTRUCTIONS: &str = "\
Examples:
  apply-patch instructions >> prompt.txt";

pub(super) const OF_BATCH: &str = "\
Examples:
  apply-patch batch < rows.jsonl > answers.jsonl
  apply-patch batch --match exact -j 4 rows.jsonl > answers.jsonl
  apply-patch batch -n -C project rows.jsonl   # folders of rows are below project/; touch nothing

The exit status is 0 if every line has an answer, also if the answer is a refusal.";

pub(super) const OF_RECOVER: &str = "\
Examples:
  apply-patch recover -C project
  apply-patch recover -C project --abandon   # leave the files as they are";
