import type { ZodMiniType } from "zod/mini";
import { errors } from "../../base/errors.ts";

/**
 * Parses what a client sent.
 *
 * @throws 400 with the message of the first thing that is wrong; schemas word it so that it says what to change.
 */
export function parseInput<Output>(schema: ZodMiniType<Output>, input: unknown): Output {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw errors.invalidInput(result.error.issues[0]?.message ?? "Invalid input");
}
