//! A case: a document, an edit of it, and what the patch says of both.
//!
//! All three are one list of [`Item`]s. What stands in the file before, in the file afterwards and in the patch is
//! read off it, so that an operator which drifts the quote, or moves the file on, cannot lose track of what is right.

use std::fmt::Write as _;

use apply_patch::patch::LineKind;

use crate::judge::Expectation;

/// How far a quoted line is from the line that it means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Likeness {
    /// It is the same.
    #[default]
    Same,
    /// It differs by what no one sees: white space at its ends, look-alikes.
    Unseen,
    /// It says the same in other characters: spacing, escapes, a wrong code page, a copied line number.
    Alike,
    /// A word is misspelt.
    Misspelt,
    /// It says something else.
    Differs,
}

/// A line of the file, of the patch, or of both.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) kind: LineKind,
    /// How the file has it: an added line afterwards, any other before. `None`: it is only quoted.
    pub(crate) file: Option<String>,
    /// How the patch has it. `None`: it is not quoted.
    pub(crate) quote: Option<String>,
    pub(crate) likeness: Likeness,
    /// Whether the patch has its sign.
    pub(crate) signed: bool,
    /// Whether it is quoted as a part of another line, or quotes a part of one.
    pub(crate) rewrapped: bool,
    /// Which chunk makes the change.
    pub(crate) owner: usize,
    /// For each chunk, whether it quotes the line.
    pub(crate) in_chunk: [bool; 2],
}

impl Item {
    /// A line of the file that no chunk quotes.
    pub(crate) fn of_file(text: &str) -> Self {
        Item {
            kind: LineKind::Context,
            file: Some(text.to_owned()),
            quote: None,
            likeness: Likeness::Same,
            signed: true,
            rewrapped: false,
            owner: 0,
            in_chunk: [false; 2],
        }
    }

    /// A context line that the file does not have, quoted where `beside` is.
    pub(crate) fn phantom(text: &str, beside: &Item) -> Self {
        Item {
            file: None,
            quote: Some(text.to_owned()),
            likeness: Likeness::Differs,
            in_chunk: beside.in_chunk,
            owner: beside.owner,
            ..Item::of_file("")
        }
    }

    /// Whether the line is quoted as one that the file holds before.
    pub(crate) fn is_old(&self) -> bool {
        self.quote.is_some() && self.kind != LineKind::Add
    }

    /// Checks whether the file has the line before the edit.
    pub(crate) fn is_in_file_before(&self) -> bool {
        self.kind != LineKind::Add && self.file.is_some()
    }

    /// Whether the file has the line, and the patch passes over it.
    pub(crate) fn is_skipped(&self) -> bool {
        self.kind != LineKind::Add && self.file.is_some() && self.quote.is_none() && !self.rewrapped
    }

    /// Whether the patch quotes the line, and the file has nothing like it. A blank one says nothing.
    pub(crate) fn is_phantom(&self) -> bool {
        self.file.is_none() && !self.rewrapped && !self.is_blank()
    }

    /// Whether there is nothing to see in it.
    pub(crate) fn is_blank(&self) -> bool {
        self.file.as_ref().or(self.quote.as_ref()).is_none_or(|text| text.trim().is_empty())
    }

    /// Quotes the line in other words.
    pub(crate) fn misquote(&mut self, text: String, likeness: Likeness) {
        self.quote = Some(text);
        self.likeness = self.likeness.max(likeness);
    }
}

/// What a chunk says of a line that another chunk changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Sees {
    /// How the file was.
    #[default]
    Before,
    /// How the other chunk leaves it.
    After,
}

/// What of the blank lines of a result is compared. Where a blank line of the file beside added ones is not quoted,
/// people would differ about it, and about nothing else.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Blanks {
    /// All.
    #[default]
    Counted,
    /// Where they are, and not how many they are there.
    Squeezed,
    /// Nothing: they may be above or below what is added.
    Ignored,
}

impl Blanks {
    /// Whether two texts are the same.
    pub(crate) fn same(self, one: &str, other: &str) -> bool {
        let lines = |text: &str| -> Vec<String> {
            let mut lines: Vec<String> = text.lines().map(|line| line.trim_end().to_owned()).collect();
            match self {
                Blanks::Counted => {}
                Blanks::Squeezed => lines.dedup_by(|next, line| line.is_empty() && next.is_empty()),
                Blanks::Ignored => lines.retain(|line| !line.is_empty()),
            }
            lines
        };
        one == other || self != Blanks::Counted && lines(one) == lines(other)
    }
}

/// A document and an edit of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scene {
    pub(crate) name: String,
    pub(crate) items: Vec<Item>,
    pub(crate) ending: &'static str,
    pub(crate) final_newline: bool,
    /// The chunks in the order in which the patch has them.
    pub(crate) chunks: Vec<usize>,
    /// What stands behind the `@@` of each chunk.
    pub(crate) headers: [String; 2],
    /// Whether the patch says that its last chunk is at the end of the file.
    pub(crate) end_of_file: bool,
    pub(crate) sees: Sees,
    /// Whether the file has been edited already.
    pub(crate) applied: bool,
    /// How exactly the result is compared.
    pub(crate) blanks: Blanks,
    /// What an operator knows of the right answer; the rest is [judged](crate::judge).
    pub(crate) expected: Expectation,
}

