"""How long a row takes, by each way in, and whether all give what the command gives.

    python benches/rows.py                     # 20,000 rows: a file of 200 lines, a block of three
    python benches/rows.py --rust target/release/examples/many
    python benches/rows.py --million           # the peak of memory over 1,000,000 rows
    python benches/rows.py --large             # rows of 100 MB, each way in a process of its own
    python benches/rows.py --growth            # 1,000 to 64,000 rows, on one thread and on all processors

Times are the best of three, in microseconds a row; an engine runs once, and its start counts.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import apply_patch
from apply_patch import batch

COLUMNS = ("result", "outcome", "json")


def rows(count: int) -> list[dict[str, Any]]:
    """Makes rows that all differ."""
    made = []
    for number in range(count):
        lines = [f"    value_{line} = compute({line}, {number})\n" for line in range(200)]
        at = number % 197
        old, new = "".join(lines[at : at + 3]), f"    replaced({number})\n"
        patch = f"a.py\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n"
        made.append({"path": "a.py", "text": "".join(lines), "patch": patch, "old": old, "new": new})
    return made


def best(work: Callable[[], Any], times: int = 3) -> tuple[float, Any]:
    """Returns the shortest time, in seconds, and the result."""
    shortest, result = float("inf"), None
    for _ in range(times):
        begin = time.perf_counter()
        result = work()
        shortest = min(shortest, time.perf_counter() - begin)
    return shortest, result


def command(file: Path, threads: int) -> bytes:
    """Runs the command on a file of rows."""
    run = [sys.executable, "-m", "apply_patch", "batch", "-j", str(threads), str(file)]
    return subprocess.run(run, check=True, capture_output=True).stdout


def measure(count: int, rust: str | None) -> None:
    """Prints a table, and fails if an answer differs."""
    import pyarrow as pa

    given = rows(count)
    plain = [{name: row[name] for name in ("path", "text", "patch")} for row in given]
    processors = os.cpu_count() or 1

    def show(way: str, seconds: float) -> None:
        print(f"{way:42}{seconds * 1e6 / count:10.1f}", flush=True)

    print(f"{'way':42}{'µs a row':>10}  ({count} rows, {processors} processors)")
    seconds, replaced = best(lambda: [row["text"].replace(row["old"], row["new"]) for row in given])
    show("str.replace", seconds)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "rows.jsonl")
        file.write_text("".join(json.dumps(row) + "\n" for row in plain))
        if rust:
            for threads in sorted({1, processors}):
                each = subprocess.run([rust, file, str(threads)], check=True, capture_output=True, text=True).stdout
                show(f"run::many in Rust, {threads} threads", float(each) * count / 1e6)
        answers: list[dict[str, Any]] = []
        for threads in sorted({1, processors}):
            seconds, output = best(lambda threads=threads: command(file, threads), 1)
            show(f"apply-patch batch, {threads} threads", seconds)
            answers = [json.loads(line) for line in output.splitlines()]
    texts = [answer["text"] for answer in answers]
    assert texts == replaced
    reports = [json.dumps(answer["report"]) for answer in answers]

    def same(way: str, results: Iterable[str | None], found: Iterable[str]) -> None:
        assert list(results) == texts, way
        assert [json.dumps(json.loads(report)) for report in found] == reports, way

    seconds, results = best(lambda: [apply_patch.apply({"a.py": row["text"]}, row["patch"]) for row in plain])
    show("apply", seconds)
    same("apply", (result.files["a.py"] for result in results), (result.to_json() for result in results))
    for threads in sorted({1, processors}):
        seconds, results = best(lambda threads=threads: apply_patch.apply_many(plain, threads=threads))
        show(f"apply_many, {threads} threads", seconds)
        same("apply_many", (result.text for result in results), (result.to_json() for result in results))
    del results
    table = pa.Table.from_pylist(plain)
    seconds, made = best(lambda: batch.apply_arrow(table, columns=COLUMNS), 1)
    show("apply_arrow, 1 thread", seconds)
    same("apply_arrow", made["result"].to_pylist(), made["json"].to_pylist())
    for way, engine in (("Daft", through_daft), ("Ray Data", through_ray)):
        try:
            seconds, made = best(lambda engine=engine: engine(table), 1)
        except ImportError as error:
            print(f"{way}: {error}")
            continue
        show(way, seconds)
        same(way, made["result"].to_pylist(), made["json"].to_pylist())


def through_daft(table: Any) -> Any:
    """Applies a table by Daft."""
    import daft
    import pyarrow as pa

    frame = daft.from_arrow(table.append_column("n", pa.array(range(table.num_rows))))
    answer = batch.daft_apply(frame["path"], frame["text"], frame["patch"], columns=COLUMNS)
    answers = frame.select("n", answer.alias("answer")).sort("n").to_arrow()["answer"].combine_chunks()
    return pa.table({name: answers.field(name) for name in COLUMNS})


def through_ray(table: Any) -> Any:
    """Applies a table by Ray Data."""
    import pyarrow as pa
    import ray

    ray.init(ignore_reinit_error=True, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    numbered = table.append_column("n", pa.array(range(table.num_rows)))
    dataset = ray.data.from_arrow(numbered).repartition(8)
    apply = batch.RayApply(columns=COLUMNS)
    done = dataset.map_batches(apply, batch_format="pyarrow").select_columns(["n", *COLUMNS])
    return pa.concat_tables(ray.get(done.to_arrow_refs())).sort_by("n")


def million(count: int) -> None:
    """Prints the peak of memory over many rows, by the command and by the module."""
    given = [{name: row[name] for name in ("path", "text", "patch")} for row in rows(1000)]
    lines = "".join(json.dumps(row) + "\n" for row in given).encode()

    begin = time.perf_counter()
    run = [sys.executable, "-m", "apply_patch", "batch"]
    child = subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin is not None and child.stdout is not None
    writer = os.fork()
    if writer == 0:
        child.stdout.close()
        for _ in range(count // 1000):
            child.stdin.write(lines)
        child.stdin.close()
        os._exit(0)
    child.stdin.close()
    applied = sum(b'"outcome":"applied"' in line for line in child.stdout)
    _, status, used = os.wait4(child.pid, 0)
    os.waitpid(writer, 0)
    assert (applied, status) == (count, 0)
    print(f"apply-patch batch: {count} rows, {time.perf_counter() - begin:.0f} s, peak {used.ru_maxrss / 1024:.0f} MiB", flush=True)

    def endless() -> Iterator[dict[str, Any]]:
        return itertools.chain.from_iterable(itertools.repeat(given, count // 1000))

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.perf_counter()
    applied = sum(answer.outcome == "applied" for answer in apply_patch.iter_many(endless()))
    assert applied == count
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(
        f"iter_many: {count} rows, {time.perf_counter() - begin:.0f} s, "
        f"peak {after / 1024:.0f} MiB, {before / 1024:.0f} MiB before"
    )


LARGE = """
import resource, sys, time
import apply_patch
line = "    value = compute(1234567, 7654321)\\n"
text = line * (100_000_000 // len(line)) + "last = 1\\n"
patch = "<<<<<<< SEARCH\\nlast = 1\\n=======\\nlast = 2\\n>>>>>>> REPLACE\\n"
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
begin = time.perf_counter()
if sys.argv[1] == "apply":
    result = apply_patch.apply({"a.py": text}, patch, file="a.py").files["a.py"]
else:
    result = apply_patch.apply_many([{"path": "a.py", "text": text, "patch": patch}])[0].text
seconds = time.perf_counter() - begin
assert len(result) == len(text) and result.endswith("last = 2\\n")
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(f"{sys.argv[1]}: a row of 100 MB, {seconds:.2f} s, peak {peak:.0f} MiB, {before:.0f} MiB before")
"""


def large() -> None:
    """Prints time and peak of memory for rows of 100 MB."""
    for way in ("apply", "apply_many"):
        subprocess.run([sys.executable, "-c", LARGE, way], check=True)
    text = "    value = compute(1234567, 7654321)\n" * 2_702_702 + "last = 1\n"
    patch = "<<<<<<< SEARCH\nlast = 1\n=======\nlast = 2\n>>>>>>> REPLACE\n"
    line = json.dumps({"path": "a.py", "text": text, "patch": patch}).encode() + b"\n"
    for count in (1, 8):
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as answers:
            for _ in range(count):
                given.write(line)
            given.seek(0)
            begin = time.perf_counter()
            child = subprocess.Popen([sys.executable, "-m", "apply_patch", "batch"], stdin=given, stdout=answers)
            _, status, used = os.wait4(child.pid, 0)
            seconds = time.perf_counter() - begin
            answers.seek(0)
            assert status == 0 and sum(b'"outcome":"applied"' in answer for answer in answers) == count
        print(f"apply-patch batch: {count} rows of 100 MB, {seconds:.2f} s, peak {used.ru_maxrss / 1024:.0f} MiB")


def growth() -> None:
    """Prints how the time grows with rows and processors."""
    processors = os.cpu_count() or 1
    given = [{name: row[name] for name in ("path", "text", "patch")} for row in rows(4000)]
    print(f"{'rows':>8}" + "".join(f"{f'{threads} threads, µs a row':>26}" for threads in (1, processors)))
    for count in (1000, 4000, 16_000, 64_000):
        figures = []
        for threads in (1, processors):
            every = itertools.islice(itertools.cycle(given), count)
            begin = time.perf_counter()
            assert all(answer.outcome == "applied" for answer in apply_patch.iter_many(every, threads=threads))
            figures.append((time.perf_counter() - begin) * 1e6 / count)
        print(f"{count:8}" + "".join(f"{figure:26.1f}" for figure in figures), flush=True)


def main() -> None:
    """Reads the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--rust", help="the program of benches/many.rs")
    parser.add_argument("--million", action="store_true")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--growth", action="store_true")
    args = parser.parse_args()
    if args.large:
        large()
    elif args.growth:
        growth()
    elif args.million:
        million(1_000_000 if args.rows == 20_000 else args.rows)
    else:
        measure(args.rows, args.rust)


if __name__ == "__main__":
    main()
