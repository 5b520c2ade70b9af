//! The words for why a position was not taken.

use std::fmt::{self, Display, Formatter};

use crate::locate::Doubt;

impl Doubt {
    /// The question of the guard that the place failed.
    pub fn question(self) -> &'static str {
        match self {
            Doubt::IndentationOnly => "is an edit of indentation quoted with the file's indentation?",
            Doubt::RemovedElsewhere => "are the lines to be removed those that were quoted?",
            Doubt::NoIndentation | Doubt::LeftOfMargin | Doubt::LostNesting => {
                "is it known how the added lines are to be indented?"
            }
            Doubt::FewLines => "is enough of the quote in the file?",
            Doubt::OtherName | Doubt::TieWithoutSign => "is it the only place that may be meant?",
            Doubt::Encoded | Doubt::LazyAddition => "is it known what the added lines are?",
            Doubt::SeveralWays => "is there only one way to read the quote there?",
            Doubt::PhantomBesideChange => "do the lines beside the change say where it goes?",
            Doubt::SkippedBesideAddition | Doubt::BeforeBody => "is it known where the added lines go?",
            Doubt::SkippedInRemoval | Doubt::MisspeltRemoval => {
                "was every line quoted that is to be removed?"
            }
            Doubt::SkippedInTexts => "is it known what becomes of every line?",
            Doubt::LooksApplied => "is the change still to be made?",
            Doubt::MendedToNothing => "does the edit change anything?",
            Doubt::GarbledAddition => "is it known which characters are to be written?",
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
                "a removed line is indented otherwise in the file than the quoted lines around it say"
            }
            Doubt::NoIndentation => "the quoted lines do not show how far the added ones are to be indented",
            Doubt::LeftOfMargin => {
                "with the file's indentation an added line would begin left of the margin"
            }
            Doubt::LostNesting => {
                "the quote has lost its indentation, so that the added lines' nesting is not known"
            }
            Doubt::FewLines => "too few of the quoted lines are in the file to be sure of the place",
            Doubt::OtherName => {
                "a quoted line names something that the file does not have, where the file has another name: another block may be meant"
            }
            Doubt::Encoded => {
                "some lines have entities or escapes that the file does not have, and others do not: it is not known what the added lines are to be"
            }
            Doubt::LazyAddition => "dots among the added lines stand for lines that would be removed",
            Doubt::BeforeBody => {
                "the added lines would go between a line that opens a block and the block"
            }
            Doubt::SeveralWays => {
                "the quoted lines can be read as these lines of the file in several ways, with other results"
            }
            Doubt::PhantomBesideChange => {
                "a quoted line right beside a changed one is not in the file: either the place is open, or the line was to be added"
            }
            Doubt::TieWithoutSign => {
                "a quoted line without a sign is not in the file as it was quoted"
            }
            Doubt::SkippedBesideAddition => {
                "the file has lines right where the added ones go that were not quoted, so that their place is open"
            }
            Doubt::SkippedInRemoval => "the file has lines between the removed ones that were not quoted",
            Doubt::SkippedInTexts => {
                "the file has lines between the quoted ones that were left out, and nothing says what becomes of them"
            }
            Doubt::MisspeltRemoval => "a removed line reads otherwise in the file",
            Doubt::LooksApplied => {
                "the file looks no less like the result of this edit than like what it quotes: it may have been applied before"
            }
            Doubt::MendedToNothing => {
                "written with the file's own characters the change is none"
            }
            Doubt::GarbledAddition => {
                "an added line copies garbled text or escapes, and the file does not show what it should be"
            }
        })
    }
}
