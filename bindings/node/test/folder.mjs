// Directories for tests.

import { mkdtemp, readFile, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Makes a directory with files, and returns its path. */
export async function directory(files = {}) {
  const root = await realpath(await mkdtemp(join(tmpdir(), "apply-patch-")));
  for (const [name, content] of Object.entries(files)) await writeFile(join(root, name), content);
  return root;
}

/** Returns the text of a file. */
export const text = (root, name) => readFile(join(root, name), "utf8");
