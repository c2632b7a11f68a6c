import { parseEnv } from "node:util";

/** The content of a file of secrets. */
export type SecretsFile = {
  /** Names and values that the project gets. */
  secrets: Map<string, string>;
  /** Names that only the platform may set. */
  reserved: string[];
  /** Names without a value. */
  empty: string[];
};

/** The variables that the functions read, without those set by the platform. */
export const knownVariables = [
  "OPENAI_API_KEY",
  "OPENAI_BASE_URL",
  "OPENAI_MODEL",
  "OPENAI_EMBEDDING_MODEL",
  "OPENAI_VISION_MODEL",
  "OPENAI_TRANSCRIPTION_MODEL",
  "OPENAI_TEMPERATURE",
  "OPENAI_REASONING_EFFORT",
  "OPENAI_VERBOSITY",
  "OPENAI_MAX_OUTPUT_TOKENS",
  "OPENAI_STORE",
  "OPENAI_CONTEXT_TOKENS",
  "UPSTASH_REDIS_REST_URL",
  "UPSTASH_REDIS_REST_TOKEN",
  "JWT_SECRET",
  "JWT_ISSUER",
  "CLIENT_ADDRESS_HEADER",
  "TURN_SECONDS",
  "WEBHOOK_ALLOW_PRIVATE_ADDRESSES",
  "ALLOW_PRIVATE_SOURCES",
  "PAGE_URL",
  "DESK_URL",
  "SMTP_URL",
  "MAIL_FROM",
  "PUBLIC_URL",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_SERVICE_NAME",
  "OTEL_RESOURCE_ATTRIBUTES",
];

/** Reads the text of an env file. */
export function readSecrets(text: string): SecretsFile {
  const entries = Object.entries(parseEnv(text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n"))).map((
    [name, value = ""],
  ) => [name, value]);
  const all = new Map(entries as [string, string][]);
  const names = [...all.keys()];
  const reserved = names.filter((name) => name.startsWith("SUPABASE_"));
  const empty = names.filter((name) => !reserved.includes(name) && all.get(name)!.trim() === "");
  for (const name of [...reserved, ...empty]) all.delete(name);
  return { secrets: all, reserved, empty };
}

/**
 * Writes secrets as the CLI reads them back.
 *
 * @throws {Error} for a value with every kind of quote.
 */
export function writeSecrets(secrets: Map<string, string>): string {
  return [...secrets].map(([name, value]) => `${name}=${quote(name, value)}\n`).join("");
}

function quote(name: string, value: string): string {
  // Between double quotes, \n would become a line break.
  const found = ["'", "`", '"'].find((mark) => !value.includes(mark) && !(mark === '"' && value.includes("\\")));
  if (found === undefined) throw new Error(`${name} contains every kind of quote: set it in the dashboard.`);
  return `${found}${value}${found}`;
}

/** Describes what the service lacks with these variables, one sentence each. */
export function findMissing(names: Iterable<string>): string[] {
  const present = new Set(names);
  const missing: string[] = [];
  if (!present.has("OPENAI_API_KEY") && !present.has("OPENAI_BASE_URL")) {
    missing.push("OPENAI_API_KEY is missing: without a model, nothing can be answered");
  }
  if (present.has("UPSTASH_REDIS_REST_URL") && !present.has("UPSTASH_REDIS_REST_TOKEN")) {
    missing.push("UPSTASH_REDIS_REST_TOKEN is missing: no function starts with UPSTASH_REDIS_REST_URL alone");
  }
  if (present.has("SMTP_URL") && !present.has("MAIL_FROM")) {
    missing.push("MAIL_FROM is missing: no function starts with SMTP_URL alone");
  }
  return missing;
}

/** The names that no function reads. */
export function findUnknown(names: Iterable<string>): string[] {
  return [...names].filter((name) => !knownVariables.includes(name));
}
