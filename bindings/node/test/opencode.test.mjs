// The plugin in the real opencode, whose model is scripted by a server on this machine; and by itself, with the real
// @opencode-ai/plugin.

import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { RefusedError } from "@apply-patch/node";
import { ApplyPatch } from "@apply-patch/node/opencode";

import { directory, text } from "./folder.mjs";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const OPENCODE = join(PACKAGE, "node_modules/.bin/opencode");

/** The quote has lost its indentation. */
const PATCH = "*** Begin Patch\n*** Update File: a.py\n@@ def f():\n-return 1\n+return 2\n*** End Patch";
const BEFORE = "def f():\n    return 1\n";
const AFTER = "def f():\n    return 2\n";

describe("the plugin by itself", async () => {
  const { tool } = await ApplyPatch();
  const { args, description, execute } = tool.apply_patch;

  /** Returns a context as opencode has it, with the questions that were asked. */
  function context(root, answer = async () => {}) {
    const asked = [];
    const ask = async (question) => {
      asked.push(question);
      await answer();
    };
    return { asked, directory: root, worktree: "/", abort: new AbortController().signal, ask };
  }

  test("the user is asked before anything is written", async () => {
    const root = await directory({ "a.py": BEFORE });
    const seen = [];
    const given = context(root, async () => seen.push(await text(root, "a.py")));
    const { output, title } = await execute({ patchText: PATCH }, given);
    assert.deepEqual(seen, [BEFORE]);
    assert.equal(await text(root, "a.py"), AFTER);
    assert.match(output, /^Done: 1 file changed\.\n/);
    assert.equal(title, "a.py");
    const [{ permission, patterns, metadata }] = given.asked;
    assert.deepEqual([permission, patterns], ["edit", ["a.py"]]);
    assert.match(metadata.diff, /-    return 1\n\+    return 2\n/);
  });

  test("a user who refuses keeps the file, and is not asked about a patch that does not fit", async () => {
    const root = await directory({ "a.py": BEFORE });
    const given = context(root, () => Promise.reject(new Error("rejected")));
    await assert.rejects(execute({ patchText: PATCH }, given), /rejected/);
    await assert.rejects(execute({ patchText: PATCH.replace("f()", "g()").replace("return 1", "x") }, given), RefusedError);
    assert.equal(await text(root, "a.py"), BEFORE);
    assert.equal(given.asked.length, 1);
  });

  test("a file that changes while the user thinks is not written", async () => {
    const root = await directory({ "a.py": BEFORE });
    const given = context(root, () => writeFile(join(root, "a.py"), `# new\n${BEFORE}`));
    await assert.rejects(execute({ patchText: PATCH }, given), ({ codes }) => codes.includes("not-as-expected"));
    assert.equal(await text(root, "a.py"), `# new\n${BEFORE}`);
  });

  test("a patch that was applied before asks nothing", async () => {
    const root = await directory({ "a.py": AFTER });
    const given = context(root);
    const patchText = PATCH.replace("-return", "-    return").replace("+return", "+    return");
    assert.match(await execute({ patchText }, given), /already as the patch wants them/);
    assert.deepEqual(given.asked, []);
  });

  test("the model is shown the format", () => {
    assert.match(description, /\*\*\* Begin Patch/);
    assert.equal(args.patchText.safeParse(PATCH).success, true);
  });
});

/** Starts a server that answers as OpenAI's chat completions do: one call of the tool, then a word. */
async function scripted(patch) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const { messages, tools = [] } = JSON.parse(Buffer.concat(pieces).toString() || "{}");
    requests.push({ tools: tools.map((tool) => tool.function), last: messages?.at(-1) });
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (delta, finish_reason = null) => {
      const choices = [{ index: 0, delta, finish_reason }];
      response.write(`data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 0, model: "m", choices })}\n\n`);
    };
    const calls = tools.length > 0 && messages.at(-1).role !== "tool";
    const call = { name: "apply_patch", arguments: JSON.stringify({ patchText: patch }) };
    if (calls) send({ role: "assistant", tool_calls: [{ index: 0, id: "call_1", type: "function", function: call }] });
    else send({ role: "assistant", content: "Finished." });
    send({}, calls ? "tool_calls" : "stop");
    response.end("data: [DONE]\n\n");
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return { requests, url: `http://127.0.0.1:${server.address().port}/v1`, close: () => server.close() };
}

/** Makes a project with the plugin, in which opencode asks the scripted model. Only models of this name get `apply_patch`. */
async function project(files, url) {
  const root = await directory(files);
  await mkdir(join(root, ".opencode/plugins"), { recursive: true });
  await mkdir(join(root, "node_modules/@apply-patch"), { recursive: true });
  await symlink(PACKAGE, join(root, "node_modules/@apply-patch/node"));
  await writeFile(
    join(root, ".opencode/plugins/apply-patch.js"),
    'export { ApplyPatch } from "@apply-patch/node/opencode";\n',
  );
  const model = { name: "gpt-5", tool_call: true, limit: { context: 100_000, output: 4_000 } };
  const options = { baseURL: url, apiKey: "none" };
  const config = {
    model: "scripted/gpt-5",
    small_model: "scripted/gpt-5",
    autoupdate: false,
    share: "disabled",
    enabled_providers: ["scripted"],
    provider: { scripted: { npm: "@ai-sdk/openai-compatible", name: "Scripted", options, models: { "gpt-5": model } } },
  };
  await writeFile(join(root, "opencode.json"), JSON.stringify(config));
  return root;
}

const version = spawnSync(OPENCODE, ["--version"], { encoding: "utf8" });
const skip = version.status === 0 ? false : "opencode does not run here";

test("opencode calls the plugin instead of its own tool", { skip, timeout: 120_000 }, async () => {
  const server = await scripted(PATCH);
  const root = await project({ "a.py": BEFORE }, server.url);
  const home = await directory();
  const env = {
    ...process.env,
    // The shell's idea of the directory counts for opencode.
    PWD: root,
    HOME: home,
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_DATA_HOME: join(home, "data"),
    XDG_CACHE_HOME: join(home, "cache"),
    XDG_STATE_HOME: join(home, "state"),
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
  };
  const running = promisify(execFile)(OPENCODE, ["run", "Edit the file."], { cwd: root, env, timeout: 110_000 });
  running.child.stdin.end();
  const { stdout } = await running.finally(server.close);
  assert.match(stdout, /Finished\./);
  const answer = server.requests.find(({ last }) => last?.role === "tool")?.last;
  assert.match(answer?.content ?? "no call", /^Done: 1 file changed\.\n/);
  assert.equal(await text(root, "a.py"), AFTER);
  const offered = server.requests.find(({ tools }) => tools.length > 0).tools;
  const { tool } = await ApplyPatch();
  assert.deepEqual(
    offered.filter(({ name }) => name === "apply_patch").map(({ description }) => description),
    [tool.apply_patch.description],
  );
});
