"""Columns of Arrow in, columns of Arrow out, and adapters for engines that spread them over machines.

`apply_arrow` does the work. The adapters are a few lines around it, so that an engine that is not here needs no more:
`daft_apply` (Daft), `RayApply` (Ray Data), `datafusion_apply` (DataFusion). An engine is imported when its adapter is used.
Inside a worker one thread works: the engine has a worker for each processor.
"""

# Neither Arrow nor the engines have types.
# pyright: basic

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._api import Ambiguity, Format, Match, iter_many
from ._result import ApplyPatchError, Result

if TYPE_CHECKING:
    import pyarrow as pa

INPUTS = ("files", "path", "text", "root", "patch", "match", "ambiguity", "format", "file", "strict", "overwrite", "check")
"""The columns that are read. All other columns stay as they are."""

OUTPUTS = ("result", "outcome", "code", "exactness", "report")
"""The columns that are added unless the caller says otherwise. `json`, the JSON report, can be asked for."""


def apply_arrow(
    batch: pa.RecordBatch | pa.Table,
    *,
    columns: Sequence[str] = OUTPUTS,
    keep: bool = True,
    threads: int | None = 1,
    match: Match = "guarded",
    ambiguity: Ambiguity = "refuse",
    format: Format = "auto",
    strict: bool = False,
    overwrite: bool = False,
) -> pa.Table:
    """Applies a column of patches, and returns the columns with what became of them.

    Args:
        batch: `patch`, and `path` and `text`, or `files` (a map, or a struct), or `root`; and options of each row, named as
            in `apply_patch.Row`. Nothing is applied for a row with a null patch: its outcome is `wrong-usage`.
        columns: Which of `result`, `outcome`, `code`, `exactness`, `report` and `json` to return.
        keep: Return the columns of `batch` before them.
        threads: How many threads work; `None` for all processors.

    `result` is the text of the file afterwards, or the map of the changed files, and null where the patch was not applied.
    """
    import pyarrow as pa

    unknown = [name for name in columns if name not in (*OUTPUTS, "json")]
    if unknown:
        raise ValueError(f"unknown columns: {', '.join(unknown)}")
    if "patch" not in batch.schema.names:
        raise ValueError(f"no column `patch` among {', '.join(batch.schema.names)}")
    read = [name for name in INPUTS if name in batch.schema.names]
    table = pa.table({name: batch.column(name) for name in read})
    outcomes = iter_many(
        map(_row, table.to_pylist(maps_as_pydicts="strict")),
        threads=threads,
        match=match,
        ambiguity=ambiguity,
        format=format,
        strict=strict,
        overwrite=overwrite,
    )
    is_text = "text" in read
    made: dict[str, list[Any]] = {name: [] for name in columns}
    for outcome in outcomes:
        for name, column in made.items():
            column.append(_CELLS[name](outcome, is_text))
    types = _types(table.schema, is_text)
    arrays = {name: pa.array(column, type=types[name]) for name, column in made.items()}
    kept = {name: batch.column(name) for name in batch.schema.names} if keep else {}
    return pa.table({**kept, **arrays})


def _row(row: dict[str, Any]) -> dict[str, Any]:
    """Drops what a row does not have: columns of both kinds of rows may be in one table. A struct of files has a null for each
    file that a row does not have."""
    present = {name: value for name, value in row.items() if value is not None}
    files = present.get("files")
    if isinstance(files, Mapping):
        present["files"] = {path: content for path, content in files.items() if content is not None}
    return present


def _result(outcome: Result | ApplyPatchError, is_text: bool) -> Any:
    if isinstance(outcome, ApplyPatchError):
        return None
    return outcome.text if is_text else list(outcome.files.items())


def _exactness(outcome: Result | ApplyPatchError, _: bool) -> Any:
    return outcome.exactness._asdict() if isinstance(outcome, Result) else None


