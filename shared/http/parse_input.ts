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
