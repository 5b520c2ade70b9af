// The editor in the real @openai/agents: an agent whose model is scripted.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Agent, Runner, Usage, applyPatchTool } from "@openai/agents";
import { agentsEditor } from "@apply-patch/node";

import { directory, text } from "./folder.mjs";

/** A model that makes one call after the other, and keeps what it was answered. */
class Scripted {
  constructor(operations) {
    this.operations = operations;
    this.answers = [];
  }

  async getResponse({ input }) {
    const last = Array.isArray(input) ? input.at(-1) : undefined;
    if (last?.type === "apply_patch_call_output") this.answers.push(last);
    const operation = this.operations.shift();
    const output = operation
      ? { type: "apply_patch_call", callId: `call_${this.answers.length}`, status: "completed", operation }
      : { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: "Done." }] };
    return { usage: new Usage(), output: [output] };
  }

  async *getStreamedResponse() {
    throw new Error("this model does not stream");
  }
}

/** Runs an agent with an editor, and returns what the model was answered. */
async function run(root, operations, options) {
  const model = new Scripted(operations);
  const agent = new Agent({ name: "editor", model, tools: [applyPatchTool({ editor: agentsEditor(root, options) })] });
  const { finalOutput } = await new Runner({ tracingDisabled: true }).run(agent, "Edit the files.");
  assert.equal(finalOutput, "Done.");
  return model.answers;
}

test("an agent creates, updates and deletes files", async () => {
  const root = await directory({ "a.py": "def f():\n    return 1\n", "old.txt": "gone\n" });
  const answers = await run(root, [
    { type: "create_file", path: "new.md", diff: "+# Notes\n+first" },
    // The quote has lost its indentation.
    { type: "update_file", path: "a.py", diff: "@@ def f():\n-return 1\n+return 2\n" },
    { type: "delete_file", path: "old.txt" },
  ]);
  assert.deepEqual(answers.map(({ status, callId }) => [status, callId]), [
    ["completed", "call_0"],
    ["completed", "call_1"],
    ["completed", "call_2"],
  ]);
  for (const { output } of answers) assert.match(output, /^Done: 1 file changed\.\n/);
  assert.match(await text(root, "new.md"), /^# Notes\nfirst\n?$/);
  assert.equal(await text(root, "a.py"), "def f():\n    return 2\n");
  assert.ok(!existsSync(join(root, "old.txt")));
});

test("what does not fit is an answer that says why, and the agent goes on", async () => {
  const root = await directory({ "a.py": "x = 1\ny = 1\nx = 1\n" });
  const answers = await run(root, [
    { type: "update_file", path: "a.py", diff: "-x = 1\n+x = 2\n" },
    { type: "update_file", path: "../a.py", diff: "-x = 1\n+x = 2\n" },
    { type: "create_file", path: "a.py", diff: "+x = 3" },
    { type: "delete_file", path: "b.py" },
    { type: "update_file", path: "a.py", diff: " y = 1\n-x = 1\n+x = 2\n" },
  ]);
  assert.deepEqual(answers.map(({ status }) => status), ["failed", "failed", "failed", "failed", "completed"]);
  for (const { output } of answers.slice(0, 4)) assert.match(output, /^Nothing was changed[^]*\nNext: /);
  assert.equal(await text(root, "a.py"), "x = 1\ny = 1\nx = 2\n");
});

test("a file moves", async () => {
  const root = await directory({ "a.py": "x = 1\n" });
  const [{ status }] = await run(root, [{ type: "update_file", path: "a.py", diff: "-x = 1\n+x = 2\n", moveTo: "b.py" }]);
  assert.equal(status, "completed");
  assert.equal(await text(root, "b.py"), "x = 2\n");
  assert.ok(!existsSync(join(root, "a.py")));
});

test("options are those of a directory", async () => {
  const root = await directory({ "a.py": "x = 1\n" });
  const [{ status }] = await run(root, [{ type: "create_file", path: "a.py", diff: "+x = 3" }], { overwrite: true });
  assert.equal(status, "completed");
  await assert.rejects(agentsEditor(root, { match: "loose" }).deleteFile({ type: "delete_file", path: "a.py" }), TypeError);
});
