// `execute` in the real AI SDK: `generateText` with `openai.tools.applyPatch`, and OpenAI's answers scripted in `fetch`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createOpenAI } from "@ai-sdk/openai";
import { aiExecute } from "@apply-patch/node";
import { generateText, stepCountIs } from "ai";

import { directory, text } from "./folder.mjs";

/** Returns a provider that gives one output after the other, and keeps the requests. */
function scripted(outputs) {
  const requests = [];
  const fetch = async (_, { body }) => {
    requests.push(JSON.parse(body));
    const output = [outputs.shift()];
    const usage = { input_tokens: 1, output_tokens: 1 };
    const id = `resp_${requests.length}`;
    return Response.json({ id, object: "response", created_at: 0, model: "gpt-5.1", status: "completed", output, usage });
  };
  return { openai: createOpenAI({ apiKey: "none", fetch }), requests };
}

const call = (operation, at) => ({
  type: "apply_patch_call",
  id: `apc_${at}`,
  call_id: `call_${at}`,
  status: "completed",
  operation,
});
const done = {
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Done.", annotations: [] }],
};

/** Runs a conversation, and returns the answers that were sent to the model. */
async function run(root, operations, options) {
  const { openai, requests } = scripted([...operations.map(call), done]);
  const { text: last } = await generateText({
    model: openai.responses("gpt-5.1"),
    tools: { apply_patch: openai.tools.applyPatch({ execute: aiExecute(root, options) }) },
    stopWhen: stepCountIs(10),
    prompt: "Edit the files.",
  });
  assert.equal(last, "Done.");
  assert.deepEqual(requests[0].tools, [{ type: "apply_patch" }]);
  return requests.at(-1).input.filter(({ type }) => type === "apply_patch_call_output");
}

test("a conversation creates, updates and deletes files", async () => {
  const root = await directory({ "a.py": "def f():\n    return 1\n", "old.txt": "gone\n" });
  const answers = await run(root, [
    { type: "create_file", path: "new.md", diff: "+# Notes\n+first" },
    { type: "update_file", path: "a.py", diff: "@@ def f():\n-return 1\n+return 2\n" },
    { type: "delete_file", path: "old.txt" },
  ]);
  assert.deepEqual(answers.map(({ call_id, status }) => [call_id, status]), [
    ["call_0", "completed"],
    ["call_1", "completed"],
    ["call_2", "completed"],
  ]);
  for (const { output } of answers) assert.match(output, /^Done: 1 file changed\.\n/);
  assert.equal(await text(root, "a.py"), "def f():\n    return 2\n");
  await assert.rejects(text(root, "old.txt"), { code: "ENOENT" });
});

test("what does not fit is an answer that says why, and the conversation goes on", async () => {
  const root = await directory({ "a.py": "x = 1\ny = 1\nx = 1\n" });
  const answers = await run(root, [
    { type: "update_file", path: "a.py", diff: "-x = 1\n+x = 2\n" },
    { type: "update_file", path: "a.py", diff: " y = 1\n-x = 1\n+x = 2\n" },
  ]);
  assert.deepEqual(answers.map(({ status }) => status), ["failed", "completed"]);
  assert.match(answers[0].output, /^Nothing was changed[^]*\nNext: /);
  assert.equal(await text(root, "a.py"), "x = 1\ny = 1\nx = 2\n");
});

test("an aborted conversation makes no further call", async () => {
  const root = await directory({ "a.py": "x = 1\n" });
  const operation = { type: "delete_file", path: "a.py" };
  const answer = aiExecute(root)({ callId: "call_0", operation }, { abortSignal: AbortSignal.abort() });
  await assert.rejects(answer, { name: "AbortError" });
  assert.equal(await text(root, "a.py"), "x = 1\n");
});
