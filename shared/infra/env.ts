import type { ModelServer } from "../libs/llm/model_settings.ts";
import type { MailServer } from "../libs/mail/send_mail.ts";
import type { TraceCollector } from "../libs/telemetry/send_spans.ts";
import { fieldsOf, readJson } from "../libs/base/fields_of.ts";
import { release } from "./release.ts";
import { isMailAddress } from "../libs/base/text.ts";
import {
  type Bounds,
  maxOutputTokensBounds,
  reasoningEfforts,
  temperatureBounds,
  verbosities,
} from "../libs/llm/model_settings.ts";

/** The Redis that counts requests; null: Postgres counts. */
export type UpstashEnv = { url: string; token: string };

/**
 * A JSON Web Key Set. Not jose's type: where the runtime starts a function from its source, it also resolves packages
 * that are imported for their types alone, and not every function has jose.
 */
export type JsonWebKeySet = { keys: JsonWebKey[] };

/** Everything the functions take from their environment. */
export type Env = {
  supabaseUrl: string;
  /** The same project as clients reach it. */
  publicUrl: string;
  /** The address of the chat page, to point to its reader; null: there is none. */
  pageUrl: string | null;
  /** The address of the expert's desk, to point to; null: there is none. */
  deskUrl: string | null;
  /** Null: no mail is sent. */
  mail: MailServer | null;
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
  /** `iss` of users' tokens; null: `<supabaseUrl>/auth/v1`, or what the project's Auth says. */
  jwtIssuer: string | null;
  upstash: UpstashEnv | null;
  /** The header in which a proxy tells a client's address; null: clients could write any themselves. */
  clientAddressHeader: string | null;
  /** A missing key is noticed with the first turn: functions that call no model start without it. */
  openai: ModelServer;
  /** The time limit of a turn, in seconds. */
  turnSeconds: number;
  /** True if webhooks may be in private networks and without encryption. */
  allowsPrivateWebhooks: boolean;
  /** True if sources may be in private networks. */
  allowsPrivateSources: boolean;
  /** Null: no spans are recorded. */
  traces: TraceCollector | null;
};

/** Reads one variable: `Deno.env.get`, or a table in tests. */
export type ReadVariable = (name: string) => string | undefined;

/** Reads and checks the environment; no other code does. @throws {Error} naming a missing or malformed variable */
export function readEnv(read: ReadVariable = Deno.env.get): Env {
  const get = (name: string) => read(name)?.trim() || null;
  const require = (name: string) => get(name) ?? refuse(name, "is missing");
  const readTruth = (name: string, words: string[]) => ["1", "true"].includes(readWord(name, get(name), words) ?? "");
  const upstashUrl = get("UPSTASH_REDIS_REST_URL");
  const secretKeys = readKeySet("SUPABASE_SECRET_KEYS", get("SUPABASE_SECRET_KEYS"));
  const [secretKey = require("SUPABASE_SERVICE_ROLE_KEY")] = secretKeys;
  const supabaseUrl = require("SUPABASE_URL").replace(/\/+$/, "");
  return {
    supabaseUrl,
    publicUrl: readAddress("PUBLIC_URL", get("PUBLIC_URL"))?.replace(/\/+$/, "") ?? supabaseUrl,
    pageUrl: readAddress("PAGE_URL", get("PAGE_URL")),
    deskUrl: readAddress("DESK_URL", get("DESK_URL")),
    mail: readMailServer(get),
    secretKey,
    secretKeys: [...secretKeys, ...[get("SUPABASE_SERVICE_ROLE_KEY")].filter((key) => key !== null)],
    publishableKeys: [
      ...readKeySet("SUPABASE_PUBLISHABLE_KEYS", get("SUPABASE_PUBLISHABLE_KEYS")),
      ...[get("SUPABASE_ANON_KEY")].filter((key) => key !== null),
    ],
    jwks: readJwks(get("SUPABASE_JWKS")),
    jwtSecret: get("JWT_SECRET"),
    jwtIssuer: get("JWT_ISSUER"),
    upstash: upstashUrl === null ? null : { url: upstashUrl, token: require("UPSTASH_REDIS_REST_TOKEN") },
    clientAddressHeader: readClientAddressHeader(
      get("CLIENT_ADDRESS_HEADER") ?? (isHosted(get) ? "CF-Connecting-IP" : "none"),
    ),
    openai: readModelServer(get),
    // No model answers in less than ten seconds; after 400 the platform ends every isolate.
    turnSeconds: readNumber("TURN_SECONDS", get("TURN_SECONDS"), { kind: "whole number", least: 10, most: 390 }) ?? 140,
    allowsPrivateWebhooks: readTruth("WEBHOOK_ALLOW_PRIVATE_ADDRESSES", ["true", "false"]),
    allowsPrivateSources: readTruth("ALLOW_PRIVATE_SOURCES", ["1", "true", "0", "false"]),
    traces: readTraceCollector(get),
  };
}

