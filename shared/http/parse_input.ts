import type { ZodMiniType } from "zod/mini";
import { errors } from "../errors.ts";

/**
 * Parses what a client sent. The first thing wrong becomes the sentence of a 400; schemas word it so that it says
 * what to change.
 */
export function parseInput<Output>(schema: ZodMiniType<Output>, input: unknown): Output {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw errors.invalidInput(result.error.issues[0]?.message ?? "Invalid input");
}

/**
 * Parses a query, whose values are all text: where `limit` and `page` are whole numbers they are parsed as numbers, and
 * as NaN, which no schema takes, where they are anything else.
 */
export function parseQuery<Output>(schema: ZodMiniType<Output>, query: Record<string, string>): Output {
  const numbers = ["limit", "page"].filter((name) => query[name] !== undefined)
    .map((name) => [name, /^[1-9]\d*$/.test(query[name] ?? "") ? Number(query[name]) : NaN]);
  return parseInput(schema, { ...query, ...Object.fromEntries(numbers) });
}
