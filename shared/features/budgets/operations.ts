import { errors } from "../../base/errors.ts";
import { defineOperation } from "../../core/lazy_operation.ts";

export const getBudget = defineOperation({
  name: "getBudget",
  scope: "chat",
  failure: "Failed to fetch the budget",
  isRepeatable: true,
  errors: () => [errors.userMismatch(), errors.coachNotFound()],
  input: async () => (await import("./schemas.ts")).GetBudgetInput,
  output: async () => (await import("./replies.ts")).BudgetList,
  verb: async () => (await import("./get_budget.ts")).getBudget,
});
