// The calls, their results and their errors, through the ES module and through CommonJS.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

import * as api from "@apply-patch/node";

import { directory } from "./folder.mjs";

const { applyPatch, applyPatchSync, ApplyPatchError, NotAPatchError, RefusedError, SystemRefusedError, Result } = api;

const PATCH = `*** Begin Patch
*** Update File: greet.py
@@ def greet():
-    print('helo')
+    print('hello')
*** End Patch
`;
const FILES = { "greet.py": "def greet():\n    print('helo')\n", "other.py": "pass\n" };

/** Returns the error of a call. */
function failure(request) {
  try {
    applyPatchSync(request);
  } catch (error) {
    return error;
  }
  assert.fail("the call did not throw");
}

describe("files in memory", () => {
  test("only what changed comes out, and the files that came in stay", () => {
    const files = structuredClone(FILES);
    const result = applyPatchSync({ files, patch: PATCH });
    assert.ok(result instanceof Result);
    assert.deepEqual(result.files, { "greet.py": "def greet():\n    print('hello')\n" });
    assert.deepEqual(result.paths, ["greet.py"]);
    assert.deepEqual(files, FILES);
    assert.equal(result.status, 0);
    assert.equal(result.isNoop, false);
    assert.match(result.report, /^Done: 1 file changed\.\nM greet\.py \+1 -1\n/);
    assert.deepEqual(result.exactness, { chunks: 1, inexact: 0 });
    assert.equal(JSON.parse(JSON.stringify(result)).outcome, "applied");
    assert.equal(result.undo, undefined);
    assert.equal(result.diff, undefined);
  });

  test("the promise gives what the synchronous call gives", async () => {
    const request = { files: FILES, patch: PATCH, diff: true, undo: true };
    const [later, now] = [await applyPatch(request), applyPatchSync(request)];
    assert.deepEqual(later, now);
    assert.deepEqual(later.toJSON(), now.toJSON());
    assert.match(now.diff, /^--- a\/greet\.py\n\+\+\+ b\/greet\.py\n/);
    const back = applyPatchSync({ files: { ...FILES, ...now.files }, patch: now.undo });
    assert.deepEqual(back.files, { "greet.py": FILES["greet.py"] });
  });

  test("a removed file is null, and a moved file is a removed and a new one", () => {
    const patch = "*** Begin Patch\n*** Delete File: other.py\n*** Update File: greet.py\n*** Move to: hi.py\n*** End Patch\n";
    const { files } = applyPatchSync({ files: FILES, patch });
    assert.deepEqual(files, { "greet.py": null, "hi.py": FILES["greet.py"], "other.py": null });
  });

  test("the same patch again changes nothing", () => {
    const again = applyPatchSync({ files: { ...FILES, ...applyPatchSync({ files: FILES, patch: PATCH }).files }, patch: PATCH });
    assert.equal(again.isNoop, true);
    assert.deepEqual(again.files, {});
  });

  test("a moved file comes out as the type that it came in as", () => {
    const files = { "a.txt": Buffer.from("one\n"), "c.txt": "c\n" };
    const patch = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n@@\n-one\n+two\n*** Add File: d.txt\n+d\n*** End Patch\n";
    const result = applyPatchSync({ files, patch });
    assert.deepEqual(result.files, { "a.txt": null, "b.txt": Buffer.from("two\n"), "d.txt": "d\n" });
  });

  test("a name with a leading dot is the file of the patch, and comes out as it came in", () => {
    const files = { "./greet.py": FILES["greet.py"] };
    const result = applyPatchSync({ files, patch: PATCH });
    assert.deepEqual(result.files, { "./greet.py": "def greet():\n    print('hello')\n" });
    assert.throws(() => applyPatchSync({ files: { ...files, ...FILES }, patch: PATCH }), {
      name: "TypeError",
      message: /two names of the file/,
    });
    const stream = new api.PatchStream({ files });
    stream.feed(PATCH);
    assert.equal(stream.preview().report.outcome, "would-apply");
  });

  test("of many files only those that the patch names are copied, and the result is the same", async () => {
    const rest = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`src/${at}.py`, `x = ${at}\n`.repeat(50_000)]));
    const files = { ...rest, "a/greet.py": FILES["greet.py"], "raw.bin": Buffer.alloc(1 << 20, 0xff) };
    const patch = JSON.stringify({ cwd: "a", operation: { type: "update_file", path: "greet.py", diff: "@@\n-    print('helo')\n+    print('hello')\n", move_to: "new.py" } });
    const before = process.memoryUsage().rss;
    const result = applyPatchSync({ files, patch, undo: true });
    // All contents have 190 MB.
    assert.ok(process.memoryUsage().rss - before < 60e6, "the contents of other files are copied");
    assert.deepEqual(result.files, { "a/greet.py": null, "a/new.py": "def greet():\n    print('hello')\n" });
    const pinned = { files, patch, expect: { "src/7.py": createHash("sha256").update(files["src/7.py"]).digest("hex") } };
    assert.equal((await applyPatch(pinned)).status, 0);
    assert.throws(() => applyPatchSync({ ...pinned, expect: { "src/7.py": "0".repeat(64) } }), RefusedError);
    // An Add over another file reads it, and names that are nearly right are suggested.
    const add = (name) => `*** Begin Patch\n*** Add File: ${name}\n+x\n*** End Patch\n`;
    assert.throws(() => applyPatchSync({ files, patch: add("src/8.py") }), { codes: ["already-exists"] });
    assert.throws(() => applyPatchSync({ files, patch: PATCH.replace("greet.py", "a/gret.py") }), /did you mean a\/greet\.py/);
  });

  test("bytes come out as bytes, and bytes that are not text stay", () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe, 0x00, 0x0a]), Buffer.from(FILES["greet.py"])]);
    // A view of a larger array: its offset counts.
    const view = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    const raw = Buffer.concat([Buffer.from("# \xe9\n", "latin1"), Buffer.from(FILES["greet.py"])]);
    const { files } = applyPatchSync({ files: { "greet.py": raw, "other.py": view }, patch: PATCH });
    assert.ok(files["greet.py"] instanceof Uint8Array);
    assert.deepEqual(files["greet.py"], Buffer.from(raw.toString("latin1").replace("helo", "hello"), "latin1"));
    assert.deepEqual(Object.keys(files), ["greet.py"]);
  });

  test("a new file is text, but bytes for a caller who has bytes only", () => {
    const patch = "*** Begin Patch\n*** Add File: new.txt\n+é\n*** End Patch\n";
    assert.equal(applyPatchSync({ files: FILES, patch }).files["new.txt"], "é\n");
    assert.equal(applyPatchSync({ files: {}, patch }).files["new.txt"], "é\n");
    const { files } = applyPatchSync({ files: { a: new Uint8Array() }, patch });
    assert.deepEqual(files["new.txt"], Buffer.from("é\n"));
  });

  test("a Map is as good as an object, and `__proto__` is a path", () => {
    const patch = PATCH.replace("greet.py", "__proto__");
    const { files } = applyPatchSync({ files: new Map([["__proto__", FILES["greet.py"]]]), patch });
    assert.deepEqual(Object.entries(files), [["__proto__", "def greet():\n    print('hello')\n"]]);
  });

  test("characters beyond the basic plane, a byte-order mark and CR LF survive", () => {
    const text = "\ufeffa = '😀'\r\nb = 1\r\n";
    const patch = "*** Begin Patch\n*** Update File: a\n@@\n a = '😀'\n-b = 1\n+b = '😀é'\n*** End Patch\n";
    assert.equal(applyPatchSync({ files: { a: text }, patch }).files.a, "\ufeffa = '😀'\r\nb = '😀é'\r\n");
  });

  test("a change of the bytes during a call on another thread does not show", async () => {
    const bytes = Buffer.from(FILES["greet.py"]);
    const running = applyPatch({ files: { "greet.py": bytes }, patch: PATCH });
    bytes.fill(0);
    assert.equal((await running).files["greet.py"].toString(), "def greet():\n    print('hello')\n");
  });

  test("many calls at once", async () => {
    const request = (at) => ({ files: { "greet.py": `# ${at}\n${FILES["greet.py"]}` }, patch: PATCH });
    const results = await Promise.all(Array.from({ length: 200 }, (_, at) => applyPatch(request(at))));
    results.forEach(({ files }, at) => assert.equal(files["greet.py"], `# ${at}\ndef greet():\n    print('hello')\n`));
  });

  test("a promise leaves the main thread to others", async () => {
    const line = (at) => `value_${at} = compute(${at}, "${"x".repeat(60)}")\n`;
    const text = Array.from({ length: 200_000 }, (_, at) => line(at)).join("");
    const patch = `*** Begin Patch\n*** Update File: a\n@@\n-${line(150_000)}+changed\n*** End Patch\n`;
    let turns = 0;
    let running = true;
    const turn = () => {
      turns += 1;
      if (running) setImmediate(turn);
    };
    const result = applyPatch({ files: { a: text }, patch }).finally(() => (running = false));
    setImmediate(turn);
    assert.deepEqual((await result).paths, ["a"]);
    assert.ok(turns > 10, `${turns} turns of the event loop`);
  });
});

