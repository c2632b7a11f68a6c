import { z } from "zod";
import type { Database } from "../../../shared/infra/db/database_types.ts";
import { formatFields } from "./format_table.ts";

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

/** Returns whether prices include a zero. */
export function isFree(prices: Prices): boolean {
  return Object.values(prices).includes(0);
}

/** A price as an option, in USD per million tokens. */
export const usdPerMillion = z.string().regex(/^-?\d{1,9}(\.\d{1,9})?$/, "is not a price, such as 2.5").transform(
  Number,
);

/** The name of a model in lists. */
export function nameModel(model: string): string {
  return model === defaultModel ? "all other models" : model;
}

/** A price, a line for each field. */
export function formatPrice({ model, input_price, cached_price, output_price, reasoning_price }: StoredPrice): string {
  return formatFields({
    model: nameModel(model),
    input: input_price,
    cached: cached_price ?? "as input",
    output: output_price ?? "not known",
    reasoning: reasoning_price ?? "as output",
  });
}
