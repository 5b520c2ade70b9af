"use strict";

const { NativeStream } = require("../native.js");
const { types } = require("node:util");
const { byPath, target } = require("./arguments.js");
const { call } = require("./errors.js");

/** Reads a patch while it is being written. */
class PatchStream {
  #native;
  /** The first half of a character that a piece was cut in. */
  #half = "";

  constructor(options = {}) {
    const [root, names, contents, json] = target(options);
    const hasFiles = options.files !== undefined;
    this.#native = call(
      () => new NativeStream(root, hasFiles ? names : undefined, hasFiles ? contents : undefined, json),
    );
  }

  /** Takes the next piece of the text, and returns the events of the lines that are complete now. */
  feed(piece) {
    if (types.isUint8Array(piece)) {
      if (this.#half !== "") throw new TypeError("bytes follow half of a character");
      return events(call(() => this.#native.feed(piece)));
    }
    if (typeof piece !== "string") throw new TypeError("a piece of a patch must be a string or a Uint8Array");
    let text = this.#half + piece;
    this.#half = "";
    if (/[\ud800-\udbff]$/.test(text)) {
      this.#half = text.slice(-1);
      text = text.slice(0, -1);
    }
    if (!text.isWellFormed()) throw new TypeError("the text has a lone surrogate");
    return events(call(() => this.#native.feed(text)));
  }

  /** Takes the end of the text, and returns the events of what was left. */
  finish() {
    if (this.#half !== "") throw new TypeError("the text ends with half of a character");
    return events(call(() => this.#native.finish()));
  }

  /** Checks the chunks that are complete against the files. Changes nothing, and throws no refusal. */
  preview() {
    const { json, paths, contents } = call(() => this.#native.preview());
    return { report: JSON.parse(json), files: contents && byPath(paths, contents) };
  }

  /** Returns the events of a text that arrives in pieces. */
  static async *from(pieces, options) {
    const stream = new PatchStream(options);
    for await (const piece of pieces) yield* stream.feed(piece);
    yield* stream.finish();
  }
}

/** Returns the events in a JSON array; an empty text is none. */
function events(json) {
  return json === "" ? [] : JSON.parse(json);
}

module.exports = { PatchStream };
