import type { ZodMiniType } from "zod/mini";
import { errors } from "../../infra/errors.ts";

/**
 * Parses what a client sent.
 *
 * @param param the name of the input itself
 * @throws 400 with the message of the first thing that is wrong; schemas word it so that it says what to change.
 */
export function parseInput<Output>(schema: ZodMiniType<Output>, input: unknown, param?: string): Output {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw errors.invalidInput(issue?.message ?? "Invalid input", issue?.path.join(".") || param);
}
