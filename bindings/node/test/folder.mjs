// Directories for tests.

import { rmSync } from "node:fs";
import { mkdtemp, readFile, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const temporary = [];

process.once("exit", () => {
  for (const root of temporary) rmSync(root, { recursive: true, force: true });
});

/** Lets a directory be removed at the end of the process, and returns its path. */
export function removeAtEnd(root) {
  temporary.push(root);
  return root;
}

/** Makes a directory with files, and returns its path. It is removed at the end of the process. */
export async function directory(files = {}) {
  const root = removeAtEnd(await realpath(await mkdtemp(join(tmpdir(), "apply-patch-"))));
  for (const [name, content] of Object.entries(files)) await writeFile(join(root, name), content);
  return root;
}

/** Returns the text of a file. */
export const text = (root, name) => readFile(join(root, name), "utf8");
