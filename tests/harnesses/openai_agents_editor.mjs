// Puts `apply-patch` in the place of the editor of the OpenAI Agents SDK for JavaScript, and runs an agent whose model is a
// script. Needs the package `@openai/agents`; the command is in APPLY_PATCH, or on the path.
import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Agent, Runner, Usage, applyPatchTool } from '@openai/agents';

const COMMAND = process.env.APPLY_PATCH ?? 'apply-patch';

// What an author writes, as docs/harnesses.md shows it.
function editor(root) {
  const apply = async (operation) => {
    const options = { input: JSON.stringify(operation), encoding: 'utf8' };
    return JSON.parse(spawnSync(COMMAND, ['--reply', 'openai', '-C', root], options).stdout);
  };
  return { createFile: apply, updateFile: apply, deleteFile: apply };
}

class Script {
  constructor(operations) {
    this.operations = operations;
    this.answers = [];
  }

  async getResponse(request) {
    if (Array.isArray(request.input)) {
      this.answers = request.input.filter((item) => item.type === 'apply_patch_call_output');
    }
    const turn = this.answers.length;
    const call = { type: 'apply_patch_call', callId: `call_${turn}`, status: 'completed' };
    const text = { type: 'output_text', text: 'done' };
    const message = { type: 'message', role: 'assistant', status: 'completed', content: [text] };
    const output = turn < this.operations.length ? { ...call, operation: this.operations[turn] } : message;
    return { usage: new Usage(), output: [output] };
  }

  getStreamedResponse() {
    throw new Error('not streamed');
  }
}

const root = mkdtempSync(join(tmpdir(), 'apply-patch-'));
const file = join(root, 'greet.py');
writeFileSync(file, "def greet():\n    print('helo')\n");
const model = new Script([
  // Quoted without its indentation.
  { type: 'update_file', path: 'greet.py', diff: "@@ def greet():\n-print('helo')\n+print('hello')\n" },
  { type: 'create_file', path: 'notes.md', diff: '+# Notes\n+first' },
  { type: 'update_file', path: 'greet.py', diff: '@@\n-nowhere\n+x\n' },
  { type: 'delete_file', path: 'notes.md' },
]);
const agent = new Agent({ name: 'editor', model, tools: [applyPatchTool({ editor: editor(root) })] });
const result = await new Runner({ tracingDisabled: true }).run(agent, 'fix it');
assert.strictEqual(result.finalOutput, 'done');
assert.deepStrictEqual(model.answers.map((answer) => answer.status), ['completed', 'completed', 'failed', 'completed']);
assert.deepStrictEqual(model.answers.map((answer) => answer.callId), ['call_0', 'call_1', 'call_2', 'call_3']);
assert.ok(model.answers[2].output.includes('not-found'), model.answers[2].output);
assert.strictEqual(readFileSync(file, 'utf8'), "def greet():\n    print('hello')\n");
assert.ok(!existsSync(join(root, 'notes.md')));
rmSync(root, { recursive: true });
console.log('@openai/agents: 4 calls answered, 1 of them refused.');
