import type { ZodMiniType } from "zod/mini";
import type { Needed } from "./auth/admission.ts";
import type { IncomingRequest, RequestContext } from "./context.ts";
import { type Database, isBusy, parseJson } from "../infra/db/database.ts";
import { type ApiError, errors, toApiError } from "../infra/errors.ts";
import type { AccountDatabase } from "../infra/db/account_database.ts";
import { fieldsOf } from "../libs/base/fields_of.ts";
import { uuidPattern } from "./wire/ids.ts";

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
  /** True if clients may send it again when they do not know the outcome: a busy Postgres then is a 503. */
  isRepeatable?: boolean;
  /** The errors that not every operation has; for the document. */
  errors?: () => ApiError[];
  input: InputSchema<Input>;
  /** The reply as JSON; for the document and for MCP. */
  output: ZodMiniType;
  /** Does it. It does not depend on HTTP or MCP. */
  verb: (ctx: RequestContext, input: Input) => Promise<Result>;
};

/** The schema of an input, which is always an object. */
type InputSchema<Input> = ZodMiniType<Input> & { shape: Readonly<Record<string, ZodMiniType>> };

/** Loads the module of an operation. */
export type LoadOperation<Kind> = () => Promise<{ operation: Kind }>;

/** Checks that the verb of an operation without an address takes what its schema gives. */
export function defineOperation<Input, Result>(operation: Operation<Input, Result>): Operation<Input, Result> {
  return operation;
}

/** The way to an operation: HTTP or MCP. */
type Transport<Result, Reply> = {
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

/** Parses what a client sent; `param` names the input. @throws 400 saying the first thing that has to change */
export function parseInput<Output>(schema: ZodMiniType<Output>, input: unknown, param?: string): Output {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw errors.invalidInput(issue?.message ?? "Invalid input", issue?.path.join(".") || param);
}

/** A text that can be the slug of a coach. Most IDs are UUIDs, which cannot. */
const slugPattern = /^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$/;

/** The most names that are remembered. */
const maxKnown = 10_000;

/** The IDs of coaches by their names, of each database. A name never comes to mean another coach. */
const known = new WeakMap<Database, Map<string, string>>();

/**
 * Puts the ID of a coach in the place of its slug: in `coachId`, also that of a chat's `context`, and in `model`, which is
 * a coach to OpenAI's clients. Any other text stays. The caller is admitted before a name is looked up.
 */
async function nameCoaches<Input>(
  input: Input,
  account: AccountDatabase,
  services: { database: Database },
): Promise<Input> {
  const { coachId, context, model } = fieldsOf(input);
  const { coachId: inContext } = fieldsOf(context);
  const named = [coachId, inContext, model].find((name): name is string =>
    typeof name === "string" && slugPattern.test(name) && !uuidPattern.test(name)
  );
  if (named === undefined) return input;
  const { database } = services;
  let ids = known.get(database);
  if (ids === undefined || ids.size >= maxKnown) known.set(database, ids = new Map());
  let id = ids.get(named);
  if (id === undefined) {
    await account.admit();
    // Not read by a schema, because every function starts with this module.
    const found = parseJson("find_coach_id", await database.callForBytes("find_coach_id", { name: named }));
    if (typeof found !== "string") return input;
    ids.set(named, id = found);
  }
  if (id === named) return input;
  if (coachId === named) return { ...input, coachId: id };
  return model === named ? { ...input, model: id } : { ...input, context: { ...fieldsOf(context), coachId: id } };
}