describe("a directory", () => {
  test("all changes are made, or none", async () => {
    const root = await directory(FILES);
    const result = await applyPatch({ root, patch: PATCH });
    assert.equal(await readFile(join(root, "greet.py"), "utf8"), "def greet():\n    print('hello')\n");
    assert.deepEqual([result.paths, result.files], [["greet.py"], undefined]);
    const half = PATCH.replace("*** End", "*** Delete File: missing.py\n*** End").replaceAll("hello", "hi");
    const error = failure({ root, patch: half.replace("helo", "hello") });
    assert.deepEqual([error.constructor, error.codes, error.changed], [RefusedError, ["no-such-file"], false]);
    assert.equal(await readFile(join(root, "greet.py"), "utf8"), "def greet():\n    print('hello')\n");
    assert.deepEqual((await readdir(root)).sort(), ["greet.py", "other.py"]);
  });

  test("a URL is a root, and a dry run with contents is a preview", async () => {
    const root = await directory(FILES);
    const result = applyPatchSync({ root: pathToFileURL(`${root}/`), patch: PATCH, dryRun: true, contents: true });
    assert.deepEqual(result.files, { "greet.py": "def greet():\n    print('hello')\n" });
    assert.equal(result.toJSON().outcome, "would-apply");
    assert.equal(await readFile(join(root, "greet.py"), "utf8"), FILES["greet.py"]);
  });

  test("nothing outside the root is written, but in the further roots", async () => {
    const [root, further] = [await directory(FILES), await directory(FILES)];
    const patch = PATCH.replace("greet.py", join(further, "greet.py"));
    assert.deepEqual(failure({ root, patch }).codes, ["outside-root"]);
    assert.deepEqual(applyPatchSync({ root, roots: [further], patch }).paths, [join(further, "greet.py")]);
  });

  test("a directory that is not there is an error of the system", () => {
    const error = failure({ root: join(tmpdir(), "there-is-none"), patch: PATCH });
    assert.ok(error instanceof SystemRefusedError);
    assert.match(error.report, /^Nothing was changed: /);
  });
});

