"""The native half of the package."""

from collections.abc import Mapping, Sequence
from typing import final

__all__ = [
    "Options",
    "Report",
    "__version__",
    "_panic",
    "apply",
    "apply_rows",
    "apply_to_disk",
    "main",
    "recover",
    "restore",
]

__version__: str

@final
class Options:
    def __new__(
        cls,
        *,
        match: str,
        ambiguity: str,
        format: str,
        file: str | None,
        strict: bool,
        overwrite: bool,
        dry_run: bool,
        diff: bool,
        undo: bool,
        expect: Sequence[tuple[str, str]],
        budget: int,
        sync: bool,
        wait: bool,
        threads: int | None,
    ) -> Options: ...

@final
class Report:
    @property
    def outcome(self) -> str: ...
    @property
    def status(self) -> int: ...
    @property
    def codes(self) -> list[str]: ...
    @property
    def chunks(self) -> tuple[int, int] | None: ...
    @property
    def tier(self) -> str | None: ...
    @property
    def is_noop(self) -> bool: ...
    @property
    def fingerprint(self) -> str | None: ...
    @property
    def undo(self) -> str | None: ...
    def words(self) -> str: ...
    def json(self) -> str: ...

_Native = tuple[dict[str, str | bytes | None], str | bytes | None, Report]

def apply(files: Mapping[str, str | bytes], patch: str, options: Options) -> _Native: ...
def apply_rows(rows: Sequence[object], threads: int | None, options: Options) -> list[_Native]: ...
def apply_to_disk(root: str, further: Sequence[str], patch: str, options: Options) -> _Native: ...
def recover(root: str, further: Sequence[str], options: Options) -> tuple[str, list[str]]: ...
def main(args: Sequence[str]) -> int: ...
def restore(words: str, json: str, summary: str) -> Report: ...
def _panic() -> None: ...
