// Prints the resident memory after 2,000 and after 12,000 calls of a kind.

import { PatchStream, applyPatch, applyPatchSync } from "@apply-patch/node";

const line = (at) => `    value_${at} = compute(${at})\n`;
const text = Array.from({ length: 250 }, (_, at) => line(at)).join("");
const patch = `*** Begin Patch\n*** Update File: a.py\n@@\n${line(99).replace(/^/, " ")}-${line(100)}+    changed\n*** End Patch\n`;
const request = { files: { "a.py": text }, patch, diff: true };
const refused = { ...request, patch: patch.replaceAll("compute", "computed") };

const KINDS = {
  sync: () => applyPatchSync(request),
  promise: () => applyPatch(request),
  refused: () => applyPatch(refused).catch(({ report }) => report),
  stream: () => {
    const stream = new PatchStream({ files: request.files });
    stream.feed(patch);
    return stream.preview();
  },
};

const call = KINDS[process.argv[2]];

async function run(calls) {
  for (let at = 0; at < calls; at += 1) {
    await call();
    // Node calls the finalizers of native objects when the event loop turns.
    if (at % 100 === 0) await new Promise(setImmediate);
  }
  for (let at = 0; at < 3; at += 1) {
    globalThis.gc();
    await new Promise(setImmediate);
  }
  return process.memoryUsage().rss;
}

const first = await run(2_000);
const second = await run(10_000);
console.log(JSON.stringify({ first, second }));
