import { resolve } from "node:path";
import { z } from "zod";
import { CommandError, refuse } from "../command_error.ts";
import { because, defineCommand, defineList, flag, oneOf, option, text, textUpTo } from "./command.ts";
import {
  defaultModel,
  priceFormats,
  type Prices,
  readPriceList,
  refusePrice,
  type StoredPrice,
} from "./read_price_list.ts";
import { readAllByOffset } from "./read_rows.ts";
import { formatFields, showHarmlessly } from "./terminal_text.ts";

function isFree(prices: Prices): boolean {
  return Object.values(prices).includes(0);
}

/** A price as an option, in USD per million tokens. */
const usdPerMillion = z.string().regex(/^-?\d{1,9}(\.\d{1,9})?$/, "is not a price, such as 2.5")
  .transform(Number);
const required = z.string(because("is not a price")).pipe(usdPerMillion);

function nameModel(model: string): string {
  return model === defaultModel ? "all other models" : model;
}

const batchSize = 500;

const aModel = textUpTo(255).optional();
const forAll = flag("instead of a model: the price of all models that have none of their own");
const mayBeZero = flag("accept prices of zero");

/** `npm run admin -- price …` */
export const priceCommands = {
  import: defineCommand({
    about: `Reads the prices of a provider's models from a file of models.dev (api.json) or LiteLLM
      (model_prices_and_context_window.json). Prices that were set by hand stay.`,
    args: { "file.json": text },
    options: {
      format: option("FORMAT", oneOf(priceFormats), "models.dev or litellm"),
      provider: option("NAME", text, "the provider's name in that list, such as openai"),
      "allow-free": mayBeZero,
    },
    isChange: true,
    async run({ "file.json": file, format, provider, "allow-free": mayBeFree }, { project, folder, note }) {
      const list = readPriceList(await readJson(resolve(folder, file), file), { format, provider, mayBeFree });
      if (list === null) {
        const names = `${showHarmlessly(file)} has no models of the provider ${showHarmlessly(provider)}`;
        throw new CommandError(`price import: ${names}.`);
      }
      const { client } = project();
      const byHand = await readAllByOffset(
        () => client.from("model_prices").select("model").eq("is_by_hand", true).order("model"),
        ({ model }) => model,
      );
      const kept = new Set(byHand.map(({ model }) => model));
      const ofList = { is_by_hand: false, source: `${format} ${provider}`, updated_at: new Date().toISOString() };
      const rows = list.prices.filter(({ model }) => !kept.has(model))
        .map((price) => ({ ...price, is_free: isFree(price), ...ofList }));
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
      if (list.prices.length === 0) throw new CommandError("price import: no price could be used.");
      return { json: result, text: `Imported the prices of ${rows.length} models.` };
    },
  }),

  set: defineCommand({
    about: "Sets the price of a model, in USD per million tokens.",
    args: { model: aModel },
    options: {
      default: forAll,
      input: option("USD", required, "the price of input"),
      output: option("USD", required, "the price of output"),
      cached: option("USD", usdPerMillion.optional(), "the price of cached input; default: as input"),
      reasoning: option("USD", usdPerMillion.optional(), "the price of reasoning; default: as output"),
      "allow-free": mayBeZero,
    },
    isChange: true,
    async run({ model, default: isDefault, "allow-free": mayBeFree, ...prices }, { project }) {
      if ((model === undefined) !== isDefault) refuse("price set: either a model or --default is needed.");
      for (const [name, usd] of Object.entries(prices)) {
        const reason = usd === undefined ? null : refusePrice(usd, mayBeFree);
        if (reason !== null) refuse(`price set: --${name} of ${model ?? "--default"} ${reason}.`);
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
  }),

  list: defineList({
    about: "Lists the prices of models.",
    none: "There are no prices yet.",
    read: ({ client }) =>
      readAllByOffset(() => client.from("model_prices").select().order("model"), ({ model }) => model),
    show: ({ model, input_price: input, cached_price: cached, output_price: output, reasoning_price, ...price }) => ({
      ...{ model: nameModel(model), input, cached, output, reasoning: reasoning_price },
      source: price.is_by_hand ? "by hand" : price.source,
    }),
  }),

  remove: defineCommand({
    about: "Removes the price of a model.",
    args: { model: aModel },
    options: { default: forAll },
    isChange: true,
    async run({ model, default: isDefault }, { project }) {
      if ((model === undefined) !== isDefault) refuse("price remove: either a model or --default is needed.");
      const { data } = await project().client.from("model_prices").delete().eq("model", model ?? defaultModel).select()
        .maybeSingle().throwOnError();
      if (data === null) {
        throw new CommandError(`price remove: ${model ?? "--default"} has no price.`);
      }
      return { json: data, text: formatPrice(data) };
    },
  }),
};

async function readJson(path: string, name: string): Promise<unknown> {
  try {
    return JSON.parse(await Deno.readTextFile(path));
  } catch (error) {
    const reason = error instanceof SyntaxError ? "is not JSON" : "cannot be read";
    throw new CommandError(`price import: ${showHarmlessly(name)} ${reason}.`);
  }
}

function formatPrice({ model, input_price, cached_price, output_price, reasoning_price }: StoredPrice): string {
  return formatFields({
    model: nameModel(model),
    input: input_price,
    cached: cached_price ?? "as input",
    output: output_price ?? "not known",
    reasoning: reasoning_price ?? "as output",
  });
}
