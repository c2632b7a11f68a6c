import { z } from "zod";
import { refuse } from "../command_error.ts";
import {
  anAccount,
  day,
  defineCommand,
  flag,
  id,
  ifGiven,
  option,
  repeated,
  text,
  wholeNumber,
  wordsOf,
} from "./command.ts";
import { readKeys, requireAccount, requireRow } from "./read_rows.ts";
import { type Cell, formatFields, formatTable, formatTime } from "./terminal_text.ts";

const scopes = ["chat", "threads:read", "threads:write", "knowledge:read", "knowledge:write", "expert"] as const;

const windows = ["minute", "hour", "day"] as const;
const limit = z.number().nullable();

const keySettings = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  expires_at: z.string().nullable(),
  coach_ids: z.array(z.string()).nullable(),
  is_publishable: z.boolean(),
  origins: z.array(z.string()),
  allows_no_origin: z.boolean(),
  allows_mcp: z.boolean(),
  options: z.array(z.string()),
  ...limitsOf("requests"),
  ...limitsOf("total"),
  ...limitsOf("anonymous"),
  ...limitsOf("anonymous_total"),
});
type KeySettings = z.output<typeof keySettings>;

/** The columns with how many requests may be sent in a minute, an hour and a day. */
function limitsOf<const Kind extends string>(kind: Kind) {
  const names = windows.map((window) => `${kind}_per_${window}` as const);
  return Object.fromEntries(names.map((name) => [name, limit])) as Record<typeof names[number], typeof limit>;
}

/** A new key. The database returns its text only this once. */
const issuedKey = keySettings.extend({ api_key: z.string() });

const onlyNow = "Copy the key now: it is shown only once.";

/** The settings of a key, by the names that people read. A publishable key has more of them. */
function formatKeySettings(key: KeySettings): Record<string, Cell> {
  const perWindow = (kind: "requests" | "total" | "anonymous" | "anonymous_total") =>
    windows.map((window) => key[`${kind}_per_${window}`]).join("/");
  return {
    id: key.id,
    name: key.name,
    account: key.account_id,
    scopes: key.scopes.join(","),
    coaches: key.coach_ids?.join(","),
    ...(key.options.length > 0 && { options: key.options.join(",") }),
    "per min/h/day": perWindow("requests"),
    ...(key.is_publishable && {
      origins: [...key.origins, ...(key.allows_no_origin ? ["(none)"] : [])].join(","),
      ...(key.allows_mcp && { "AI clients": "yes" }),
      "all users": perWindow("total"),
      "anonymous": perWindow("anonymous"),
      "all anonymous": perWindow("anonymous_total"),
    }),
    expires: formatTime(key.expires_at) ?? "never",
  };
}

function formatIssuedKey(
  { api_key, ...key }: z.output<typeof issuedKey>,
  more: Record<string, Cell> = {},
): string {
  return formatFields({ key: api_key, ...formatKeySettings(key), ...more });
}

const revokedKey = z.object({ id: z.string(), name: z.string(), prefix: z.string(), revoked_at: z.string() });
const rotatedKey = issuedKey.extend({ replaces: z.string(), replaced_expires_at: z.string() });

/** The columns of the narrowest usual terminal. */
const terminalWidth = 80;

/** Texts of an option that may be repeated, or have commas between them. */
const texts = z.array(z.string()).transform((values) => values.join().split(",").map((each) => each.trim()))
  .pipe(z.array(z.string().min(1, "has an empty entry"))).optional();

/** The options for how many requests may be sent in a minute, an hour and a day. */
function perWindow<const Prefix extends string>(prefix: Prefix, help: string) {
  const each = option("N", wholeNumber(1).optional(), help);
  const names = windows.map((window) => `${prefix}per-${window}` as const);
  return Object.fromEntries(names.map((name) => [name, each])) as Record<typeof names[number], typeof each>;
}

/** Options of publishable keys only. */
const ofPublishable = {
  origin: repeated("ORIGIN", texts, "the origin of a page that may use the key, such as https://app.example.com"),
  "allow-no-origin": flag("also accept requests without an origin, which native apps send"),
  mcp: flag(
    `the key may be part of the MCP server's address, which AI clients are given: /functions/v1/mcp/<key>. Their users
    sign in with OAuth. It needs no origin.`,
  ),
  ...perWindow(
    "total-",
    `how many requests all users of the key may send together; default: a hundred times the limits of each user, which
    are --per-minute, --per-hour and --per-day`,
  ),
  ...perWindow("anonymous-", "how many requests each anonymous user may send; default: half as many as others"),
  ...perWindow(
    "anonymous-total-",
    `how many of the requests of all users may be from anonymous ones; default: half. The rest is for users who have
    signed up.`,
  ),
};

