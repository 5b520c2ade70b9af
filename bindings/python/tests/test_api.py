"""The functions of the module, one by one."""

from __future__ import annotations

import gc
import hashlib
import multiprocessing
import pickle
import subprocess
import sys
import sysconfig
import threading
import time
from collections import UserDict
from pathlib import Path

import apply_patch
import pytest
from apply_patch import NotAPatch, Refused, SystemRefused, WrongUsage, _api, _native
from conftest import CHANGED, FILE, PATCH


def refusal(patch: str = PATCH.replace("20", "30")) -> apply_patch.ApplyPatchError:
    with pytest.raises(apply_patch.ApplyPatchError) as caught:
        apply_patch.apply({"wait.py": FILE}, patch)
    return caught.value


def test_only_what_changed_comes_back_and_the_input_stays() -> None:
    files = {"wait.py": FILE, "other.py": "x\n"}
    result = apply_patch.apply(files, PATCH)
    assert result.files == {"wait.py": CHANGED}
    assert files == {"wait.py": FILE, "other.py": "x\n"}
    assert (result.outcome, result.status, result.code, result.codes) == ("applied", 0, None, [])
    assert result.exactness == (1, 0, "exact")
    assert not result.is_noop
    assert result.report.startswith("Done: 1 file changed.\nM wait.py +1 -1\n")
    assert result.to_dict()["files"][0]["path"] == "wait.py"


def test_what_is_there_already_is_no_change() -> None:
    result = apply_patch.apply({"wait.py": CHANGED}, PATCH)
    assert result.is_noop and result.files == {}


def test_the_type_that_came_in_comes_back() -> None:
    patch = (
        "*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n@@\n-one\n+two\n"
        "*** Delete File: c.txt\n*** Add File: d.txt\n+d\n*** End Patch\n"
    )
    mixed = apply_patch.apply({"a.txt": b"one\n\xe5\n", "c.txt": "c\n"}, patch)
    assert mixed.files == {"a.txt": None, "b.txt": b"two\n\xe5\n", "c.txt": None, "d.txt": "d\n"}
    only_bytes = apply_patch.apply({"a.txt": b"one\n", "c.txt": b"c\n"}, patch)
    assert only_bytes.files["d.txt"] == b"d\n"


def test_any_mapping_will_do() -> None:
    assert apply_patch.apply(UserDict({"wait.py": FILE}), PATCH).files == {"wait.py": CHANGED}


MANY = {f"src/{number}.py": f"x = {number}\n" for number in range(50)}


def test_of_many_files_the_answer_is_that_of_all() -> None:
    files = {**MANY, "wait.py": FILE, "raw.bin": b"\xff"}
    assert apply_patch.apply(files, PATCH).files == {"wait.py": CHANGED}
    assert apply_patch.apply({**MANY, "./wait.py": FILE}, PATCH).files == {"./wait.py": CHANGED}
    add = "*** Begin Patch\n*** Add File: {}\n+x\n*** End Patch\n"
    # An Add collides with a file, with a directory, and with a file in the place of its directory.
    for path, code in (("src/7.py", "already-exists"), ("src", "not-a-file"), ("wait.py/a", "not-a-folder")):
        with pytest.raises(Refused) as caught:
            apply_patch.apply(files, add.format(path))
        assert caught.value.codes == [code], path
    with pytest.raises(Refused, match="did you mean wait.py"):
        apply_patch.apply(files, PATCH.replace("wait.py", "wail.py"))
    # The type of a new file depends on all files.
    assert apply_patch.apply(files, add.format("new.py")).files == {"new.py": "x\n"}
    encoded = {path: content.encode() for path, content in MANY.items()}
    assert apply_patch.apply(encoded, add.format("new.py")).files == {"new.py": b"x\n"}
    with pytest.raises(TypeError, match="must be str or bytes, not int"):
        apply_patch.apply({**files, "other": 3}, PATCH)  # type: ignore[dict-item]
    # A leading `a/` is dropped only where there is no such directory.
    prefixed = "--- a/wait.py\n+++ b/wait.py\n@@ -1,1 +1,1 @@\n-    pause = 20\n+    pause = 40\n"
    assert apply_patch.apply(files, prefixed).files == {"wait.py": CHANGED}
    shared = {**MANY, "wait.py": FILE * 2000}
    assert apply_patch.apply(shared, add.format("wait.txt")).files == {"wait.txt": "x\n"}


