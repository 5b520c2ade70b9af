// 10,000 calls of each kind leave the memory as it was.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("memory.mjs", import.meta.url));

for (const kind of ["sync", "promise", "refused", "stream"]) {
  test(`10,000 calls: ${kind}`, { timeout: 120_000 }, (context) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, ["--expose-gc", script, kind], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
    const { first, second } = JSON.parse(stdout);
    const growth = (second - first) / 1e6;
    context.diagnostic(`${(first / 1e6).toFixed(1)} MB after 2,000 calls, ${(second / 1e6).toFixed(1)} MB after 12,000`);
    // The contents of 10,000 calls are 80 MB. A leak of a single report in each call would be 20 MB.
    assert.ok(growth < 8, `${growth.toFixed(1)} MB more`);
  });
}
