"""Turns an edit that a language model wrote into changed files.

An edit lands where it was meant, or is refused with a reason. All of a patch is applied, or none of it.

    >>> import apply_patch
    >>> patch = '''*** Begin Patch
    ... *** Update File: greet.py
    ... @@
    ... -print("helo")
    ... +print("hello")
    ... *** End Patch'''
    >>> apply_patch.apply({"greet.py": 'print("helo")\\n'}, patch).files
    {'greet.py': 'print("hello")\\n'}

- `apply`: files in memory. `Tree`: a folder on the disk. `apply_diff`: one text, as the OpenAI Agents SDK has it.
- `apply_many`, `iter_many`: many patches, each with its own files, on all processors.
- `apply_patch.batch`: columns of Arrow, and adapters for Daft, Ray Data and DataFusion.
- A patch that is not applied raises an `ApplyPatchError`: `NotAPatch`, `Refused` or `SystemRefused`.
"""

from ._api import Ambiguity, Format, Match, Row, Tree, apply, apply_diff, apply_many, iter_many
from ._native import __version__
from ._result import (
    ApplyPatchError,
    Exactness,
    NotAPatch,
    Refused,
    Result,
    SystemRefused,
    WrongUsage,
)

__all__ = [
    "Ambiguity",
    "ApplyPatchError",
    "Exactness",
    "Format",
    "Match",
    "NotAPatch",
    "Refused",
    "Result",
    "Row",
    "SystemRefused",
    "Tree",
    "WrongUsage",
    "__version__",
    "apply",
    "apply_diff",
    "apply_many",
    "iter_many",
]