describe("errors", () => {
  test("a refusal says why, what to do, and what to send instead", async () => {
    const request = { files: FILES, patch: PATCH.replace("print('helo')", "prints('helo')") };
    const error = failure(request);
    assert.ok(error instanceof RefusedError && error instanceof ApplyPatchError && error instanceof Error);
    assert.equal(error.name, "RefusedError");
    assert.equal(error.message, error.report);
    assert.match(error.report, /^Nothing was changed: /);
    assert.equal(error.status, 1);
    assert.equal(error.codes.length, 1);
    assert.equal(error.failures[0].path, "greet.py");
    assert.deepEqual(error.errors, []);
    assert.match(error.fingerprint, /^[0-9a-f]{16}$/);
    assert.equal(error.toJSON().outcome, "refused");
    await assert.rejects(applyPatch(request), (later) => later.report === error.report && later instanceof RefusedError);
  });

  test("a suggestion applies", () => {
    const files = { "pool.py": "class Pool:\n    def open(self):\n        self.size = size\n        self.idle = []\n        self.timeout = 30\n" };
    const patch = `*** Begin Patch
*** Update File: pool.py
@@
         self.size = size
         self.idle = []
-        self.timeout = 60
+        self.timeout = 90
*** End Patch
`;
    const error = failure({ files, patch });
    assert.equal(typeof error.suggestion, "string");
    assert.deepEqual(Object.keys(applyPatchSync({ files, patch: error.suggestion, match: "exact" }).files), ["pool.py"]);
    assert.equal(failure({ files, patch, suggestion: false }).suggestion, null);
  });

  test("a text that is not a patch", () => {
    const error = failure({ files: FILES, patch: "I have fixed it." });
    assert.ok(error instanceof NotAPatchError);
    assert.equal(error.status, 2);
    assert.deepEqual(error.codes, error.errors.map(({ code }) => code));
    assert.notEqual(error.codes.length, 0);
    const bytes = failure({ files: FILES, patch: Buffer.from([0xff, 0x41, 0x80]) });
    assert.ok(bytes instanceof NotAPatchError);
    assert.match(bytes.report, /not text/);
  });

  test("the words have a budget", () => {
    const patch = PATCH.replace("'helo'", `'${"y".repeat(2000)}'`);
    assert.ok(failure({ files: FILES, patch, budget: 500 }).report.length <= 500);
  });
});

