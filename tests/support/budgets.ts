import type { Database } from "../../shared/infra/db/database_types.ts";
import { operator, type Tenant } from "./project.ts";

type BudgetArgs = Database["public"]["Functions"]["set_budget"]["Args"];

/** A budget as operators see it. */
export type BudgetState = { id: string; used: number; reserved: number; users: number; amount: number };

/** Sets a budget of an account as an operator does: in tokens for a day, unless it says otherwise. */
export async function setBudget(
  { accountId }: Pick<Tenant, "accountId">,
  budget: Partial<BudgetArgs> & { amount: number },
): Promise<BudgetState> {
  const { data } = await operator.rpc("set_budget", {
    account_id: accountId,
    unit: "tokens",
    period: "day",
    ...budget,
  }).throwOnError();
  return data as BudgetState;
}

/** The current state of a budget. */
export async function stateOf({ id }: Pick<BudgetState, "id">): Promise<BudgetState> {
  const { data } = await operator.rpc("list_budgets", { budget: id }).throwOnError();
  return (data as BudgetState[])[0]!;
}

/** Sets the price of a model, in USD per million tokens. */
export async function setPrice(model: string, input: number, output: number): Promise<void> {
  await operator.from("model_prices").upsert({ model, input_price: input, output_price: output }).throwOnError();
}
