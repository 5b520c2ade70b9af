// Prints the microseconds of a call with the parameter ROUNDS: a file of 200 lines and a block of three, as `bench/loop.rs` has it.

import assert from "node:assert/strict";

import { applyPatch, applyPatchSync } from "@apply-patch/node";

const ROUNDS = Number(process.argv[2] ?? 20);
const CALLS = 1_000;

const line = (at) => `    value_${at} = compute(${at})\n`;
const text = Array.from({ length: 200 }, (_, at) => line(at)).join("");
const patch = `*** Begin Patch\n*** Update File: a.py\n@@\n ${line(99)}-${line(100)}+    changed\n ${line(101)}*** End Patch\n`;
const expected = text.replace(line(100), "    changed\n");
const request = { files: { "a.py": text }, patch };

// One of a thousand files, each as long as that one.
const others = Object.fromEntries(Array.from({ length: 999 }, (_, at) => [`src/${at}.py`, text]));
const tree = { files: { ...others, "a.py": text }, patch };

/** Prints the fastest of several rounds, because other programs are at work, too. */
async function measure(name, calls, run) {
  let fastest = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = process.hrtime.bigint();
    await run();
    fastest = Math.min(fastest, Number(process.hrtime.bigint() - start) / 1e3 / calls);
  }
  console.log(`${name}: ${fastest.toFixed(1)}`);
}

assert.deepEqual(applyPatchSync(request).files, { "a.py": expected });
assert.deepEqual(applyPatchSync(tree).files, { "a.py": expected });

await measure("applyPatchSync", CALLS, () => {
  for (let at = 0; at < CALLS; at += 1) applyPatchSync(request);
});
await measure("applyPatch, one after the other", CALLS, async () => {
  for (let at = 0; at < CALLS; at += 1) await applyPatch(request);
});
await measure("applyPatch, 50 at once", CALLS, async () => {
  for (let at = 0; at < CALLS; at += 50) await Promise.all(Array.from({ length: 50 }, () => applyPatch(request)));
});
await measure("applyPatchSync, one of 1,000 files", CALLS / 50, () => {
  for (let at = 0; at < CALLS / 50; at += 1) applyPatchSync(tree);
});
await measure("String.replace", CALLS, () => {
  for (let at = 0; at < CALLS; at += 1) text.replace(line(100), "    changed\n");
});
