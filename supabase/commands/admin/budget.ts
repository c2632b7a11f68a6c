import { z } from "zod";
import { formatFields, formatTable, formatTime } from "./format_table.ts";

const budget = z.object({
  id: z.string(),
  account_id: z.string(),
  scope: z.enum(["account", "key", "coach"]),
  api_key_ids: z.array(z.string()),
  coach_id: z.string().nullable(),
  is_each_user: z.boolean(),
  unit: z.enum(["tokens", "micro_usd"]),
  amount: z.number(),
  anonymous_amount: z.number().nullable(),
  period: z.string(),
  soft_percent: z.number(),
  mode: z.string(),
  used: z.number(),
  reserved: z.number(),
  users: z.number(),
  created_at: z.string(),
});

type Budget = z.infer<typeof budget>;

/** A budget as Postgres replies it, a line for each field. */
export function formatBudget(data: unknown): string {
  const shown = budget.parse(data);
  const { unit, is_each_user } = shown;
  return formatFields({
    id: shown.id,
    account: shown.account_id,
    of: nameScope(shown),
    limit: formatAmount(unit, shown.amount),
    period: shown.period,
    mode: shown.mode,
    "soft percent": shown.soft_percent,
    "all anonymous": is_each_user ? formatAmount(unit, shown.anonymous_amount ?? 10 * shown.amount) : null,
    used: formatAmount(unit, shown.used),
    reserved: formatAmount(unit, shown.reserved),
    users: is_each_user ? shown.users : null,
    keys: shown.api_key_ids.length === 0 ? null : shown.api_key_ids.join(", "),
    created: formatTime(shown.created_at),
  });
}

/** Budgets as Postgres replies them, a line for each. */
export function formatBudgets(data: unknown): string {
  return formatTable(
    ["id", "of", "limit", "period", "used", "reserved", "mode"],
    z.array(budget).parse(data).map((each) => [
      each.id,
      nameScope(each),
      formatAmount(each.unit, each.amount),
      each.period,
      formatAmount(each.unit, each.used),
      formatAmount(each.unit, each.reserved),
      each.mode,
    ]),
  );
}

function nameScope({ scope, coach_id, api_key_ids, is_each_user }: Budget): string {
  const of = { account: "account", key: `key ${api_key_ids.at(-1) ?? "(deleted)"}`, coach: `coach ${coach_id}` }[scope];
  return is_each_user ? `each user of ${of}` : of;
}

/** Money is stored in millionths of a dollar. */
function formatAmount(unit: Budget["unit"], amount: number): string {
  return unit === "tokens" ? `${amount.toLocaleString("en")} tokens` : `${
    (amount / 1_000_000).toLocaleString("en", {
      minimumFractionDigits: 2,
      maximumFractionDigits: 6,
    })
  } USD`;
}