def test_options_have_the_names_of_the_command() -> None:
    indented = PATCH.replace("    pause", "pause")
    result = apply_patch.apply({"wait.py": FILE}, indented, match="whitespace")
    assert result.exactness.tier == "indentation"
    with pytest.raises(Refused):
        apply_patch.apply({"wait.py": FILE}, indented, match="exact")
    block = "<<<<<<< SEARCH\n    pause = 20\n=======\n    pause = 40\n>>>>>>> REPLACE\n"
    result = apply_patch.apply({"wait.py": FILE}, block, file="wait.py", format="search-replace")
    assert result.files == {"wait.py": CHANGED}
    add = "*** Begin Patch\n*** Add File: wait.py\n+new\n*** End Patch\n"
    with pytest.raises(Refused):
        apply_patch.apply({"wait.py": FILE}, add)
    assert apply_patch.apply({"wait.py": FILE}, add, overwrite=True).files == {"wait.py": "new\n"}


@pytest.mark.parametrize("name", ["match", "format", "ambiguity"])
def test_an_unknown_name_lists_the_known_names(name: str) -> None:
    with pytest.raises(ValueError, match="expected one of"):
        apply_patch.apply({}, PATCH, **{name: "loose"})


def test_the_tier_is_the_loosest_of_the_report() -> None:
    order = ["exact", "trailing-space", "indentation", "look-alikes", "spelling", "alignment"]
    patch = PATCH.replace("*** End Patch", "@@\n-    sleep(pause)  \n+    sleep(2 * pause)\n*** End Patch")
    result = apply_patch.apply({"wait.py": FILE}, patch)
    chunks = result.to_dict()["hunks"][0]["chunks"]
    assert result.exactness.tier == max((chunk["tier"] for chunk in chunks), key=order.index)
    assert result.exactness.tier != "exact"


def test_a_diff_and_an_undo_are_made_if_asked_for() -> None:
    result = apply_patch.apply({"wait.py": FILE}, PATCH)
    assert (result.diff, result.undo) == (None, None)
    result = apply_patch.apply({"wait.py": FILE}, PATCH, diff=True, undo=True)
    assert result.diff is not None and "-    pause = 20\n+    pause = 40\n" in result.diff
    assert result.undo is not None
    assert apply_patch.apply({"wait.py": CHANGED}, result.undo).files == {"wait.py": FILE}


def test_the_budget_limits_the_words() -> None:
    patch = "*** Begin Patch\n*** Update File: a\n@@\n-0\n+" + "\n+".join(map(str, range(2000))) + "\n*** End Patch\n"
    long = apply_patch.apply({"a": "0\n"}, patch, budget=0)
    short = apply_patch.apply({"a": "0\n"}, patch, budget=300)
    assert len(short.report) <= 300 < len(long.report)


def test_an_error_has_the_report_and_its_parts() -> None:
    error = refusal()
    assert isinstance(error, Refused) and isinstance(error, ValueError)
    assert str(error) == error.report
    assert error.report.startswith("Nothing was changed: ")
    assert (error.outcome, error.status, error.code) == ("refused", 1, error.codes[0])
    assert error.failures[0]["code"] == error.code
    assert error.failures[0]["chunk"]["fingerprint"] == error.fingerprint
    assert error.suggestion == error.to_dict()["suggestion"]
    assert error.files == {} and error.text is None
    nothing = refusal("no patch")
    assert isinstance(nothing, NotAPatch) and nothing.failures[0]["code"] == nothing.code
    assert nothing.fingerprint is None


