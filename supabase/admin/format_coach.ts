import { z } from "zod";
import { formatFields } from "./format_table.ts";

const coach = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  title: z.string(),
  greeting: z.string().nullable(),
  model: z.string().nullable(),
  language: z.string(),
  temperature: z.number().nullable(),
  history_limit: z.number(),
  instructions: z.string().transform((text) => `${[...text].length} characters`),
});

/** A coach as a command that has made or changed it shows it. */
export function formatCoach(row: unknown): string {
  const { account_id, history_limit, ...fields } = coach.parse(row);
  return formatFields({ ...fields, "history limit": history_limit, account: account_id });
}
