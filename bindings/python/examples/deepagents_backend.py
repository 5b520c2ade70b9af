"""A backend of DeepAgents whose `edit_file` forgives drift, and is refused where a place is not clear.

`create_deep_agent(backend=PatchBackend("project"))`. All else is what `FilesystemBackend` does.
"""

from __future__ import annotations

import json

import apply_patch
from deepagents.backends.filesystem import FilesystemBackend
from deepagents.backends.protocol import EditResult


class PatchBackend(FilesystemBackend):
    """Files below a folder."""

    def edit(self, file_path: str, old_string: str, new_string: str, replace_all: bool = False) -> EditResult:
        """Replaces a text; line ends, encoding and all other bytes of the file stay."""
        try:
            path = self._resolve_path(file_path).relative_to(self.cwd).as_posix()
        except (OSError, RuntimeError, ValueError) as error:
            return EditResult(error=f"cannot edit {file_path!r}: {error}")
        call = {"path": path, "old_str": old_string, "new_str": new_string, "replace_all": replace_all}
        try:
            result = apply_patch.Tree(self.cwd).apply(json.dumps(call), format="edit")
        except apply_patch.ApplyPatchError as error:
            return EditResult(error=error.report)
        return EditResult(path=file_path, occurrences=result.exactness.chunks)
