//! The names that a caller has for options and commands.

/// The names that a caller of the library has for the options and commands that a report may advise to use.
///
/// A sentence contains a name as it is here, in backticks. `None`: the caller has nothing of the kind, and the advice is left
/// out. The default, [`Caller::NONE`], has no names at all; the command has [`Caller::COMMAND`].
///
/// ```
/// use apply_patch::run::{Caller, Options, Tree, run};
///
/// const SERVER: Caller = Caller { dry_run: Some("dry_run"), ..Caller::NONE };
///
/// let options = Options::default().with_check(true).with_caller(SERVER);
/// let text = "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch\n";
/// let mut tree: Tree = [("a.txt", "one\ntwo\n")].into_iter().collect();
/// let words = run(text, &options, &mut tree).for_model(4000);
/// assert!(words.ends_with("Next: to make the change, send the same again without `dry_run`.\n"), "{words}");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Caller {
    /// Asks for a check that changes nothing: `--check`.
    pub dry_run: Option<&'static str>,
    /// Names the file of a text that names none: `--file`.
    pub file: Option<&'static str>,
    /// Names the format of the text: `--format`.
    pub format: Option<&'static str>,
    /// Counts the leading directories to drop from the names of a unified diff: `-p`.
    pub strip: Option<&'static str>,
    /// Asks for no repairs of the text: `--strict`.
    pub strict: Option<&'static str>,
    /// Sets the length of the longest file, in bytes: `--max-file-size`.
    pub max_file_size: Option<&'static str>,
    /// Replaces a text at all positions: `--all`.
    pub replace_all: Option<&'static str>,
    /// Asks for a patch that takes the changes back: `--undo`.
    pub undo: Option<&'static str>,
    /// Finishes or takes back what an interrupted run left: `apply-patch recover`.
    pub recover: Option<&'static str>,
    /// Drops what an interrupted run left: `apply-patch recover --abandon`.
    pub abandon: Option<&'static str>,
    /// Applies a patch. Contained in advice to who asked for a replacement: `apply-patch`.
    pub patch: Option<&'static str>,
    /// Shows how the caller is used: `apply-patch --help`.
    pub help: Option<&'static str>,
}

impl Caller {
    /// A caller without options and commands of its own.
    pub const NONE: Caller = Caller {
        dry_run: None,
        file: None,
        format: None,
        strip: None,
        strict: None,
        max_file_size: None,
        replace_all: None,
        undo: None,
        recover: None,
        abandon: None,
        patch: None,
        help: None,
    };

    /// The command `apply-patch`.
    pub const COMMAND: Caller = Caller {
        dry_run: Some("--check"),
        file: Some("--file"),
        format: Some("--format"),
        strip: Some("-p"),
        strict: Some("--strict"),
        max_file_size: Some("--max-file-size"),
        replace_all: Some("--all"),
        undo: Some("--undo"),
        recover: Some("apply-patch recover"),
        abandon: Some("apply-patch recover --abandon"),
        patch: Some("apply-patch"),
        help: Some("apply-patch --help"),
    };
}
