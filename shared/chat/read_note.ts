import type { Caller } from "../context.ts";
import { errors } from "../errors.ts";

/**
 * The note that a message in the mode `create_knowledge` is meant to store: all of it but a leading
 * `create_knowledge:`. Whether the caller is the coach is for Postgres to say.
 *
 * @throws 401 without a signed-in user; 403 when the key may not write knowledge; 400 when no note is left.
 */
export function readNote({ userId, scopes }: Caller, message: string): string {
  if (userId === null) throw errors.invalidAccessToken();
  if (!scopes.includes("knowledge:write")) throw errors.missingScope("knowledge:write");
  const note = message.replace(/^\s*create_knowledge\s*:/i, "").trim();
  if (note === "") throw errors.invalidInput("message must hold a note after create_knowledge:");
  return note;
}
