"""Every block of Python in the documents runs."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import CHANGED, FILE, PATCH, ROOT

DOCUMENTS = ["README.md", "docs/python.md", "docs/batch.md", "bindings/python/README.md"]
OPTIONAL = ["pyarrow", "daft", "ray", "datafusion"]


def blocks() -> list[tuple[str, str]]:
    """Returns the blocks, each with the document and the number of its line."""
    found = []
    for document in DOCUMENTS:
        text = (ROOT / document).read_text()
        for block in re.finditer(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
            found.append((f"{document}:{text[: block.start()].count(chr(10)) + 1}", block[1]))
    return found


README = f"""
import apply_patch, pathlib
files, patch = {{"wait.py": {FILE!r}}}, {PATCH!r}
pathlib.Path("project").mkdir()
pathlib.Path("project/wait.py").write_text({FILE!r})
%s
assert pathlib.Path("project/wait.py").read_text() == {CHANGED!r}
"""
"""The block of README.md shows a call alone: here is what is around it, and what it has to do."""


@pytest.mark.parametrize(("place", "block"), blocks(), ids=[place for place, _ in blocks()])
def test_block(place: str, block: str, tmp_path: Path) -> None:
    for package in OPTIONAL:
        if re.search(rf"^(import|from) {package}\b", block, re.MULTILINE) and not importlib.util.find_spec(package):
            pytest.skip(f"{package} is not installed")
    code = README.replace("%s", block) if place.startswith("README.md") else block
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr


def test_every_document_has_a_block() -> None:
    with_blocks = {place.split(":")[0] for place, _ in blocks()}
    assert with_blocks >= {"README.md", "docs/python.md", "docs/batch.md", "bindings/python/README.md"}


def test_the_first_block_is_short_enough_for_the_readme() -> None:
    first = next(block for place, block in blocks() if place.startswith("docs/python.md"))
    assert len(first.strip().splitlines()) <= 10
