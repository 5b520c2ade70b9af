"""The functions that apply patches."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Literal, TypedDict

from . import _native
from ._result import ApplyPatchError, Content, Result, outcome_of

Match = Literal["exact", "whitespace", "guarded"]
Format = Literal["auto", "envelope", "search-replace", "edit", "unified", "hunks", "new-file"]
Ambiguity = Literal["refuse", "first"]

BUDGET = 4000
"""How many characters a report has at the most."""

WINDOW = 1024
"""How many rows are in memory at once."""

# `match` is no name that a class body could use before Python 3.10; it is one for a call.
Row = TypedDict(
    "Row",
    {
        "id": object,
        "files": Mapping[str, Content],
        "path": str,
        "text": Content,
        "root": str,
        "patch": str,
        "match": Match,
        "ambiguity": Ambiguity,
        "format": Format,
        "file": str,
        "strict": bool,
        "overwrite": bool,
        "check": bool,
    },
    total=False,
)
"""A row of `apply_many`: `patch`, and `files`, or `path` and `text`, or `root`; and options that go before those of the
call."""


def _options(
    *,
    match: Match = "guarded",
    ambiguity: Ambiguity = "refuse",
    format: Format = "auto",
    file: str | None = None,
    strict: bool = False,
    overwrite: bool = False,
    dry_run: bool = False,
    diff: bool = False,
    undo: bool = False,
    expect: Mapping[str, str] | None = None,
    budget: int = BUDGET,
    sync: bool = True,
    wait: bool = True,
    threads: int | None = 1,
) -> _native.Options:
    return _native.Options(
        match=match,
        ambiguity=ambiguity,
        format=format,
        file=file,
        strict=strict,
        overwrite=overwrite,
        dry_run=dry_run,
        diff=diff,
        undo=undo,
        expect=list(expect.items()) if expect else [],
        budget=budget,
        sync=sync,
        wait=wait,
        threads=threads,
    )


def _result(native: tuple[dict[str, Content | None], Content | None, _native.Report]) -> Result:
    files, text, report = native
    outcome = outcome_of(files, text, report)
    if isinstance(outcome, Result):
        return outcome
    raise outcome


def apply(
    files: Mapping[str, str | bytes],
    patch: str,
    *,
    match: Match = "guarded",
    ambiguity: Ambiguity = "refuse",
    format: Format = "auto",
    file: str | None = None,
    strict: bool = False,
    overwrite: bool = False,
    diff: bool = False,
    undo: bool = False,
    budget: int = BUDGET,
) -> Result:
    """Applies a patch to files in memory. `files` itself stays as it is.

    Args:
        files: The contents, by path. Text and bytes come back as what they were.
        patch: What the model wrote, in any format.
        match: How much a quote may differ from the file.
        ambiguity: What is done where several places match.
        format: The format of the patch; `auto` for what the text shows.
        file: The file that is meant where the patch names none.
        strict: Take the grammar to the letter.
        overwrite: Let Add and Move replace files.
        diff: Make `Result.diff`.
        undo: Make `Result.undo`.
        budget: How many characters the report has at the most; 0 for any number.

    Raises:
        NotAPatch: The text is not a patch.
        Refused: The patch does not fit the files.
        TypeError: `files` or `patch` is of a wrong type.
        ValueError: An option has an unknown name, or a text has lone surrogates.
    """
    options = _options(
        match=match,
        ambiguity=ambiguity,
        format=format,
        file=file,
        strict=strict,
        overwrite=overwrite,
        diff=diff,
        undo=undo,
        budget=budget,
    )
    return _result(_native.apply(files, patch, options))


def apply_diff(
    input: str,
    diff: str,
    mode: Literal["default", "create"] = "default",
    *,
    path: str = "input",
    match: Match = "guarded",
) -> str:
    """Applies the hunks of one file, and returns the new text: `agents.apply_diff` of the OpenAI Agents SDK.

    Args:
        input: The text; not used with `create`.
        diff: The hunks, without an envelope.
        mode: `create` for a new file, each of whose lines has a `+`.
        path: The name that the report has for the text.
        match: How much a quote may differ from the text.

    Raises:
        NotAPatch: The text is not a diff. It is a `ValueError`.
        Refused: The diff does not fit the text. It is a `ValueError`.
        TypeError: `input` or `diff` is no text.
    """
    if mode not in ("default", "create"):
        raise ValueError(f"unknown mode: {mode!r}; expected one of default, create")
    if not isinstance(input, str):
        raise TypeError(f"input must be str, not {type(input).__name__}")
    create = mode == "create"
    files = {} if create else {path: input}
    options = _options(match=match, file=path, format="new-file" if create else "hunks")
    changed = _result(_native.apply(files, diff, options)).files.get(path, input)
    return changed if isinstance(changed, str) else input


def iter_many(
    requests: Iterable[Row | Mapping[str, Any]],
    *,
    threads: int | None = None,
    match: Match = "guarded",
    ambiguity: Ambiguity = "refuse",
    format: Format = "auto",
    strict: bool = False,
    overwrite: bool = False,
    diff: bool = False,
    undo: bool = False,
    budget: int = BUDGET,
    window: int = WINDOW,
) -> Iterator[Result | ApplyPatchError]:
    """Applies many patches, each with its own files, and yields what became of each, in order.

    A row that is not applied yields its error; it does not raise it. At most `window` rows are in memory. Rows of the same
    folder are applied in their order.

    Args:
        requests: Mappings with `patch`, and `files`, or `path` and `text`, or `root`: see `Row`.
        threads: How many threads work; `None` for all processors. A row uses one thread.
        window: How many rows are read at once.
    """
    options = _options(
        match=match,
        ambiguity=ambiguity,
        format=format,
        strict=strict,
        overwrite=overwrite,
        diff=diff,
        undo=undo,
        budget=budget,
    )
    if window < 1:
        raise ValueError("window must be at least 1")
    return _windows(iter(requests), window, threads, options)


def _windows(
    requests: Iterator[Row | Mapping[str, Any]],
    window: int,
    threads: int | None,
    options: _native.Options,
) -> Iterator[Result | ApplyPatchError]:
    while rows := list(islice(requests, window)):
        for files, text, report in _native.apply_rows(rows, threads, options):
            yield outcome_of(files, text, report)


def apply_many(
    requests: Iterable[Row | Mapping[str, Any]],
    *,
    threads: int | None = None,
    match: Match = "guarded",
    ambiguity: Ambiguity = "refuse",
    format: Format = "auto",
    strict: bool = False,
    overwrite: bool = False,
    diff: bool = False,
    undo: bool = False,
    budget: int = BUDGET,
) -> list[Result | ApplyPatchError]:
    """Does what `iter_many` does, and returns a list."""
    return list(
        iter_many(
            requests,
            threads=threads,
            match=match,
            ambiguity=ambiguity,
            format=format,
            strict=strict,
            overwrite=overwrite,
            diff=diff,
            undo=undo,
            budget=budget,
        )
    )


class Tree:
    """A folder on the disk. Nothing outside of it is read or written."""

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        further: Iterable[str | os.PathLike[str]] = (),
        sync: bool = True,
        wait: bool = True,
        threads: int | None = None,
    ) -> None:
        """Names a folder.

        Args:
            root: The folder that names in a patch are relative to.
            further: Folders in which absolute names are allowed.
            sync: Wait until the disk has everything.
            wait: Wait for another run that is at work in the folder.
            threads: How many threads a large patch may use; `None` for all processors, 8 at the most.
        """
        self.root = os.fspath(root)
        self.further = [os.fspath(folder) for folder in further]
        self.sync = sync
        self.wait = wait
        self.threads = threads

    def __repr__(self) -> str:
        return f"Tree({self.root!r})"

    def apply(
        self,
        patch: str,
        *,
        dry_run: bool = False,
        match: Match = "guarded",
        ambiguity: Ambiguity = "refuse",
        format: Format = "auto",
        file: str | None = None,
        strict: bool = False,
        overwrite: bool = False,
        diff: bool = False,
        undo: bool = False,
        expect: Mapping[str, str] | None = None,
        budget: int = BUDGET,
    ) -> Result:
        """Applies a patch in one transaction, as the command does.

        Args:
            dry_run: Touch nothing; the result is what would change.
            expect: The SHA-256 of files that the model was shown: another content is refused.

        The other arguments are those of `apply_patch.apply`. `Result.files` has text where a file is UTF-8, else bytes.

        Raises:
            NotAPatch: The text is not a patch.
            Refused: The patch does not fit the files.
            SystemRefused: A file cannot be read or written.
            OSError: The folder cannot be opened.
        """
        options = _options(
            match=match,
            ambiguity=ambiguity,
            format=format,
            file=file,
            strict=strict,
            overwrite=overwrite,
            dry_run=dry_run,
            diff=diff,
            undo=undo,
            expect=expect,
            budget=budget,
            sync=self.sync,
            wait=self.wait,
            threads=self.threads,
        )
        return _result(_native.apply_to_disk(self.root, self.further, patch, options))

    def recover(self) -> tuple[str, list[str]]:
        """Finishes, or takes back, what an interrupted run left.

        Returns `nothing`, `cleared`, `finished` or `put-back`, and the paths.

        Raises:
            OSError: It can be neither finished nor taken back.
        """
        options = _options(sync=self.sync, wait=self.wait, threads=self.threads)
        return _native.recover(self.root, self.further, options)