impl Scene {
    /// The file before.
    pub(crate) fn before(&self) -> String {
        if self.applied { self.after() } else { self.original() }
    }

    fn original(&self) -> String {
        let lines = self.lines(|item| item.kind != LineKind::Add);
        self.written(&lines, !self.final_newline)
    }

    /// The file afterwards. A last line that nobody touches keeps its missing ending; every other line ends.
    pub(crate) fn after(&self) -> String {
        let last = self.lines(|_| true).last().is_some_and(|item| item.kind == LineKind::Context);
        let lines = self.lines(|item| item.kind != LineKind::Remove);
        self.written(&lines, last && !self.final_newline)
    }

    /// The lines that the file has, of those for which something holds.
    fn lines(&self, holds: impl Fn(&Item) -> bool) -> Vec<&Item> {
        self.items.iter().filter(|item| item.file.is_some() && holds(item)).collect()
    }

    fn written(&self, lines: &[&Item], open_end: bool) -> String {
        let texts: Vec<&str> = lines.iter().filter_map(|item| item.file.as_deref()).collect();
        let end = if open_end || texts.is_empty() { "" } else { self.ending };
        texts.join(self.ending) + end
    }

    /// The patch.
    pub(crate) fn patch(&self) -> String {
        let mut text = format!("*** Begin Patch\n*** Update File: {}\n", self.name);
        for chunk in &self.chunks {
            // Writing to a string does not fail.
            let _ = writeln!(text, "@@{}", self.headers[*chunk]);
            for (kind, nth) in self.chunk(*chunk) {
                let item = &self.items[nth];
                if item.signed {
                    text.push(kind.sign());
                }
                text.push_str(item.quote.as_deref().unwrap_or_default());
                text.push('\n');
            }
        }
        if self.end_of_file {
            text.push_str("*** End of File\n");
        }
        text + "*** End Patch\n"
    }

    /// The lines of a chunk: what it does with each, and which item it is.
    pub(crate) fn chunk(&self, chunk: usize) -> Vec<(LineKind, usize)> {
        let mut lines = Vec::new();
        for (nth, item) in self.items.iter().enumerate() {
            if item.quote.is_none() || !item.in_chunk[chunk] {
                continue;
            }
            let gone = if self.sees == Sees::Before { LineKind::Add } else { LineKind::Remove };
            match item.kind {
                kind if item.owner == chunk => lines.push((kind, nth)),
                kind if kind == gone => {}
                _ => lines.push((LineKind::Context, nth)),
            }
        }
        lines
    }

    /// The places of the items for which something holds.
    pub(crate) fn places(&self, holds: impl Fn(&Item) -> bool) -> Vec<usize> {
        (0..self.items.len()).filter(|nth| holds(&self.items[*nth])).collect()
    }

    /// The quoted context lines that are still as the file has them, and have something to see.
    pub(crate) fn context(&self) -> Vec<usize> {
        self.places(|item| {
            item.kind == LineKind::Context
                && item.quote.is_some()
                && item.file.is_some()
                && item.likeness == Likeness::Same
                && !item.is_blank()
        })
    }

    /// The same of removed lines.
    pub(crate) fn removed(&self) -> Vec<usize> {
        self.places(|item| {
            item.kind == LineKind::Remove
                && item.quote.is_some()
                && item.likeness == Likeness::Same
                && !item.is_blank()
        })
    }

    /// The added lines that have something to see.
    pub(crate) fn added(&self) -> Vec<usize> {
        self.places(|item| item.kind == LineKind::Add && item.quote.is_some() && !item.is_blank())
    }

    /// All lines of the patch that have something to see.
    pub(crate) fn quoted(&self) -> Vec<usize> {
        self.places(|item| item.quote.as_ref().is_some_and(|text| !text.trim().is_empty()))
    }

    /// Whether a header, or the end of the file, speaks for another place: no operator here has them right.
    pub(crate) fn is_misled(&self) -> bool {
        self.end_of_file || self.headers.iter().any(|header| !header.is_empty() && self.holds(header.trim()))
    }

    /// Whether a word stands anywhere in the file before.
    pub(crate) fn holds(&self, word: &str) -> bool {
        self.items.iter().any(|item| item.file.as_ref().is_some_and(|text| text.contains(word)))
    }

    /// What the patch says at a place; empty where it says nothing.
    pub(crate) fn quote(&self, nth: usize) -> &str {
        self.items[nth].quote.as_deref().unwrap_or_default()
    }

    /// What the right answer is at the most: an operator never takes back what another one has put in doubt.
    pub(crate) fn expect(&mut self, expected: Expectation) {
        self.expected = self.expected.max(expected);
    }
}
