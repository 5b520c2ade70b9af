// Patches that arrive in pieces.

import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { PatchStream } from "@apply-patch/node";

import { directory, text } from "./folder.mjs";

const PATCH = `*** Begin Patch
*** Update File: a.txt
@@ head
 one
-two
+2 😀
*** Add File: b.txt
+new
*** End Patch
`;
const EVENTS = [
  { type: "hunk", kind: "update", path: "a.txt", moved_to: null, patch_line: 2, edits: [] },
  { type: "chunk", patch_line: 3 },
  { type: "header", text: "head", patch_line: 3 },
  { type: "line", kind: "context", text: "one", patch_line: 4 },
  { type: "line", kind: "remove", text: "two", patch_line: 5 },
  { type: "line", kind: "add", text: "2 😀", patch_line: 6 },
  { type: "chunk-end", end_of_file: false },
  { type: "hunk-end" },
  { type: "hunk", kind: "add", path: "b.txt", moved_to: null, patch_line: 7, edits: [] },
  { type: "line", kind: "add", text: "new", patch_line: 8 },
  { type: "hunk-end" },
];

/** Returns the events of a text in pieces of a length, in UTF-16 units or in bytes. */
function inPieces(text, length) {
  const stream = new PatchStream();
  const events = [];
  for (let at = 0; at < text.length; at += length) events.push(...stream.feed(text.slice(at, at + length)));
  return [...events, ...stream.finish()];
}

test("the events are the same whatever the pieces, also where a piece ends inside a character", () => {
  for (const length of [1, 2, 3, 7, 1000]) {
    assert.deepEqual(inPieces(PATCH, length), EVENTS, `strings of ${length}`);
    assert.deepEqual(inPieces(Buffer.from(PATCH), length), EVENTS, `bytes of ${length}`);
  }
});

test("an event comes with the line that completes it", () => {
  const stream = new PatchStream();
  assert.deepEqual(stream.feed("*** Begin Patch\n*** Update File: a.t"), []);
  assert.deepEqual(stream.feed("xt\n"), EVENTS.slice(0, 1));
  assert.deepEqual(stream.feed("@@ head\n one\n-tw"), EVENTS.slice(1, 4));
});

test("an async iterable of pieces is read as one text", async () => {
  async function* pieces() {
    for (const character of PATCH) yield character;
  }
  const events = [];
  for await (const event of PatchStream.from(pieces())) events.push(event);
  assert.deepEqual(events, EVENTS);
});

test("repairs and errors are events", () => {
  const events = inPieces("*** Begin Patch\n*** Update File: a\n-one\n+1\n*** Frobnicate\n", 5);
  const repair = events.find(({ type }) => type === "repair");
  assert.deepEqual([repair.code, repair.first, repair.last], ["missing-chunk-marker", 3, 3]);
  const error = events.find(({ type }) => type === "error");
  assert.equal(typeof error.code, "string");
  assert.notEqual(error.expected, "");
});

test("a call is read as a whole", () => {
  const call = { type: "function_call", call_id: "c1", name: "edit", arguments: '{"path":"a","old_str":"x","new_str":"y"}' };
  const events = inPieces(JSON.stringify(call), 9);
  assert.deepEqual(events.map(({ type }) => type), ["call", "hunk", "hunk-end"]);
  assert.deepEqual(events[1].edits.map(({ old, new: text }) => [old, text]), [["x", "y"]]);
  assert.equal(events[0].id, "c1");
});

test("a preview says where the complete chunks go, and with which drift", () => {
  const stream = new PatchStream({ files: { "a.txt": "head\n  one\n  two\nend\n" } });
  assert.deepEqual(stream.preview().report.hunks, []);
  const text = "*** Begin Patch\n*** Update File: a.txt\n@@ head\n one\n-two\n+2\n";
  stream.feed(text);
  assert.deepEqual(stream.preview().report.hunks, [], "the chunk is not complete");
  stream.feed("@@\n-nowhere\n+x\n");
  const { report: first, files } = stream.preview();
  assert.deepEqual(files, { "a.txt": "head\n  one\n  2\nend\n" });
  assert.equal(first.outcome, "would-apply");
  assert.deepEqual(first.hunks[0].chunks.map(({ patch_line, line, exact }) => [patch_line, line, exact]), [[3, 2, false]]);
  assert.deepEqual(first.files[0].changes, [{ line: 3, removed: 1, added: 1 }]);
  stream.feed("*** End Patch\n");
  const { report: last, files: none } = stream.preview();
  assert.deepEqual(none, {});
  assert.equal(last.outcome, "refused");
  assert.deepEqual(last.failures.map(({ patch_line }) => patch_line), [7]);
  assert.deepEqual(stream.finish(), []);
  assert.deepEqual(stream.preview().report, last);
});

test("a preview of a directory changes nothing", async () => {
  const root = await directory({ "a.txt": "head\none\ntwo\n" });
  const stream = new PatchStream({ root });
  stream.feed(PATCH);
  assert.deepEqual(stream.preview().report.files.map(({ path }) => path), ["a.txt", "b.txt"]);
  assert.equal(await text(root, "a.txt"), "head\none\ntwo\n");
});

test("wrong use is a TypeError", () => {
  const stream = new PatchStream();
  assert.throws(() => stream.preview(), /TypeError: preview\(\) needs a stream with `files` or `root`/);
  assert.throws(() => stream.feed(1), TypeError);
  assert.throws(() => stream.feed("\udc00"), TypeError);
  stream.feed("\ud83d");
  assert.throws(() => stream.finish(), TypeError);
  stream.feed("\ude00");
  stream.finish();
  assert.throws(() => stream.feed("more"), /TypeError: the stream has ended/);
  assert.throws(() => new PatchStream({ match: "loose" }), TypeError);
  assert.throws(() => new PatchStream({ root: join(tmpdir(), "there-is-none") }), TypeError);
});
