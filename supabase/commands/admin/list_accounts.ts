import { z } from "zod";
import { defineCommand } from "./command.ts";
import { formatTable, formatTime } from "./format_table.ts";
import { readAll } from "./read_all.ts";

/** `account list` */
export const listAccounts = defineCommand({
  positionals: [],
  input: z.strictObject({}),
  isChange: false,
  async run(_, { project, note }) {
    const { client } = project();
    const accounts = await readAll(({ after, limit }) => {
      // Not all columns: the key of an account is never shown.
      const query = client.from("accounts").select("id, name, retention_days, created_at").order("id").limit(limit)
        .throwOnError();
      return after === null ? query : query.gt("id", after);
    });
    if (accounts.length === 0) note("There are no accounts yet.");
    return {
      json: accounts,
      text: formatTable(
        ["id", "name", "days kept", "created"],
        accounts.map(({ id, name, retention_days, created_at }) => [id, name, retention_days, formatTime(created_at)]),
      ),
    };
  },
});
