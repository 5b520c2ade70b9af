"""Columns of Arrow, and the engines: each gives what the command gives."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apply_patch
import pytest
from apply_patch import batch
from conftest import CHANGED, FILE, PATCH

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

ROWS = 60


def rows() -> list[dict[str, Any]]:
    """Rows that are applied, drifted, refused and no patch."""
    made = []
    for number in range(ROWS):
        text = "".join(f"line {line} of {number}\n" for line in range(40))
        old, new = f"line {number % 40} of {number}", f"changed {number}"
        quoted = {0: old, 1: f"  {old}", 2: f"gone {number}", 3: old}[number % 4]
        patch = f"*** Begin Patch\n*** Update File: a.txt\n@@\n-{quoted}\n+{new}\n*** End Patch\n"
        made.append({"id": number, "path": "a.txt", "text": text, "patch": "none" if number % 4 == 3 else patch})
    return made


@pytest.fixture(scope="module")
def expected() -> list[dict[str, Any]]:
    """What the command answers."""
    lines = "".join(json.dumps(row) + "\n" for row in rows())
    run = [sys.executable, "-m", "apply_patch", "batch"]
    output = subprocess.run(run, input=lines, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in output.stdout.splitlines()]
    assert {answer["outcome"] for answer in answers} == {"applied", "refused", "not-a-patch"}
    return answers


def table() -> Any:
    return pa.Table.from_pylist(rows())


def check(answers: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    """Checks that columns are what the command answers, in order."""
    assert len(answers) == len(expected) == ROWS
    for answer, wanted in zip(answers, expected):
        assert answer["result"] == wanted.get("text")
        assert (answer["outcome"], answer["code"]) == (wanted["outcome"], wanted["code"])
        assert json.loads(answer["json"]) == wanted["report"]
        exactness = wanted["report"]["exactness"]
        assert answer["exactness"] == (exactness and {**exactness, "tier": wanted["tier"]})


COLUMNS = (*batch.OUTPUTS, "json")


def test_many_rows_are_what_the_command_answers(expected: list[dict[str, Any]]) -> None:
    for answer, wanted in zip(apply_patch.apply_many(rows(), threads=3), expected):
        assert (answer.text, answer.outcome, answer.code) == (wanted.get("text"), wanted["outcome"], wanted["code"])
        assert answer.to_dict() == wanted["report"]


def test_arrow(expected: list[dict[str, Any]]) -> None:
    answers = batch.apply_arrow(table().to_batches()[0], columns=COLUMNS)
    assert answers.column_names == ["id", "path", "text", "patch", *COLUMNS]
    check(answers.to_pylist(), expected)
    assert batch.apply_arrow(table(), keep=False).column_names == list(batch.OUTPUTS)


def test_arrow_with_files_and_bytes() -> None:
    files = pa.array([[("wait.py", FILE.encode()), ("b", b"\xe5")], None, []], pa.map_(pa.string(), pa.binary()))
    answers = batch.apply_arrow(pa.table({"files": files, "patch": [PATCH, PATCH, None]}))
    assert answers.column("outcome").to_pylist() == ["applied", "wrong-usage", "wrong-usage"]
    assert answers.column("result").to_pylist() == [[("wait.py", CHANGED.encode())], None, None]
    struct = pa.table({"files": [{"wait.py": FILE}, {"other.py": "x"}], "patch": [PATCH, PATCH]})
    assert batch.apply_arrow(struct).column("outcome").to_pylist() == ["applied", "refused"]


def test_arrow_with_folders(tmp_path: Path) -> None:
    (tmp_path / "wait.py").write_text(FILE)
    answers = batch.apply_arrow(pa.table({"root": [str(tmp_path)], "patch": [PATCH]}))
    assert answers.column("result").to_pylist() == [[("wait.py", CHANGED)]]
    assert (tmp_path / "wait.py").read_text() == CHANGED


def test_a_table_of_no_rows_has_the_columns() -> None:
    empty = batch.apply_arrow(table().slice(0, 0))
    assert empty.num_rows == 0 and set(batch.OUTPUTS) <= set(empty.column_names)
    assert empty.schema == batch.apply_arrow(table()).schema


def test_wrong_columns_are_named() -> None:
    with pytest.raises(ValueError, match="no column `patch` among text"):
        batch.apply_arrow(pa.table({"text": ["a"]}))
    with pytest.raises(ValueError, match="unknown columns: words"):
        batch.apply_arrow(table(), columns=["words"])
    answers = batch.apply_arrow(pa.table({"path": ["a"], "text": [3], "patch": [PATCH]}))
    assert answers.column("outcome").to_pylist() == ["wrong-usage"]


def test_daft(expected: list[dict[str, Any]]) -> None:
    daft = pytest.importorskip("daft", reason="Daft is not installed")
    frame = daft.from_arrow(table())
    answer = batch.daft_apply(frame["path"], frame["text"], frame["patch"], columns=COLUMNS)
    frame = frame.with_column("answer", answer).sort("id")
    check([row["answer"] for row in frame.to_pylist()], expected)


@pytest.fixture
def ray() -> Iterator[Any]:
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    pytest.importorskip("ray.data", reason="Ray Data is not installed")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    yield ray
    ray.shutdown()


def test_ray(ray: Any, expected: list[dict[str, Any]]) -> None:
    dataset = ray.data.from_arrow(table())
    done = dataset.map_batches(batch.RayApply(columns=COLUMNS), batch_format="pyarrow", batch_size=16)
    check(sorted(done.take_all(), key=lambda row: row["id"]), expected)


def test_an_error_comes_through_ray(ray: Any) -> None:
    @ray.remote
    def refused() -> object:
        return apply_patch.apply({}, PATCH)

    with pytest.raises(apply_patch.Refused, match="Nothing was changed"):
        ray.get(refused.remote())


def test_datafusion(expected: list[dict[str, Any]]) -> None:
    datafusion = pytest.importorskip("datafusion", reason="DataFusion is not installed")
    context = datafusion.SessionContext()
    context.register_udf(batch.datafusion_apply(columns=COLUMNS))
    context.register_record_batches("rows", [table().to_batches()])
    query = "SELECT id, apply_patch(path, text, patch) AS answer FROM rows ORDER BY id"
    check([row["answer"] for row in context.sql(query).to_arrow_table().to_pylist()], expected)


def test_the_function_for_spark_takes_batches() -> None:
    batches = table().to_batches(max_chunksize=7)
    made = list(batch.spark_apply(columns=("result", "outcome"))(iter(batches)))
    assert sum(piece.num_rows for piece in made) == ROWS
    assert made[0].schema.names[-2:] == ["result", "outcome"]
