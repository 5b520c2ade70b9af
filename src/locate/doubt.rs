//! Why a place that was found is not taken.

/// Why a place that was found is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Doubt {
    /// The edit changes only indentation, and its quote has a different indentation than the document.
    IndentationOnly,
    /// The indentation of a removed line does not match the surrounding quoted lines.
    RemovedElsewhere,
    /// The quoted lines do not determine the indentation of an added line.
    NoIndentation,
    /// An added line would begin left of column 0.
    LeftOfMargin,
    /// The quote has lost its nesting, so that the nesting of the added lines is unknown.
    LostNesting,
    /// Too few of the quoted lines are in the document.
    FewLines,
    /// The position is outside of the block that a header names.
    OutsideHeader,
    /// The quote contains a name that is not in the file, in a block that otherwise equals a block of the file.
    OtherName,
    /// The quoted lines can be paired with the document's in several ways.
    SeveralWays,
    /// A quoted line is not in the document: the position is open, or the line is an addition.
    PhantomBesideChange,
    /// A quoted line begins with a sign of its own, which may also be the sign of a removed line.
    OwnSign,
    /// A changed line is in another block than the line that opens the block of the quote.
    OtherBlock,
    /// The changed lines are apart from the other quoted lines, and too few quoted lines are beside the change.
    ApartFromQuote,
    /// The context lines of the quote fit another position better, where the removed lines may have changed.
    FitsElsewhere,
    /// A line without a sign is all that ties the edit to the place.
    TieWithoutSign,
    /// Unquoted lines of the document are at the position of the addition.
    SkippedBesideAddition,
    /// Unquoted lines of the document are between two removed lines.
    SkippedInRemoval,
    /// Lines of the document between quoted lines are in neither the old text nor the new text.
    SkippedInTexts,
    /// A removed line is misspelt, and the lines around are not exact or the misspelt word is a real word.
    MisspeltRemoval,
    /// The document is at least as similar to the result of the edit as to its quote.
    LooksApplied,
    /// With the spelling of the document, the added lines equal the removed lines.
    MendedToNothing,
    /// An added line copies text with a wrong code page, and the document does not show the correct text.
    GarbledAddition,
    /// An added line has characters beyond ASCII, and the document is in an encoding that is not known.
    OtherEncoding,
    /// Some lines have entities or escapes and some do not, so the text of the added lines is unknown.
    Encoded,
    /// The new text has entities or escapes for signs that the old text has as they are.
    EncodedNewText,
    /// Dots or words among the added lines replace lines that are removed.
    LazyAddition,
    /// The new text has more than the text of the document, which neither the old text nor the document has.
    Wrapped(Wrap),
    /// The added lines would divide a block of the document.
    DividesBlock,
    /// An added line has a name that the document no longer has there.
    StaleName,
    /// The list that lines are added to has one of these in another form, so that the edit may have been made.
    InOtherForm,
    /// The line above the added lines is quoted only up to its middle, and the added lines may belong inside of the line.
    InsideLine,
    /// The line above the added lines ends with another sign in the document than in the quote.
    JoinedOtherwise,
    /// An added line at an end of the edit repeats the line of the document there.
    RepeatsLine,
    /// The old text is a part of a line, and may be a part of another key, value or expression than the meant one.
    PartOfOther,
}

/// What a new text has in every line, around all lines, or as its first or last line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// Each line begins with a line number.
    LineNumbers,
    /// Each line begins with a sign of a diff.
    Signs,
    /// Each line begins with `>`, as in a mail.
    Quotation,
    /// A fence is around the text, as in Markdown.
    Fence,
    /// Quotation marks are around the text.
    QuotationMarks,
    /// The text begins or ends with a tag of a call.
    Tag,
    /// The text ends with the token that ends the answer of a model.
    Token,
    /// The text begins or ends as character data of XML.
    CharacterData,
    /// The text begins with the name of its field.
    Name,
}

impl Doubt {
    /// Returns a stable code for programs.
    pub fn code(self) -> &'static str {
        match self {
            Doubt::IndentationOnly
            | Doubt::RemovedElsewhere
            | Doubt::NoIndentation
            | Doubt::LeftOfMargin
            | Doubt::LostNesting => "indentation",
            Doubt::FewLines
            | Doubt::OutsideHeader
            | Doubt::OtherName
            | Doubt::PartOfOther
            | Doubt::ApartFromQuote => "too-little-evidence",
            Doubt::SeveralWays
            | Doubt::OwnSign
            | Doubt::OtherBlock
            | Doubt::FitsElsewhere
            | Doubt::PhantomBesideChange
            | Doubt::TieWithoutSign
            | Doubt::DividesBlock
            | Doubt::InsideLine
            | Doubt::JoinedOtherwise
            | Doubt::RepeatsLine
            | Doubt::SkippedBesideAddition => "place-open",
            Doubt::SkippedInRemoval | Doubt::SkippedInTexts => "lines-not-quoted",
            Doubt::MisspeltRemoval => "misspelt-removal",
            Doubt::LooksApplied | Doubt::InOtherForm => "looks-applied",
            Doubt::MendedToNothing => "mended-to-nothing",
            Doubt::StaleName => "stale-name",
            Doubt::GarbledAddition
            | Doubt::OtherEncoding
            | Doubt::Encoded
            | Doubt::EncodedNewText
            | Doubt::Wrapped(_) => "garbled",
            Doubt::LazyAddition => "lazy-addition",
        }
    }
}
