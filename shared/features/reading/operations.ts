import { errors } from "../../base/errors.ts";
import { defineOperation } from "../../core/lazy_operation.ts";

/** The scope `chat` is enough if the sources of the coach are open, which only Postgres knows. */
const scope = ["knowledge:read", "chat"] as const;

export const getFile = defineOperation({
  name: "getFile",
  scope,
  failure: "Failed to read file",
  errors: () => [errors.coachNotFound(), errors.fileNotFound()],
  input: async () => (await import("./schemas.ts")).FileInput,
  output: async () => (await import("./replies.ts")).FileOutline,
  verb: async () => (await import("./get_file.ts")).getFile,
});

export const getOriginal = defineOperation({
  name: "getOriginal",
  scope,
  failure: "Failed to read file",
  errors: () => [errors.coachNotFound(), errors.fileNotFound()],
  input: async () => (await import("./schemas.ts")).FileInput,
  output: async () => (await import("./replies.ts")).OriginalAddress,
  verb: async () => (await import("./get_original.ts")).getOriginal,
});

/** For models: `getPassage` and, without a passage, the sections of `getFile`. It has no address of its own. */
export const readSource = defineOperation({
  name: "readSource",
  scope,
  failure: "Failed to read source",
  errors: () => [errors.coachNotFound(), errors.fileNotFound(), errors.passageGone()],
  input: async () => (await import("./schemas.ts")).SourceInput,
  output: async () => (await import("./replies.ts")).SourceForModels,
  verb: async () => (await import("./read_source.ts")).readSource,
});

export const getPassage = defineOperation({
  name: "getPassage",
  scope,
  failure: "Failed to read passage",
  errors: () => [errors.coachNotFound(), errors.fileNotFound(), errors.passageGone()],
  input: async () => (await import("./schemas.ts")).PassageInput,
  output: async () => (await import("./replies.ts")).PassageInContext,
  verb: async () => (await import("./get_passage.ts")).getPassage,
});
