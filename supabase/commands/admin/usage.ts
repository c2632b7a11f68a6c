import { refuse } from "../command_error.ts";
import { aCoach, anAccount, type CommandContext, day, defineCommand, id, ifGiven, option, wordsOf } from "./command.ts";
import type { Project } from "./open_project.ts";
import { readAllByOffset, requireAccount } from "./read_rows.ts";
import { type Cell, formatTable } from "./terminal_text.ts";

/** Counts of days, with the columns in the table; the last two become the cost. */
const counted = [
  ...["requests", "refusals", "turns", "input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens"] as const,
  ...["estimated_turns", "cost_micro_usd", "unpriced_turns"] as const,
];
const countedOfAnswers = [
  ...["turns", "input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens", "uncounted_turns"] as const,
];
const groupings = ["day", "account", "api_key", "coach"] as const;
/** Usage that only stored answers tell, and not the counts of days. */
const ofAnswers = ["user", "model"] as const;
const usualDays = 30;

/** `npm run admin -- usage` */
export const showUsage = defineCommand({
  about:
    `Shows what was used, and what it cost. --by user or model adds up what the stored answers say: their models, their
    tokens and the users of their threads. That has no costs, and nothing that is not an answer that is still there: not
    what was erased or is past the account's retention, no titles, searches, judges and read pictures.`,
  options: {
    from: option("DAY", day.optional(), "the first day; default: so that there are 30 days"),
    to: option("DAY", day.optional(), "the last day; default: today"),
    account: ifGiven(anAccount),
    key: option("ID", id.optional(), "only what was used with this key: see key list"),
    coach: ifGiven(aCoach),
    by: option(
      "LIST",
      wordsOf([...groupings, ...ofAnswers]).default(["day", "api_key", "coach"]),
      `how to group the lines: any of day,account,api_key,coach. Requests and refusals are counted before the coach is
      known, so they appear in lines without a coach. With user or model, any of day,api_key,coach,user,model, for one
      --account (supabase/docs/operating.md)`,
    ),
  },
  async run({ account, key, coach, by, ...period }, { project, now, note }) {
    const { from, to } = readPeriod(period, now());
    const opened = project();
    // The existence of keys and coaches is not checked: their usage is kept when they are deleted.
    await requireAccount(opened, account);
    if (by.some((word) => ofAnswers.some((name) => name === word))) {
      return await showAnswers(opened, { account, key, coach, by, from, to, note });
    }
    const rows = await readAllByOffset(
      () =>
        opened.client.rpc("read_usage", { from_day: from, to_day: to, account, api_key: key, coach, grouped_by: by })
          .order("day").order("account_name").order("account_id").order("api_key_name").order("api_key_id")
          .order("coach_name").order("coach_id"),
      (row) => JSON.stringify([row.day, row.account_id, row.api_key_id, row.coach_id]),
    );
    const totals = totalOf(rows, counted);
    if (rows.length === 0) note(`There was no usage from ${from} to ${to}.`);
    const named = nameGroups(rows, { account: nameApart(rows, "account") }, by);
    return {
      json: { from, to, rows, totals },
      text: formatUsage(named, [...rows, totals], counted.slice(0, -2), { USD: formatCost }),
    };
  },
});

type Period = { from: string; to: string };
type Asked = Period & Pick<CommandContext, "note"> & Partial<Record<"account" | "key" | "coach", string>> & {
  by: string[];
};

/** The usage by users or models, which is read from the stored answers. */
async function showAnswers({ client }: Project, { account, key, coach, by, from, to, note }: Asked) {
  if (account === undefined || by.includes("account")) {
    refuse("usage: with user or model, --by is about one account: add --account, and leave account out.");
  }
  const rows = await readAllByOffset(
    () =>
      client.rpc("read_usage_of_answers", { account, from_day: from, to_day: to, api_key: key, coach, grouped_by: by })
        .order("day").order("api_key_name").order("api_key_id").order("coach_name").order("coach_id").order("user_id")
        .order("model"),
    (row) => JSON.stringify([row.day, row.api_key_id, row.coach_id, row.user_id, row.model]),
  );
  if (rows.length === 0) note(`No answer from ${from} to ${to} is stored.`);
  const totals = totalOf(rows, countedOfAnswers);
  const ofAnswers = { user: rows.map((row) => row.email ?? row.user_id), model: rows.map((row) => row.model) };
  const named = nameGroups(rows, ofAnswers, by);
  return { json: { from, to, rows, totals }, text: formatUsage(named, [...rows, totals], countedOfAnswers) };
}

function totalOf<Name extends string>(rows: Record<Name, number>[], names: readonly Name[]): Record<Name, number> {
  const totals = names.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]);
  return Object.fromEntries(totals);
}

function readPeriod({ from, to }: Partial<Period>, now: Date): Period {
  const last = to ?? dayOf(now);
  const first = from ?? dayOf(new Date(Date.parse(last) - (usualDays - 1) * 86_400_000));
  if (first > last) refuse(`usage: --from ${first} is after --to ${last}.`);
  return { from: first, to: last };
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

type Named = Record<`${"api_key" | "coach"}_${"id" | "name"}`, string | null> & { day: string | null };

/** The columns by which rows are grouped, by their headings. */
function nameGroups(rows: Named[], more: Record<string, Cell[]>, by: readonly string[]): [heading: string, Cell[]][] {
  const { account, ...last } = more;
  const columns = {
    day: rows.map(({ day }) => day),
    account,
    api_key: nameApart(rows, "api_key"),
    coach: nameApart(rows, "coach"),
    ...last,
  };
  return Object.entries(columns).flatMap(([name, cells]) =>
    cells !== undefined && by.includes(name) ? [[name === "api_key" ? "key" : name, cells]] : []
  );
}

/** A table of usage. The last row is the total: a key may be called "total" as well. Empty without other rows. */
function formatUsage<Name extends string, Row extends Record<Name, number>>(
  groups: [heading: string, cells: Cell[]][],
  rows: Row[],
  counts: readonly Name[],
  more: Record<string, (row: Row) => Cell> = {},
): string {
  const headings = [
    ...groups.map(([heading]) => heading),
    ...counts.map((name) => name.replace("_", " ")),
    ...Object.keys(more),
  ];
  const lines = rows.map((row, index) => [
    ...groups.map(([, cells], column) => index < rows.length - 1 ? cells[index] : column === 0 ? "total" : ""),
    ...counts.map((name) => row[name]),
    ...Object.values(more).map((format) => format(row)),
  ]);
  return rows.length === 1 ? "" : formatTable(headings, lines);
}

/** The cost in US dollars; of answers without a price it is not known, which is not the same as none. */
function formatCost({ cost_micro_usd, unpriced_turns }: Record<"cost_micro_usd" | "unpriced_turns", number>): string {
  const known = (cost_micro_usd / 1_000_000).toFixed(6);
  if (unpriced_turns === 0) return known;
  return cost_micro_usd === 0 ? "unknown" : `${known} + unknown`;
}

/** The names, with the ID if several things share a name; only the ID of deleted things. */
function nameApart<Kind extends string>(
  rows: Record<`${Kind}_id` | `${Kind}_name`, string | null>[],
  kind: Kind,
): Cell[] {
  const things = rows.map((row) => ({ id: row[`${kind}_id`], name: row[`${kind}_name`] }));
  const ids = Map.groupBy(things, ({ name }) => name);
  return things.map(({ id, name }) => {
    if (name === null) return id;
    return new Set(ids.get(name)!.map((thing) => thing.id)).size > 1 ? `${name} (${id})` : name;
  });
}
