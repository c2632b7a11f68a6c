import type { ZodMiniType } from "zod/mini";
import type { Needed } from "./auth/admission.ts";
import type { IncomingRequest, RequestContext } from "./context.ts";
import { isBusy } from "../infra/db/database.ts";
import { type ApiError, errors, toApiError } from "../infra/errors.ts";
import { nameCoaches } from "./wire/name_coaches.ts";
import { parseInput } from "./wire/parse_input.ts";

/**
 * One thing that clients can have done. HTTP endpoints, MCP tools and the OpenAPI document are made from it, so that all of
 * them agree. Its module is loaded with the first request for it: a refusal must not wait for schemas.
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
  errors?: () => ApiError[];
  /** The schema of the verb's input. */
  input: InputSchema<Input>;
  /** The reply as JSON; for the document and for MCP. */
  output: ZodMiniType;
  /** Does it. It does not depend on HTTP or MCP. */
  verb: (ctx: RequestContext, input: Input) => Promise<Result>;
};

/** The schema of an input, which is always an object. */
export type InputSchema<Input> = ZodMiniType<Input> & { shape: Readonly<Record<string, ZodMiniType>> };

/** Loads the module of an operation. */
export type LoadOperation<Kind> = () => Promise<{ operation: Kind }>;

/** Checks that the verb of an operation without an address takes what its schema gives. */
export function defineOperation<Input, Result>(operation: Operation<Input, Result>): Operation<Input, Result> {
  return operation;
}

/** The way to an operation: HTTP or MCP. */
export type Transport<Result, Reply> = {
  /** The input as it was sent. It is checked afterwards. */
  readInput: () => unknown;
  reply: (result: Result) => Reply | Promise<Reply>;
};

/**
 * The only way to a verb: reads and parses the input, calls the verb, and replies.
 *
 * @throws {ApiError} the refusals of the key; 403 without the scope, 400 for input that does not fit, 503 where Postgres is
 * busy and the operation may be repeated, 500 for everything else that is not an `ApiError`, and the errors of the verb.
 */
export async function perform<Input, Result, Reply>(
  { scope, failure, isRepeatable = false, input: schema, verb }: Operation<Input, Result>,
  incoming: IncomingRequest,
  { readInput, reply }: Transport<Result, Reply>,
): Promise<Reply> {
  try {
    const parsed = parseInput(schema, await readInput());
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
