//! The matching of seed 004: three strategies, and a refusal if the first strategy that matches does so more than once.
//!
//! 1. `exact`: the text as written.
//! 2. `indent-shift`: drops the leading whitespace shared by all quoted lines, and searches for the lines with any
//!    whitespace before, the same before each. **The replacement is re-indented**: the shared whitespace of the quote
//!    is replaced by the whitespace of the document.
//! 3. `trim-eol`: ignores spaces and tabs at the ends of the lines on both sides.
//!
//! Points that the seed leaves open: the quote of `indent-shift` is whole lines; its blank lines match any blank line;
//! a replacement line without the shared whitespace of the quote gets only the indentation of the document, and a blank
//! replacement line is unchanged. `trim-eol` may begin and end inside a line, as `exact` may. A carriage return is not
//! trimmed. Overlapping positions count. An empty quote is not found, and a quote of whitespace only exactly. The
//! example of the seed mentions "the four-space indent that's actually in the file" for a file with two spaces; two is
//! used here.

use std::borrow::Cow;
use std::fmt;
use std::iter;
use std::ops::Range;

use super::cut::{cut, uncut};
use super::places::places;
use super::shift::{indentation, shifted};
use super::spliced;
use super::trim::{is_blank, trim_start};

/// What a quote may differ in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whether to try what comes after `exact`. On by default.
    pub fuzzy_whitespace: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { fuzzy_whitespace: true }
    }
}

/// Which strategy found the place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// The text as written.
    Exact,
    /// The lines at another depth.
    IndentShift,
    /// The lines without trailing whitespace.
    TrimEol,
}

impl Strategy {
    /// The strategies in the order in which they are tried.
    pub const ALL: [Self; 3] = [Self::Exact, Self::IndentShift, Self::TrimEol];

    fn seek<'a>(self, content: &str, search: &str, replace: &'a str) -> Tried<'a> {
        match self {
            Self::Exact => exact(content, search, replace),
            Self::IndentShift => indent_shift(content, search, replace),
            Self::TrimEol => trim_eol(content, search, replace),
        }
    }
}

impl Strategy {
    /// Returns the name of the strategy in the seed.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::IndentShift => "indent-shift",
            Self::TrimEol => "trim-eol",
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What became of a replacement: the result shapes of the seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FuzzyResult {
    /// There is a single position; contains the text with the replacement.
    Ok {
        /// The whole text.
        text: String,
        /// How the place was found.
        strategy: Strategy,
    },
    /// The first strategy that matches does so more than once.
    Ambiguous {
        /// How often.
        count: usize,
    },
    /// No strategy matches.
    NotFound,
}

/// The only position, and the text to write there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match<'a> {
    /// The byte range of the content that is to be replaced.
    pub place: Range<usize>,
    /// The replacement, re-indented by `indent-shift`.
    pub replacement: Cow<'a, str>,
    /// How the place was found.
    pub strategy: Strategy,
}

/// Why there is no single position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Miss {
    /// The first strategy that matches does so more than once.
    #[error("the quoted text stands {count} times: quote more lines around it")]
    Ambiguous {
        /// How often.
        count: usize,
    },
    /// No strategy matches.
    #[error("the quoted text is not in the file")]
    NotFound,
}

/// Returns the content with the only position of `search` replaced, as [`find`] finds and indents the replacement.
///
/// ```
/// use apply_patch::baseline::cascade::editkit::{FuzzyResult, Options, Strategy, fuzzy_replace};
/// let file = "class A:\n    def f(self):\n        return 1\n";
/// let search = "def f(self):\n    return 1";
/// let out = fuzzy_replace(file, search, "def f(self):\n    return 2", &Options::default());
/// let text = "class A:\n    def f(self):\n        return 2\n".to_owned();
/// assert_eq!(out, FuzzyResult::Ok { text, strategy: Strategy::IndentShift });
///
/// let exact = Options { fuzzy_whitespace: false };
/// assert_eq!(fuzzy_replace(file, search, "", &exact), FuzzyResult::NotFound);
/// ```
pub fn fuzzy_replace(content: &str, search: &str, replace: &str, options: &Options) -> FuzzyResult {
    match find(content, search, replace, options) {
        Ok(Match { place, replacement, strategy }) => {
            FuzzyResult::Ok { text: spliced(content, iter::once(place), &replacement), strategy }
        }
        Err(Miss::Ambiguous { count }) => FuzzyResult::Ambiguous { count },
        Err(Miss::NotFound) => FuzzyResult::NotFound,
    }
}

/// Returns the only position of `search`, and the text to write there.
///
/// # Errors
///
/// [`Miss::Ambiguous`] if the first strategy that matches has several positions, [`Miss::NotFound`] if no strategy
/// matches.
///
/// ```
/// use apply_patch::baseline::cascade::editkit::{Miss, Options, find};
/// let found = find("\tif x {\n\t}\n", "if x {\n}\n", "if y {\n}\n", &Options::default())?;
/// assert_eq!((found.place, &*found.replacement), (0..10, "\tif y {\n\t}"));
/// assert_eq!(find("a a a", "a", "b", &Options::default()), Err(Miss::Ambiguous { count: 3 }));
/// # Ok::<(), Miss>(())
/// ```
pub fn find<'a>(content: &str, search: &str, replace: &'a str, options: &Options) -> Result<Match<'a>, Miss> {
    let allowed = match search {
        "" => 0,
        _ if is_blank(search) || !options.fuzzy_whitespace => 1,
        _ => Strategy::ALL.len(),
    };
    let found = Strategy::ALL[..allowed].iter().find_map(|strategy| strategy.seek(content, search, replace));
    found.unwrap_or(Err(Miss::NotFound))
}

