//! The words for why a position was not taken.

use std::fmt::{self, Display, Formatter};

use crate::locate::{Doubt, Wrap};

impl Doubt {
    /// The question of the guard that the place failed.
    pub fn question(self) -> &'static str {
        match self {
            Doubt::IndentationOnly => "is an edit of indentation quoted with the file's indentation?",
            Doubt::RemovedElsewhere => "are the lines to be removed the quoted lines?",
            Doubt::NoIndentation | Doubt::LeftOfMargin | Doubt::LostNesting => {
                "is the indentation of the added lines known?"
            }
            Doubt::FewLines | Doubt::ApartFromQuote => "is enough of the quote in the file?",
            Doubt::OutsideHeader
            | Doubt::OtherName
            | Doubt::TieWithoutSign
            | Doubt::PartOfOther
            | Doubt::FitsElsewhere => "is this the only possible position?",
            Doubt::Encoded | Doubt::EncodedNewText | Doubt::LazyAddition | Doubt::Wrapped(_) => {
                "is the text of the added lines known?"
            }
            Doubt::SeveralWays | Doubt::OwnSign | Doubt::OtherBlock => {
                "is there only one way to read the quote there?"
            }
            Doubt::PhantomBesideChange => "do the lines beside the change show the position?",
            Doubt::SkippedBesideAddition | Doubt::DividesBlock | Doubt::InsideLine => {
                "is the position of the added lines known?"
            }
            Doubt::JoinedOtherwise | Doubt::RepeatsLine => "do the added lines fit the lines beside them?",
            Doubt::SkippedInRemoval | Doubt::MisspeltRemoval => {
                "was every line quoted that is to be removed?"
            }
            Doubt::SkippedInTexts => "is the fate of every line known?",
            Doubt::LooksApplied | Doubt::InOtherForm => "is the change still to be made?",
            Doubt::MendedToNothing => "does the edit change anything?",
            Doubt::StaleName => "does the file still have the names of the added lines?",
            Doubt::GarbledAddition | Doubt::OtherEncoding => "are the characters to write known?",
        }
    }
}

/// The second half of a sentence that begins with the place.
impl Display for Doubt {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Doubt::IndentationOnly => {
                "the edit is about indentation alone, and the quoted lines are indented otherwise in the file"
            }
            Doubt::RemovedElsewhere => {
                "the file has a removed line at another indentation than the quoted lines around the line show"
            }
            Doubt::NoIndentation | Doubt::LostNesting => {
                "the quoted lines do not show the indentation of the added lines"
            }
            Doubt::LeftOfMargin => {
                "with the file's indentation an added line would begin left of the margin"
            }
            Doubt::FewLines => "too few quoted lines are in the file to be sure of the position",
            Doubt::OutsideHeader => "not in the block that the header names, which may be gone or changed",
            Doubt::OtherName => {
                "a quoted line is not there as quoted: another block may be meant"
            }
            Doubt::Encoded => {
                "some lines have entities or escapes that the file does not have, and some lines do not: the text of the added lines is not known"
            }
            Doubt::EncodedNewText => {
                "the new text has entities or escapes for signs that the old text has as they are"
            }
            Doubt::Wrapped(wrap) => return wrap.fmt(f),
            Doubt::LazyAddition => "a placeholder among the added lines replaces lines that would be removed",
            Doubt::DividesBlock => "the added lines would divide a block",
            Doubt::InOtherForm => "the list there has an added line in another form",
            Doubt::StaleName => {
                "an added line has a name of a quoted line that the file no longer has there"
            }
            Doubt::InsideLine => {
                "the line above the added lines is quoted only up to its middle, so the added lines may belong inside of the line"
            }
            Doubt::JoinedOtherwise => {
                "the line above the added lines ends with another sign in the file than in the quote, so the added lines may not fit there"
            }
            Doubt::RepeatsLine => {
                "an added line repeats the line of the file beside the added lines, which would then be there twice"
            }
            Doubt::PartOfOther => "the old text is only a part of what the line has there",
            Doubt::SeveralWays => {
                "the quote can be paired with these lines in several ways, with different results"
            }
            Doubt::PhantomBesideChange => {
                "a quoted line is not in the file: the position is open, or the line was to be added"
            }
            Doubt::OtherBlock => "the quoted lines are in different blocks of the file",
            Doubt::ApartFromQuote => {
                "lines that were not quoted are between the change and other quoted lines, and too few quoted lines are beside the change"
            }
            Doubt::FitsElsewhere => {
                "other lines may be meant, where the rest of the quote fits and a line may have changed"
            }
            Doubt::OwnSign => {
                "a quoted line begins with a sign of its own, so the line may be kept or removed"
            }
            Doubt::TieWithoutSign => {
                "a quoted line without a sign is not in the file"
            }
            Doubt::SkippedBesideAddition => {
                "the file has unquoted lines where the added lines go, so their position is open"
            }
            Doubt::SkippedInRemoval => "the file has unquoted lines between the removed lines",
            Doubt::SkippedInTexts => {
                "the file has unquoted lines between the quoted lines, and the edit does not show whether these stay"
            }
            Doubt::MisspeltRemoval => "a removed line reads otherwise in the file",
            Doubt::LooksApplied => {
                "the file matches the result of this edit as well as the quote: the edit may have been applied before"
            }
            Doubt::MendedToNothing => {
                "with the characters of the file the edit changes nothing"
            }
            Doubt::OtherEncoding => {
                "the file is not UTF-8, and how its encoding writes a character of an added line is not known"
            }
            Doubt::GarbledAddition => {
                "an added line has garbled text, escapes or signs as the quoted lines have, and the file does not show the right characters"
            }
        })
    }
}

/// The same for what a new text has around its lines.
impl Display for Wrap {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Wrap::LineNumbers => {
                "each line of the new text begins with a line number, and no line of the old text or the file does"
            }
            Wrap::Signs => {
                "the lines of the new text begin with a sign of a diff, and no line of the old text does"
            }
            Wrap::Quotation => {
                "each line of the new text begins with `>`, and no line of the old text or the file does"
            }
            Wrap::Fence => {
                "a fence is around the new text or at one end, and neither the old text nor the file has a fence"
            }
            Wrap::QuotationMarks => "quotation marks are around the new text, and not around the old text",
            Wrap::Tag => {
                "the new text begins or ends with a tag of a call, and neither the old text nor the file has the tag"
            }
            Wrap::Token => {
                "the new text ends with a token that ends an answer, and neither the old text nor the file has such a token"
            }
            Wrap::CharacterData => {
                "the new text begins or ends as character data of XML, and neither the old text nor the file has such data"
            }
            Wrap::Name => {
                "the new text begins with the name of its field, and neither the old text nor the file has the name"
            }
        })
    }
}
