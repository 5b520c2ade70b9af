// A plugin for opencode: its tool `apply_patch`, by the rules of this package. In a file of `.opencode/plugins/`:
//
//     export { ApplyPatch } from "@apply-patch/node/opencode";

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

import { tool } from "@opencode-ai/plugin";

import api from "./index.js";

const { applyPatch, instructions } = api;

/** Returns the directories that a patch may touch. A project without version control has `/` as its work tree. */
function directories({ directory, worktree }) {
  const further = worktree && worktree !== "/" && worktree !== directory ? [worktree] : [];
  return { root: directory, roots: further };
}

/** Returns the hashes of the files that are there, because the user agrees to a change of exactly these contents. */
async function hashes(root, paths) {
  const expect = {};
  for (const path of paths) {
    const bytes = await readFile(resolve(root, path)).catch(() => undefined);
    if (bytes) expect[path] = createHash("sha256").update(bytes).digest("hex");
  }
  return expect;
}

/** The plugin. */
export const ApplyPatch = async () => ({
  tool: {
    apply_patch: tool({
      description: instructions,
      args: { patchText: tool.schema.string().describe("The patch, from *** Begin Patch to *** End Patch") },
      async execute({ patchText }, context) {
        const request = { ...directories(context), patch: patchText, signal: context.abort };
        // A refusal is an error, whose message is for the model.
        const { isNoop, paths, report } = await applyPatch({ ...request, dryRun: true });
        if (isNoop) return report;
        // The hashes are taken before the changes that the user sees: a file that changes later refuses the patch.
        const expect = await hashes(request.root, paths);
        const planned = await applyPatch({ ...request, expect, dryRun: true, diff: true });
        await context.ask({
          permission: "edit",
          patterns: planned.paths,
          always: ["*"],
          metadata: { filepath: planned.paths.join(", "), diff: planned.diff },
        });
        const result = await applyPatch({ ...request, expect });
        return { title: planned.paths.join(", "), output: result.report, metadata: { diff: planned.diff } };
      },
    }),
  },
});
