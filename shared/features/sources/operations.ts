import { errors } from "../../base/errors.ts";
import { defineOperation } from "../../core/lazy_operation.ts";

const ofReaders = () => [errors.coachNotFound()];
const ofWriters = () => [errors.coachNotFound(), errors.notTheCoach()];

export const listSources = defineOperation({
  name: "listSources",
  scope: "knowledge:read",
  failure: "Failed to fetch sources",
  errors: ofReaders,
  input: async () => (await import("./schemas.ts")).ListSourcesInput,
  output: async () => (await import("./replies.ts")).KnowledgeSourceList,
  verb: async () => (await import("./read_sources.ts")).listSources,
});

export const getSource = defineOperation({
  name: "getSource",
  scope: "knowledge:read",
  failure: "Failed to fetch the source",
  errors: () => [...ofReaders(), errors.sourceNotFound()],
  input: async () => (await import("./schemas.ts")).SourceInput,
  output: async () => (await import("./replies.ts")).KnowledgeSourceDetail,
  verb: async () => (await import("./read_sources.ts")).getSource,
});

export const addSource = defineOperation({
  name: "addSource",
  scope: "knowledge:write",
  failure: "Failed to add the source",
  // The same address is not added again.
  isRepeatable: true,
  errors: ofWriters,
  input: async () => (await import("./schemas.ts")).AddSourceInput,
  output: async () => (await import("./replies.ts")).KnowledgeSource,
  verb: async () => (await import("./write_source.ts")).addSource,
});

export const updateSource = defineOperation({
  name: "updateSource",
  scope: "knowledge:write",
  failure: "Failed to update the source",
  isRepeatable: true,
  errors: () => [...ofWriters(), errors.sourceNotFound()],
  input: async () => (await import("./schemas.ts")).UpdateSourceInput,
  output: async () => (await import("./replies.ts")).KnowledgeSource,
  verb: async () => (await import("./write_source.ts")).updateSource,
});

export const deleteSource = defineOperation({
  name: "deleteSource",
  scope: "knowledge:write",
  failure: "Failed to delete the source",
  errors: () => [...ofWriters(), errors.sourceNotFound()],
  input: async () => (await import("./schemas.ts")).SourceInput,
  output: async () => (await import("./replies.ts")).DeletedSource,
  verb: async () => (await import("./delete_source.ts")).deleteSource,
});

export const refreshSource = defineOperation({
  name: "refreshSource",
  scope: "knowledge:write",
  failure: "Failed to refresh the source",
  isRepeatable: true,
  errors: () => [...ofWriters(), errors.sourceNotFound()],
  input: async () => (await import("./schemas.ts")).SourceInput,
  output: async () => (await import("./replies.ts")).KnowledgeSource,
  verb: async () => (await import("./write_source.ts")).refreshSource,
});
