import { z } from "zod";
import { defineCommand } from "./command.ts";
import { countOf } from "./count_user.ts";
import { id, text } from "./inputs.ts";

const stored = z.object({ account_id: z.string(), retention_days: z.nullable(z.number()), threads: z.number() });

/** `account retention` */
export const setRetention = defineCommand({
  positionals: [],
  input: z.strictObject({
    account: id,
    days: text.transform((value) => value === "none" ? undefined : Number(value)).refine(
      (days) => days === undefined || Number.isInteger(days) && days >= 1 && days <= 3650,
      "is neither a whole number from 1 to 3650 nor none",
    ),
  }),
  isChange: true,
  async run({ account, days }, { project }) {
    const { data } = await project().client.rpc("set_retention", { account_id: account, days }).throwOnError();
    const { retention_days: kept, threads } = stored.parse(data);
    return {
      json: data,
      text: kept === null
        ? "Threads are kept until somebody deletes them."
        : `Threads are kept for ${countOf(kept, "day")} after their last message. ${
          countOf(threads, "thread")
        } with no ` +
          "newer message will be erased from an hour from now on, for good. Until then, --days none prevents it.",
    };
  },
});
