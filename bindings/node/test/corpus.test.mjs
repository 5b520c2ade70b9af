// Every case of fixtures/ through the binding: the exit status, the files to the byte, and the codes of refusals are those of
// the command.

import assert from "node:assert/strict";
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { ApplyPatchError, applyPatchSync } from "@apply-patch/node";

const FIXTURES = fileURLToPath(new URL("../../../fixtures", import.meta.url));
const STATUS = { applied: 0, refused: 1, "not-a-patch": 2, "system-refused": 3 };

/** What is of the command alone: another command than applying a patch. */
const OF_THE_COMMAND = new Set(["replace"]);

/** The options of a call for an option of the command, with the number of values that the option of the command takes. */
const OPTIONS = {
  "--strict": [0, () => ({ strict: true })],
  "--accept-truncated": [0, () => ({ acceptTruncated: true })],
  "--overwrite": [0, () => ({ overwrite: true })],
  "--check": [0, () => ({ dryRun: true })],
  "--suggest": [0, () => ({})],
  "--match": [1, (match) => ({ match })],
  "--ambiguity": [1, (ambiguity) => ({ ambiguity })],
  "--format": [1, (format) => ({ format })],
  "--file": [1, (file) => ({ file })],
  "-p": [1, (strip) => ({ strip: Number(strip) })],
  "-C": [1, (base) => ({ base })],
  "--compat": [1, () => ({ match: "whitespace", ambiguity: "first", overwrite: true })],
  "--expect": [1, (pin) => ({ expect: Object.fromEntries([pin.split("=")]) })],
};

/** Returns the folders of all cases. */
function cases(folder = FIXTURES) {
  if (existsSync(join(folder, "case.txt"))) return [folder];
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return entries.flatMap(({ name }) => cases(join(folder, name)));
}

/** Reads the `key: value` lines of a case. */
function expectation(folder) {
  const lines = readFileSync(join(folder, "case.txt"), "utf8").split("\n").filter((line) => line.trim() !== "");
  const pairs = lines.map((line) => [line.slice(0, line.indexOf(":")).trim(), line.slice(line.indexOf(":") + 1).trim()]);
  const values = (key) => pairs.filter(([other]) => other === key).map(([, value]) => value);
  const options = values("options").flatMap((text) => text.split(/\s+/));
  return { status: STATUS[values("expect")[0]], why: values("why"), options };
}

/** Returns the options of a call for the options of the command. */
function translated([name, ...rest]) {
  if (name === undefined) return {};
  const [option, given] = name.includes("=") && name.startsWith("--") ? name.split("=") : [name];
  assert.ok(option in OPTIONS, `the option ${option} of a case is unknown to this test`);
  const [takes, make] = OPTIONS[option];
  if (given !== undefined) return { ...make(given), ...translated(rest) };
  return { ...make(...rest.slice(0, takes)), ...translated(rest.slice(takes)) };
}

/** Returns all files and links of a folder by their paths. */
function tree(root, folder = root, found = {}) {
  for (const { name } of existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []) {
    const path = join(folder, name);
    const info = lstatSync(path);
    if (info.isDirectory()) tree(root, path, found);
    else if (info.isSymbolicLink()) found[relative(root, path)] = `-> ${readlinkSync(path)}`;
    else found[relative(root, path)] = `${info.mode & 0o111 ? "x" : "-"} ${readFileSync(path).toString("latin1")}`;
  }
  return found;
}

/** Returns a directory with the files that a case has before its patch. */
function before(folder) {
  const root = mkdtempSync(join(tmpdir(), "apply-patch-"));
  if (existsSync(join(folder, "before"))) {
    cpSync(join(folder, "before"), root, { recursive: true, verbatimSymlinks: true });
  }
  return root;
}

/** Applies a case's patch, and returns what became of it. */
function outcome(request) {
  try {
    const result = applyPatchSync(request);
    const { status, files } = result;
    return { status, files, codes: [], outcome: result.toJSON().outcome };
  } catch (error) {
    if (!(error instanceof ApplyPatchError)) throw error;
    return error;
  }
}

/** Files that no patch names: of so many files only those of the patch are copied. */
const OTHERS = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`never named/${at}`, "x"]));

/** Checks that files in memory come out as those of a directory. Links, modes and empty directories are of a directory alone. */
function inMemory(folder, request, onDisk) {
  const [old, wanted] = [tree(join(folder, "before")), tree(existsSync(join(folder, "after")) ? join(folder, "after") : join(folder, "before"))];
  const isPlain = (files) => Object.values(files).every((content) => content.startsWith("- "));
  if (!isPlain(old) || !isPlain(wanted) || hasEmptyDirectory(join(folder, "before"))) return;
  const bytes = (content) => Buffer.from(content.slice(2), "latin1");
  const files = Object.fromEntries(Object.entries(old).map(([path, content]) => [path, bytes(content)]));
  const done = outcome({ ...request, files: { ...files, ...OTHERS } });
  assert.equal(done.status, onDisk.status, done.report);
  assert.deepEqual(done.codes, onDisk.codes);
  if (done.status !== 0 || request.dryRun || done.outcome === "would-apply") return;
  for (const [path, content] of Object.entries(done.files)) {
    if (content === null) delete files[path];
    else files[path] = content;
  }
  const after = Object.fromEntries(Object.entries(files).map(([path, content]) => [path, `- ${Buffer.from(content).toString("latin1")}`]));
  assert.deepEqual(after, wanted);
  inMemoryCases += 1;
}

/** Returns whether a folder has a directory without files. */
function hasEmptyDirectory(folder) {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [{ isDirectory: () => false }];
  return entries.length === 0 || entries.some((entry) => entry.isDirectory() && hasEmptyDirectory(join(folder, entry.name)));
}

const all = cases();
let skipped = 0;
let inMemoryCases = 0;
for (const folder of all) {
  const { status, why, options } = expectation(folder);
  const name = relative(FIXTURES, folder);
  if (options.some((option) => OF_THE_COMMAND.has(option))) {
    skipped += 1;
    continue;
  }
  test(name, () => {
    const root = before(folder);
    const { base = ".", ...given } = translated(options);
    mkdirSync(root, { recursive: true });
    const patch = readFileSync(join(folder, "patch.txt"));
    const done = outcome({ ...given, root: resolve(root, base), patch, fsync: false });
    const after = join(folder, "after");
    assert.deepEqual(tree(root), tree(existsSync(after) ? after : join(folder, "before")));
    assert.equal(done.status, status, done.report);
    for (const code of why) assert.ok(done.codes.includes(code), `${code} is not among ${done.codes}`);
    rmSync(root, { recursive: true });
    if (base === "." && !name.startsWith("path/")) inMemory(folder, { ...given, patch }, done);
  });
}

test("nearly all cases run here", () => {
  assert.ok(all.length > 800, `${all.length} cases`);
  assert.ok(inMemoryCases > all.length / 4, `${inMemoryCases} applied in memory`);
  assert.ok(skipped < all.length / 30, `${skipped} of ${all.length} cases are of the command alone`);
});
