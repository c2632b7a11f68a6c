import { z } from "zod";
import { formatFields } from "./terminal_text.ts";

/** A setting that defaults to the deployment's. Only the functions know the deployment's variables. */
const settingOr = (variable: string) =>
  z.union([z.string(), z.number(), z.boolean().transform(String)]).nullable()
    .transform((value) => value ?? `default of the deployment (${variable})`);

const coach = z.object({
  id: z.string(),
  account_id: z.string(),
  owner_id: z.string().nullable(),
  name: z.string(),
  title: z.string(),
  picture: z.string().nullable(),
  greeting: z.string().nullable(),
  starters: z.array(z.string()).transform((starters) => starters.join(" | ") || null),
  is_active: z.boolean(),
  model: settingOr("OPENAI_MODEL"),
  reasoning_effort: settingOr("OPENAI_REASONING_EFFORT"),
  verbosity: settingOr("OPENAI_VERBOSITY"),
  temperature: settingOr("OPENAI_TEMPERATURE"),
  max_output_tokens: settingOr("OPENAI_MAX_OUTPUT_TOKENS"),
  store_responses: settingOr("OPENAI_STORE"),
  language: z.string(),
  history_limit: z.number(),
  no_answer: z.string().nullable(),
  takeover_notice: z.string().nullable(),
  takeover_minutes: z.number(),
  sources_are_open: z.boolean(),
  version: z.number(),
  instructions: z.string().transform((text) => `${[...text].length} characters`),
});

/** A coach with all of its settings, but only the length of its instructions. */
export function formatCoach(row: unknown): string {
  const { account_id, owner_id, is_active, sources_are_open, instructions, ...fields } = coach.parse(row);
  const settings = Object.entries(fields).map(([name, value]) => [name.replaceAll("_", " "), value]);
  return formatFields({
    ...Object.fromEntries(settings),
    "sources are open": sources_are_open ? "yes" : "no",
    active: is_active ? "yes" : "no",
    account: account_id,
    owner: owner_id,
    instructions,
  });
}