def test_a_suggestion_can_be_sent_instead() -> None:
    error = refusal(PATCH.replace("pause = 20", "pause = 21"))
    if error.suggestion is not None:
        assert apply_patch.apply({"wait.py": FILE}, error.suggestion).exactness.inexact == 0
    file = "def f():\n    total = 0\n    return total\n"
    patch = "*** Begin Patch\n*** Update File: f.py\n@@\n def f():\n-    total = 1\n+    total = 2\n     return total\n*** End Patch\n"
    with pytest.raises(Refused) as caught:
        apply_patch.apply({"f.py": file}, patch)
    assert caught.value.suggestion is not None
    assert apply_patch.apply({"f.py": file}, caught.value.suggestion).exactness.inexact == 0


@pytest.mark.parametrize("patch", ["no patch", PATCH.replace("20", "30")])
def test_an_error_is_the_same_after_a_pickle(patch: str) -> None:
    error = refusal(patch)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        copy = pickle.loads(pickle.dumps(error, protocol))
        assert type(copy) is type(error)
        assert (str(copy), copy.to_dict(), copy.codes, copy.failures) == (
            str(error),
            error.to_dict(),
            error.codes,
            error.failures,
        )
        assert (copy.suggestion, copy.fingerprint, copy.status) == (error.suggestion, error.fingerprint, error.status)


def test_a_result_is_the_same_after_a_pickle() -> None:
    result = apply_patch.apply({"wait.py": FILE}, PATCH, undo=True)
    copy = pickle.loads(pickle.dumps(result))
    assert (copy.files, copy.report, copy.to_json(), copy.exactness, copy.undo) == (
        result.files,
        result.report,
        result.to_json(),
        result.exactness,
        result.undo,
    )


def _in_worker(patch: str) -> apply_patch.Result:
    return apply_patch.apply({"wait.py": FILE}, patch)


def test_an_error_comes_through_a_pool_of_processes() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(_in_worker, (PATCH,)).files == {"wait.py": CHANGED}
        with pytest.raises(Refused, match="Nothing was changed"):
            pool.apply(_in_worker, (PATCH.replace("20", "30"),))


@pytest.mark.parametrize(
    ("files", "patch", "error", "words"),
    [
        ({"a": 3}, PATCH, TypeError, 'files["a"] must be str or bytes, not int'),
        ({3: "a"}, PATCH, TypeError, "a path of files must be str, not int"),
        ([], PATCH, TypeError, "files must be a mapping of str to str or bytes, not list"),
        ({}, None, TypeError, "patch must be str, not NoneType"),
        ({}, b"x", TypeError, "patch must be str, not bytes"),
        ({"a": "\ud800"}, PATCH, ValueError, 'files["a"] is not text'),
        ({}, "\ud800", ValueError, "patch is not text"),
    ],
)
def test_wrong_types_and_lone_surrogates_are_named(
    files: dict[str, str], patch: str, error: type[Exception], words: str
) -> None:
    with pytest.raises(error) as caught:
        apply_patch.apply(files, patch)
    assert str(caught.value).startswith(words)


def test_a_diff_without_an_envelope_is_applied_to_a_text() -> None:
    assert apply_patch.apply_diff(FILE, "@@\n-    pause = 20\n+    pause = 40\n") == CHANGED
    assert apply_patch.apply_diff("", "+a\n+b", mode="create") == "a\nb\n"
    # What is there already stays.
    assert apply_patch.apply_diff(CHANGED, "@@\n-    pause = 20\n+    pause = 40\n") == CHANGED
    with pytest.raises(ValueError, match="Nothing was changed"):
        apply_patch.apply_diff(FILE, "@@\n-nowhere\n+1\n")
    with pytest.raises(TypeError, match="input must be str, not bytes"):
        apply_patch.apply_diff(FILE.encode(), "@@\n-    pause = 20\n+    pause = 40\n")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="unknown mode"):
        apply_patch.apply_diff(FILE, "", mode="patch")


def test_a_tree_is_changed_as_the_command_does(folder: Path) -> None:
    tree = apply_patch.Tree(folder)
    dry = tree.apply(PATCH, dry_run=True)
    assert (dry.outcome, dry.files) == ("would-apply", {"wait.py": CHANGED})
    assert (folder / "wait.py").read_text() == FILE
    done = tree.apply(PATCH, undo=True)
    assert (done.outcome, done.files) == ("applied", {"wait.py": CHANGED})
    assert (folder / "wait.py").read_text() == CHANGED
    assert done.undo is not None
    tree.apply(done.undo)
    assert (folder / "wait.py").read_text() == FILE
    assert tree.recover() == ("nothing", [])


