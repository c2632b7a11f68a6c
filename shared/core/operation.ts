import type { ZodMiniType } from "zod/mini";
import type { Needed } from "./auth/admission.ts";
import type { IncomingRequest, RequestContext } from "./context.ts";
import { isBusy } from "../infra/db/database.ts";
import { type ApiError, errors, toApiError } from "../base/errors.ts";
import { lazy } from "../base/lazy.ts";
import { nameCoaches } from "./wire/name_coaches.ts";
import { parseInput } from "./wire/parse_input.ts";

/**
 * One thing that clients can have done. HTTP routes, MCP tools and the OpenAPI document are made from it, so that all of
 * them agree. What is heavy is loaded when it is used: a refusal must not wait for it.
 */
export type Operation<Input, Result> = {
  /** `operationId` in the OpenAPI document. */
  name: string;
  /** The scope that an API key needs; of a list, any. */
  scope: Needed;
  /** The sentence of a 500. */
  failure: string;
  /**
   * True if clients may send it again when it is unknown if it was carried out. When Postgres is busy they are told to,
   * by a 503.
   */
  isRepeatable?: boolean;
  /** The errors that not every operation has; for the document. */
  errors: () => ApiError[];
  /** The schema of the verb's input. */
  input: () => Promise<InputSchema<Input>>;
  /** The reply as JSON; for the document and for MCP. */
  output: () => Promise<ZodMiniType>;
  /** Does it. */
  verb: () => Promise<(ctx: RequestContext, input: Input) => Promise<Result>>;
};

/** The schema of an input, which is always an object. */
export type InputSchema<Input> = ZodMiniType<Input> & { shape: Readonly<Record<string, ZodMiniType>> };

// deno-lint-ignore no-explicit-any -- Operations of every input and result, in one list.
export type AnyOperation = Operation<any, any>;

/**
 * Checks that the verb of an operation takes what its schema gives. What is loaded is kept: an `import()` costs something
 * each time, also of a module that is there.
 */
export function defineOperation<Input, Result>(operation: Operation<Input, Result>): Operation<Input, Result> {
  const { input, verb } = operation;
  return { ...operation, input: lazy(input), verb: lazy(verb) };
}

/** The way to an operation: HTTP or MCP. */
export type Transport<Input, Result, Reply> = {
  /** The input as it was sent. It is checked afterwards. */
  readInput: (schema: InputSchema<Input>) => unknown;
  reply: (result: Result) => Reply | Promise<Reply>;
};

/**
 * The only way to a verb: reads and parses the input, calls the verb, and replies.
 *
 * @throws {ApiError} the refusals of the key; 403 without the scope, 400 for input that does not fit, 503 where Postgres is
 * busy and the operation may be repeated, 500 for everything else that is not an `ApiError`, and the errors of the verb.
 */
export async function perform<Input, Result, Reply>(
  operation: Operation<Input, Result>,
  incoming: IncomingRequest,
  loadTransport: () => Promise<Transport<Input, Result, Reply>>,
): Promise<Reply> {
  const { scope, failure, isRepeatable = false } = operation;
  try {
    // All of it before the verb is called: nothing that the verb has begun may wait for a module.
    const [schema, verb, { readInput, reply }] = await Promise.all([
      operation.input(),
      operation.verb(),
      loadTransport(),
    ]);
    const parsed = parseInput(schema, await readInput(schema));
    // Here the request is authenticated: the first call of this database checks key, limits and scope, and does nothing
    // for a request that is refused. A verb has no other way to the data of an account.
    const database = incoming.admission.openDatabase(scope);
    const input = await nameCoaches(parsed, database, incoming.services);
    return await reply(await verb({ ...incoming, database }, input));
  } catch (error) {
    // Only an admitted caller is told of a failure that came before that call.
    const reason = await incoming.admission.judge(error, scope);
    throw isRepeatable && isBusy(reason) ? errors.unavailable(reason) : toApiError(reason, failure);
  }
}
