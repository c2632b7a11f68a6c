import { fieldsOf } from "../base/fields_of.ts";
import type { ToolCall } from "./model_event.ts";

/** An object that a server has sent, and of which nothing is known yet. */
export type Fields = Record<string, unknown>;

/** Returns whether a text is one JSON object, whole. */
export function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Parses JSON that should be an object, or a list of one. @throws {SyntaxError} where it is none. */
export function parseObject(data: string): Fields {
  const parsed: unknown = JSON.parse(data);
  const value = Array.isArray(parsed) ? parsed[0] : parsed;
  if (typeof value !== "object" || value === null) throw new SyntaxError("An event of the model is not an object");
  return fieldsOf(value);
}

/** Returns whether a value is a number of tokens that Postgres can hold. */
export function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31;
}

/** An id of the server: opaque, but short enough for an index of Postgres; null for anything else. */
export function readId(value: unknown): string | null {
  return typeof value === "string" && /^[!-~]{1,1000}$/.test(value) ? value : null;
}

/** @throws {RangeError} where a call is longer than any that a tool could take. */
export function requireShort({ id, name, arguments: written }: ToolCall): void {
  if (id.length + name.length + written.length > 1024 * 1024) throw new RangeError("A call of the model is too long");
}
