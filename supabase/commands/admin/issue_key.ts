import { z } from "zod";
import { CommandError, exitCodes } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { formatIssuedKey, issuedKey, onlyNow } from "./issued_key.ts";
import { day, id, text, texts, wholeNumber, wordsOf } from "./inputs.ts";

const scopes = ["chat", "threads:read", "threads:write", "knowledge:read", "knowledge:write", "expert"] as const;

/** Options of publishable keys only. */
const ofPublishable = [
  ...["origin", "allow-no-origin", "mcp", "total-per-minute", "total-per-hour", "total-per-day"] as const,
  ...["anonymous-per-minute", "anonymous-per-hour", "anonymous-per-day"] as const,
  ...["anonymous-total-per-minute", "anonymous-total-per-hour", "anonymous-total-per-day"] as const,
] as const;

/** Options of secret keys only, which the database has under the same names. */
const ofSecret = ["tasks", "footnotes"] as const;

/** `key issue` */
export const issueKey = defineCommand({
  positionals: [],
  flags: ["publishable", "allow-no-origin", "mcp", "tasks", "footnotes"],
  lists: ["origin", "coach"],
  typed: { scopes: "--scopes", coach_ids: "--coach", origins: "--origin" },
  input: z.strictObject({
    account: id,
    name: text,
    scopes: wordsOf(scopes).optional(),
    coach: texts.optional(),
    expires: day.optional(),
    "per-minute": wholeNumber(1).optional(),
    "per-hour": wholeNumber(1).optional(),
    "per-day": wholeNumber(1).optional(),
    publishable: z.boolean().optional(),
    origin: texts.optional(),
    "allow-no-origin": z.boolean().optional(),
    mcp: z.boolean().optional(),
    tasks: z.boolean().optional(),
    footnotes: z.boolean().optional(),
    "total-per-minute": wholeNumber(1).optional(),
    "total-per-hour": wholeNumber(1).optional(),
    "total-per-day": wholeNumber(1).optional(),
    "anonymous-per-minute": wholeNumber(1).optional(),
    "anonymous-per-hour": wholeNumber(1).optional(),
    "anonymous-per-day": wholeNumber(1).optional(),
    "anonymous-total-per-minute": wholeNumber(1).optional(),
    "anonymous-total-per-hour": wholeNumber(1).optional(),
    "anonymous-total-per-day": wholeNumber(1).optional(),
  }),
  isChange: true,
  async run(input, { project, now, note }) {
    const refuse = (sentence: string) => {
      throw new CommandError(`key issue: ${sentence}`, exitCodes.calledWrongly);
    };
    const expiresAt = input.expires === undefined ? undefined : `${input.expires}T00:00:00Z`;
    if (expiresAt !== undefined && Date.parse(expiresAt) <= now().getTime()) {
      refuse(`--expires ${input.expires} is not in the future.`);
    }
    const surplus = ofPublishable.find((name) => input[name] !== undefined);
    if (!input.publishable && surplus !== undefined) {
      refuse(`--${surplus} is only for publishable keys: add --publishable.`);
    }
    if (input.publishable && input.origin === undefined && !input["allow-no-origin"] && !input.mcp) {
      refuse("--publishable needs --origin, --allow-no-origin or --mcp, or nobody could use the key.");
    }

    const options = ofSecret.filter((name) => input[name]);
    if (input.publishable && options.length > 0) {
      refuse(`--${options[0]} is for secret keys only: the OpenAI-compatible API takes no others.`);
    }

    const { client, url } = project();
    const ofEveryKey = {
      account_id: input.account,
      name: input.name.trim(),
      scopes: input.scopes,
      coach_ids: input.coach,
      expires_at: expiresAt,
      requests_per_minute: input["per-minute"],
      requests_per_hour: input["per-hour"],
      requests_per_day: input["per-day"],
    };
    const { data } = input.publishable
      ? await client.rpc("issue_publishable_key", {
        ...ofEveryKey,
        origins: input.origin ?? [],
        allows_no_origin: input["allow-no-origin"],
        allows_mcp: input.mcp,
        total_per_minute: input["total-per-minute"],
        total_per_hour: input["total-per-hour"],
        total_per_day: input["total-per-day"],
        anonymous_per_minute: input["anonymous-per-minute"],
        anonymous_per_hour: input["anonymous-per-hour"],
        anonymous_per_day: input["anonymous-per-day"],
        anonymous_total_per_minute: input["anonymous-total-per-minute"],
        anonymous_total_per_hour: input["anonymous-total-per-hour"],
        anonymous_total_per_day: input["anonymous-total-per-day"],
      }).throwOnError()
      : await client.rpc("issue_api_key", { ...ofEveryKey, options }).throwOnError();
    note(onlyNow);
    const key = issuedKey.parse(data);
    const more = key.allows_mcp ? { "MCP address": `${url}/functions/v1/mcp/${key.api_key}` } : {};
    return { json: data, text: formatIssuedKey(key, more) };
  },
});
