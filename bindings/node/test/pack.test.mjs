// The packed packages, installed in a fresh folder without a registry; there the examples of docs/node.md and README.md run.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { removeAtEnd } from "./folder.mjs";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const README = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
const MANUAL = readFileSync(new URL("../../../docs/node.md", import.meta.url), "utf8");

describe("the packed package", { timeout: 300_000 }, () => {
  const fresh = removeAtEnd(realpathSync(mkdtempSync(join(tmpdir(), "apply-patch-pack-"))));
  const installed = join(fresh, "node_modules/@apply-patch");
  const run = (command, args, cwd = fresh) => execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const node = (file) => run(process.execPath, [file]);

  before(() => {
    const stage = join(fresh, "stage");
    run(process.execPath, [join(PACKAGE, "scripts/stage.mjs"), PACKAGE, stage], PACKAGE);
    const folders = [join(stage, "node"), join(stage, "npm/linux-x64-gnu")];
    const packed = folders.map((folder) => JSON.parse(run("npm", ["pack", "--json"], folder)));
    const names = packed.map((result, at) => join(folders[at], Object.values(result)[0].filename));
    writeFileSync(join(fresh, "package.json"), '{ "name": "fresh", "private": true }\n');
    run("npm", ["install", "--offline", "--no-audit", "--no-fund", ...names]);
  });

  test("the native module is in the package of the platform alone", () => {
    assert.ok(existsSync(join(installed, "node-linux-x64-gnu/apply-patch.linux-x64-gnu.node")));
    const files = readdirSync(join(installed, "node"));
    assert.deepEqual(files.sort(), ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "lib", "native.js", "package.json"]);
    const { optionalDependencies, version, devDependencies } = JSON.parse(readFileSync(join(installed, "node/package.json"), "utf8"));
    assert.equal(optionalDependencies["@apply-patch/node-linux-x64-gnu"], version);
    assert.equal(Object.keys(optionalDependencies).length, 8);
    assert.equal(devDependencies, undefined);
  });

  test("the licences of what is linked are with the native module", () => {
    const notices = readFileSync(join(installed, "node-linux-x64-gnu/THIRD-PARTY.txt"), "utf8");
    for (const crate of ["encoding_rs", "napi", "serde_json", "unicode-normalization"]) {
      assert.match(notices, new RegExp(`^${crate} \\d[^:]*: \\S`, "m"));
    }
    assert.match(notices, /^Of [^]*encoding_rs[^]*Redistribution and use in source and binary forms/m);
    assert.doesNotMatch(notices, /^napi-build /m);
    assert.equal(notices.match(/Version 2\.0, January 2004/g).length < 30, true, "texts are repeated");
  });

  test("the examples of docs/node.md print what their comments show", () => {
    const blocks = [...MANUAL.matchAll(/```js\n([^]*?)```/g)].map(([, code]) => code);
    assert.equal(blocks.length, 3);
    const printed = blocks.map((code, at) => {
      writeFileSync(join(fresh, `example-${at}.mjs`), code);
      return node(`example-${at}.mjs`);
    });
    const [first, second, third] = printed;
    assert.match(first, /^\{ 'greet\.py': "def greet\(\):\\n    print\('hello'\)\\n" \}\nDone: 1 file changed\.\n/);
    for (const [code, output] of [[blocks[1], second], [blocks[2], third]]) {
      const expected = [...code.matchAll(/console\.log\([^\n]*\); \/\/ (.*)/g)].map(([, words]) => words);
      assert.deepEqual(output.trimEnd().split("\n"), expected);
    }
    assert.ok(blocks[0].trim().split("\n").length <= 13, "the section promises ten lines");
  });

  test("the example of README.md applies a patch", () => {
    const [, code] = /### Node\n[^]*?```js\n([^]*?)```/.exec(README);
    const patch = "*** Begin Patch\n*** Update File: greet.py\n@@\n-helo\n+hello\n*** End Patch";
    mkdirSync(join(fresh, "project"));
    writeFileSync(join(fresh, "project/greet.py"), "helo\n");
    writeFileSync(join(fresh, "readme.mjs"), `const patch = ${JSON.stringify(patch)};\n${code}`);
    node("readme.mjs");
    assert.equal(readFileSync(join(fresh, "project/greet.py"), "utf8"), "hello\n");
  });

  test("CommonJS finds the package, too", () => {
    writeFileSync(join(fresh, "common.cjs"), 'console.log(require("@apply-patch/node").applyPatchSync.name);\n');
    assert.equal(node("common.cjs"), "applyPatchSync\n");
  });

  test("the types are found by a project of either kind", () => {
    const code = 'import { applyPatchSync } from "@apply-patch/node";\nconst text: string | null = applyPatchSync({ files: { a: "" }, patch: "" }).files["a"] ?? null;\ntext;\n';
    for (const name of ["types.mts", "types.cts"]) {
      writeFileSync(join(fresh, name), code);
      const options = ["--noEmit", "--strict", "--module", "nodenext", "--skipLibCheck", "--types", "node", "--typeRoots", join(PACKAGE, "node_modules/@types")];
      run(join(PACKAGE, "node_modules/.bin/tsc"), [...options, name]);
    }
  });
});
