// A panic of the native part is an exception, on this thread and on another, and the process goes on.

import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

// A module that is built with a function that panics: `npm run build:panic`.
const folder = fileURLToPath(new URL("../target/panic", import.meta.url));
const built = existsSync(folder) && readdirSync(folder).find((name) => name.endsWith(".node"));
if (built) process.env.NAPI_RS_NATIVE_LIBRARY_PATH = join(folder, built);
const require = createRequire(import.meta.url);

test("a panic is an InternalError, and the next call works", async () => {
  assert.ok(built, "`npm run build:panic` was not run");
  const native = require("../native.js");
  const { call, translated } = require("../lib/errors.js");
  const { applyPatch, applyPatchSync, InternalError, PatchStream } = require("@apply-patch/node");
  const isInternal = (error) => error instanceof InternalError && /asked for by a test/.test(error.message);
  assert.throws(() => call(native.panicSync), isInternal);
  await assert.rejects(native.panicAsync(), (error) => isInternal(translated(error)));
  const request = { files: { a: "one\n" }, patch: "*** Begin Patch\n*** Update File: a\n@@\n-one\n+1\n*** End Patch\n" };
  assert.deepEqual(applyPatchSync(request).files, { a: "1\n" });
  assert.deepEqual((await applyPatch(request)).files, { a: "1\n" });
  assert.equal(new PatchStream().feed(request.patch).length, 6);
});
