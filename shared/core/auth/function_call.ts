import { fieldsOf } from "../../base/fields_of.ts";
import type { CallerFunction } from "../../infra/db/account_database.ts";
import { parseJson } from "../../infra/db/database.ts";
import { requireResult } from "../refusals.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A call of a SQL function for whoever has sent the request. */
export type FunctionCall<Result> = { name: CallerFunction; args: object; form: ResultForm<Result> };

/** The form in which a caller wants the result of a function. */
export interface ResultForm<Result> {
  /** Takes apart the reply of a call that also admits: `{"admission": …, "result": …}`. */
  split(name: CallerFunction, reply: Bytes): { admission: unknown; result: Result | undefined };
  /** Reads the reply of a later call, which is the result alone. */
  read(name: CallerFunction, reply: Bytes): Result;
  /** @throws {ApiError} where the result is a refusal. */
  require(name: CallerFunction, result: Result): Result;
}

/** Parsed JSON. */
export const parsed: ResultForm<unknown> = {
  split(name, reply) {
    const { admission, result } = fieldsOf(parseJson(name, reply));
    return { admission, result };
  },
  read: parseJson,
  require: requireResult,
};

const decoder = new TextDecoder();

/** The admission, which holds ids, scopes and numbers, is not longer. */
const maxAdmissionBytes = 1_024;

/**
 * The bytes that Postgres has written, which are passed on unread: a list may hold thousands of rows. To parse and write
 * it again takes 50 times as long as this, 0.5 ms for 100 messages; `npm run bench -- lists` compares with a bare proxy.
 */
export const asBytes: ResultForm<Bytes> = {
  split(name, reply) {
    const head = decoder.decode(reply.subarray(0, maxAdmissionBytes));
    const separator = /, ?"result" ?: ?/.exec(head);
    if (separator === null) return { ...parsed.split(name, reply), result: undefined };
    const { admission } = JSON.parse(`${head.slice(0, separator.index)}}`);
    return { admission, result: reply.subarray(separator.index + separator[0].length, -1) };
  },
  read: (_name, reply) => reply,
  require(name, result) {
    const isRefusal = decoder.decode(result.subarray(0, 8)) === '{"error"';
    if (isRefusal) requireResult(name, parseJson(name, result));
    return result;
  },
};
