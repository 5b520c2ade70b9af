//! What a text contains.

use crate::format::call::Call;
use crate::format::error::{ParseError, ParseErrors};
use crate::format::repair::Repair;
use crate::patch::Patch;

/// What a text holds: the result of [`parse`](crate::format::parse), or of the events of a [`Stream`](crate::format::Stream),
/// collected in their order.
///
/// ```
/// use apply_patch::format::{Options, Parsed, Stream, parse};
///
/// let text = "*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** End Patch\n";
/// let mut events = Vec::new();
/// let mut stream = Stream::new(&Options::default());
/// for piece in text.as_bytes().chunks(7) {
///     stream.feed(piece, &mut |event| events.push(event.into_owned()));
/// }
/// stream.finish(&mut |event| events.push(event.into_owned()));
/// assert_eq!(events.into_iter().collect::<Parsed<'_>>(), parse(text, &Options::default()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parsed<'a> {
    /// The patch; if there are errors, the part that could be parsed.
    pub patch: Patch<'a>,
    /// The calls in the text, in order; also if there are errors.
    pub calls: Vec<Call>,
    /// What was repaired, in the order of the text.
    pub repairs: Vec<Repair>,
    /// What keeps the text from being a patch, in the order of the text: at most the first [`ParseErrors::MOST`] errors.
    pub errors: Vec<ParseError>,
    /// How many errors the text has.
    pub errors_in_all: usize,
}

impl<'a> Parsed<'a> {
    /// Returns the patch and its repairs, or the errors.
    ///
    /// # Errors
    /// The errors of the text, if there is any.
    pub fn into_result(self) -> Result<(Patch<'a>, Vec<Repair>), ParseErrors> {
        if self.errors.is_empty() {
            Ok((self.patch, self.repairs))
        } else {
            Err(ParseErrors { kept: self.errors, in_all: self.errors_in_all })
        }
    }
}
