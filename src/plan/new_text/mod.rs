//! New texts that are not what the file is to have: a call, a patch or an encoder left its marks in the new text, and neither the
//! old text nor the file has such marks.
//!
//! | file | the new text has |
//! |---|---|
//! | `around` | line numbers, signs, a fence or quotation marks, in every line or around all lines |
//! | `marks` | a tag of a call or a marker of a patch, as its first or last line |
//! | `encoded` | signs and line breaks only encoded, while the old text has these as they are |

mod around;
mod encoded;
mod marks;
mod texts;

pub(super) use self::texts::NewText;
use self::texts::Texts;
use super::Options;
use crate::locate::{Doubt, Drift, Miss, Placement, Reason};
use crate::text::Document;

/// Checks that the new text of a placed edit is what the file is to have. With literal matching, every text is, and so is a text
/// without anything that may be a mark.
///
/// # Errors
/// The refusal of the first position.
pub(super) fn check(
    document: &Document,
    path: &str,
    edit: Option<&NewText<'_>>,
    placements: &[Placement],
    options: &Options,
) -> Result<(), Miss> {
    let Some(edit) = edit else { return Ok(()) };
    let is_open = |placement: &&Placement| !placement.drift.contains(&Drift::AlreadyApplied);
    let Some(placement) = placements.iter().find(is_open).filter(|_| !options.matching.literal) else {
        return Ok(());
    };
    let texts = Texts::new(document, path, edit, placement.start);
    let wrap = around::wrap(&texts).or_else(|| marks::mark(&texts)).map(Doubt::Wrapped);
    let doubt = wrap.or_else(|| encoded::is_encoded(&texts).then_some(Doubt::EncodedNewText));
    let place = placement.start..placement.start + placement.removed;
    doubt.map_or(Ok(()), |doubt| Err(Miss::new(Reason::Doubt { place, line: None, doubt }, document, &[])))
}