describe("options", () => {
  test("each does what it does for the command", () => {
    const twice = { a: "x = 1\ny\nx = 1\n" };
    const edit = "*** Begin Patch\n*** Update File: a\n@@\n-x = 1\n+x = 2\n*** End Patch\n";
    assert.deepEqual(failure({ files: twice, patch: edit }).codes, ["ambiguous"]);
    assert.equal(applyPatchSync({ files: twice, patch: edit, ambiguity: "first" }).files.a, "x = 2\ny\nx = 1\n");
    const add = "*** Begin Patch\n*** Add File: a\n+new\n*** End Patch\n";
    assert.deepEqual(failure({ files: twice, patch: add }).codes, ["already-exists"]);
    assert.equal(applyPatchSync({ files: twice, patch: add, overwrite: true }).files.a, "new\n");
    assert.equal(applyPatchSync({ files: twice, patch: "@@\n-y\n+z\n", format: "hunks", file: "a" }).files.a, "x = 1\nz\nx = 1\n");
    assert.ok(failure({ files: twice, patch: edit.replace("*** End Patch\n", "") }) instanceof NotAPatchError);
    assert.ok(failure({ files: FILES, patch: PATCH.replace("@@ def greet():\n", ""), strict: true }) instanceof NotAPatchError);
    const cut = PATCH.replace("*** End Patch\n", "");
    assert.deepEqual(applyPatchSync({ files: FILES, patch: cut, acceptTruncated: true }).paths, ["greet.py"]);
    const drifted = PATCH.replace("-    print", "-  print");
    assert.ok(failure({ files: FILES, patch: drifted, match: "exact" }) instanceof RefusedError);
  });

  test("`expect` holds a file to what the model was shown", () => {
    const digest = (text) => createHash("sha256").update(text).digest("hex");
    const request = { files: FILES, patch: PATCH };
    const expect = { "greet.py": digest(FILES["greet.py"]) };
    assert.deepEqual(applyPatchSync({ ...request, expect }).paths, ["greet.py"]);
    assert.deepEqual(failure({ ...request, expect: { "greet.py": digest("") } }).codes, ["not-as-expected"]);
  });

  test("wrong arguments are a TypeError that names them", async () => {
    const request = { files: FILES, patch: PATCH };
    const cases = [
      [undefined, /expected an object/],
      [{ patch: PATCH }, /files or root is missing/],
      [{ ...request, root: "." }, /exclude each other/],
      [{ files: FILES }, /patch must be a string or a Uint8Array, not undefined/],
      [{ files: [], patch: PATCH }, /files must be an object or a Map/],
      [{ files: { a: 1 }, patch: PATCH }, /files\["a"\] must be a string or a Uint8Array, not number/],
      [{ files: { a: "\ud800" }, patch: PATCH }, /files\["a"\] has a lone surrogate/],
      [{ files: FILES, patch: "\udc00" }, /patch has a lone surrogate/],
      [{ ...request, dryrun: true }, /unknown field `dryrun`/],
      [{ ...request, match: "loose" }, /unknown match: "loose"; expected one of exact, whitespace, guarded/],
      [{ ...request, threads: 0 }, /threads/],
      [{ ...request, expect: { a: "12" } }, /expect\["a"\]: unknown SHA-256: "12"; expected 64 hexadecimal digits/],
      [{ root: "", patch: PATCH }, /root must be the path of a directory/],
    ];
    for (const [wrong, words] of cases) {
      assert.throws(() => applyPatchSync(wrong), (error) => error instanceof TypeError && words.test(error.message), `${words}`);
      await assert.rejects(applyPatch(wrong), (error) => error instanceof TypeError && words.test(error.message));
    }
  });

  test("an aborted signal keeps a call from being made", async () => {
    const request = { files: FILES, patch: PATCH };
    await assert.rejects(applyPatch({ ...request, signal: AbortSignal.abort() }), { name: "AbortError" });
    assert.deepEqual((await applyPatch({ ...request, signal: new AbortController().signal })).paths, ["greet.py"]);
  });
});

test("a worker thread calls, too", async () => {
  const code = `
    const { parentPort, workerData } = require("node:worker_threads");
    const { applyPatch } = require("@apply-patch/node");
    applyPatch(workerData).then(({ files }) => parentPort.postMessage(files));`;
  const worker = new Worker(code, { eval: true, workerData: { files: FILES, patch: PATCH } });
  const [files] = await once(worker, "message");
  assert.deepEqual(files, { "greet.py": "def greet():\n    print('hello')\n" });
  await worker.terminate();
  assert.deepEqual(applyPatchSync({ files: FILES, patch: PATCH }).paths, ["greet.py"]);
});

test("CommonJS and the ES module share their classes, and have the same names", () => {
  const common = createRequire(import.meta.url)("@apply-patch/node");
  assert.equal(common.RefusedError, RefusedError);
  assert.deepEqual(Object.keys(common).sort(), Object.keys(api).sort());
  assert.match(api.instructions, /\*\*\* Begin Patch/);
});
