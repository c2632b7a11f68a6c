import { errors } from "../../base/errors.ts";
import { defineOperation } from "../../core/lazy_operation.ts";

export const listCoaches = defineOperation({
  name: "listCoaches",
  scope: "chat",
  failure: "Failed to fetch coaches",
  errors: () => [],
  input: async () => (await import("./schemas.ts")).ListCoachesInput,
  output: async () => (await import("./replies.ts")).CoachList,
  verb: async () => (await import("./list_coaches.ts")).listCoaches,
});

const ofOwners = () => [errors.roleNotSufficient(), errors.notTheExpert(), errors.coachNotFound()];

export const getSettings = defineOperation({
  name: "getSettings",
  scope: "expert",
  failure: "Failed to fetch the settings",
  errors: ofOwners,
  input: async () => (await import("./schemas.ts")).GetSettingsInput,
  output: async () => (await import("./replies.ts")).CoachSettings,
  verb: async () => (await import("./manage_coach.ts")).getSettings,
});

export const saveSettings = defineOperation({
  name: "saveSettings",
  scope: "expert",
  failure: "Failed to save the settings",
  // The same settings twice are the same settings.
  isRepeatable: true,
  errors: () => [...ofOwners(), errors.notPublished(), errors.slugTaken(), errors.tooManySlugs()],
  input: async () => (await import("./schemas.ts")).SaveSettingsInput,
  output: async () => (await import("./replies.ts")).CoachSettings,
  verb: async () => (await import("./manage_coach.ts")).saveSettings,
});

export const deleteCoach = defineOperation({
  name: "deleteCoach",
  scope: "expert",
  failure: "Failed to delete the coach",
  errors: ofOwners,
  input: async () => (await import("./schemas.ts")).DeleteCoachInput,
  output: async () => (await import("./replies.ts")).DeletedCoach,
  verb: async () => (await import("./manage_coach.ts")).deleteCoach,
});

export const getCoach = defineOperation({
  name: "getCoach",
  scope: "chat",
  failure: "Failed to fetch the coach",
  errors: () => [errors.coachNotFound(), errors.coachPaused()],
  input: async () => (await import("./schemas.ts")).GetCoachInput,
  output: async () => (await import("./replies.ts")).CoachWithTimes,
  verb: async () => (await import("./get_coach.ts")).getCoach,
});
