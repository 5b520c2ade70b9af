//! How the last line of a changed file ends.

use super::{ChunkReport, Content};
use crate::locate::Drift;
use crate::patch::FinalNewline;
use crate::text::{Document, Ending};

/// Returns whether the last chunk matched at the end of the file.
pub(super) fn reaches_end(chunks: &[ChunkReport]) -> bool {
    chunks.last().is_none_or(|chunk| !chunk.placement.drift.contains(&Drift::NotAtEnd))
}

/// Returns a content that ends as wanted; `None` if the document already has that content.
pub(super) fn ended(document: &Document, content: Option<Content>, wanted: FinalNewline) -> Option<Content> {
    let mut bytes = content.map_or_else(|| document.bytes().to_vec(), |content| content.bytes().into_owned());
    finish(document, &mut bytes, wanted);
    (bytes != **document.bytes()).then(|| Content::Bytes(bytes.into()))
}

/// Ends the text that a document has become as wanted.
pub(super) fn finish(document: &Document, bytes: &mut Vec<u8>, wanted: FinalNewline) {
    let wanted = match wanted {
        FinalNewline::Kept if was_open(document) => FinalNewline::Missing,
        FinalNewline::Kept => FinalNewline::Present,
        other => other,
    };
    match wanted {
        FinalNewline::Missing => drop_last_ending(document, bytes),
        _ if bytes.is_empty() || ends_in_line_break(document, bytes) => {}
        _ => document.encode(document.ending_beside(document.len()).as_str(), bytes),
    }
}

fn was_open(document: &Document) -> bool {
    document.len().checked_sub(1).is_some_and(|last| document.ending(last) == Ending::Missing)
}

fn drop_last_ending(document: &Document, bytes: &mut Vec<u8>) {
    // A lone carriage return at the end of the file is text, and gets a line feed as its ending.
    let keeps_return = was_open(document) && document.content().ends_with(b"\r");
    let endings = if keeps_return { &[Ending::Lf][..] } else { &[Ending::CrLf, Ending::Lf] };
    for ending in endings {
        let mut encoded = Vec::new();
        document.encode(ending.as_str(), &mut encoded);
        if bytes.ends_with(&encoded) {
            bytes.truncate(bytes.len() - encoded.len());
            return;
        }
    }
}

fn ends_in_line_break(document: &Document, bytes: &[u8]) -> bool {
    let mut feed = Vec::new();
    document.encode("\n", &mut feed);
    bytes.ends_with(&feed)
}
