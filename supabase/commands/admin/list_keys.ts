import { z } from "zod";
import { defineCommand } from "./command.ts";
import { formatTable } from "./format_table.ts";
import { id } from "./inputs.ts";
import { readKeys } from "./read_keys.ts";
import { requireAccount } from "./require_account.ts";

/** `key list` */
export const listKeys = defineCommand({
  positionals: [],
  input: z.strictObject({ account: id.optional() }),
  isChange: false,
  async run({ account }, { project, note }) {
    const opened = project();
    if (account !== undefined) await requireAccount(opened, account);
    const keys = await readKeys(opened, account);
    if (keys.length === 0) note("There are no keys yet.");
    const formatKeys = (rows: typeof keys) =>
      formatTable(
        ["id", "status", "begins", "name"],
        rows.map((key) => [key.id, key.status, key.prefix, key.name]),
        terminalWidth,
      );
    const ofAccounts = [...Map.groupBy(keys, ({ account_id }) => account_id)];
    return {
      json: keys,
      text: account === undefined
        ? ofAccounts.map(([accountId, rows]) => `Account ${accountId}\n${formatKeys(rows)}`).join("\n\n")
        : formatKeys(keys),
    };
  },
});

/** The columns of the narrowest usual terminal. */
const terminalWidth = 80;
