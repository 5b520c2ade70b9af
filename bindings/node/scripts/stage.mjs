// Makes the folders that are published, from built modules: `node scripts/stage.mjs MODULES OUT [--all]`.
//
// OUT/node is the package, which has no module itself; OUT/npm/PLATFORM is the package of a platform. With --all a platform
// without a module is an error.

import { execFileSync } from "node:child_process";
import { cp, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { notices } from "./notices.mjs";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const PROJECT = join(PACKAGE, "../..");
const NAPI = join(PACKAGE, "node_modules/.bin/napi");

const [modules, out, ...flags] = process.argv.slice(2);
const needsAll = flags.includes("--all");
const about = JSON.parse(await readFile(join(PACKAGE, "package.json"), "utf8"));

/** Writes what every package has. */
async function complete(folder) {
  for (const licence of ["LICENSE-APACHE", "LICENSE-MIT"]) await cp(join(PROJECT, licence), join(folder, licence));
}

await rm(out, { recursive: true, force: true });
await mkdir(join(out, "node"), { recursive: true });
// The folders are made beside a package.json.
await cp(join(PACKAGE, "package.json"), join(out, "package.json"));
execFileSync(NAPI, ["create-npm-dirs"], { cwd: out, stdio: ["ignore", "ignore", "inherit"] });
await rm(join(out, "package.json"));

const third = notices(PACKAGE);
const built = await readdir(modules);
const platforms = await readdir(join(out, "npm"));
for (const platform of platforms) {
  const folder = join(out, "npm", platform);
  const name = `${about.napi.binaryName}.${platform}.node`;
  if (built.includes(name)) {
    await cp(join(modules, name), join(folder, name));
    await complete(folder);
    await writeFile(join(folder, "THIRD-PARTY.txt"), third);
    const own = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    own.files.push("THIRD-PARTY.txt");
    await writeFile(join(folder, "package.json"), `${JSON.stringify(own, null, 2)}\n`);
  } else if (needsAll) {
    throw new Error(`there is no ${name} in ${modules}`);
  } else {
    await rm(folder, { recursive: true });
  }
}

const { devDependencies: _, scripts: __, napi: ___, ...published } = about;
const optional = platforms.map((platform) => [`${about.name}-${platform}`, about.version]);
published.optionalDependencies = Object.fromEntries(optional);
await writeFile(join(out, "node/package.json"), `${JSON.stringify(published, null, 2)}\n`);
await complete(join(out, "node"));
// The manual is the page of the package. Its links lead to files that the package does not have.
const manual = await readFile(join(PROJECT, "docs/node.md"), "utf8");
await writeFile(join(out, "node/README.md"), manual.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1"));
for (const part of ["lib", "native.js"]) await cp(join(PACKAGE, part), join(out, "node", part), { recursive: true });