def test_a_tree_is_only_changed_if_files_are_what_was_shown(folder: Path) -> None:
    tree = apply_patch.Tree(folder)
    with pytest.raises(Refused) as caught:
        tree.apply(PATCH, expect={"wait.py": hashlib.sha256(b"other").hexdigest()})
    assert caught.value.codes == ["not-as-expected"]
    tree.apply(PATCH, expect={"wait.py": hashlib.sha256(FILE.encode()).hexdigest()})
    with pytest.raises(ValueError, match="expect"):
        tree.apply(PATCH, expect={"wait.py": "x"})


def test_nothing_outside_of_a_tree_is_touched(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    patch = f"*** Begin Patch\n*** Add File: {other}/a.txt\n+a\n*** End Patch\n"
    with pytest.raises(Refused):
        apply_patch.Tree(folder).apply(patch)
    assert list(other.iterdir()) == []
    assert apply_patch.Tree(folder, further=[other]).apply(patch).files == {f"{other}/a.txt": "a\n"}


def test_a_folder_that_is_not_there_is_an_os_error() -> None:
    with pytest.raises(OSError, match="cannot open"):
        apply_patch.Tree("/no/such/folder").apply(PATCH)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a folder that refuses every new file")
def test_what_the_system_refuses_is_an_error_of_its_own() -> None:
    add = "*** Begin Patch\n*** Add File: new.txt\n+a\n*** End Patch\n"
    with pytest.raises(SystemRefused) as caught:
        apply_patch.Tree("/proc/self").apply(add)
    error = caught.value
    assert (error.status, error.outcome) == (3, "stopped")
    assert not isinstance(error, ValueError)
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy)) == (SystemRefused, str(error))


def test_other_threads_run_meanwhile() -> None:
    lines = "".join(f"line {number}\n" for number in range(100_000))
    files = {"a": lines}
    # Every quoted line is a near miss of many lines, so that the search takes long.
    patch = "*** Begin Patch\n*** Update File: a\n@@\n" + "".join(f"-lime {number}\n" for number in range(300)) + "+x\n*** End Patch\n"
    options = _api._options()
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    begin = time.perf_counter()
    _native.apply_rows([{"files": files, "patch": patch}] * 200, 1, options)
    end = time.perf_counter()
    done.set()
    ticker.join()
    # While a call holds the lock, no other thread begins a tick: one may come before, and one after.
    assert sum(begin <= tick <= end for tick in ticks) > 10, end - begin


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="Python has its lock")
def test_a_free_threaded_build_stays_free() -> None:
    code = "import apply_patch, sys; sys.exit(sys._is_gil_enabled())"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_a_panic_is_an_exception_and_the_interpreter_goes_on() -> None:
    with pytest.raises(BaseException, match="asked for") as caught:
        _native._panic()
    assert type(caught.value).__name__ == "PanicException"
    assert apply_patch.apply({"wait.py": FILE}, PATCH).files == {"wait.py": CHANGED}