/** The words of an error that keeps the functions from starting. */
function refuse(name: string, reason: string): never {
  throw new Error(`Cannot start: environment variable ${name} ${reason}`);
}

/**
 * Reads how models are to answer. The effort is low unless something else is said: at the models' own, minutes may pass
 * before the first word.
 *
 * @throws {Error} that names the variable when one is malformed.
 */
export function readModelSettings(
  get: (name: string) => string | null,
): Pick<ModelServer, "settings" | "contextTokens"> {
  const number = (name: string, range: Range) => readNumber(name, get(name), range);
  const word = <const Word extends string>(name: string, words: readonly Word[]) => readWord(name, get(name), words);
  const effort = word("OPENAI_REASONING_EFFORT", [...reasoningEfforts, "default"]) ?? "low";
  const store = word("OPENAI_STORE", ["true", "false"]);
  return {
    settings: {
      temperature: number("OPENAI_TEMPERATURE", { kind: "number", ...temperatureBounds }),
      reasoningEffort: effort === "default" ? null : effort,
      verbosity: word("OPENAI_VERBOSITY", verbosities),
      maxOutputTokens: number("OPENAI_MAX_OUTPUT_TOKENS", { kind: "whole number", ...maxOutputTokensBounds }),
      store: store === null ? null : store === "true",
    },
    contextTokens: number("OPENAI_CONTEXT_TOKENS", { kind: "whole number", least: 1_000, most: 100_000_000 }),
  };
}

/** Reads an address of the web, without anything after a `#`. @throws {Error} when it is none. */
function readAddress(name: string, text: string | null): string | null {
  if (text === null) return null;
  const url = URL.parse(text);
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  if (isAddress && !url.href.includes("#")) return url.href;
  refuse(name, "is not an address that begins with https:// or http://");
}

/** Reads the mail server's variables, trimmed by `get`. @throws {Error} naming one that is missing or malformed */
export function readMailServer(get: (name: string) => string | null): MailServer | null {
  const [text, from] = [get("SMTP_URL"), get("MAIL_FROM")];
  if (text === null) return null;
  const url = URL.parse(text);
  const isSecure = url?.protocol === "smtps:";
  if (url === null || url.hostname === "" || !isSecure && url.protocol !== "smtp:") {
    refuse("SMTP_URL", "is not an address such as smtps://user:password@smtp.example.com:465");
  }
  const port = Number(url.port) || (isSecure ? 465 : 587);
  if (isHosted(get) && [25, 587].includes(port)) {
    const otherPort = "Use another port of the mail server, such as 465 (smtps://) or 2525";
    refuse("SMTP_URL", `names port ${port}, which Supabase closes. ${otherPort}`);
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return {
    host,
    port,
    isSecure,
    isLoopback: /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(host),
    user: decode(url.username),
    password: decode(url.password),
    from: readSender(from),
  };
}

/** A part of an address without its percent-encoding; null if it is empty. @throws {Error} when it is malformed. */
function decode(part: string): string | null {
  try {
    return decodeURIComponent(part) || null;
  } catch {
    refuse("SMTP_URL", "has a % that is not encoded as %25");
  }
}

/** Reads `MAIL_FROM`: an address, or a name and an address in angle brackets. */
function readSender(text: string | null): { name: string; address: string } {
  if (text === null) refuse("MAIL_FROM", "is missing");
  const [, quoted = "", address = text] = /^([^<>]*)<([^<>]*)>$/.exec(text) ?? [];
  const name = quoted.trim().replace(/^"(.*)"$/, "$1");
  // deno-lint-ignore no-control-regex -- That is what must not be in a header.
  if (isMailAddress(address.trim()) && !/[\u0000-\u001f\u007f]/.test(name)) return { name, address: address.trim() };
  refuse("MAIL_FROM", 'is not an address such as "Ada Byron <ada@example.com>"');
}

/** Reads OpenTelemetry's own variables, trimmed by `get`. @throws {Error} naming one that is malformed */
export function readTraceCollector(get: (name: string) => string | null): TraceCollector | null {
  const base = readAddress("OTEL_EXPORTER_OTLP_ENDPOINT", get("OTEL_EXPORTER_OTLP_ENDPOINT"));
  if (base === null) return null;
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/v1/traces`;
  const { "service.name": serviceName = "human-intelligence-chat", ...resourceAttributes } = readPairs(
    "OTEL_RESOURCE_ATTRIBUTES",
    get,
    /^[^\s=,]+$/,
  );
  return {
    url: url.href,
    headers: readPairs("OTEL_EXPORTER_OTLP_HEADERS", get, /^[\w!#$%&'*+.^`|~-]+$/),
    serviceName: get("OTEL_SERVICE_NAME") ?? serviceName,
    resourceAttributes,
    scope: release,
  };
}

