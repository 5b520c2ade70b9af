// CommonJS sees the same types.

import api = require("@apply-patch/node");

const { applyPatchSync, RefusedError } = api;
const files: api.ChangedFiles<string> = applyPatchSync({ files: { a: "one\n" }, patch: "" }).files;
const error: unknown = files;
if (error instanceof RefusedError) error.codes satisfies string[];