def test_rows_of_every_kind_are_answered_in_order(folder: Path) -> None:
    rows = [
        {"id": 1, "files": {"wait.py": FILE}, "patch": PATCH},
        {"path": "wait.py", "text": FILE.encode(), "patch": PATCH},
        {"root": str(folder), "patch": PATCH},
        {"root": str(folder), "patch": PATCH.replace("40", "60").replace("20", "40")},
        {"files": {"wait.py": FILE}, "patch": PATCH, "check": True},
        {"files": {"wait.py": FILE}, "patch": PATCH.replace("    ", ""), "match": "exact"},
    ]
    answers = apply_patch.apply_many(rows, threads=4)
    assert [answer.outcome for answer in answers] == ["applied"] * 4 + ["would-apply", "refused"]
    assert answers[0].files == {"wait.py": CHANGED}
    assert (answers[1].files, answers[1].text) == ({}, CHANGED.encode())
    assert answers[2].files == {"wait.py": CHANGED}
    assert (folder / "wait.py").read_text() == FILE.replace("20", "60")
    assert isinstance(answers[5], Refused)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (3, "a row must be a mapping, not int"),
        ({"files": {}, "patch": None}, "patch must be str, not NoneType"),
        ({"files": {}}, "a row has no `patch`"),
        ({"patch": ""}, "a row has either"),
        ({"files": {}, "root": ".", "patch": ""}, "a row has either"),
        ({"files": {}, "patch": "", "macth": "exact"}, 'unknown field "macth"'),
        ({"files": {}, "patch": "", "match": "loose"}, 'unknown match: "loose"'),
        ({"files": {}, "patch": "\ud800"}, "patch is not text"),
        ({"files": {}, "patch": "", "strict": "yes"}, "strict must be bool, not str"),
        ({"root": "/no/such/folder", "patch": ""}, "cannot open"),
    ],
)
def test_a_broken_row_is_an_answer(row: object, words: str) -> None:
    good = {"files": {"wait.py": FILE}, "patch": PATCH}
    first, broken, last = apply_patch.apply_many([good, row, good])
    assert isinstance(broken, WrongUsage)
    assert broken.to_dict()["message"].startswith(words)
    assert (first.outcome, last.outcome) == ("applied", "applied")


def test_a_row_of_100_mb_is_a_row() -> None:
    text = "    value = compute(1234567, 7654321)\n" * 2_700_000 + "last = 1\n"
    block = "<<<<<<< SEARCH\nlast = {}\n=======\nlast = 2\n>>>>>>> REPLACE\n"
    rows = [{"path": "a.py", "text": text, "patch": block.format(number)} for number in (1, 3)]
    applied, refused = apply_patch.apply_many(rows, threads=1)
    assert applied.text == text.removesuffix("1\n") + "2\n"
    assert isinstance(refused, Refused) and len(refused.report) <= 4000
    # A long patch: nothing of it is in the file.
    long = apply_patch.apply_many([{"path": "a.py", "text": "x\n", "patch": text}], threads=1)[0]
    assert isinstance(long, NotAPatch) and len(long.report) <= 4000


def test_a_patch_for_a_file_that_is_not_there_names_the_file() -> None:
    for row in ({"files": {}}, {"path": "other.py", "text": FILE}):
        answer = apply_patch.apply_many([{**row, "patch": PATCH}])[0]
        assert isinstance(answer, Refused) and answer.codes == ["no-such-file"]
        assert "wait.py" in answer.report


def test_an_error_of_the_rows_themselves_is_raised() -> None:
    def rows() -> object:
        yield {"files": {}, "patch": ""}
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        apply_patch.apply_many(rows())


def test_rows_are_read_as_they_are_needed() -> None:
    read = 0

    def rows() -> object:
        nonlocal read
        while True:
            read += 1
            yield {"files": {"wait.py": FILE}, "patch": PATCH}

    answers = apply_patch.iter_many(rows(), window=8)
    assert read == 0
    assert next(answers).outcome == "applied"
    assert read == 8


def test_nothing_is_left_behind() -> None:
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(200):
        apply_patch.apply({"wait.py": FILE}, PATCH)
        apply_patch.apply_many([{"files": {"wait.py": FILE}, "patch": "x"}], threads=1)
    gc.collect()
    assert len(gc.get_objects()) - before < 100


def test_the_command_is_in_the_wheel(folder: Path) -> None:
    command = Path(sys.executable).parent / "apply-patch"
    run = [str(command)] if command.exists() else [sys.executable, "-m", "apply_patch"]

    def status(*args: str, text: str = "") -> tuple[int, str]:
        output = subprocess.run([*run, *args], input=text, capture_output=True, text=True, cwd=folder)
        return output.returncode, output.stdout

    assert status("--version") == (0, f"apply-patch {apply_patch.__version__}\n")
    assert status("--json", text=PATCH.replace("20", "30"))[0] == 1
    code, out = status(text=PATCH)
    assert (code, out.splitlines()[0]) == (0, "Done: 1 file changed.")
    assert (folder / "wait.py").read_text() == CHANGED
    assert status("--no-such-option")[0] == 2
