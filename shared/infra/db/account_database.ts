import { DatabaseError, type FunctionArgs, type FunctionName, type ReplySchema } from "./database.ts";

/** The SQL functions that do something for a caller. */
export type CallerFunction = {
  [Name in FunctionName]: "caller" extends keyof FunctionArgs<Name> ? Name : never;
}[FunctionName];

/** Their arguments. */
export type CallerArgs<Name extends CallerFunction> = Omit<FunctionArgs<Name>, "caller">;

/**
 * Postgres as the account of an API key reaches it. Which account is filled in: no function can be asked about another.
 *
 * @throws {DatabaseError} as `Database` does, and the refusals of `Admission`.
 */
export interface AccountDatabase {
  /** Has the request admitted by a call of its own, unless another has done so: before anything that costs money. */
  admit(): Promise<void>;
  /** As `Database.call`. */
  call<Name extends CallerFunction, Reply>(
    name: Name,
    args: CallerArgs<Name>,
    schema: ReplySchema<Reply>,
  ): Promise<Reply>;
  /** As `Database.callForBytes`. */
  callForBytes<Name extends CallerFunction>(name: Name, args: CallerArgs<Name>): Promise<Uint8Array<ArrayBuffer>>;
}

/** Codes that tell of a lost connection, a lost race or a server that stops; every other is a refusal. */
const passingCodes = /^(?:08|40|57P|PGRST00)/;

/**
 * Calls a function that does the same when it is called twice, and calls it again where the first call broke off or
 * timed out: it is unknown then whether that call was carried out.
 *
 * @throws as `AccountDatabase.call` does.
 */
export async function callRepeatable<Name extends CallerFunction, Reply>(
  database: AccountDatabase,
  name: Name,
  args: CallerArgs<Name>,
  schema: ReplySchema<Reply>,
): Promise<Reply> {
  try {
    return await database.call(name, args, schema);
  } catch (error) {
    const isLost = error instanceof DatabaseError && (typeof error.code !== "string" || passingCodes.test(error.code));
    if (!isLost) throw error;
    return await database.call(name, args, schema);
  }
}
