import { z } from "zod";
import { defineCommand } from "./command.ts";
import { formatTable } from "./format_table.ts";
import { nameModel } from "./price.ts";
import { readAllByOffset } from "./read_all.ts";

/** `price list` */
export const listPrices = defineCommand({
  positionals: [],
  input: z.strictObject({}),
  isChange: false,
  async run(_, { project, note }) {
    const { client } = project();
    const prices = await readAllByOffset(
      ({ from, to }) => client.from("model_prices").select().order("model").range(from, to).throwOnError(),
      ({ model }) => model,
    );
    if (prices.length === 0) note("There are no prices yet.");
    return {
      json: prices,
      text: formatTable(
        ["model", "input", "cached", "output", "reasoning", "source"],
        prices.map((price) => [
          nameModel(price.model),
          price.input_price,
          price.cached_price,
          price.output_price,
          price.reasoning_price,
          price.is_by_hand ? "by hand" : price.source,
        ]),
      ),
    };
  },
});
