import { errors } from "../../base/errors.ts";
import { defineOperation } from "../../core/operation.ts";

export const listCoaches = defineOperation({
  name: "listCoaches",
  scope: "chat",
  failure: "Failed to fetch coaches",
  errors: () => [],
  input: async () => (await import("./schemas.ts")).ListCoachesInput,
  output: async () => (await import("./replies.ts")).CoachList,
  verb: async () => (await import("./list_coaches.ts")).listCoaches,
});

export const getCoach = defineOperation({
  name: "getCoach",
  scope: "chat",
  failure: "Failed to fetch the coach",
  errors: () => [errors.coachNotFound()],
  input: async () => (await import("./schemas.ts")).GetCoachInput,
  output: async () => (await import("./replies.ts")).Coach,
  verb: async () => (await import("./get_coach.ts")).getCoach,
});
