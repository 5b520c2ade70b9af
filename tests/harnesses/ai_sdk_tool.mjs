// Puts `apply-patch` behind the tool `applyPatch` of the AI SDK, and runs it with a model that is a script. Needs the packages
// `ai` and `@ai-sdk/openai`; the command is in APPLY_PATCH, or on the path.
import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openai } from '@ai-sdk/openai';
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';

const COMMAND = process.env.APPLY_PATCH ?? 'apply-patch';
const root = mkdtempSync(join(tmpdir(), 'apply-patch-'));

// What an author writes, as docs/harnesses.md shows it.
const applyPatch = openai.tools.applyPatch({
  execute: async (call) => {
    const options = { input: JSON.stringify(call), encoding: 'utf8' };
    const answer = JSON.parse(spawnSync(COMMAND, ['--reply', 'openai', '-C', root], options).stdout);
    return { status: answer.status, output: answer.output };
  },
});

const file = join(root, 'greet.py');
writeFileSync(file, "def greet():\n    print('helo')\n");
const operations = [
  // Quoted without its indentation.
  { type: 'update_file', path: 'greet.py', diff: "@@ def greet():\n-print('helo')\n+print('hello')\n" },
  { type: 'update_file', path: 'greet.py', diff: '@@\n-nowhere\n+x\n' },
];
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const model = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    const turn = prompt.filter((message) => message.role === 'tool').length;
    if (turn === operations.length) {
      const content = [{ type: 'text', text: 'done' }];
      return { content, finishReason: { unified: 'stop' }, usage, warnings: [] };
    }
    const input = JSON.stringify({ callId: `call_${turn}`, operation: operations[turn] });
    const call = { type: 'tool-call', toolCallId: `call_${turn}`, toolName: 'apply_patch', input };
    return { content: [call], finishReason: { unified: 'tool-calls' }, usage, warnings: [] };
  },
});
const result = await generateText({
  model,
  prompt: 'fix it',
  tools: { apply_patch: applyPatch },
  stopWhen: stepCountIs(4),
});
const answers = result.steps.flatMap((step) => step.toolResults).map((answer) => answer.output);
assert.strictEqual(result.text, 'done');
assert.deepStrictEqual(answers.map((answer) => answer.status), ['completed', 'failed']);
assert.ok(answers[1].output.includes('not-found'), answers[1].output);
assert.strictEqual(readFileSync(file, 'utf8'), "def greet():\n    print('hello')\n");
rmSync(root, { recursive: true });
console.log('ai, @ai-sdk/openai: 2 calls answered, 1 of them refused.');
