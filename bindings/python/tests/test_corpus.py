"""Every case of `fixtures/` through the module, so that Python and the command cannot drift apart.

A case runs on a copy of its folder by `Tree.apply`, and in memory by `apply` if its tree needs no disk. A case whose options
only the command has runs by the command of the wheel.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apply_patch
import pytest
from conftest import ROOT

FIXTURES = ROOT / "fixtures"
STATUS = {"applied": 0, "refused": 1, "not-a-patch": 2, "system-refused": 3}
VALUES = {"--match": "match", "--format": "format", "--file": "file", "--ambiguity": "ambiguity"}
SWITCHES = {"--strict": "strict", "--overwrite": "overwrite"}


@dataclass
class Case:
    """What `case.txt` says."""

    folder: Path
    status: int = -1
    why: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, folder: Path) -> Case:
        case = cls(folder)
        for line in (folder / "case.txt").read_text().splitlines():
            key, _, value = (part.strip() for part in line.partition(":"))
            if key == "expect":
                case.status = STATUS[value]
            elif key == "why":
                case.why.append(value)
            elif key == "options":
                case.options = value.split()
        return case

    def keywords(self) -> dict[str, Any] | None:
        """Returns the options as keywords; `None` if only the command has them."""
        keywords: dict[str, Any] = {}
        options = iter(self.options)
        for option in options:
            if option in SWITCHES:
                keywords[SWITCHES[option]] = True
            elif option in VALUES:
                keywords[VALUES[option]] = next(options)
            else:
                return None
        levels = ("exact", "whitespace", "guarded")
        return keywords if keywords.get("match", "guarded") in levels else None

    def patch(self) -> str | None:
        """Returns the patch; `None` if it is not UTF-8, which the command decodes."""
        try:
            return (self.folder / "patch.txt").read_bytes().decode()
        except UnicodeDecodeError:
            return None


CASES = sorted(path.parent for path in FIXTURES.rglob("case.txt"))


def tree(folder: Path) -> dict[str, bytes | str]:
    """Returns the files of a folder; a link as the text of where it leads, executable files marked."""
    found: dict[str, bytes | str] = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = os.readlink(path)
        elif path.is_file():
            mark = b"x" if path.stat().st_mode & stat.S_IXUSR else b"-"
            found[name] = mark + path.read_bytes()
    return found


def needs_disk(before: dict[str, bytes | str], folder: Path, case: Case) -> bool:
    """Returns whether links, modes, or folders are part of a case."""
    special = any(isinstance(content, str) or content[:1] == b"x" for content in before.values())
    empty = folder.is_dir() and any(path.is_dir() and not any(path.iterdir()) for path in folder.rglob("*"))
    return special or empty or case.folder.relative_to(FIXTURES).parts[0] == "path"


def outcome(apply: Any) -> apply_patch.Result | apply_patch.ApplyPatchError:
    try:
        return apply()
    except apply_patch.ApplyPatchError as error:
        return error


def command(case: Case, folder: Path, *rendering: str) -> subprocess.CompletedProcess[bytes]:
    """Runs the command of the wheel in a folder."""
    run = [sys.executable, "-m", "apply_patch", *rendering, *case.options]
    return subprocess.run(run, input=(case.folder / "patch.txt").read_bytes(), cwd=folder, capture_output=True)


def check(case: Case, before: Path, answer: apply_patch.Result | apply_patch.ApplyPatchError) -> None:
    assert answer.status == case.status, answer.report
    assert set(case.why) <= set(answer.codes), answer.report
    snapshot = case.folder / "report.model.snap"
    if snapshot.exists():
        words = re.sub(r"\A---\n.*?\n---\n", "", snapshot.read_text(), flags=re.DOTALL)
        if isinstance(answer, apply_patch.ApplyPatchError) and answer.suggestion is not None:
            words = command(case, before, "--for", "model", "--suggest").stderr.decode()
        # A report for Python names no option of the command.
        if not re.search(r"`(-|apply-patch)", words):
            assert answer.report.strip() == words.strip()
    json_snapshot = case.folder / "report.json.snap"
    if json_snapshot.exists():
        text = re.sub(r"\A---\n.*?\n---\n", "", json_snapshot.read_text(), flags=re.DOTALL)
        if not re.search(r"`(-|apply-patch)", text):
            assert answer.to_dict() == json.loads(text)


OTHERS = {f"never named/{number}": b"x" for number in range(20)}
"""Of so many files only those that the patch names are read."""


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.relative_to(FIXTURES).as_posix())
def test_case(folder: Path, tmp_path: Path) -> None:
    case = Case.read(folder)
    before = folder / "before"
    copy = tmp_path / "copy"
    if before.is_dir():
        shutil.copytree(before, copy, symlinks=True)
    else:
        copy.mkdir()
    start = tree(copy)
    after = folder / "after"
    expected = tree(after) if after.is_dir() else start
    keywords, patch = case.keywords(), case.patch()
    if keywords is None or patch is None:
        run = command(case, copy, "--json")
        assert run.returncode == case.status, run.stdout
        assert tree(copy) == expected
        return
    answer = outcome(lambda: apply_patch.Tree(copy, sync=False).apply(patch, **keywords))
    check(case, before, answer)
    assert tree(copy) == expected
    if not needs_disk(start, before, case):
        given = {name: content[1:] for name, content in start.items() if isinstance(content, bytes)}
        in_memory = outcome(lambda: apply_patch.apply({**given, **OTHERS}, patch, **keywords))
        check(case, before, in_memory)
        if answer.outcome != "would-apply":
            changed = {**given, **in_memory.files}
            present = {name: content for name, content in changed.items() if content is not None}
            assert present == {name: content[1:] for name, content in expected.items() if isinstance(content, bytes)}
        assert set(in_memory.files) == set(answer.files)
        assert in_memory.to_dict() == answer.to_dict()


def test_there_are_cases() -> None:
    assert len(CASES) > 900
    snapshots = [path for path in FIXTURES.rglob("report.*.snap") if re.search(r"`(-|apply-patch)", path.read_text())]
    assert len(snapshots) < len(list(FIXTURES.rglob("report.*.snap"))) / 3
    keywords = [Case.read(folder).keywords() for folder in CASES]
    assert sum(options is None for options in keywords) < len(CASES) / 5
