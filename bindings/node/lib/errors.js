"use strict";

/** A patch was not applied. `message` and `report` are the words for the model. */
class ApplyPatchError extends Error {
  #json;

  constructor(outcome) {
    super(outcome.words);
    this.report = outcome.words;
    this.status = outcome.status;
    this.#json = outcome.json;
  }

  get name() {
    return this.constructor.name;
  }

  /** The report as an object. */
  toJSON() {
    return JSON.parse(this.#json);
  }

  #once(name, value) {
    Object.defineProperty(this, name, { value, enumerable: false, configurable: true });
    return value;
  }

  /** Whether files were changed all the same. */
  get changed() {
    return this.#once("changed", this.toJSON().changed);
  }

  /** What keeps the patch from fitting the files. */
  get failures() {
    return this.#once("failures", this.toJSON().failures);
  }

  /** What keeps the text from being a patch. */
  get errors() {
    return this.#once("errors", this.toJSON().errors);
  }

  /** The stable codes of `failures` and `errors`, each once, in their order. */
  get codes() {
    const codes = [...this.failures, ...this.errors].map((reason) => reason.code);
    return this.#once("codes", [...new Set(codes)]);
  }

  /** A patch to send instead, if there is one. */
  get suggestion() {
    return this.#once("suggestion", this.toJSON().suggestion ?? null);
  }

  /** The fingerprint of the first chunk that has no position. */
  get fingerprint() {
    const chunk = this.failures.find((failure) => failure.chunk)?.chunk;
    return this.#once("fingerprint", chunk?.fingerprint ?? null);
  }
}

/** The text is not a patch. Nothing was changed. */
class NotAPatchError extends ApplyPatchError {}

/** The patch does not fit the files. Nothing was changed. */
class RefusedError extends ApplyPatchError {}

/** The system refused, or an interrupted run is in the way. `changed` is true if the files are half done. */
class SystemRefusedError extends ApplyPatchError {}

/** A bug of this package: its native part panicked. The process goes on. */
class InternalError extends Error {
  get name() {
    return "InternalError";
  }
}

/** How the command's exit statuses are called. 0 and 4 are successes. */
const CLASSES = { 1: RefusedError, 2: NotAPatchError, 3: SystemRefusedError, 5: SystemRefusedError };

/** Returns the error of an outcome; `undefined` for a success. */
function refusal(outcome) {
  const Refusal = CLASSES[outcome.status];
  return Refusal && new Refusal(outcome);
}

/** Returns an error of the native part as the class that a caller expects. */
function translated(error) {
  if (error?.code === "InvalidArg") return new TypeError(error.message);
  if (error?.code === "GenericFailure") return new InternalError(error.message, { cause: error });
  return error;
}

/** Calls the native part. */
function call(work) {
  try {
    return work();
  } catch (error) {
    throw translated(error);
  }
}

module.exports = {
  ApplyPatchError,
  NotAPatchError,
  RefusedError,
  SystemRefusedError,
  InternalError,
  refusal,
  translated,
  call,
};
