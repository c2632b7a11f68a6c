import type { JSONWebKeySet } from "jose";

/** Where requests are counted; null means in Postgres. */
export type UpstashEnv = { url: string; token: string };

/** Everything the functions take from their environment. */
export type Env = {
  supabaseUrl: string;
  /** Reaches Postgres as `service_role`. */
  secretKey: string;
  /** Keys that identify an app and nobody in it: as a bearer they count as no bearer. */
  publishableKeys: string[];
  /** JSON Web Key Set that bearer tokens are verified with; null means the one the project publishes. */
  jwks: JSONWebKeySet | null;
  /** Secret of projects that still sign with HS256. */
  jwtSecret: string | null;
  upstash: UpstashEnv | null;
  /** A missing key is found out by the first turn: functions that call no model start without. */
  openai: { apiKey: string | null; baseUrl: string | null; model: string };
};

/** Reads one variable: `Deno.env.get`, or a table in tests. */
export type ReadVariable = (name: string) => string | undefined;

/**
 * Reads and checks the environment. This is the only place that does.
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
  return {
    supabaseUrl: require("SUPABASE_URL").replace(/\/+$/, ""),
    secretKey: readKeySet("SUPABASE_SECRET_KEYS", get("SUPABASE_SECRET_KEYS"))[0] ??
      require("SUPABASE_SERVICE_ROLE_KEY"),
    publishableKeys: [
      ...readKeySet("SUPABASE_PUBLISHABLE_KEYS", get("SUPABASE_PUBLISHABLE_KEYS")),
      ...[get("SUPABASE_ANON_KEY")].filter((key) => key !== null),
    ],
    jwks: readJwks(get("SUPABASE_JWKS")),
    jwtSecret: get("JWT_SECRET"),
    upstash: upstashUrl === null ? null : { url: upstashUrl, token: require("UPSTASH_REDIS_REST_TOKEN") },
    openai: {
      apiKey: get("OPENAI_API_KEY"),
      baseUrl: get("OPENAI_BASE_URL"),
      model: get("OPENAI_MODEL") ?? "gpt-5-mini",
    },
  };
}

/** Reads `{"default": "sb_secret_…", …}`, the form in which Supabase hands keys to functions; `default` comes first. */
function readKeySet(name: string, text: string | null): string[] {
  if (text === null) return [];
  const keys = readObject(text);
  if (keys === null) throw new Error(`Cannot start: environment variable ${name} is not a JSON object of keys`);
  const { default: first, ...others } = keys;
  return [first, ...Object.values(others)].filter((key) => typeof key === "string");
}

/** Reads `{"keys": […]}` or a bare array: the platform has used both. */
function readJwks(text: string | null): JSONWebKeySet | null {
  if (text === null) return null;
  const value = readJson(text);
  const keys = Array.isArray(value) ? value : (value as { keys?: unknown } | null)?.keys;
  const isKey = (key: unknown) => typeof (key as { kty?: unknown } | null)?.kty === "string";
  if (Array.isArray(keys) && keys.every(isKey)) return { keys };
  throw new Error("Cannot start: environment variable SUPABASE_JWKS is not a JSON Web Key Set");
}

function readObject(text: string): Record<string, unknown> | null {
  const value = readJson(text);
  return typeof value === "object" && !Array.isArray(value) ? value as Record<string, unknown> | null : null;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
