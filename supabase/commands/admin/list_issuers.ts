import { z } from "zod";
import { defineCommand } from "./command.ts";
import { formatTable } from "./format_table.ts";
import { id } from "./inputs.ts";
import { readAll } from "./read_all.ts";
import { requireAccount } from "./require_account.ts";

/** `issuer list` */
export const listIssuers = defineCommand({
  positionals: [],
  input: z.strictObject({ account: id.optional() }),
  isChange: false,
  async run({ account }, { project, note }) {
    const opened = project();
    if (account !== undefined) await requireAccount(opened, account);
    const issuers = await readAll(({ after, limit }) => {
      let query = opened.client.rpc("list_token_issuers").order("id").limit(limit).throwOnError();
      if (account !== undefined) query = query.eq("account_id", account);
      return after === null ? query : query.gt("id", after);
    });
    if (issuers.length === 0) note("There are no token issuers yet.");
    return {
      json: issuers,
      text: formatTable(
        ["name", "issuer", "audience", "jwks", "account"],
        issuers.map(({ name, issuer, audience, jwks_url, account_id }) => [
          name,
          issuer,
          audience,
          jwks_url,
          account_id,
        ]),
      ),
    };
  },
});
