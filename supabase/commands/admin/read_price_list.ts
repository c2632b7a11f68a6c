import { fieldsOf } from "../../../shared/libs/base/fields_of.ts";
import { isStorableText } from "../../../shared/libs/base/text.ts";
import type { Database } from "../../../shared/infra/db/database_types.ts";

/** The price of a model, as it is stored. */
export type StoredPrice = Database["public"]["Tables"]["model_prices"]["Row"];

/** The prices of a model in USD per million tokens; null: not known. */
export type Prices = Pick<StoredPrice, "input_price" | "cached_price" | "output_price" | "reasoning_price">;

/** The row whose prices stand for all models without a row. */
export const defaultModel = "*";

/** The highest price that can be true, in USD per million tokens. */
const mostUsd = 10_000;

/** Why a price is refused; null if it is not. Zero needs leave: a missing price is often written as zero. */
export function refusePrice(usd: number, mayBeFree: boolean): string | null {
  if (!Number.isFinite(usd)) return "is not a number";
  if (usd < 0) return "is negative";
  if (usd > mostUsd) return `is more than ${mostUsd} USD per million tokens`;
  return usd === 0 && !mayBeFree ? "is zero, which needs --allow-free" : null;
}

/** The formats of price lists. */
export const priceFormats = ["models.dev", "litellm"] as const;
export type PriceFormat = typeof priceFormats[number];

/** The models of a provider, read from a price list. */
export type PriceList = {
  prices: (Prices & { model: string })[];
  /** Models whose prices cannot be true, with the reason. */
  refused: { model: string; reason: string }[];
  /** Models that the list gives no price of input. */
  unpriced: string[];
};

type Kind = keyof Prices;

const kindsOfModelsDev: Record<string, Kind> = {
  input: "input_price",
  cache_read: "cached_price",
  output: "output_price",
  reasoning: "reasoning_price",
};
const kindsOfLitellm: Record<string, Kind> = {
  input_cost_per_token: "input_price",
  cache_read_input_token_cost: "cached_price",
  output_cost_per_token: "output_price",
  output_cost_per_reasoning_token: "reasoning_price",
};
/** Prices that hold from a length of the input on. */
const fromLength = /_above_\d+k_tokens$/;

/**
 * Reads the prices of a provider. Where they rise with the length of the input, the highest counts. models.dev has USD
 * per million tokens, by provider; LiteLLM USD per token, by model.
 *
 * @param list the parsed file
 * @returns null if the list does not have the provider.
 */
export function readPriceList(
  list: unknown,
  { format, provider, mayBeFree }: { format: PriceFormat; provider: string; mayBeFree: boolean },
): PriceList | null {
  const costs = format === "models.dev" ? readModelsDev(list, provider) : readLitellm(list, provider);
  if (costs.size === 0) return null;
  const read: PriceList = { prices: [], refused: [], unpriced: [] };
  for (const [model, found] of costs) {
    const reason = isName(model) ? findReason(found, mayBeFree) : "is not the name of a model";
    const prices = choosePrices(found, mayBeFree);
    if (reason !== null) read.refused.push({ model, reason });
    else if (prices.input_price === null) read.unpriced.push(model);
    else read.prices.push({ model, ...prices, input_price: prices.input_price });
  }
  return read;
}

/** All prices that the list has of a model, by kind. */
type Found = Map<Kind, number[]>;

function readModelsDev(list: unknown, provider: string): Map<string, Found> {
  const { models } = fieldsOf(fieldsOf(list)[provider]);
  return new Map(
    Object.entries(fieldsOf(models)).map(([model, described]) => {
      const found: Found = new Map();
      collect(fieldsOf(described).cost, found, (name) => ({ kind: kindsOfModelsDev[name], perMillion: 1 }));
      return [model, found];
    }),
  );
}

function readLitellm(list: unknown, provider: string): Map<string, Found> {
  const costs = new Map<string, Found>();
  for (const [name, described] of Object.entries(fieldsOf(list))) {
    if (name === "sample_spec" || fieldsOf(described).litellm_provider !== provider) continue;
    // The server is asked for the name without the provider.
    const model = name.startsWith(`${provider}/`) ? name.slice(provider.length + 1) : name;
    const found: Found = costs.get(model) ?? new Map();
    collect(described, found, (field) => ({
      kind: kindsOfLitellm[field.replace(fromLength, "")],
      perMillion: 1_000_000,
    }));
    costs.set(model, found);
  }
  return costs;
}

/** Adds the prices of a description, also of those within it: lists nest the prices of longer inputs. */
function collect(
  described: unknown,
  found: Found,
  read: (name: string) => { kind: Kind | undefined; perMillion: number },
): void {
  for (const [name, value] of Object.entries(fieldsOf(described))) {
    const { kind, perMillion } = read(name);
    if (kind === undefined) collect(value, found, read);
    else if (value !== null) {
      // Without the traces of binary fractions: 3e-7 USD are 0.3 per million.
      const usd = typeof value === "number" ? Number((value * perMillion).toPrecision(12)) : NaN;
      found.set(kind, [...found.get(kind) ?? [], usd]);
    }
  }
}

function isName(model: string): boolean {
  return model !== defaultModel && model.trim() !== "" && model.length <= 255 && isStorableText(model);
}

/** Why a model is refused. Of a price other than that of input, a zero without leave only means that it is not known. */
function findReason(found: Found, mayBeFree: boolean): string | null {
  for (const [kind, prices] of found) {
    for (const usd of prices) {
      const reason = refusePrice(usd, true);
      if (reason !== null) return `${nameKind(kind)} ${reason}`;
    }
  }
  const input = found.get("input_price");
  const refusal = input && refusePrice(Math.max(...input), mayBeFree);
  return refusal ? `${nameKind("input_price")} ${refusal}` : null;
}

function nameKind(kind: Kind): string {
  return `the price of ${kind.replace("_price", "")}`;
}

function choosePrices(found: Found, mayBeFree: boolean): { [Name in Kind]: number | null } {
  const choose = (kind: Kind) => {
    const highest = Math.max(...found.get(kind) ?? [-1]);
    return highest > 0 || highest === 0 && mayBeFree ? highest : null;
  };
  return {
    input_price: choose("input_price"),
    cached_price: choose("cached_price"),
    output_price: choose("output_price"),
    reasoning_price: choose("reasoning_price"),
  };
}
