"""An editor for the `apply_patch` tool of the OpenAI Agents SDK: `ApplyPatchTool(editor=Editor("project"))`.

A refusal goes to the model as the output of the tool, with what is different in the file and what to do next.
"""

from __future__ import annotations

import os

import apply_patch
from agents.editor import ApplyPatchOperation, ApplyPatchResult


class Editor:
    """Applies the operations of a model to a folder."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        """Names the folder. Nothing outside of it is read or written."""
        self.tree = apply_patch.Tree(root)

    def create_file(self, operation: ApplyPatchOperation) -> ApplyPatchResult:
        """Creates a file of the lines of the diff."""
        return self._apply(operation.diff or "", operation.path, "new-file")

    def update_file(self, operation: ApplyPatchOperation) -> ApplyPatchResult:
        """Applies the hunks of the diff, and moves the file if the operation says so."""
        if operation.move_to is None:
            return self._apply(operation.diff or "", operation.path, "hunks")
        diff = (operation.diff or "").rstrip("\n")
        lines = ["*** Begin Patch", f"*** Update File: {operation.path}", f"*** Move to: {operation.move_to}", diff]
        return self._apply("\n".join([*filter(None, lines), "*** End Patch"]), operation.path, "envelope")

    def delete_file(self, operation: ApplyPatchOperation) -> ApplyPatchResult:
        """Deletes the file."""
        patch = f"*** Begin Patch\n*** Delete File: {operation.path}\n*** End Patch"
        return self._apply(patch, operation.path, "envelope")

    def _apply(self, patch: str, path: str, format: apply_patch.Format) -> ApplyPatchResult:
        try:
            return ApplyPatchResult("completed", self.tree.apply(patch, format=format, file=path).report)
        except apply_patch.ApplyPatchError as error:
            return ApplyPatchResult("failed", error.report)
