// One copy of the classes for both kinds of modules: `instanceof` holds whichever way the package was loaded.
import api from "./index.js";

export const {
  applyPatch,
  applyPatchSync,
  Result,
  PatchStream,
  agentsEditor,
  aiExecute,
  instructions,
  ApplyPatchError,
  NotAPatchError,
  RefusedError,
  SystemRefusedError,
  InternalError,
} = api;
