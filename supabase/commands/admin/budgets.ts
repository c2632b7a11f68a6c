import { z } from "zod";
import { CommandError, refuse } from "../command_error.ts";
import {
  aCoach,
  anAccount,
  defineCommand,
  defineList,
  flag,
  id,
  ifGiven,
  oneOf,
  option,
  wholeNumber,
} from "./command.ts";
import { formatFields, formatTime } from "./terminal_text.ts";

const tokens = z.string().regex(/^\d{1,15}$/, "is not a whole number of tokens").transform(Number)
  .refine((value) => value > 0, "must be more than 0");
/** An amount of US dollars, as millionths. */
const usd = z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, `is not an amount in US dollars, such as 50 or 0.25`)
  .transform((value) => Math.round(Number(value) * 1_000_000))
  .refine((value) => value > 0, "must be more than 0");

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

function formatBudget(data: unknown): string {
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

function nameScope({ scope, coach_id, api_key_ids, is_each_user }: Budget): string {
  const of = { account: "account", key: `key ${api_key_ids.at(-1) ?? "(deleted)"}`, coach: `coach ${coach_id}` }[scope];
  return is_each_user ? `each user of ${of}` : of;
}

/** Money is stored in millionths of a dollar. */
function formatAmount(unit: Budget["unit"], amount: number): string {
  return unit === "tokens"
    ? `${amount.toLocaleString("en")} tokens`
    : `${(amount / 1_000_000).toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 6 })} USD`;
}

const anonymousHelp = "with --each-user: how much all anonymous users together may use; default: ten times the amount";

/** `npm run admin -- budget …` */
export const budgetCommands = {
  set: defineCommand({
    about: `Limits what may be spent on language models: see supabase/docs/budgets.md. Setting the budget of the same
      account, key or coach, unit and period again changes it; what was used stays.`,
    typed: { api_key: "--key", coach: "--coach", period: "--period", mode: "--mode", soft_percent: "--soft" },
    options: {
      account: anAccount,
      key: option("ID", id.optional(), "what is used with this key and its successors alone counts"),
      coach: ifGiven({ ...aCoach, help: "what is used with this coach alone counts" }),
      "each-user": flag("the amount is for each user; without it, all users share it"),
      tokens: option(
        "N",
        tokens.optional(),
        "how much may be used in a period, in tokens; either this or --usd is needed",
      ),
      usd: option("N", usd.optional(), "the same in US dollars"),
      period: option("PERIOD", oneOf(["day", "week", "month", "total"]), "day, week, month or total, in UTC"),
      mode: option(
        "MODE",
        oneOf(["block", "warn"]).optional(),
        "block or warn; default: block. What does not fit into a blocking budget is refused.",
      ),
      soft: option(
        "N",
        wholeNumber(1, 100).optional(),
        "the percentage from which on the webhook is told; default: 80",
      ),
      "anonymous-tokens": option("N", tokens.optional(), anonymousHelp),
      "anonymous-usd": option("N", usd.optional(), anonymousHelp),
    },
    isChange: true,
    async run(input, { project }) {
      if (input.key !== undefined && input.coach !== undefined) {
        refuse("budget set: --key and --coach cannot be used together.");
      }
      if ((input.tokens === undefined) === (input.usd === undefined)) {
        refuse("budget set: either --tokens or --usd is needed.");
      }
      const unit = input.tokens === undefined ? "micro_usd" : "tokens";
      const anonymous = { tokens: input["anonymous-tokens"], micro_usd: input["anonymous-usd"] };
      if (anonymous[unit === "tokens" ? "micro_usd" : "tokens"] !== undefined) {
        refuse("budget set: the amount of anonymous users must be in the same unit as the budget.");
      }
      if (anonymous[unit] !== undefined && !input["each-user"]) {
        refuse("budget set: an amount for all anonymous users needs --each-user.");
      }
      const { data } = await project().client.rpc("set_budget", {
        account_id: input.account,
        unit,
        amount: input.tokens ?? input.usd!,
        period: input.period,
        api_key: input.key,
        coach: input.coach,
        each_user: input["each-user"],
        mode: input.mode,
        soft_percent: input.soft,
        anonymous_amount: anonymous[unit],
      }).throwOnError();
      return { json: data, text: formatBudget(data) };
    },
  }),

  list: defineList({
    about: "Lists the budgets.",
    options: { account: ifGiven(anAccount) },
    none: "There are no budgets yet.",
    read: async ({ client }, { account }) =>
      z.array(budget).parse((await client.rpc("list_budgets", { account }).throwOnError()).data),
    show: (each) => ({
      id: each.id,
      of: nameScope(each),
      limit: formatAmount(each.unit, each.amount),
      period: each.period,
      used: formatAmount(each.unit, each.used),
      reserved: formatAmount(each.unit, each.reserved),
      mode: each.mode,
    }),
  }),

  show: defineCommand({
    about: "Shows a budget, and how much of it was used.",
    args: { "budget id": id },
    async run({ "budget id": budget }, { project }) {
      const { data } = await project().client.rpc("list_budgets", { budget }).throwOnError();
      const found = Array.isArray(data) ? data[0] : undefined;
      if (found === undefined) throw new CommandError("Budget not found");
      return { json: found, text: formatBudget(found) };
    },
  }),

  remove: defineCommand({
    about: "Removes a budget.",
    args: { "budget id": id },
    isChange: true,
    async run({ "budget id": budget }, { project }) {
      const { data } = await project().client.rpc("remove_budget", { budget }).throwOnError();
      return { json: data, text: formatBudget(data) };
    },
  }),
};
