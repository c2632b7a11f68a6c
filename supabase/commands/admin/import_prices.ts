import { resolve } from "node:path";
import { z } from "zod";
import { CommandError, exitCodes } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { because, text } from "./inputs.ts";
import { isFree } from "./price.ts";
import { readAllByOffset } from "./read_all.ts";
import { priceFormats, readPriceList } from "./read_price_list.ts";
import { showHarmlessly } from "./show_harmlessly.ts";

/** The number of prices that are stored with one request. */
const batchSize = 500;

/** `price import` */
export const importPrices = defineCommand({
  positionals: ["file.json"],
  flags: ["allow-free"],
  input: z.strictObject({
    "file.json": text,
    format: z.enum(priceFormats, because(`must be ${priceFormats.join(" or ")}`)),
    provider: text,
    "allow-free": z.boolean().optional(),
  }),
  isChange: true,
  async run({ "file.json": file, format, provider, "allow-free": mayBeFree = false }, { project, folder, note }) {
    const list = readPriceList(await readJson(resolve(folder, file), file), { format, provider, mayBeFree });
    if (list === null) {
      throw new CommandError(
        `price import: ${showHarmlessly(file)} has no models of the provider ${showHarmlessly(provider)}.`,
        exitCodes.failed,
      );
    }
    const { client } = project();
    const byHand = await readAllByOffset(
      ({ from, to }) =>
        client.from("model_prices").select("model").eq("is_by_hand", true).order("model").range(from, to)
          .throwOnError(),
      ({ model }) => model,
    );
    const kept = new Set(byHand.map(({ model }) => model));
    const source = `${format} ${provider}`;
    const updatedAt = new Date().toISOString();
    const rows = list.prices.filter(({ model }) => !kept.has(model)).map((price) => ({
      ...price,
      is_free: isFree(price),
      is_by_hand: false,
      source,
      updated_at: updatedAt,
    }));
    for (let from = 0; from < rows.length; from += batchSize) {
      await client.from("model_prices").upsert(rows.slice(from, from + batchSize)).throwOnError();
    }
    const result = {
      imported: rows.map(({ model }) => model),
      kept: list.prices.map(({ model }) => model).filter((model) => kept.has(model)),
      unpriced: list.unpriced,
      refused: list.refused,
    };
    for (const { model, reason } of list.refused) note(`Refused ${showHarmlessly(model)}: ${reason}.`);
    for (const model of result.kept) note(`Kept ${showHarmlessly(model)}: its price was set by hand.`);
    if (list.unpriced.length > 0) note(`The list has no price of: ${list.unpriced.map(showHarmlessly).join(", ")}.`);
    if (list.prices.length === 0) throw new CommandError("price import: no price could be used.", exitCodes.failed);
    return { json: result, text: `Imported the prices of ${rows.length} models.` };
  },
});

async function readJson(path: string, name: string): Promise<unknown> {
  try {
    return JSON.parse(await Deno.readTextFile(path));
  } catch (error) {
    const reason = error instanceof SyntaxError ? "is not JSON" : "cannot be read";
    throw new CommandError(`price import: ${showHarmlessly(name)} ${reason}.`, exitCodes.failed);
  }
}
