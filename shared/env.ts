import { fieldsOf } from "./fields_of.ts";

/** Where requests are counted; null means in Postgres. */
export type UpstashEnv = { url: string; token: string };

/**
 * A JSON Web Key Set. Not jose's type: where the runtime starts a function from its source, it also resolves packages
 * that are imported for their types alone, and not every function has jose.
 */
export type JsonWebKeySet = { keys: JsonWebKey[] };

/** Everything the functions take from their environment. */
export type Env = {
  supabaseUrl: string;
  /** Reaches Postgres and Storage as `service_role`. */
  secretKey: string;
  /** All secret keys of the project: each of them opens the function `indexer`. */
  secretKeys: string[];
  /** Keys that identify an app, not a user: as a bearer token such a key counts as none. */
  publishableKeys: string[];
  /** The key set that bearer tokens are verified with; null means the one that the project publishes. */
  jwks: JsonWebKeySet | null;
  /** Secret of projects that still sign with HS256. */
  jwtSecret: string | null;
  upstash: UpstashEnv | null;
  /** A missing key is noticed with the first turn: functions that call no model start without it. */
  openai: OpenaiEnv;
  /** The time limit of a turn, in seconds. */
  turnSeconds: number;
};

/** A model that is null is not used: search then uses words alone, and of images and videos only the names. */
export type OpenaiEnv = {
  apiKey: string | null;
  baseUrl: string | null;
  model: string;
  embeddingModel: string | null;
  visionModel: string | null;
  transcriptionModel: string | null;
};

/** Reads one variable: `Deno.env.get`, or a table in tests. */
export type ReadVariable = (name: string) => string | undefined;

/**
 * Reads and checks the environment; no other code reads it.
 *
 * @throws {Error} that names the variable when one is missing or malformed.
 */
export function readEnv(read: ReadVariable = Deno.env.get): Env {
  const get = (name: string) => read(name)?.trim() || null;
  const require = (name: string) => {
    const value = get(name);
    if (value === null) throw new Error(`Cannot start: environment variable ${name} is missing`);
    return value;
  };
  const upstashUrl = get("UPSTASH_REDIS_REST_URL");
  const secretKeys = readKeySet("SUPABASE_SECRET_KEYS", get("SUPABASE_SECRET_KEYS"));
  const [secretKey = require("SUPABASE_SERVICE_ROLE_KEY")] = secretKeys;
  return {
    supabaseUrl: require("SUPABASE_URL").replace(/\/+$/, ""),
    secretKey,
    secretKeys: [...secretKeys, ...[get("SUPABASE_SERVICE_ROLE_KEY")].filter((key) => key !== null)],
    publishableKeys: [
      ...readKeySet("SUPABASE_PUBLISHABLE_KEYS", get("SUPABASE_PUBLISHABLE_KEYS")),
      ...[get("SUPABASE_ANON_KEY")].filter((key) => key !== null),
    ],
    jwks: readJwks(get("SUPABASE_JWKS")),
    jwtSecret: get("JWT_SECRET"),
    upstash: upstashUrl === null ? null : { url: upstashUrl, token: require("UPSTASH_REDIS_REST_TOKEN") },
    openai: readOpenaiEnv(get),
    turnSeconds: readTurnSeconds(get("TURN_SECONDS")),
  };
}

/**
 * Reads the value of `TURN_SECONDS`, without spaces around it. No model answers in less than ten seconds; after 400 the
 * platform ends every isolate.
 *
 * @throws {Error} when it is out of these bounds.
 */
export function readTurnSeconds(text: string | null): number {
  if (text === null) return 140;
  const seconds = /^\d+$/.test(text) ? Number(text) : NaN;
  if (seconds >= 10 && seconds <= 390) return seconds;
  throw new Error("Cannot start: environment variable TURN_SECONDS is not a whole number from 10 to 390");
}

function readOpenaiEnv(get: (name: string) => string | null): OpenaiEnv {
  const apiKey = get("OPENAI_API_KEY");
  const baseUrl = get("OPENAI_BASE_URL");
  const model = get("OPENAI_MODEL") ?? "gpt-5-mini";
  // It is unknown which models another server has, so they have to be named.
  const isOpenai = apiKey !== null && baseUrl === null;
  const getModel = (name: string, usual: string) => {
    const named = get(name) ?? (isOpenai ? usual : "none");
    return named === "none" ? null : named;
  };
  return {
    apiKey,
    baseUrl,
    model,
    embeddingModel: getModel("OPENAI_EMBEDDING_MODEL", "text-embedding-3-small"),
    visionModel: getModel("OPENAI_VISION_MODEL", model),
    transcriptionModel: getModel("OPENAI_TRANSCRIPTION_MODEL", "gpt-4o-mini-transcribe"),
  };
}

/** Reads `{"default": "sb_secret_…", …}`, the form in which Supabase hands keys to functions; `default` comes first. */
function readKeySet(name: string, text: string | null): string[] {
  if (text === null) return [];
  const keys = readObject(text);
  if (keys === null) throw new Error(`Cannot start: environment variable ${name} is not a JSON object of keys`);
  const { default: first, ...others } = keys;
  return [first, ...Object.values(others)].filter((key): key is string => typeof key === "string" && key !== "");
}

/** Reads `{"keys": […]}` or a bare array: the platform has used both. */
function readJwks(text: string | null): JsonWebKeySet | null {
  if (text === null) return null;
  const value = readJson(text);
  const keys = Array.isArray(value) ? value : fieldsOf(value).keys;
  const isKey = (key: unknown) => typeof fieldsOf(key).kty === "string";
  if (Array.isArray(keys) && keys.every(isKey)) return { keys };
  throw new Error("Cannot start: environment variable SUPABASE_JWKS is not a JSON Web Key Set");
}

function readObject(text: string): Record<string, unknown> | null {
  const value = readJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? fieldsOf(value) : null;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
