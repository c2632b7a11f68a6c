import { z } from "zod";
import { CommandError, exitCodes } from "../command_error.ts";
import { formatBudget } from "./budget.ts";
import { defineCommand } from "./command.ts";
import { because, id, text, wholeNumber } from "./inputs.ts";

const most = 1_000_000_000;

/** An amount of tokens. */
const tokens = z.string().regex(/^\d{1,15}$/, "is not a whole number of tokens").transform(Number)
  .refine((value) => value > 0, "must be more than 0");
/** An amount of US dollars, as millionths. */
const usd = z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, `is not an amount in US dollars, such as 50 or 0.25`)
  .transform((value) => Math.round(Number(value) * 1_000_000))
  .refine((value) => value > 0 && value <= most * 1_000_000, "must be more than 0");

/** `budget set` */
export const setBudget = defineCommand({
  positionals: [],
  flags: ["each-user"],
  typed: { api_key: "--key", coach: "--coach", period: "--period", mode: "--mode", soft_percent: "--soft" },
  input: z.strictObject({
    account: id,
    key: id.optional(),
    coach: text.optional(),
    "each-user": z.boolean().optional(),
    tokens: tokens.optional(),
    usd: usd.optional(),
    "anonymous-tokens": tokens.optional(),
    "anonymous-usd": usd.optional(),
    period: z.enum(["day", "week", "month", "total"], because("must be day, week, month or total")),
    mode: z.enum(["block", "warn"], because("must be block or warn")).optional(),
    soft: wholeNumber(1, 100).optional(),
  }),
  isChange: true,
  async run(input, { project }) {
    const refuse = (sentence: string): never => {
      throw new CommandError(`budget set: ${sentence}`, exitCodes.calledWrongly);
    };
    if (input.key !== undefined && input.coach !== undefined) refuse("--key and --coach cannot be used together.");
    if ((input.tokens === undefined) === (input.usd === undefined)) refuse("either --tokens or --usd is needed.");
    const unit = input.tokens === undefined ? "micro_usd" : "tokens";
    const anonymous = { tokens: input["anonymous-tokens"], micro_usd: input["anonymous-usd"] };
    if (anonymous[unit === "tokens" ? "micro_usd" : "tokens"] !== undefined) {
      refuse("the amount of anonymous users must be in the same unit as the budget.");
    }
    if (anonymous[unit] !== undefined && !input["each-user"]) {
      refuse("an amount for all anonymous users needs --each-user.");
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
});
