import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createParser } from "eventsource-parser";
import type { Bundle } from "../../supabase/commands/deploy/bundle_functions.ts";
import { startBackend } from "../support/backend.ts";
import { makeBundles } from "./bundles.ts";
import { type MeasuredOptions, type MeasuredProcess, startMeasuredWorker, startServer } from "./measured_process.ts";
import { type NativePostgres, startNativeBackend } from "./native_postgres.ts";
import { spokenChunks } from "./spoken_chunks.ts";

/** An account, and a key of it whose limits are never reached. */
export type Tenant = { accountId: string; apiKey: string; apiKeyId: string };

/** The setup shared by all sections: a backend, a model, an account with a key whose limits are never reached. */
export type Environment = AsyncDisposable & {
  /** The database behind REST, if it is a native one. */
  native: NativePostgres | null;
  /** The same of the commit to compare with, if one was named. */
  against: Environment | null;
  backendUrl: string;
  modelUrl: string;
  /** Environment of the functions. */
  env: Record<string, string>;
  apiKey: string;
  /** The account and its key. */
  tenant: Tenant;
  /** Headers for calls to the backend, as the functions send them. */
  backendHeaders: Record<string, string>;
  accountId: string;
  /** The bundle of a function or of a baseline, as it is uploaded. The first call builds all bundles. */
  bundleOf(name: string): Promise<Bundle>;
  /** Starts such a bundle, on the Deno of the edge runtime by default; `env` is added to the common variables. */
  startFunction(name: string, env?: Record<string, string>, options?: MeasuredOptions): Promise<MeasuredProcess>;
  /** Creates another account; its key has the usual scopes, or these. */
  createTenant(scopes?: string[]): Promise<Tenant>;
  /** Creates a coach whose model has options of `model_server.ts`, of the shared account by default. Returns its id. */
  createCoach(manner: string, accountId?: string): Promise<string>;
  /** Inserts rows over REST and returns them. */
  insert(table: string, rows: Record<string, unknown>[]): Promise<{ id: string }[]>;
  /** Reads rows over REST, at most a thousand: the table and the query. */
  read<Row>(path: string): Promise<Row[]>;
  /** Deletes a row over REST. */
  delete(table: string, id: string): Promise<void>;
  /** Calls a function of the database over REST. */
  call<Reply>(name: string, args: Record<string, unknown>): Promise<Reply>;
};

/** The instructions of every coach: of a usual length, and repeated twice in each stream. */
export const instructions = "Speak plainly, ask one question at a time, and never pretend to know. ".repeat(25);

const noLimit = 1_000_000_000;

/**
 * Starts and prepares everything that the sections share, on the backend of `npm start` or on a native Postgres, whose
 * REST takes `latency` milliseconds longer.
 *
 * @param options `make`: makes the bundles in a folder; `against`: what to compare with
 */
export async function createEnvironment(
  native: NativePostgres | null = null,
  { latency = 1, make = makeBundles, against = null }: {
    latency?: number;
    make?: typeof makeBundles;
    against?: Environment | null;
  } = {},
): Promise<Environment> {
  await using resources = new AsyncDisposableStack();
  const backend = resources.use(await (native === null ? startBackend() : startNativeBackend(native, { latency })));
  const model = resources.use(await startServer("tests/bench/model_server.ts"));
  const secretKey: string = JSON.parse(backend.env.SUPABASE_SECRET_KEYS!).default;
  const backendHeaders = { "apikey": secretKey, "Content-Type": "application/json" };
  const env = { ...backend.env, OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: "bench" };

  async function request<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
    const headers = { ...backendHeaders, Prefer: "return=representation" };
    const response = await fetch(`${backend.url}/rest/v1/${path}`, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) {
      throw new Error(`The backend refused: ${path} said ${response.status} ${await response.text()}`);
    }
    return await response.json();
  }
  const insert: Environment["insert"] = (table, rows) => request("POST", table, rows);
  const deleteRow: Environment["delete"] = (table, id) => request("DELETE", `${table}?id=eq.${id}`);
  const call: Environment["call"] = (name, args) => request("POST", `rpc/${name}`, args);

  async function createTenant(scopes?: string[]): Promise<Tenant> {
    const [account] = await insert("accounts", [{ name: "Bench" }]);
    const issued = await call<{ id: string; api_key: string }>("issue_api_key", {
      account_id: account!.id,
      name: "bench",
      scopes,
      requests_per_minute: noLimit,
      requests_per_hour: noLimit,
      requests_per_day: noLimit,
    });
    return { accountId: account!.id, apiKey: issued.api_key, apiKeyId: issued.id };
  }
  const tenant = await createTenant();
  const { accountId, apiKey } = tenant;

  const folder = await Deno.makeTempDir({ prefix: "human-intelligence-chat-" });
  resources.defer(() => Deno.remove(folder, { recursive: true }));
  let bundles: Promise<Map<string, Bundle>> | undefined;
  const bundleOf = async (name: string) => (await (bundles ??= make(folder))).get(name)!;

  const owned = resources.move();
  return {
    native,
    against,
    backendUrl: backend.url,
    modelUrl: model.url,
    env,
    apiKey,
    tenant,
    backendHeaders,
    accountId,
    bundleOf,
    async startFunction(name, added, options) {
      const code = { entryPoint: pathToFileURL((await bundleOf(name)).file).href };
      // A version of Deno clears what another one knows of the modules: with one cache, each start would parse them anew.
      const DENO_DIR = join(folder, options?.deno === undefined ? "cache of edge-deno" : "cache of deno");
      return await startMeasuredWorker(code, { ...env, DENO_DIR, ...added }, options);
    },
    createTenant,
    async createCoach(manner, owner = accountId) {
      const [coach] = await insert("coach_profiles", [
        { account_id: owner, name: "Mara", title: "Coach", instructions, model: manner },
      ]);
      return coach!.id;
    },
    insert,
    read: (path) => request("GET", path),
    delete: deleteRow,
    call,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Starts a chat and returns its reply as it arrives. */
export async function openChat(
  { apiKey }: Environment,
  chat: { url: string; coachId: string; threadId?: string; message: string },
): Promise<Response> {
  const response = await fetch(`${chat.url}/chat`, {
    method: "POST",
    headers: { "X-API-Key": apiKey, "Content-Type": "application/json" },
    body: JSON.stringify({ message: chat.message, thread_id: chat.threadId, context: { coachId: chat.coachId } }),
  });
  if (response.status !== 200) throw new Error(`The chat said ${response.status} ${await response.text()}`);
  return response;
}

/** Checks that an event stream has, chunk by chunk, the model's whole text in answer to a message. */
export function checkReply(stream: string, message: string, count: number): void {
  const pieces: string[] = [];
  createParser({ onEvent: ({ data }) => pieces.push(data) }).feed(stream);
  if (pieces.join("\0") !== spokenChunks(message, count).join("\0")) {
    throw new Error(`The reply to ${JSON.stringify(message)} is not what the model said: ${stream}`);
  }
}