/** Reads `name=value,name=value`, with percent-encoded values. @throws {Error} that does not quote them. */
function readPairs(
  variable: string,
  get: (name: string) => string | null,
  nameForm: RegExp,
): Record<string, string> {
  const parts = (get(variable) ?? "").split(",").map((part) => part.trim()).filter((part) => part !== "");
  return Object.fromEntries(parts.map((part) => {
    const [, name = "", value = ""] = /^([^=]*?)\s*=\s*(.*)$/.exec(part) ?? [];
    const decoded = decodeValue(value);
    if (nameForm.test(name) && decoded !== null) return [name, decoded];
    refuse(variable, "is not a list such as name=value,name=value, with special characters in the values as %20");
  }));
}

/** A value without its percent-encoding; null where that is malformed, or holds what no header may. */
function decodeValue(value: string): string | null {
  try {
    const decoded = decodeURIComponent(value);
    return /^[\x20-\x7e\x80-\uffff]*$/.test(decoded) ? decoded : null;
  } catch {
    return null;
  }
}

type Range = Bounds & { kind: keyof typeof numberForms };

const numberForms = { "whole number": /^\d+$/, number: /^\d+(\.\d+)?$/ };

function readNumber(name: string, text: string | null, { kind, least, most }: Range): number | null {
  if (text === null) return null;
  const value = numberForms[kind].test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  refuse(name, `is not a ${kind} from ${least} to ${most}`);
}

function readWord<Word extends string>(name: string, text: string | null, words: readonly Word[]): Word | null {
  if (text === null) return null;
  const word = words.find((known) => known === text);
  if (word !== undefined) return word;
  refuse(name, `must be one of ${words.join(", ")}`);
}

/** Reads `CLIENT_ADDRESS_HEADER`; `none` means null. @throws {Error} when no header can have this name */
function readClientAddressHeader(name: string): string | null {
  if (!/^[\w-]+$/.test(name)) refuse("CLIENT_ADDRESS_HEADER", "must be the name of a header, or none");
  return name === "none" ? null : name;
}

/**
 * Returns whether the functions run on Supabase's platform, where every request has come through Cloudflare. The platform alone
 * sets both variables: a function that runs elsewhere may use a hosted project too, and other edge runtimes another one.
 */
function isHosted(get: (name: string) => string | null): boolean {
  return get("SB_EXECUTION_ID") !== null && /^https:\/\/[^/?#]+\.supabase\.co(?:\/|$)/.test(get("SUPABASE_URL") ?? "");
}

/** Reads the variables of the models; `get` gives values without spaces around them, null for those that are not set. */
export function readModelServer(get: (name: string) => string | null): ModelServer {
  const apiKey = get("OPENAI_API_KEY");
  const baseUrl = get("OPENAI_BASE_URL");
  const model = get("OPENAI_MODEL") ?? "gpt-6.1-terra";
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
    transcriptionModel: getModel("OPENAI_TRANSCRIPTION_MODEL", "gpt-transcribe"),
    ...readModelSettings(get),
  };
}

/** Reads `{"default": "sb_secret_…", …}`, the form in which Supabase hands keys to functions; `default` comes first. */
function readKeySet(name: string, text: string | null): string[] {
  if (text === null) return [];
  const keys = readObject(text);
  if (keys === null) refuse(name, "is not a JSON object of keys");
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
  refuse("SUPABASE_JWKS", "is not a JSON Web Key Set");
}

function readObject(text: string): Record<string, unknown> | null {
  const value = readJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? fieldsOf(value) : null;
}
