//! The words for what was repaired in the text of a patch.

use std::fmt::{self, Display, Formatter};

use crate::format::{Repair, RepairKind};
use crate::text::shown;

impl Display for Repair {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "patch {}: {}", self.span, self.kind)
    }
}

impl Display for RepairKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = match self {
            RepairKind::ByteOrderMark => "dropped a byte-order mark before the patch",
            RepairKind::Json => "took the patch out of a JSON text; line numbers count inside it",
            RepairKind::Escaped => {
                "undid the escapes of the whole patch (\\n, \\\"); line numbers count after that"
            }
            RepairKind::Fence => "dropped a code fence around the patch",
            RepairKind::Heredoc => "dropped a heredoc around the patch",
            RepairKind::ChangeFolder(dir) => {
                return write!(f, "read the names from the folder of `cd {}`", shown(dir));
            }
            RepairKind::DryRun => "the text asks for a dry run: nothing is written",
            RepairKind::CommandBefore => "a command before the patch was not run",
            RepairKind::CommandAfter => "a command after the patch was not run",
            RepairKind::BareUnderHeader => "dropped a bare `@@` under a header",
            RepairKind::Conflict => "read a conflict as a block: its first part is replaced by its second",
            RepairKind::LastPlus => "read a lone last `+` as the end of the last line",
            RepairKind::Prose => "dropped text around the patch",
            RepairKind::IndentedEnvelope(_) => "removed the indentation of the whole patch",
            RepairKind::Marker => "read a marker that is not spelt exactly",
            RepairKind::BlankLine => "dropped a blank line that belongs to nothing",
            RepairKind::MissingChunkMarker => "began a chunk without its `@@`",
            RepairKind::ChunkMarkerSpace => "read `@@text` as `@@ text`",
            RepairKind::EmptyChunk => "dropped a `@@` with nothing under it",
            RepairKind::EmptyContext => "read an empty line as an empty context line (` `)",
            RepairKind::UnsignedContext => "read a line without a sign as context",
            RepairKind::UnsignedAdd => "read a line without `+` as a line of the new file",
            RepairKind::NoNewlineNote => "dropped `\\ No newline at end of file`",
            RepairKind::MoveOnly => "read an Update without a chunk as a move",
            RepairKind::EndOfFileNote => "dropped a `*** End of File` that belongs to no chunk",
            RepairKind::LateMove => "read a `*** Move to:` below the chunks",
            RepairKind::DeleteBody => "dropped the lines under a Delete",
            RepairKind::NameLine => "took the file name out of the line above the block",
            RepairKind::UnescapedMarker => "read a line that begins as a marker does as text",
            RepairKind::NoLineNumbers => "read a `@@` without line numbers",
            RepairKind::SameText => "left out an edit that changes nothing",
            RepairKind::ValueAsText => "read a text as a switch or a number",
            RepairKind::WrongCounts => "passed over counts that are not those of the lines below",
            RepairKind::DiffNames => "dropped the names of a diff under an Update",
            RepairKind::OneName => "took the one name of a file above a hunk for both names",
            RepairKind::SeveralEnvelopes => "read several envelopes as one patch",
            RepairKind::Truncated => "accepted a patch without its end",
        };
        f.write_str(text)
    }
}
