import { z } from "zod";
import { pooledMap } from "../../../shared/base/std/async.ts";
import { defineCommand } from "./command.ts";
import { formatTable, formatTime } from "./format_table.ts";
import { id, wholeNumber } from "./inputs.ts";
import { readAll } from "./read_all.ts";
import { readEmail } from "./read_email.ts";
import { requireAccount } from "./require_account.ts";

/** `user list` */
export const listUsers = defineCommand({
  positionals: [],
  input: z.strictObject({ account: id, limit: wholeNumber(1, 1_000).default(50) }),
  isChange: false,
  async run({ account, limit }, { project, note }) {
    const opened = project();
    await requireAccount(opened, account);
    // Users are known by their threads alone.
    const threads = await readAll(({ after, limit }) => {
      const query = opened.client.from("threads").select("id, user_id, created_at, updated_at").eq(
        "account_id",
        account,
      )
        .order("id").limit(limit).throwOnError();
      return after === null ? query : query.gt("id", after);
    });
    const users = [...Map.groupBy(threads, ({ user_id }) => user_id)].map(([user_id, own]) => ({
      user_id,
      threads: own.length,
      first_at: own[0]!.created_at,
      last_at: own.map(({ updated_at }) => updated_at).reduce((one, other) => laterOf(one, other)),
    })).toSorted((one, other) => Date.parse(other.last_at) - Date.parse(one.last_at));
    if (users.length === 0) note("There are no users yet.");
    if (users.length > limit) note(`These are the last ${limit} of ${users.length}. To see more, raise --limit.`);
    const shown = await Array.fromAsync(
      pooledMap(8, users.slice(0, limit), async (user) => ({ ...user, email: await readEmail(opened, user.user_id) })),
    );
    return {
      json: shown,
      text: formatTable(
        ["last active", "threads", "email", "user"],
        shown.map((user) => [formatTime(user.last_at), user.threads, user.email, user.user_id]),
      ),
    };
  },
});

function laterOf(one: string, other: string): string {
  return Date.parse(one) < Date.parse(other) ? other : one;
}
