// Measures a call in Rust, Node and Python by turns, and prints the shortest times as a table, with their ratios to the loop in Rust:
// other programs are at work, too, and only make a call longer. PYTHON names an interpreter that has the package; without it, that row is missing.
//
//     PYTHON=python3 npm run bench -- 40     # forty turns instead of twenty

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const TURNS = Number(process.argv[2] ?? 20);
const ROUNDS = "2";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
execFileSync("cargo", ["build", "--quiet", "--release", "--example", "loop"], { cwd: here(".."), stdio: "inherit" });
const programs = [
  [here("../target/release/examples/loop"), ROUNDS],
  [process.execPath, here("speed.mjs"), ROUNDS],
  ...(process.env.PYTHON ? [[process.env.PYTHON, here("loop.py"), ROUNDS]] : []),
];

const measured = new Map();
for (let turn = 0; turn < TURNS; turn += 1) {
  for (const [program, ...args] of programs) {
    for (const row of execFileSync(program, args, { encoding: "utf8" }).trim().split("\n")) {
      const [, name, figure] = /^(.*): ([0-9.]+)$/.exec(row);
      measured.set(name, Math.min(measured.get(name) ?? Infinity, Number(figure)));
    }
  }
}
const least = measured.get("run");
console.log("| call | µs | by the loop in Rust |\n|---|---|---|");
for (const [name, figure] of measured) console.log(`| ${name} | ${figure.toFixed(1)} | ${(figure / least).toFixed(2)} |`);
