import { parseEnv } from "node:util";
import { readEnv } from "../../../shared/infra/env.ts";

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
function readKnownVariables(): string[] {
  const read = new Set<string>();
  // These values have all others read, too.
  readEnv((name) => {
    read.add(name);
    if (name === "SMTP_URL") return "smtps://set.example";
    if (name === "MAIL_FROM") return "set@set.example";
    if (/URL$|ENDPOINT$/.test(name)) return "https://set.example";
    return /_KEY$|TOKEN$|MODEL$|SECRET$/.test(name) ? "set" : undefined;
  });
  return [...read].filter((name) => !/^(?:SUPABASE|SB)_/.test(name));
}

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

/** Writes secrets as the CLI reads them back. @throws {Error} for a value with every kind of quote */
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
  const known = readKnownVariables();
  return [...names].filter((name) => !known.includes(name));
}
