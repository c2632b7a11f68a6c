import { z } from "zod";
import { defineCommand } from "./command.ts";
import { formatTable, formatTime } from "./format_table.ts";
import { id } from "./inputs.ts";
import { formatLimits, formatOrigins } from "./issued_key.ts";
import { readAll } from "./read_all.ts";
import { requireAccount } from "./require_account.ts";

/** `key list` */
export const listKeys = defineCommand({
  positionals: [],
  input: z.strictObject({ account: id.optional() }),
  isChange: false,
  async run({ account }, { project, note }) {
    const opened = project();
    if (account !== undefined) await requireAccount(opened, account);
    const keys = await readAll(({ after, limit }) => {
      let query = opened.client.rpc("list_api_keys").order("id").limit(limit).throwOnError();
      if (account !== undefined) query = query.eq("account_id", account);
      return after === null ? query : query.gt("id", after);
    });
    if (keys.length === 0) note("There are no keys yet.");
    return {
      json: keys,
      text: formatTable(
        [
          "id",
          "name",
          "begins",
          "status",
          "per min/h/day",
          "last used",
          "expires",
          "account",
          "scopes",
          "origins",
          "coaches",
        ],
        keys.map((key) => [
          key.id,
          key.name,
          key.prefix,
          key.status,
          formatLimits(key),
          formatTime(key.last_used_at),
          formatTime(key.expires_at),
          key.account_id,
          key.scopes.join(","),
          formatOrigins(key),
          key.coach_ids?.join(",") ?? null,
        ]),
      ),
    };
  },
});
