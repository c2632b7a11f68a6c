import { fieldsOf } from "./fields_of.ts";

/** Fields of a log line. They never hold a key, a token or message text. */
export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** Writes one line. */
export type Log = (level: "info" | "warn" | "error", event: string, fields?: LogFields) => void;

/** A log that writes one JSON object a line to the console, with `bound` in every line. */
export function createLog(bound: LogFields): Log {
  return (level, event, fields) => console[level](JSON.stringify({ level, event, ...bound, ...fields }));
}

/** The beginnings of keys and tokens. Their length tells them from IDs. */
const keyForms = /hi_live_|sb_(?:secret|publishable)_|(?<![A-Za-z0-9])(?:sk-|eyJ)|[A-Za-z0-9]{33}/;

/** Returns whether a text from outside, which should be an ID or code, seems to hold a key or token. */
export function holdsKey(text: string): boolean {
  return keyForms.test(text);
}

/** An error whose message was written for operators: it may be logged, and stored with what has failed. */
export abstract class LoggableError extends Error {}

/**
 * Describes an error for the log: its kind, and its code or status if it has one. Messages of libraries and of
 * Postgres can quote user data, so only those of our own errors are kept.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if (error instanceof LoggableError) return `${error.name} ${error.message}`;
  const { code, status } = fieldsOf(error);
  // Some clients name their error classes, but not their errors.
  const name = error.name === "Error" ? error.constructor.name : error.name;
  const codes = [code, status].map((part) => String(part ?? "")).filter((part) => !holdsKey(part));
  const described = [name, ...codes].filter((part) => /^[\w.:-]{1,100}$/.test(part)).join(" ");
  return error.cause === undefined ? described : `${described} < ${describeError(error.cause)}`;
}
