// Writes lib/report.d.ts from the schema of the report; with --check, checks whether it is up to date.

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { compile } from "json-schema-to-typescript";

const schema = JSON.parse(await readFile(new URL("../../../docs/report.schema.json", import.meta.url), "utf8"));
const types = await compile(schema, "Report", {
  bannerComment: "// Made from docs/report.schema.json by `npm run types`.",
  additionalProperties: false,
  style: { printWidth: 110 },
});
const file = new URL("../lib/report.d.ts", import.meta.url);
if (!process.argv.includes("--check")) {
  await writeFile(file, types);
} else if ((await readFile(file, "utf8")) !== types) {
  console.error(`${fileURLToPath(file)} is not what the schema says; run \`npm run types\``);
  process.exitCode = 1;
}
