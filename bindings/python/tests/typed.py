"""What a type checker makes of the package: `mypy --strict tests/typed.py`. An error that is expected here and does not come is
an error, too. No test runs this file."""

from __future__ import annotations

import sys
from typing import Any

import apply_patch
from apply_patch import ApplyPatchError, Exactness, Result, Tree

if sys.version_info >= (3, 11):
    from typing import assert_type
else:
    from typing_extensions import assert_type

result = apply_patch.apply({"a": "text", "b": b"bytes"}, "patch", match="exact", overwrite=True)
assert_type(result, Result)
assert_type(result.files, dict[str, str | bytes | None])
assert_type(result.exactness, Exactness)
assert_type(result.exactness.tier, str | None)
assert_type(result.is_noop, bool)
assert_type(result.to_dict(), dict[str, Any])
assert_type(Tree("root").apply("patch", dry_run=True, expect={"a": "0"}), Result)
assert_type(apply_patch.apply_diff("input", "diff", "create"), str)
assert_type(apply_patch.apply_many([{"files": {"a": "b"}, "patch": "c"}]), list[Result | ApplyPatchError])

apply_patch.apply({"a": 3}, "patch")  # type: ignore[dict-item]
apply_patch.apply({}, b"patch")  # type: ignore[arg-type]
apply_patch.apply({}, "patch", match="loose")  # type: ignore[arg-type]
apply_patch.apply_diff("input", "diff", "patch")  # type: ignore[arg-type]
apply_patch.apply({}, "patch", macth="exact")  # type: ignore[call-arg]
result.is_noop = True  # type: ignore[misc]
