"""What the tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
"""The repository."""

FILE = "def wait(most):\n    pause = 20\n    sleep(pause)\n"
PATCH = """*** Begin Patch
*** Update File: wait.py
@@
-    pause = 20
+    pause = 40
*** End Patch
"""
CHANGED = FILE.replace("20", "40")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one file."""
    (tmp_path / "wait.py").write_text(FILE)
    return tmp_path
