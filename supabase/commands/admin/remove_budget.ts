import { z } from "zod";
import { formatBudget } from "./budget.ts";
import { defineCommand } from "./command.ts";
import { id } from "./inputs.ts";

/** `budget remove` */
export const removeBudget = defineCommand({
  positionals: ["budget id"],
  input: z.strictObject({ "budget id": id }),
  isChange: true,
  async run({ "budget id": budget }, { project }) {
    const { data } = await project().client.rpc("remove_budget", { budget }).throwOnError();
    return { json: data, text: formatBudget(data) };
  },
});
