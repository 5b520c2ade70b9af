// What a page shows of a patch that is being written, as pieces of HTML that are only ever appended.
//
// The page has no script. Its layout is a shadow tree whose slots have names; a piece of HTML that arrives later names
// its slot, so that a line of the patch can appear between two lines of a file that was sent long before.

import { PatchStream, applyPatchSync, ApplyPatchError } from "@apply-patch/node";

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text) => text.replace(/[&<>"]/g, (character) => escapes[character]);
const linesOf = (text) => text.split("\n").slice(0, -1);

/** Returns a line of code. */
function line({ slot, id, number = "", text, className }) {
  const name = id ? ` id="${id}"` : "";
  const [, indentation, rest] = /^(\s*)(.*)$/.exec(text);
  return `<div slot="${slot}"${name} class="line ${className}"><i>${number}</i><code>${indentation}<span>${escaped(rest)}</span></code></div>\n`;
}

/** Returns the layout, and the files as they are before the patch. */
export function layout(files) {
  const names = Object.keys(files);
  const panel = (name, file) => {
    const slotsOf = (at) => `<slot name="f${file}-${at}"></slot><slot name="f${file}-${at}+"></slot>`;
    const slots = [0, ...linesOf(files[name]).map((_, at) => at + 1)].map(slotsOf);
    return `<section class="panel"><h2>${escaped(name)}</h2><div class="code">${slots.join("")}</div></section>`;
  };
  const lines = names.flatMap((name, file) =>
    linesOf(files[name]).map((text, at) => {
      const slot = `f${file}-${at + 1}`;
      return line({ slot, id: slot, number: at + 1, text, className: "kept" });
    }),
  );
  return `<template shadowrootmode="open"><link rel="stylesheet" href="/live.css">
<section class="panel"><h2>Patch, as it arrives</h2>
<div class="code"><slot name="patch"></slot><slot name="cursor"></slot></div></section>
<div class="column">${names.map(panel).join("")}<slot name="new"></slot></div>
<slot name="outcome"></slot></template>
<div slot="cursor" class="cursor"></div>
${lines.join("")}`;
}

/** What is marked in a file. A later rule wins. */
const LOOKS = {
  placed: "--edge: var(--exact)",
  loose: "--edge: var(--drift)",
  near: "--edge: var(--refused)",
  differing: "--ground: var(--doubt)",
  removed: "--ground: var(--gone); --mark: '−'; --strike: line-through",
};

/** Takes back in the file what the chunks that fit have shown. */
const WITHDRAWN = `<style>.added { display: none !important }
.kept { --ground: transparent !important; --mark: " " !important; --strike: none !important }</style>
`;

/** Follows a patch. */
export class View {
  #stream;
  #request;
  #names;
  #text = "";
  /** The path of the new file that is being written. */
  #added = false;
  /** The chunk that is being written. */
  #chunk;
  /** How many added lines are shown in a slot. */
  #shown = new Map();

  constructor({ files }) {
    this.#request = { files };
    this.#names = Object.keys(files);
    this.#stream = new PatchStream({ files });
  }

  /** Takes a piece of the patch, and returns what is to be appended to the page. */
  feed(piece) {
    this.#text += piece;
    return this.#show(this.#stream.feed(piece));
  }

  /** Takes the end of the patch, and returns the end of the page. */
  finish() {
    const rest = this.#show(this.#stream.finish());
    return `${rest}<style>.cursor { display: none }</style>\n${this.#outcome()}`;
  }

  #show(events) {
    return events.map((event) => this.#event(event)).join("");
  }

  #event(event) {
    switch (event.type) {
      case "hunk":
        this.#added = event.kind === "add";
        return hunk(event) + (this.#added ? newFile(event.path) : "");
      case "chunk":
        this.#chunk = { patch_line: event.patch_line, old: 0 };
        return "";
      case "header":
        return line({ slot: "patch", number: event.patch_line, text: `@@ ${event.text}`, className: "header" });
      case "line":
        return this.#line(event);
      case "chunk-end":
        return this.#placed();
      case "repair":
        return note("repair", `line ${event.first}: ${event.message}`);
      case "error":
        return note("refused", `line ${event.first}: ${event.message}`);
      default:
        return "";
    }
  }

  #line({ kind, text, patch_line: number }) {
    const shown = line({ slot: "patch", number, text, className: kind });
    if (this.#added) return shown + line({ slot: "new", text, className: "added" });
    if (kind !== "add") this.#chunk.old += 1;
    return shown;
  }

  /** Returns where the chunk goes that has just been completed. */
  #placed() {
    const { report, files } = this.#stream.preview();
    const isThis = ({ patch_line }) => patch_line === this.#chunk.patch_line;
    const hunk = report.hunks.find(({ chunks }) => chunks.some(isThis));
    if (!hunk) {
      const failure = report.failures.find(isThis) ?? report.failures[0];
      return note("refused", `${failure.message} [${failure.code}]`) + this.#nearest(failure);
    }
    const chunk = hunk.chunks.find(isThis);
    const drift = chunk.drift.filter(({ inexact }) => inexact);
    const how = chunk.exact ? ["exact"] : drift.map(({ message }) => message);
    const words = [`at line ${chunk.line}`, ...how].join(" · ");
    const file = this.#names.indexOf(hunk.path);
    const lines = Array.from({ length: this.#chunk.old }, (_, at) => chunk.line + at);
    const differing = mark(file, drift.flatMap((of) => of.lines), "differing");
    const marks = mark(file, lines, chunk.exact ? "placed" : "loose") + differing;
    return note(chunk.exact ? "exact" : "drift", words) + marks + this.#changes(report, files);
  }

  /** Marks the lines that come nearest to a chunk that has no position. */
  #nearest({ path, chunk }) {
    const file = this.#names.indexOf(path);
    if (!chunk?.nearest) return "";
    const { first, last } = chunk.nearest;
    return mark(file, Array.from({ length: last - first + 1 }, (_, at) => first + at), "near");
  }

  /** Returns the lines that the complete chunks remove and add, as far as they are not shown. */
  #changes(report, files) {
    return report.files
      .filter(({ existed, exists }) => existed && exists)
      .map(({ path, changes }) => {
        const file = this.#names.indexOf(path);
        const after = linesOf(files[path]);
        let shift = 0;
        let shown = "";
        for (const { line: first, removed, added } of changes) {
          const old = first - shift;
          shown += mark(file, Array.from({ length: removed }, (_, at) => old + at), "removed");
          shown += this.#insert(`f${file}-${old + removed - 1}+`, after.slice(first - 1, first - 1 + added), first);
          shift += added - removed;
        }
        return shown;
      })
      .join("");
  }

  #insert(slot, lines, first) {
    const known = this.#shown.get(slot) ?? 0;
    this.#shown.set(slot, Math.max(known, lines.length));
    const inserted = (text, at) => line({ slot, number: first + known + at, text, className: "added" });
    return lines.slice(known).map(inserted).join("");
  }

  #outcome() {
    const [kind, title, words] = this.#apply();
    const taken = kind === "refused" ? WITHDRAWN : "";
    return `${taken}<aside slot="outcome" class="outcome ${kind}"><strong>${title}</strong>
<details open><summary>What the model reads</summary><pre>${escaped(words)}</pre></details></aside>\n`;
  }

  #apply() {
    try {
      const { report, paths, exactness } = applyPatchSync({ ...this.#request, patch: this.#text });
      const { chunks, inexact } = exactness;
      const quoted = inexact === 0 ? "all quoted exactly" : `${inexact} of ${chunks} edits not quoted exactly`;
      const title = `Applied to ${paths.length} ${paths.length === 1 ? "file" : "files"}, ${quoted}`;
      return [inexact === 0 ? "exact" : "drift", title, report];
    } catch (error) {
      if (!(error instanceof ApplyPatchError)) throw error;
      return ["refused", "Refused: nothing was changed", error.report];
    }
  }
}

/** Returns a remark beneath a chunk of the patch. */
const note = (kind, words) => `<p slot="patch" class="note ${kind}">${escaped(words)}</p>\n`;

/** Returns the head of a hunk. */
const hunk = ({ kind, path }) => `<h3 slot="patch">${kind} <b>${escaped(path)}</b></h3>\n`;

/** Returns the head of a new file. */
const newFile = (path) => `<h2 slot="new" class="new">${escaped(path)} <small>new</small></h2>\n`;

/** Returns what gives lines of a file another look. */
function mark(file, lines, look) {
  if (lines.length === 0 || file < 0) return "";
  return `<style>${lines.map((at) => `#f${file}-${at}`).join(", ")} { ${LOOKS[look]} }</style>\n`;
}
