// How long a call takes: a file of 200 lines and a block of three, as `bench/loop.rs` has it.

import assert from "node:assert/strict";

import { applyPatch, applyPatchSync } from "@apply-patch/node";

const ROUNDS = 20;
const CALLS = 1_000;

const line = (at) => `    value_${at} = compute(${at})\n`;
const text = Array.from({ length: 200 }, (_, at) => line(at)).join("");
const patch = `*** Begin Patch\n*** Update File: a.py\n@@\n ${line(99)}-${line(100)}+    changed\n ${line(101)}*** End Patch\n`;
const expected = text.replace(line(100), "    changed\n");
const request = { files: { "a.py": text }, patch };

/** Prints the fastest of several rounds, because other programs are at work, too. */
async function measure(name, run) {
  let fastest = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = process.hrtime.bigint();
    await run();
    fastest = Math.min(fastest, Number(process.hrtime.bigint() - start) / 1e3 / CALLS);
  }
  console.log(`${name}: ${fastest.toFixed(1)} µs a call`);
}

assert.deepEqual(applyPatchSync(request).files, { "a.py": expected });

await measure("applyPatchSync", () => {
  for (let at = 0; at < CALLS; at += 1) applyPatchSync(request);
});
await measure("applyPatch, one after the other", async () => {
  for (let at = 0; at < CALLS; at += 1) await applyPatch(request);
});
await measure("applyPatch, 50 at once", async () => {
  for (let at = 0; at < CALLS; at += 50) await Promise.all(Array.from({ length: 50 }, () => applyPatch(request)));
});
await measure("String.replace", () => {
  for (let at = 0; at < CALLS; at += 1) text.replace(line(100), "    changed\n");
});
