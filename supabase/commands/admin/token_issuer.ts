import { z } from "zod";
import { formatFields } from "./format_table.ts";

const tokenIssuer = z.object({
  account_id: z.string(),
  name: z.string(),
  issuer: z.string(),
  jwks_url: z.string(),
  audience: z.string(),
});

/** A token issuer as Postgres replies it, a line for each field. */
export function formatTokenIssuer(data: unknown): string {
  const { account_id, jwks_url, ...issuer } = tokenIssuer.parse(data);
  return formatFields({ ...issuer, jwks: jwks_url, account: account_id });
}
