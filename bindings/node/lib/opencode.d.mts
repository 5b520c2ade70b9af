import type { Plugin } from "@opencode-ai/plugin";

/** A plugin whose tool `apply_patch` applies a patch by the rules of this package, after the user has agreed to the changes. */
export declare const ApplyPatch: Plugin;
