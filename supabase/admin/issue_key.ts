import { z } from "zod";
import { CommandError, exitCodes } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { formatIssuedKey, issuedKey, onlyNow } from "./issued_key.ts";
import { day, id, text, wholeNumber, wordsOf } from "./inputs.ts";

const scopes = ["chat", "threads:read", "threads:write", "knowledge:read", "knowledge:write", "expert"] as const;

/** `key issue` */
export const issueKey = defineCommand({
  positionals: [],
  input: z.strictObject({
    account: id,
    name: text,
    scopes: wordsOf(scopes).optional(),
    expires: day.optional(),
    "per-minute": wholeNumber(1).optional(),
    "per-hour": wholeNumber(1).optional(),
    "per-day": wholeNumber(1).optional(),
  }),
  isChange: true,
  async run(input, { project, now, note }) {
    const expiresAt = input.expires === undefined ? undefined : `${input.expires}T00:00:00Z`;
    if (expiresAt !== undefined && Date.parse(expiresAt) <= now().getTime()) {
      throw new CommandError(`key issue: --expires ${input.expires} is not in the future.`, exitCodes.calledWrongly);
    }
    const { data } = await project().client.rpc("issue_api_key", {
      account_id: input.account,
      name: input.name.trim(),
      scopes: input.scopes,
      expires_at: expiresAt,
      requests_per_minute: input["per-minute"],
      requests_per_hour: input["per-hour"],
      requests_per_day: input["per-day"],
    }).throwOnError();
    note(onlyNow);
    return { json: data, text: formatIssuedKey(issuedKey.parse(data)) };
  },
});
