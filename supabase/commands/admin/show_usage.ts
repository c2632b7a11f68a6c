import { z } from "zod";
import { CommandError, exitCodes } from "../command_error.ts";
import type { Database } from "../../../shared/infra/db/database_types.ts";
import { defineCommand } from "./command.ts";
import type { Project } from "./open_project.ts";
import { type Cell, formatTable } from "./format_table.ts";
import { day, id, text, wordsOf } from "./inputs.ts";
import { readAllByOffset } from "./read_all.ts";
import { requireAccount } from "./require_account.ts";

type Row = Database["public"]["Functions"]["read_usage"]["Returns"][number];

const counted = [
  "requests",
  "refusals",
  "turns",
  "input_tokens",
  "cached_tokens",
  "output_tokens",
  "reasoning_tokens",
  "estimated_turns",
  "cost_micro_usd",
  "unpriced_turns",
] as const;
/** The counts that have a column of their own; the last two become the cost. */
const shown = counted.slice(0, -2);
const groupings = ["day", "account", "api_key", "coach"] as const;
/** Usage that only stored answers tell, and not the counts of days. */
const ofAnswers = ["user", "model"] as const;
const usualDays = 30;

/** `usage` */
export const showUsage = defineCommand({
  positionals: [],
  input: z.strictObject({
    from: day.optional(),
    to: day.optional(),
    account: id.optional(),
    key: id.optional(),
    coach: text.optional(),
    by: wordsOf([...groupings, ...ofAnswers]).default(["day", "api_key", "coach"]),
  }),
  isChange: false,
  async run({ account, key, coach, by, ...period }, { project, now, note }) {
    const { from, to } = readPeriod(period, now());
    const opened = project();
    // The existence of keys and coaches is not checked: their usage is kept when they are deleted.
    if (account !== undefined) await requireAccount(opened, account);
    if (by.some((word) => ofAnswers.some((name) => name === word))) {
      return await showAnswers(opened, { account, key, coach, by, from, to, note });
    }
    const rows = await readAllByOffset(
      (page) =>
        opened.client.rpc("read_usage", { from_day: from, to_day: to, account, api_key: key, coach, grouped_by: by })
          .order("day").order("account_name").order("account_id").order("api_key_name").order("api_key_id")
          .order("coach_name").order("coach_id").range(page.from, page.to).throwOnError(),
      (row) => JSON.stringify([row.day, row.account_id, row.api_key_id, row.coach_id]),
    );
    const sum = (name: typeof counted[number]) => rows.reduce((total, row) => total + row[name], 0);
    const totals = {
      requests: sum("requests"),
      refusals: sum("refusals"),
      turns: sum("turns"),
      input_tokens: sum("input_tokens"),
      cached_tokens: sum("cached_tokens"),
      output_tokens: sum("output_tokens"),
      reasoning_tokens: sum("reasoning_tokens"),
      estimated_turns: sum("estimated_turns"),
      cost_micro_usd: sum("cost_micro_usd"),
      unpriced_turns: sum("unpriced_turns"),
    };
    if (rows.length === 0) note(`There was no usage from ${from} to ${to}.`);
    return { json: { from, to, rows, totals }, text: rows.length === 0 ? "" : formatUsage(rows, totals, by) };
  },
});

