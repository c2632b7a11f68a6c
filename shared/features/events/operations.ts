import { errors } from "../../base/errors.ts";
import { defineOperation } from "../../core/lazy_operation.ts";

export const watchThread = defineOperation({
  name: "watchThread",
  scope: "threads:read",
  failure: "Failed to fetch events",
  errors: () => [errors.threadNotFound()],
  input: async () => (await import("./schemas.ts")).WatchThreadInput,
  output: async () => (await import("./replies.ts")).EventData,
  verb: async () => (await import("./watch_thread.ts")).watchThread,
});

export const watchCoach = defineOperation({
  name: "watchCoach",
  scope: "expert",
  failure: "Failed to fetch events",
  errors: () => [errors.coachNotFound(), errors.notTheExpert()],
  input: async () => (await import("./schemas.ts")).WatchCoachInput,
  output: async () => (await import("./replies.ts")).EventData,
  verb: async () => (await import("./watch_coach.ts")).watchCoach,
});
