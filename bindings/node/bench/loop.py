"""What `speed.mjs` measures, in the Python module: prints the microseconds of a call, in words and JSON as Node has them."""

import sys
import time

import apply_patch

CALLS = 1_000


def line(at: int) -> str:
    return f"    value_{at} = compute({at})\n"


text = "".join(map(line, range(200)))
patch = (
    "*** Begin Patch\n*** Update File: a.py\n@@\n"
    f" {line(99)}-{line(100)}+    changed\n {line(101)}*** End Patch\n"
)
fastest = float("inf")
for _ in range(int(sys.argv[1])):
    begin = time.perf_counter()
    for _ in range(CALLS):
        result = apply_patch.apply({"a.py": text}, patch)
        assert result.report and result.to_json()
    fastest = min(fastest, (time.perf_counter() - begin) * 1e6 / CALLS)
assert result.files == {"a.py": text.replace(line(100), "    changed\n")}
print(f"apply: {fastest:.1f}")
