"use strict";

const { types } = require("node:util");

const native = require("../native.js");
const { call } = require("./errors.js");

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

/** Returns the names of `files`, an object or a Map, with the values as they are. */
function entries(files) {
  if (files === null || typeof files !== "object" || Array.isArray(files) || types.isUint8Array(files)) {
    throw new TypeError(`files must be an object or a Map of contents by path, not ${kind(files)}`);
  }
  const names = [];
  const values = [];
  for (const [name, value] of files instanceof Map ? files : Object.entries(files)) {
    if (typeof name !== "string" || !name.isWellFormed()) throw new TypeError("a path in files is not a text");
    names.push(name);
    values.push(value);
  }
  return { names, values };
}

/** Returns the contents of files as the native part takes them. */
function contents({ names, values }) {
  return values.map((value, at) => content(value, `files[${JSON.stringify(names[at])}]`));
}

/** Fewer files are copied whatever the patch names. */
const FEW = 8;

/** Returns the files that a patch can read, change or collide with; `undefined` if these may be all. */
function named({ names, values }, patch, settings) {
  if (names.length <= FEW) return undefined;
  for (const [at, value] of values.entries()) {
    if (typeof value !== "string" && !types.isUint8Array(value)) content(value, `files[${JSON.stringify(names[at])}]`);
  }
  const paths = call(() => native.paths(patch, settings));
  if (!paths) return undefined;
  // New files are text, unless all files are bytes.
  const sample = Math.max(values.findIndex((value) => typeof value === "string"), 0);
  const found = [...names.keys()].filter((at) => at === sample || concerns(names[at], paths));
  return { names: found.map((at) => names[at]), values: found.map((at) => values[at]) };
}

/** Names that are spelled in an unusual way may be any file. */
const UNUSUAL = /\\|(^|\/)\.?(\/|$)/;

/** Returns whether a file is at, above or below one of the paths, or in a directory of their `a/` and `b/`. */
function concerns(name, paths) {
  if (UNUSUAL.test(name)) return true;
  const isAbove = (long, short) => long.startsWith(short) && (long.length === short.length || long[short.length] === "/");
  return paths.some((path) => isAbove(name, path) || isAbove(path, name) || (/^[ab]\//.test(path) && name.startsWith(path.slice(0, 2))));
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

/** Returns the arguments of a stream to the native part. `root` and `files` exclude each other. */
function target({ files, root, signal: _, ...options }) {
  if (files !== undefined && root !== undefined) throw new TypeError("files and root exclude each other");
  if (files === undefined) return [root === undefined ? undefined : directory(root), [], [], json(options)];
  const given = entries(files);
  return [undefined, given.names, contents(given), json(options)];
}

/**
 * Returns the arguments of a request to the native part: `all` makes those with all files. `few` are those with the files that the
 * patch names, if these are few of many: the contents of the others need not be copied for an answer in which no other file has
 * a part.
 */
function request(given) {
  if (given === null || typeof given !== "object") throw new TypeError(`expected an object, not ${kind(given)}`);
  const { patch, files, root, signal: _, ...options } = given;
  if (files === undefined && root === undefined) throw new TypeError("files or root is missing");
  if (files !== undefined && root !== undefined) throw new TypeError("files and root exclude each other");
  const [text, settings] = [content(patch, "patch"), json(options)];
  if (files === undefined) return { all: () => [text, directory(root), [], [], settings] };
  const every = entries(files);
  const some = named(every, text, settings);
  const args = (of) => [text, undefined, of.names, contents(of), settings];
  return { few: some && args(some), all: () => args(every) };
}

/** Returns contents by path. `__proto__` is a path like any other. */
function byPath(paths, contents) {
  return Object.fromEntries(paths.map((path, at) => [path, contents[at]]));
}

module.exports = { byPath, content, target, request };
