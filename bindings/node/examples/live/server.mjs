// Shows an edit while a model writes it: `node examples/live/server.mjs`, then open the address that it prints.
//
// The server reads the patch with a PatchStream and appends to the page what each piece gives. The page has no script.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { SAMPLES } from "./samples.mjs";
import { View, layout } from "./view.mjs";

const STYLE = new URL("live.css", import.meta.url);

/** How long a piece of the patch takes, in milliseconds. */
const PACE = 40;

/** Hands out a patch as a model does: a few characters at a time. */
async function* written(text, pace) {
  for (let at = 0, length = 3; at < text.length; at += length, length = 3 + ((at * 7) % 9)) {
    await pause(pace);
    yield text.slice(at, at + length);
  }
}

/** Returns the head of a page. */
function head(name) {
  const link = ([other, { title }]) =>
    `<a href="/${other}"${other === name ? ' aria-current="page"' : ""}>${title}</a>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>apply-patch: ${SAMPLES[name].title}</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<link rel="stylesheet" href="/live.css"></head><body>
<header><h1>apply-patch <span>live</span></h1><nav>${Object.entries(SAMPLES).map(link).join("")}</nav></header>
<p class="about">${SAMPLES[name].about}</p>
<main class="stage">`;
}

/** Sends a page piece by piece. */
async function show(name, pace, response) {
  const sample = SAMPLES[name];
  response.writeHead(200, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" });
  response.write(head(name) + layout(sample.files));
  const view = new View(sample);
  for await (const piece of written(sample.patch, pace)) {
    if (response.destroyed) return;
    const shown = view.feed(piece);
    if (shown !== "") response.write(shown);
  }
  response.end(`${view.finish()}</main></body></html>\n`);
}

/** Starts the server; port 0 is any. */
export async function serve(port = 0, { pace = PACE } = {}) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const name = pathname === "/" ? "drifted" : pathname.slice(1);
    if (name === "live.css") {
      response.writeHead(200, { "content-type": "text/css" });
      response.end(await readFile(STYLE));
    } else if (Object.hasOwn(SAMPLES, name)) {
      await show(name, pace, response);
    } else {
      response.writeHead(404, { "content-type": "text/plain" });
      response.end("There is no such page.\n");
    }
  });
  await new Promise((listening) => server.listen(port, "127.0.0.1", listening));
  return server;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await serve(Number(process.argv[2] ?? 8000));
  console.log(`http://127.0.0.1:${server.address().port}/`);
}
