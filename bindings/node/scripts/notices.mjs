// The licences of the crates that a built module contains.

import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** Returns the packages that the module of a package is made of, without what is only used to build the module. */
function linked({ packages, resolve }) {
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const found = new Set();
  const visit = (id) => {
    if (found.has(id)) return;
    found.add(id);
    const isLinked = ({ dep_kinds: kinds }) => kinds.some(({ kind }) => kind === null);
    nodes.get(id).deps.filter(isLinked).forEach(({ pkg }) => visit(pkg));
  };
  visit(resolve.root);
  return packages.filter(({ id, source }) => found.has(id) && source !== null);
}

/** Returns the texts of the licences of a crate. */
function texts({ manifest_path: manifest }) {
  const folder = dirname(manifest);
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice|unicode)/i.test(name));
  return names.sort().flatMap((name) => {
    try {
      return [readFileSync(join(folder, name), "utf8").trim()];
    } catch {
      return [];
    }
  });
}

/** Returns the notices for the crate in a folder. */
export function notices(folder) {
  const metadata = execFileSync("cargo", ["metadata", "--format-version", "1", "--locked"], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const crates = linked(JSON.parse(metadata));
  const list = crates.map(({ name, version, license, authors }) => `${name} ${version}: ${license}; ${authors.join(", ")}`);
  const named = new Map();
  for (const crate of crates) {
    for (const text of texts(crate)) named.set(text, [...(named.get(text) ?? []), crate.name]);
  }
  const licences = [...named].map(([text, names]) => `Of ${names.join(", ")}:\n\n${text}`);
  return ["The module contains these libraries.", list.join("\n"), ...licences].join("\n\n\n") + "\n";
}
