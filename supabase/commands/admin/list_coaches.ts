import { z } from "zod";
import { defineCommand } from "./command.ts";
import { formatTable } from "./format_table.ts";
import { id } from "./inputs.ts";
import { readAll } from "./read_all.ts";
import { requireAccount } from "./require_account.ts";

const settings = "model,reasoning_effort,verbosity,temperature,max_output_tokens,store_responses";
const ofExpert = "no_answer,takeover_notice,takeover_minutes,sources_are_open,version";
const columns =
  `id,account_id,owner_id,name,title,picture,greeting,starters,${settings},language,history_limit,${ofExpert},is_active,created_at` as const;

/** `coach list` */
export const listCoaches = defineCommand({
  positionals: [],
  input: z.strictObject({ account: id.optional() }),
  isChange: false,
  async run({ account }, { project, note }) {
    const opened = project();
    if (account !== undefined) await requireAccount(opened, account);
    const coaches = await readAll(({ after, limit }) => {
      let query = opened.client.from("coach_profiles").select(columns).order("id").limit(limit).throwOnError();
      if (account !== undefined) query = query.eq("account_id", account);
      return after === null ? query : query.gt("id", after);
    });
    if (coaches.length === 0) note("There are no coaches yet.");
    return {
      json: coaches,
      text: formatTable(
        ["id", "name", "title", "model", "language", "active", "account"],
        coaches.map((coach) => [
          coach.id,
          coach.name,
          coach.title,
          coach.model,
          coach.language,
          coach.is_active ? "yes" : "no",
          coach.account_id,
        ]),
      ),
    };
  },
});
