import { errors } from "../../base/errors.ts";
import { defineOperation } from "../../core/lazy_operation.ts";

export const getOverview = defineOperation({
  name: "getOverview",
  scope: "expert",
  failure: "Failed to fetch the overview",
  errors: () => [errors.coachNotFound(), errors.notTheExpert()],
  input: async () => (await import("./schemas.ts")).GetOverviewInput,
  output: async () => (await import("./replies.ts")).Overview,
  verb: async () => (await import("./get_overview.ts")).getOverview,
});
