import { z } from "zod";
import { defineCommand } from "./command.ts";
import { formatTable, formatTime } from "./format_table.ts";
import { id, wholeNumber } from "./inputs.ts";
import { requireAccount } from "./require_account.ts";

const Named = z.nullable(z.object({ user_id: z.string(), email: z.nullable(z.string()) }));
const Acts = z.array(z.object({
  id: z.number(),
  kind: z.string(),
  coach_id: z.nullable(z.string()),
  subject: z.nullable(z.string()),
  subject_user: Named,
  by: z.enum(["expert", "server", "operator"]),
  user: Named,
  user_id: z.nullable(z.string()),
  api_key_id: z.nullable(z.string()),
  created_at: z.string(),
}));
const usualCount = 100;
const pageSize = 1_000;

/** `account history` */
export const showActs = defineCommand({
  positionals: [],
  input: z.strictObject({ account: id, limit: wholeNumber(1).default(usualCount) }),
  isChange: false,
  async run({ account, limit }, { project, note }) {
    const opened = project();
    await requireAccount(opened, account);
    const acts: z.output<typeof Acts> = [];
    while (acts.length < limit) {
      const most = Math.min(limit - acts.length, pageSize);
      const { data } = await opened.client.rpc("list_account_acts", {
        ...{ account_id: account, most },
        before: acts.at(-1)?.id,
      }).throwOnError();
      const page = Acts.parse(data);
      acts.push(...page);
      if (page.length < most) break;
    }
    if (acts.length === 0) note("Nothing was done in the last year.");
    return {
      json: acts,
      text: formatTable(
        ["time", "by", "what", "to", "coach"],
        acts.map(({ kind, coach_id, subject, subject_user, by, user, user_id, api_key_id, created_at }) => [
          formatTime(created_at),
          by === "expert" ? user?.email ?? user_id : by === "server" ? `key ${api_key_id}` : by,
          kind,
          subject_user?.email ?? subject,
          coach_id,
        ]),
      ),
    };
  },
});
