import { z } from "zod";
import { CommandError, exitCodes } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { text } from "./inputs.ts";
import { defaultModel, formatPrice } from "./price.ts";

/** `price remove` */
export const removePrice = defineCommand({
  positionals: ["model"],
  flags: ["default"],
  input: z.strictObject({ model: text.optional(), default: z.boolean().optional() }),
  isChange: true,
  async run({ model, default: isDefault }, { project }) {
    if ((model === undefined) !== (isDefault === true)) {
      throw new CommandError("price remove: either a model or --default is needed.", exitCodes.calledWrongly);
    }
    const { data } = await project().client.from("model_prices").delete().eq("model", model ?? defaultModel).select()
      .maybeSingle().throwOnError();
    if (data === null) throw new CommandError(`price remove: ${model ?? "--default"} has no price.`, exitCodes.failed);
    return { json: data, text: formatPrice(data) };
  },
});
