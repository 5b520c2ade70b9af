"use strict";

const { types } = require("node:util");

/** Returns a text or bytes as the native part takes them. */
function content(value, name) {
  if (typeof value === "string") {
    // A lone surrogate has no UTF-8: it would come out as another character, in lines that no patch names.
    if (!value.isWellFormed()) throw new TypeError(`${name} has a lone surrogate; pass the bytes instead`);
    return value;
  }
  // A Buffer that is a view of a pool is one, too.
  if (types.isUint8Array(value)) return value;
  throw new TypeError(`${name} must be a string or a Uint8Array, not ${kind(value)}`);
}

function kind(value) {
  return value === null ? "null" : Array.isArray(value) ? "an array" : typeof value;
}

/** Returns the names and contents of `files`: an object or a Map. */
function entries(files) {
  if (files === null || typeof files !== "object" || Array.isArray(files) || types.isUint8Array(files)) {
    throw new TypeError(`files must be an object or a Map of contents by path, not ${kind(files)}`);
  }
  const names = [];
  const contents = [];
  for (const [name, value] of files instanceof Map ? files : Object.entries(files)) {
    if (typeof name !== "string" || !name.isWellFormed()) throw new TypeError("a path in files is not a text");
    names.push(name);
    contents.push(content(value, `files[${JSON.stringify(name)}]`));
  }
  return { names, contents };
}

/** Returns `root` as a path. */
function directory(root) {
  if (root instanceof URL) return require("node:url").fileURLToPath(root);
  if (typeof root === "string" && root !== "" && root.isWellFormed()) return root;
  throw new TypeError(`root must be the path of a directory, not ${root === "" ? "an empty text" : kind(root)}`);
}

/** Returns options as JSON; `undefined` if none is given. `undefined` as a value is no option. */
function json(options) {
  let given = false;
  for (const name in options) given ||= options[name] !== undefined;
  return given ? JSON.stringify(options) : undefined;
}

/** Returns the arguments of a request to the native part, but for its patch. `root` and `files` exclude each other. */
function target({ files, root, signal: _, ...options }) {
  if (files !== undefined && root !== undefined) throw new TypeError("files and root exclude each other");
  const { names, contents } = files === undefined ? { names: [], contents: [] } : entries(files);
  return [root === undefined ? undefined : directory(root), names, contents, json(options)];
}

/** Returns the arguments of a request to the native part. */
function request(given) {
  if (given === null || typeof given !== "object") throw new TypeError(`expected an object, not ${kind(given)}`);
  const { patch, ...rest } = given;
  if (rest.files === undefined && rest.root === undefined) throw new TypeError("files or root is missing");
  return [content(patch, "patch"), ...target(rest)];
}

/** Returns contents by path. `__proto__` is a path like any other. */
function byPath(paths, contents) {
  return Object.fromEntries(paths.map((path, at) => [path, contents[at]]));
}

module.exports = { byPath, content, target, request };
