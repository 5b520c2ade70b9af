"use strict";

const { applyPatch } = require("./apply.js");
const { ApplyPatchError } = require("./errors.js");

/**
 * Carries out one operation of OpenAI's apply_patch tool. What does not fit is an answer for the model; what is wrong with
 * the arguments or with this package is thrown.
 */
async function answer(operation, root, options) {
  try {
    const result = await applyPatch({ ...options, root, patch: JSON.stringify(operation) });
    return { status: "completed", output: result.report };
  } catch (error) {
    if (error instanceof ApplyPatchError) return { status: "failed", output: error.report };
    throw error;
  }
}

/** Returns the fields of an operation that the patch needs. An SDK may add fields of its own. */
function fields({ type, path, diff, moveTo, move_to = moveTo }) {
  return { type, path, diff, move_to };
}

/** Returns an `Editor` for `applyPatchTool` of @openai/agents. */
function agentsEditor(root, options) {
  const run = (operation) => answer(fields(operation), root, options);
  return { createFile: run, updateFile: run, deleteFile: run };
}

/** Returns an `execute` for `openai.tools.applyPatch` of the AI SDK. */
function aiExecute(root, options) {
  return ({ operation }, { abortSignal } = {}) =>
    answer(fields(operation), root, { ...options, signal: abortSignal });
}

module.exports = { agentsEditor, aiExecute };