/** Options of secret keys only, which the database has under the same names. */
const ofSecret = {
  tasks: flag(
    `for chat interfaces behind the OpenAI-compatible API: their requests for titles, tags and similar tasks are
    recognized by their texts, and bypass the persona`,
  ),
  footnotes: flag("for the same: answers end with numbered lines that name their sources"),
};

const namesOf = <Options extends object>(options: Options) => Object.keys(options) as (keyof Options)[];

/** `npm run admin -- key …` */
export const keyCommands = {
  issue: defineCommand({
    about: "Issues an API key of an account, and shows it this once.",
    typed: { scopes: "--scopes", coach_ids: "--coach", origins: "--origin" },
    options: {
      account: anAccount,
      name: option("NAME", text, "what the key is called"),
      scopes: option(
        "LIST",
        wordsOf(scopes).optional(),
        `the scopes of the key; default: chat,threads:read,threads:write,knowledge:read,knowledge:write or, for a
        publishable key, the first three`,
      ),
      expires: option("DAY", day.optional(), "the key stops working at the beginning of this day; default: never"),
      coach: repeated("ID", texts, "restrict the key to a coach; default: all coaches of the account"),
      ...perWindow("", "how many requests the key may send; default: 60, 1000 and 10000"),
      ...ofSecret,
      publishable: flag(
        `a key that may be visible in the source of a page. It works only for signed-in users, who reach only their own
        data. Its scopes are chat,threads:read,threads:write or fewer. The options below are for such keys.`,
      ),
      ...ofPublishable,
    },
    isChange: true,
    async run(input, { project, now, note }) {
      const expiresAt = input.expires === undefined ? undefined : `${input.expires}T00:00:00Z`;
      if (expiresAt !== undefined && Date.parse(expiresAt) <= now().getTime()) {
        refuse(`key issue: --expires ${input.expires} is not in the future.`);
      }
      const surplus = namesOf(ofPublishable).find((name) => input[name]);
      if (!input.publishable && surplus !== undefined) {
        refuse(`key issue: --${surplus} is only for publishable keys: add --publishable.`);
      }
      if (input.publishable && input.origin === undefined && !input["allow-no-origin"] && !input.mcp) {
        refuse("key issue: --publishable needs --origin, --allow-no-origin or --mcp, or nobody could use the key.");
      }

      const options = namesOf(ofSecret).filter((name) => input[name]);
      if (input.publishable && options.length > 0) {
        refuse(`key issue: --${options[0]} is for secret keys only: the OpenAI-compatible API takes no others.`);
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
  }),

  list: defineCommand({
    about: "Lists the API keys. With --json, it shows all of their settings.",
    options: { account: ifGiven(anAccount) },
    async run({ account }, { project, note }) {
      const opened = project();
      await requireAccount(opened, account);
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
  }),

  show: defineCommand({
    about: "Shows an API key completely, but for its text.",
    args: { "key id": id },
    async run({ "key id": keyId }, { project }) {
      const key = await requireRow("API key", project().client.rpc("list_api_keys").eq("id", keyId));
      return {
        json: key,
        text: formatFields({
          ...formatKeySettings(key),
          begins: key.prefix,
          status: key.status,
          created: formatTime(key.created_at),
          "last used": formatTime(key.last_used_at) ?? "never",
          revoked: formatTime(key.revoked_at),
          "replaced by": key.replaced_by,
        }),
      };
    },
  }),

  rotate: defineCommand({
    about: "Issues a new key in place of an old one, with the same scopes, limits and length of validity.",
    args: { "key id": id },
    options: {
      overlap: option("HOURS", wholeNumber(0, 8_760).default(24), "how long the old key still works, 0 to 8760"),
    },
    isChange: true,
    async run({ "key id": keyId, overlap }, { project, note }) {
      const { data } = await project().client.rpc("rotate_api_key", { id: keyId, overlap_hours: overlap })
        .throwOnError();
      const key = rotatedKey.parse(data);
      note(onlyNow);
      const more = { replaces: key.replaces, "which ends": formatTime(key.replaced_expires_at) };
      return { json: data, text: formatIssuedKey(key, more) };
    },
  }),

  revoke: defineCommand({
    about: "Ends an API key.",
    args: { "key id": id },
    isChange: true,
    async run({ "key id": keyId }, { project }) {
      const { data } = await project().client.rpc("revoke_api_key", { id: keyId }).throwOnError();
      const { revoked_at, ...key } = revokedKey.parse(data);
      return { json: data, text: formatFields({ ...key, revoked: formatTime(revoked_at) }) };
    },
  }),
};
