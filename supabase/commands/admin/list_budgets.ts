import { z } from "zod";
import { formatBudgets } from "./budget.ts";
import { defineCommand } from "./command.ts";
import { id } from "./inputs.ts";
import { requireAccount } from "./require_account.ts";

/** `budget list` */
export const listBudgets = defineCommand({
  positionals: [],
  input: z.strictObject({ account: id.optional() }),
  isChange: false,
  async run({ account }, { project, note }) {
    const opened = project();
    if (account !== undefined) await requireAccount(opened, account);
    const { data } = await opened.client.rpc("list_budgets", { account }).throwOnError();
    if (Array.isArray(data) && data.length === 0) note("There are no budgets yet.");
    return { json: data, text: formatBudgets(data) };
  },
});
