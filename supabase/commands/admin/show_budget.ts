import { z } from "zod";
import { CommandError } from "../command_error.ts";
import { formatBudget } from "./budget.ts";
import { defineCommand } from "./command.ts";
import { id } from "./inputs.ts";

/** `budget show` */
export const showBudget = defineCommand({
  positionals: ["budget id"],
  input: z.strictObject({ "budget id": id }),
  isChange: false,
  async run({ "budget id": budget }, { project }) {
    const { data } = await project().client.rpc("list_budgets", { budget }).throwOnError();
    const found = Array.isArray(data) ? data[0] : undefined;
    if (found === undefined) throw new CommandError("Budget not found");
    return { json: found, text: formatBudget(found) };
  },
});
