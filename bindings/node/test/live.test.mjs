// The example page in a headless Chromium.

import assert from "node:assert/strict";
import { accessSync, constants } from "node:fs";
import { after, before, describe, test } from "node:test";

import { chromium } from "playwright-core";

import { SAMPLES } from "../examples/live/samples.mjs";
import { serve } from "../examples/live/server.mjs";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Returns the path of an installed Chromium. */
function installed() {
  const names = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  return [process.env.CHROMIUM, ...names].find((path) => {
    try {
      accessSync(path ?? "", constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const executablePath = installed();

describe("the example page", { skip: executablePath ? false : "there is no Chromium", timeout: 120_000 }, () => {
  let browser;
  let server;

  before(async () => {
    browser = await chromium.launch({ executablePath, args: FLAGS });
    server = await serve(0, { pace: 5 });
  });

  after(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
  });

  /** Opens a page without script. */
  async function open(name) {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    const address = `http://127.0.0.1:${server.address().port}/${name}`;
    await page.goto(address, { waitUntil: "commit" });
    return page;
  }

  /** Returns the texts of elements, in the order in which they are in the document. */
  const texts = (page, selector) => page.locator(selector).allInnerTexts();

  /** Returns the vertical position of an element. */
  const top = async (page, selector) => (await page.locator(selector).first().boundingBox()).y;

  /** Returns the computed value of a property. */
  const look = (page, selector, property) =>
    page.locator(selector).evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

  test("lines appear while the patch is still being written", async () => {
    const page = await open("exact");
    await page.locator(".line.remove").first().waitFor();
    assert.equal(await page.locator("aside").count(), 0, "the patch had ended");
    assert.equal(await page.locator(".line.kept").count(), SAMPLES.exact.files["cart.ts"].split("\n").length - 1);
    await page.locator("aside").waitFor();
    assert.ok(await page.locator(".cursor").isHidden());
  });

  test("an added line is between the removed line and the line after it", async () => {
    const page = await open("exact");
    await page.locator("aside").waitFor();
    assert.match((await texts(page, "aside"))[0], /^Applied to 2 files, all quoted exactly/);
    assert.deepEqual(await texts(page, ".note"), ["at line 17 · exact", "at line 21 · exact"]);
    assert.match(await look(page, "#f0-17 span", "text-decoration-line"), /line-through/);
    assert.doesNotMatch(await look(page, "#f0-18 span", "text-decoration-line"), /line-through/);
    const added = '.added[slot="f0-17+"]';
    assert.equal(await page.locator(added).count(), 2);
    const positions = [await top(page, "#f0-17"), await top(page, added), await top(page, "#f0-18")];
    assert.deepEqual(positions, positions.toSorted((a, b) => a - b));
    assert.equal(await page.locator('.added[slot="new"]').count(), 7);
  });

  test("drift is marked where it is", async () => {
    const page = await open("drifted");
    await page.locator("aside").waitFor();
    const notes = await texts(page, ".note.drift");
    assert.equal(notes.length, 2);
    assert.match(notes[0], /^at line 7 · indentation differs/);
    const [differing, same] = [await look(page, "#f0-25", "background-color"), await look(page, "#f0-21", "background-color")];
    assert.notEqual(differing, same);
    assert.match((await texts(page, '.added[slot="f0-9+"]'))[0], /^7\s+\+?\s+this\.items\.push\(\.\.\.Array/);
  });

  test("a refusal takes back what was shown, and says why", async () => {
    const page = await open("refused");
    await page.locator("aside").waitFor();
    assert.match((await texts(page, "aside"))[0], /^Refused: nothing was changed[^]*not-found/);
    assert.equal(await page.locator(".note.refused").count(), 1);
    assert.equal(await page.locator(".added:visible").count(), 0);
    assert.doesNotMatch(await look(page, "#f0-13 span", "text-decoration-line"), /line-through/);
    const edges = [await look(page, "#f0-21", "border-left-color"), await look(page, "#f0-13", "border-left-color")];
    assert.notEqual(edges[0], edges[1]);
  });

  test("an unknown page is not found", async () => {
    assert.equal((await fetch(`http://127.0.0.1:${server.address().port}/constructor`)).status, 404);
  });
});
