import { z } from "zod";
import { CommandError, exitCodes } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { because, textUpTo } from "./inputs.ts";
import { defaultModel, formatPrice, isFree, refusePrice, usdPerMillion } from "./price.ts";

const required = z.string(because("is not a price")).pipe(usdPerMillion);

/** `price set` */
export const setPrice = defineCommand({
  positionals: ["model"],
  flags: ["default", "allow-free"],
  input: z.strictObject({
    model: textUpTo(255).optional(),
    default: z.boolean().optional(),
    input: required,
    cached: usdPerMillion.optional(),
    output: required,
    reasoning: usdPerMillion.optional(),
    "allow-free": z.boolean().optional(),
  }),
  isChange: true,
  async run({ model, default: isDefault, "allow-free": mayBeFree = false, ...prices }, { project }) {
    if ((model === undefined) !== (isDefault === true)) {
      throw new CommandError("price set: either a model or --default is needed.", exitCodes.calledWrongly);
    }
    for (const [name, usd] of Object.entries(prices)) {
      const reason = usd === undefined ? null : refusePrice(usd, mayBeFree);
      if (reason !== null) {
        const named = model ?? "--default";
        throw new CommandError(`price set: --${name} of ${named} ${reason}.`, exitCodes.calledWrongly);
      }
    }
    const row = {
      input_price: prices.input,
      cached_price: prices.cached ?? null,
      output_price: prices.output,
      reasoning_price: prices.reasoning ?? null,
    };
    const { data } = await project().client.from("model_prices").upsert({
      model: model ?? defaultModel,
      ...row,
      is_free: isFree(row),
      is_by_hand: true,
      source: null,
      updated_at: new Date().toISOString(),
    }).select().single().throwOnError();
    return { json: data, text: formatPrice(data) };
  },
});
