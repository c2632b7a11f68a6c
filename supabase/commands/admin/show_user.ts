import { z } from "zod";
import { countUser } from "./count_user.ts";
import { defineCommand } from "./command.ts";
import { formatFields, formatTable, formatTime } from "./format_table.ts";
import { id, text } from "./inputs.ts";
import { readAll } from "./read_all.ts";
import { requireAccount } from "./require_account.ts";

const columns = "id, coach_id, title, created_at, updated_at, has_down, needs_reply_at" as const;

/** `user show` */
export const showUser = defineCommand({
  positionals: ["user id"],
  input: z.strictObject({ "user id": text, account: id }),
  isChange: false,
  async run({ "user id": userId, account: accountId }, { project }) {
    const opened = project();
    await requireAccount(opened, accountId);
    const { messages } = await countUser(opened, { accountId, userId });
    const threads = await readAll(({ after, limit }) => {
      const query = opened.client.from("threads").select(columns).eq("account_id", accountId).eq("user_id", userId)
        .order("id").limit(limit).throwOnError();
      return after === null ? query : query.gt("id", after);
    });
    const newest = threads.toSorted((one, other) => Date.parse(other.updated_at) - Date.parse(one.updated_at));
    const user = {
      user_id: userId,
      account_id: accountId,
      threads: threads.length,
      messages,
      coach_ids: [...new Set(newest.map(({ coach_id }) => coach_id))],
      first_at: threads[0]?.created_at ?? null,
      last_at: newest[0]?.updated_at ?? null,
    };
    const fields = formatFields({
      user: userId,
      account: accountId,
      coaches: user.coach_ids.join(","),
      threads: user.threads,
      messages,
      "first active": formatTime(user.first_at),
      "last active": formatTime(user.last_at),
    });
    const table = formatTable(
      ["thread", "updated", "down", "title"],
      newest.map((thread) => [
        thread.id,
        formatTime(thread.updated_at),
        thread.has_down ? "yes" : "no",
        thread.title,
      ]),
    );
    return { json: { ...user, data: newest }, text: `${fields}\n\n${table}` };
  },
});
