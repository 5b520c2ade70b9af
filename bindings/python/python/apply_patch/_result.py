"""What became of a patch: a `Result`, or an `ApplyPatchError`."""

from __future__ import annotations

import json
from typing import Any, NamedTuple, cast

from . import _native

Content = str | bytes


class Exactness(NamedTuple):
    """How well the patch was quoted."""

    chunks: int
    """All chunks of the patch."""

    inexact: int
    """The chunks that were not quoted as the file has them."""

    tier: str | None
    """The loosest comparison that was needed: `exact`, `trailing-space`, `indentation`, `look-alikes`, `spelling` or
    `alignment`; `None` if the patch has no chunk."""


class _Reported:
    """What a result and an error have in common."""

    __slots__ = ()

    _report: _native.Report

    @property
    def report(self) -> str:
        """The words for the model that wrote the patch."""
        return self._report.words()

    @property
    def outcome(self) -> str:
        """`applied`, `would-apply`, `refused`, `not-a-patch`, `wrong-usage` or `stopped`."""
        return self._report.outcome

    @property
    def status(self) -> int:
        """The exit status of the command."""
        return self._report.status

    @property
    def codes(self) -> list[str]:
        """The stable names of all that is wrong; empty for a patch that fits."""
        return self._report.codes

    @property
    def code(self) -> str | None:
        """The first of `codes`."""
        codes = self._report.codes
        return codes[0] if codes else None

    def to_json(self) -> str:
        """Returns the JSON report on one line, as `apply-patch --json` prints it."""
        return self._report.json()

    def to_dict(self) -> dict[str, Any]:
        """Returns the JSON report as a dictionary."""
        return cast("dict[str, Any]", json.loads(self._report.json()))


class Result(_Reported):
    """What an applied patch changed, or what a dry run would change."""

    __slots__ = ("_report", "files", "text")

    files: dict[str, Content | None]
    """The changed files alone, each in the type that came in; `None` for a deleted file."""

    text: Content | None
    """Of a row with `path` and `text`: the content of that file afterwards, changed or not; `None` if it was deleted. That
    file is not in `files`."""

    def __init__(
        self, files: dict[str, Content | None], report: _native.Report, text: Content | None = None
    ) -> None:
        self.files = files
        self.text = text
        self._report = report

    @property
    def exactness(self) -> Exactness:
        """How well the patch was quoted."""
        chunks, inexact = self._report.chunks or (0, 0)
        return Exactness(chunks, inexact, self._report.tier)

    @property
    def is_noop(self) -> bool:
        """Whether nothing changes, because all changes were made before."""
        return self._report.is_noop

    @property
    def diff(self) -> str | None:
        """The changes as a unified diff, if the call asked for a diff."""
        return cast("str | None", self.to_dict()["diff"])

    @property
    def undo(self) -> str | None:
        """The patch that takes the changes back, if the call asked for it."""
        return self._report.undo

    def __repr__(self) -> str:
        return f"<Result {self.outcome}: {len(self.files)} files, exactness={self.exactness!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Result, (self.files, self._report, self.text))


class ApplyPatchError(_Reported, Exception):
    """A patch was not applied. `str()` of it is the report: the words for the model."""

    def __init__(self, report: _native.Report) -> None:
        # The only argument, so that a pickle makes the same error of it.
        super().__init__(report)
        self._report = report

    def __str__(self) -> str:
        return self.report

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.outcome}: {', '.join(self.codes) or self.report}>"

    @property
    def files(self) -> dict[str, Content | None]:
        """Always empty: nothing was changed."""
        return {}

    @property
    def text(self) -> Content | None:
        """Always `None`: nothing was changed."""
        return None

    @property
    def failures(self) -> list[dict[str, Any]]:
        """All that is wrong, as the JSON report has it: `failures` of a patch that does not fit, `errors` of a text that is
        not a patch."""
        report = self.to_dict()
        return cast("list[dict[str, Any]]", report["failures"] or report["errors"])

    @property
    def suggestion(self) -> str | None:
        """A patch that can be sent instead, where the place is clear. It is to be checked first."""
        return cast("str | None", self.to_dict()["suggestion"])

    @property
    def fingerprint(self) -> str | None:
        """The same whenever the same lines are asked of the same file: a model that goes round in circles."""
        return self._report.fingerprint


class Refused(ApplyPatchError, ValueError):
    """The patch does not fit the files; nothing was changed."""


class NotAPatch(ApplyPatchError, ValueError):
    """The text is not a patch; nothing was changed."""


class WrongUsage(ApplyPatchError, ValueError):
    """A row makes no sense; nothing was changed."""


class SystemRefused(ApplyPatchError):
    """A file cannot be read or written. `status` is 5 if something is half done, which `Tree.recover` finishes."""


_REFUSED, _NOT_A_PATCH = 1, 2
_APPLIED = (0, 4)


def outcome_of(
    files: dict[str, Content | None], text: Content | None, report: _native.Report
) -> Result | ApplyPatchError:
    """Returns what became of a patch."""
    status = report.status
    if status in _APPLIED:
        return Result(files, report, text)
    if status == _REFUSED:
        return Refused(report)
    if status == _NOT_A_PATCH:
        return WrongUsage(report) if report.outcome == "wrong-usage" else NotAPatch(report)
    return SystemRefused(report)