_CELLS: dict[str, Callable[[Result | ApplyPatchError, bool], Any]] = {
    "result": _result,
    "outcome": lambda outcome, _: outcome.outcome,
    "code": lambda outcome, _: outcome.code,
    "exactness": _exactness,
    "report": lambda outcome, _: outcome.report,
    "json": lambda outcome, _: outcome.to_json(),
}


def _types(schema: pa.Schema, is_text: bool) -> dict[str, pa.DataType]:
    """Returns the types of the columns that are added. A result is of the type of the contents; long contents need offsets of
    64 bits."""
    import pyarrow as pa

    def content(given: pa.DataType) -> pa.DataType:
        is_bytes = pa.types.is_binary(given) or pa.types.is_large_binary(given)
        return pa.large_binary() if is_bytes else pa.large_string()

    if is_text:
        result = content(schema.field("text").type)
    else:
        files = schema.field("files").type if "files" in schema.names else None
        values = files.item_type if files is not None and pa.types.is_map(files) else pa.large_string()
        result = pa.map_(pa.string(), content(values))
    exactness = pa.struct([("chunks", pa.int64()), ("inexact", pa.int64()), ("tier", pa.string())])
    return {
        "result": result,
        "outcome": pa.string(),
        "code": pa.string(),
        "exactness": exactness,
        "report": pa.large_string(),
        "json": pa.large_string(),
    }


def _struct(columns: Mapping[str, Any], output: Sequence[str], options: Mapping[str, Any]) -> pa.Array:
    """Applies columns by name, and returns the answers as one array of structs."""
    import pyarrow as pa

    answers = apply_arrow(pa.table(dict(columns)), columns=output, keep=False, **options)
    return pa.StructArray.from_arrays(
        [answers.column(name).combine_chunks() for name in output], fields=list(answers.schema)
    )


def _struct_type(output: Sequence[str]) -> pa.DataType:
    import pyarrow as pa

    types = _types(pa.schema([("text", pa.large_string())]), True)
    return pa.struct([(name, types[name]) for name in output])


def daft_apply(
    path: Any, text: Any, patch: Any, *, columns: Sequence[str] = OUTPUTS, **options: Any
) -> Any:
    """Returns a Daft expression: the answers to columns of paths, texts and patches, as a struct."""
    import daft

    @daft.func.batch(return_dtype=daft.DataType.from_arrow_type(_struct_type(columns)))  # type: ignore[untyped-decorator]
    def apply_patch(path: daft.Series, text: daft.Series, patch: daft.Series) -> Any:
        given = {"path": path.to_arrow(), "text": text.to_arrow(), "patch": patch.to_arrow()}
        return daft.Series.from_arrow(_struct(given, columns, options))

    return apply_patch(path, text, patch)


class RayApply:
    """A function for Ray Data: `dataset.map_batches(RayApply(), batch_format="pyarrow")`."""

    def __init__(self, **options: Any) -> None:
        """Takes the options of `apply_arrow`."""
        self.options = options

    def __call__(self, batch: pa.Table) -> pa.Table:
        """Applies a batch."""
        return apply_arrow(batch, **self.options)


def datafusion_apply(*, columns: Sequence[str] = OUTPUTS, **options: Any) -> Any:
    """Returns a function of DataFusion over columns of paths, texts and patches; its value is a struct."""
    import pyarrow as pa
    from datafusion import udf

    def apply_patch(path: pa.Array, text: pa.Array, patch: pa.Array) -> pa.Array:
        return _struct({"path": path, "text": text, "patch": patch}, columns, options)

    arguments = [pa.string(), pa.large_string(), pa.large_string()]
    return udf(apply_patch, arguments, _struct_type(columns), "immutable", "apply_patch")


def spark_apply(**options: Any) -> Callable[[Iterable[pa.RecordBatch]], Iterable[pa.RecordBatch]]:
    """Returns a function for `mapInArrow` of Spark."""

    def apply_all(batches: Iterable[pa.RecordBatch]) -> Iterable[pa.RecordBatch]:
        for batch in batches:
            yield from apply_arrow(batch, **options).to_batches()

    return apply_all
