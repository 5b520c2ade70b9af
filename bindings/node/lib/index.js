"use strict";

const native = require("../native.js");
const { ApplyPatchError, InternalError, NotAPatchError, RefusedError, SystemRefusedError } = require("./errors.js");
const { PatchStream } = require("./stream.js");
const { agentsEditor, aiExecute } = require("./harness.js");
const { applyPatch, applyPatchSync, Result } = require("./apply.js");

module.exports.applyPatch = applyPatch;
module.exports.applyPatchSync = applyPatchSync;
module.exports.Result = Result;
module.exports.PatchStream = PatchStream;
module.exports.agentsEditor = agentsEditor;
module.exports.aiExecute = aiExecute;
module.exports.instructions = native.instructions();
module.exports.ApplyPatchError = ApplyPatchError;
module.exports.NotAPatchError = NotAPatchError;
module.exports.RefusedError = RefusedError;
module.exports.SystemRefusedError = SystemRefusedError;
module.exports.InternalError = InternalError;