/** The usage by users or models, which is read from the stored answers. */
async function showAnswers(
  { client }: Project,
  { account, key, coach, by, from, to, note }: {
    account: string | undefined;
    key: string | undefined;
    coach: string | undefined;
    by: string[];
    from: string;
    to: string;
    note: (text: string) => void;
  },
) {
  if (account === undefined || by.includes("account")) {
    const sentence = "usage: with user or model, --by is about one account: add --account, and leave account out.";
    throw new CommandError(sentence, exitCodes.calledWrongly);
  }
  const rows = await readAllByOffset(
    (page) =>
      client.rpc("read_usage_of_answers", { account, from_day: from, to_day: to, api_key: key, coach, grouped_by: by })
        .order("day").order("api_key_name").order("api_key_id").order("coach_name").order("coach_id").order("user_id")
        .order("model").range(page.from, page.to).throwOnError(),
    (row) => JSON.stringify([row.day, row.api_key_id, row.coach_id, row.user_id, row.model]),
  );
  if (rows.length === 0) note(`No answer from ${from} to ${to} is stored.`);
  const columns: Record<string, [heading: string, cells: Cell[]]> = {
    day: ["day", rows.map((row) => row.day)],
    api_key: ["key", nameApart(rows.map((row) => ({ id: row.api_key_id, name: row.api_key_name })))],
    coach: ["coach", nameApart(rows.map((row) => ({ id: row.coach_id, name: row.coach_name })))],
    user: ["user", rows.map((row) => row.email ?? row.user_id)],
    model: ["model", rows.map((row) => row.model)],
  };
  const counts = [
    "turns",
    "input_tokens",
    "cached_tokens",
    "output_tokens",
    "reasoning_tokens",
    "uncounted_turns",
  ] as const;
  const grouped = Object.keys(columns).filter((name) => by.includes(name)).map((name) => columns[name]!);
  const totals = Object.fromEntries(counts.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]));
  const lines = [
    ...rows.map((row, index) => [...grouped.map(([, cells]) => cells[index]!), ...counts.map((name) => row[name])]),
    [...grouped.map((_, index) => index === 0 ? "total" : ""), ...counts.map((name) => totals[name]!)],
  ];
  const headings = [...grouped.map(([heading]) => heading), ...counts.map((name) => name.replace("_", " "))];
  return { json: { from, to, rows, totals }, text: rows.length === 0 ? "" : formatTable(headings, lines) };
}

function readPeriod({ from, to }: { from?: string; to?: string }, now: Date): { from: string; to: string } {
  const last = to ?? dayOf(now);
  const first = from ?? dayOf(new Date(Date.parse(last) - (usualDays - 1) * 86_400_000));
  if (first > last) throw new CommandError(`usage: --from ${first} is after --to ${last}.`, exitCodes.calledWrongly);
  return { from: first, to: last };
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

function formatUsage(rows: Row[], totals: Pick<Row, typeof counted[number]>, by: readonly string[]): string {
  const columns: Record<typeof groupings[number], [heading: string, cells: Cell[]]> = {
    day: ["day", rows.map((row) => row.day)],
    account: ["account", nameApart(rows.map((row) => ({ id: row.account_id, name: row.account_name })))],
    api_key: ["key", nameApart(rows.map((row) => ({ id: row.api_key_id, name: row.api_key_name })))],
    coach: ["coach", nameApart(rows.map((row) => ({ id: row.coach_id, name: row.coach_name })))],
  };
  const grouped = groupings.filter((name) => by.includes(name)).map((name) => columns[name]);
  const lines = rows.map((row, index) => [
    ...grouped.map(([, cells]) => cells[index]),
    ...shown.map((name) => row[name]),
    formatCost(row),
  ]);
  // A key may be called "total" as well: the total is always the last line.
  const last = [
    ...grouped.map((_, index) => index === 0 ? "total" : ""),
    ...shown.map((name) => totals[name]),
    formatCost(totals),
  ];
  const headings = [...grouped.map(([heading]) => heading), ...shown.map((name) => name.replace("_", " ")), "USD"];
  return formatTable(headings, [...lines, last]);
}

/** The cost in US dollars; of answers without a price it is not known, which is not the same as none. */
function formatCost({ cost_micro_usd, unpriced_turns }: Pick<Row, "cost_micro_usd" | "unpriced_turns">): string {
  const known = (cost_micro_usd / 1_000_000).toFixed(6);
  if (unpriced_turns === 0) return known;
  return cost_micro_usd === 0 ? "unknown" : `${known} + unknown`;
}

/** The names, with the ID if several things share a name; only the ID of deleted things. */
function nameApart(things: { id: string | null; name: string | null }[]): Cell[] {
  const ids = Map.groupBy(things, ({ name }) => name);
  return things.map(({ id, name }) => {
    if (name === null) return id;
    return new Set(ids.get(name)!.map((thing) => thing.id)).size > 1 ? `${name} (${id})` : name;
  });
}
