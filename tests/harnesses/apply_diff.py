"""Checks what `apply_diff.json` says of the `apply_diff` of the OpenAI Agents SDK: the column of the other side.

Needs the package `openai-agents`. What this project does is checked by tests/apply_diff.rs.
"""
import json
import pathlib

from agents import apply_diff

CASES = json.loads(pathlib.Path(__file__).with_name("apply_diff.json").read_text())


def applied(case):
    try:
        mode = "create" if case["file"] is None else "default"
        return apply_diff(case["file"] or "", case["diff"], mode=mode)
    except ValueError:
        return None


wrong = [case["name"] for case in CASES if applied(case) != case["sdk"]]
assert not wrong, f"the SDK decides otherwise: {', '.join(wrong)}"
same = sum(case["sdk"] == case["here"] for case in CASES)
print(f"apply_diff: {len(CASES)} cases, {same} agree.")