/// The result of a strategy; `None` if the strategy matches nowhere.
type Tried<'a> = Option<Result<Match<'a>, Miss>>;

fn exact<'a>(content: &str, search: &str, replace: &'a str) -> Tried<'a> {
    let found = the_only(places(content, Cow::Borrowed(search)))?;
    Some(found.map(|place| Match { place, replacement: Cow::Borrowed(replace), strategy: Strategy::Exact }))
}

fn trim_eol<'a>(content: &str, search: &str, replace: &'a str) -> Tried<'a> {
    let (text, wanted) = (cut(content, trim_end), cut(search, trim_end));
    let found = the_only(places(&text, Cow::Owned(wanted)))?;
    Some(found.map(|place| {
        let place = uncut(content, trim_end, &place);
        Match { place, replacement: Cow::Borrowed(replace), strategy: Strategy::TrimEol }
    }))
}

fn trim_end(line: &str) -> &str {
    line.trim_end_matches([' ', '\t'])
}

fn indent_shift<'a>(content: &str, search: &str, replace: &'a str) -> Tried<'a> {
    let (quoted, replace, feed) = without_last_feed(search, replace);
    let shared = shared_indentation(quoted);
    let found = the_only(reindented_places(content, quoted, shared))?;
    Some(found.map(|(place, indentation)| {
        let feed = usize::from(feed && content[place.end..].starts_with('\n'));
        let replacement = Cow::Owned(reindented(replace, shared, indentation));
        Match { place: place.start..place.end + feed, replacement, strategy: Strategy::IndentShift }
    }))
}

/// Returns both texts without a last line feed, which is not a line; and whether only the quote had a last line feed,
/// so that the line feed has to be replaced too.
fn without_last_feed<'s, 'a>(search: &'s str, replace: &'a str) -> (&'s str, &'a str, bool) {
    match (search.strip_suffix('\n'), replace.strip_suffix('\n')) {
        (Some(search), Some(replace)) => (search, replace, false),
        (Some(search), None) => (search, replace, true),
        (None, _) => (search, replace, false),
    }
}

/// Returns the whitespace that all lines begin with; blank lines do not count.
fn shared_indentation(text: &str) -> &str {
    let indentations = text.split('\n').filter(|line| !is_blank(line)).map(indentation);
    indentations.reduce(common_start).unwrap_or_default()
}

fn common_start<'s>(a: &'s str, b: &str) -> &'s str {
    let same = iter::zip(a.char_indices(), b.chars()).take_while(|((_, a), b)| a == b);
    let end = same.last().map_or(0, |((at, c), _)| at + c.len_utf8());
    &a[..end]
}

/// Returns the positions of the quoted lines without their shared whitespace, each with the whitespace found there
/// instead.
fn reindented_places<'s>(
    content: &'s str,
    quoted: &'s str,
    shared: &'s str,
) -> impl Iterator<Item = (Range<usize>, &'s str)> {
    let lines: Vec<_> =
        quoted.split('\n').map(|line| line.strip_prefix(shared).unwrap_or_default()).collect();
    shifted(content, &lines, trim_start).filter_map(move |(place, plain)| {
        let compared = if plain { 1 } else { usize::MAX };
        let indentation = shift(&content[place.clone()], &lines, compared)?;
        Some((place, indentation))
    })
}

/// Returns the whitespace before each line of the block, if the same before all compared lines; otherwise `None`.
fn shift<'s>(block: &'s str, quoted: &[&str], compared: usize) -> Option<&'s str> {
    let pairs = iter::zip(block.split('\n'), quoted).filter(|(line, _)| !is_blank(line));
    let mut before = pairs.take(compared).map(|(line, quoted)| line.strip_suffix(*quoted));
    let first = before.next()??;
    before.all(|other| other == Some(first)).then_some(first)
}

/// Returns the replacement with `indentation` instead of the shared whitespace of the quote.
fn reindented(replace: &str, shared: &str, indentation: &str) -> String {
    let mut text = String::with_capacity(replace.len());
    for (index, line) in replace.split('\n').enumerate() {
        if index > 0 {
            text.push('\n');
        }
        if is_blank(line) {
            text.push_str(line);
        } else {
            text.push_str(indentation);
            text.push_str(line.strip_prefix(shared).unwrap_or_else(|| trim_start(line)));
        }
    }
    text
}

/// Returns the item if there is a single item; `None` if there is no item.
fn the_only<T>(mut items: impl Iterator<Item = T>) -> Option<Result<T, Miss>> {
    let first = items.next()?;
    Some(match items.count() {
        0 => Ok(first),
        more => Err(Miss::Ambiguous { count: more + 1 }),
    })
}
