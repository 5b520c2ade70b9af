// What the types promise, checked by `npm run check`. This file is compiled and not run.

import { openai } from "@ai-sdk/openai";
import {
  type ApplyPatchError,
  type ChangedFiles,
  type PatchEvent,
  PatchStream,
  RefusedError,
  type Report,
  agentsEditor,
  aiExecute,
  applyPatch,
  applyPatchSync,
} from "@apply-patch/node";
import { ApplyPatch } from "@apply-patch/node/opencode";
import { applyPatchTool } from "@openai/agents";
import type { Plugin } from "@opencode-ai/plugin";

/** Compiles if both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_: Same<A, B>) {}

const patch = "*** Begin Patch\n*** End Patch\n";

const text = applyPatchSync({ files: { a: "one\n" }, patch });
same<typeof text.files, ChangedFiles<string>>(true);
const bytes = await applyPatch({ files: new Map([["a", new Uint8Array()]]), patch, signal: AbortSignal.timeout(1) });
same<typeof bytes.files, ChangedFiles>(true);
const mixed = applyPatchSync({ files: { a: "one\n", b: Buffer.from("two\n") }, patch });
same<typeof mixed.files, ChangedFiles>(true);
const disk = await applyPatch({ root: new URL("file:///tmp"), patch, dryRun: true });
same<typeof disk.files, ChangedFiles | undefined>(true);
const preview = await applyPatch({ root: ".", patch, contents: true });
same<typeof preview.files, ChangedFiles>(true);
const report: Report = text.toJSON();
same<typeof report.outcome, "applied" | "would-apply" | "refused" | "not-a-patch" | "wrong-usage" | "stopped">(true);

// @ts-expect-error: files and root exclude each other
applyPatchSync({ files: {}, root: ".", patch });
// @ts-expect-error: a file is a text or bytes
applyPatchSync({ files: { a: 1 }, patch });
// @ts-expect-error: an unknown option
applyPatchSync({ files: {}, patch, dryrun: true });
// @ts-expect-error: an unknown value
applyPatchSync({ files: {}, patch, match: "loose" });
// @ts-expect-error: an option of directories
applyPatchSync({ files: {}, patch, fsync: false });
// @ts-expect-error: a result is made by a call only
new (text.constructor as typeof import("@apply-patch/node").Result)();

function words(error: unknown): string {
  if (!(error instanceof RefusedError)) throw error;
  same<typeof error.status, 1>(true);
  const general: ApplyPatchError = error;
  return [...general.codes, general.failures[0]?.chunk?.fingerprint, general.suggestion ?? general.report].join("\n");
}
words(undefined);

function sign(event: PatchEvent): string {
  return event.type === "line" ? { context: " ", remove: "-", add: "+" }[event.kind] : "";
}
for await (const event of PatchStream.from([patch], { files: { a: "one\n" } })) sign(event);

applyPatchTool({ editor: agentsEditor(".", { overwrite: true }) });
openai.tools.applyPatch({ execute: aiExecute(new URL("file:///tmp")) });
const plugin: Plugin = ApplyPatch;
plugin satisfies Plugin;
