"use strict";

const native = require("../native.js");
const { byPath, request } = require("./arguments.js");
const { call, refusal, translated } = require("./errors.js");

/** What became of a patch that was applied, or would be. */
class Result {
  #json;

  constructor({ words, json, status, undo, paths, contents }) {
    this.report = words;
    this.status = status;
    this.paths = paths;
    this.files = contents && byPath(paths, contents);
    this.undo = undo;
    this.#json = json;
  }

  /** The report as an object. */
  toJSON() {
    return JSON.parse(this.#json);
  }

  /** Whether nothing had to change: the patch had been applied before, or changes nothing. */
  get isNoop() {
    return this.paths.length === 0;
  }

  /** How many chunks there are, and how many were not quoted as the file has them. */
  get exactness() {
    return this.toJSON().exactness;
  }

  /** The changes as a unified diff, if `diff` asked for it. */
  get diff() {
    return this.toJSON().diff ?? undefined;
  }
}

/** Returns the result of an outcome, or throws its refusal. */
function settle(outcome) {
  const error = refusal(outcome);
  if (error) throw error;
  return new Result(outcome);
}

/** Returns whether an outcome is the same with all files: a refusal may name others. */
function isFinal(outcome) {
  return outcome.status === 0;
}

/** Applies a patch on this thread. */
function applyPatchSync(given) {
  const { few, all } = request(given);
  const outcome = few && call(() => native.runSync(...few));
  return settle(outcome && isFinal(outcome) ? outcome : call(() => native.runSync(...all())));
}

/** Applies a patch on another thread. */
async function applyPatch(given) {
  const { few, all } = request(given);
  given.signal?.throwIfAborted();
  let outcome;
  try {
    outcome = await native.run(...(few ?? all()));
    if (few && !isFinal(outcome)) outcome = await native.run(...all());
  } catch (error) {
    throw translated(error);
  }
  return settle(outcome);
}

module.exports = { applyPatch, applyPatchSync, Result };
