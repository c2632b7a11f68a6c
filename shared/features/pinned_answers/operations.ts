import { errors } from "../../base/errors.ts";
import { defineOperation } from "../../core/lazy_operation.ts";

const ofExperts = () => [errors.notTheExpert(), errors.coachNotFound()];
const ofEditors = () => [...ofExperts(), errors.roleNotSufficient()];

export const listPinnedAnswers = defineOperation({
  name: "listPinnedAnswers",
  scope: "expert",
  failure: "Failed to fetch pinned answers",
  errors: ofExperts,
  input: async () => (await import("./schemas.ts")).ListPinnedAnswersInput,
  output: async () => (await import("./replies.ts")).PinnedAnswerList,
  verb: async () => (await import("./list_pinned_answers.ts")).listPinnedAnswers,
});

export const getPinnedAnswer = defineOperation({
  name: "getPinnedAnswer",
  scope: "expert",
  failure: "Failed to fetch the pinned answer",
  errors: () => [...ofExperts(), errors.pinnedAnswerNotFound()],
  input: async () => (await import("./schemas.ts")).GetPinnedAnswerInput,
  output: async () => (await import("./replies.ts")).PinnedAnswerWithVersions,
  verb: async () => (await import("./get_pinned_answer.ts")).getPinnedAnswer,
});

export const createPinnedAnswer = defineOperation({
  name: "createPinnedAnswer",
  scope: "expert",
  failure: "Failed to pin the answer",
  errors: () => [...ofEditors(), errors.alreadyPinned("")],
  input: async () => (await import("./schemas.ts")).CreatePinnedAnswerInput,
  output: async () => (await import("./replies.ts")).PinnedAnswer,
  verb: async () => (await import("./create_pinned_answer.ts")).createPinnedAnswer,
});

export const updatePinnedAnswer = defineOperation({
  name: "updatePinnedAnswer",
  scope: "expert",
  failure: "Failed to update the pinned answer",
  // The same change twice leaves the same pinned answer.
  isRepeatable: true,
  errors: () => [...ofEditors(), errors.pinnedAnswerNotFound(), errors.alreadyPinned("")],
  input: async () => (await import("./schemas.ts")).UpdatePinnedAnswerInput,
  output: async () => (await import("./replies.ts")).PinnedAnswer,
  verb: async () => (await import("./update_pinned_answer.ts")).updatePinnedAnswer,
});

export const deletePinnedAnswer = defineOperation({
  name: "deletePinnedAnswer",
  scope: "expert",
  failure: "Failed to delete the pinned answer",
  errors: () => [...ofEditors(), errors.pinnedAnswerNotFound()],
  input: async () => (await import("./schemas.ts")).DeletePinnedAnswerInput,
  output: async () => (await import("./replies.ts")).DeletedPinnedAnswer,
  verb: async () => (await import("./delete_pinned_answer.ts")).deletePinnedAnswer,
});

export const importPinnedAnswers = defineOperation({
  name: "importPinnedAnswers",
  scope: "expert",
  failure: "Failed to import the answers",
  // The same sheet twice adds nothing.
  isRepeatable: true,
  errors: () => [...ofEditors(), errors.invalidSheet("The sheet has no answers")],
  input: async () => (await import("./schemas.ts")).ImportPinnedAnswersInput,
  output: async () => (await import("./replies.ts")).ImportedAnswers,
  verb: async () => (await import("./import_pinned_answers.ts")).importPinnedAnswers,
});

export const exportPinnedAnswers = defineOperation({
  name: "exportPinnedAnswers",
  scope: "expert",
  failure: "Failed to export the answers",
  errors: ofExperts,
  input: async () => (await import("./schemas.ts")).ExportPinnedAnswersInput,
  output: async () => (await import("./replies.ts")).AnswerSheet,
  verb: async () => (await import("./export_pinned_answers.ts")).exportPinnedAnswers,
});

export const listBarredPassages = defineOperation({
  name: "listBarredPassages",
  scope: "expert",
  failure: "Failed to fetch barred passages",
  errors: ofExperts,
  input: async () => (await import("./schemas.ts")).ListBarredPassagesInput,
  output: async () => (await import("./replies.ts")).BarredPassageList,
  verb: async () => (await import("./list_barred_passages.ts")).listBarredPassages,
});

export const barPassage = defineOperation({
  name: "barPassage",
  scope: "expert",
  failure: "Failed to bar the passage",
  isRepeatable: true,
  errors: () => [...ofEditors(), errors.passageNotFound()],
  input: async () => (await import("./schemas.ts")).BarredPassageInput,
  output: async () => (await import("./replies.ts")).BarredPassage,
  verb: async () => (await import("./bar_passage.ts")).barPassage,
});

export const unbarPassage = defineOperation({
  name: "unbarPassage",
  scope: "expert",
  failure: "Failed to unbar the passage",
  errors: () => [...ofEditors(), errors.passageNotFound()],
  input: async () => (await import("./schemas.ts")).BarredPassageInput,
  output: async () => (await import("./replies.ts")).UnbarredPassage,
  verb: async () => (await import("./bar_passage.ts")).unbarPassage,
});
