import type OpenAI from "openai";
import { abortable } from "../base/std/async.ts";
import { concat } from "../base/std/bytes.ts";
import type { ModelServer } from "./model_settings.ts";
import { fieldsOf, readJson } from "../base/fields_of.ts";
import { createClientLoader } from "./openai_client.ts";

/** The name of a model, and where an operator has set it: an environment variable, or a column of a table. */
export type ConfiguredModel = { setting: string; model: string };

/** A model as its server lists it. */
export type ListedModel = {
  id: string;
  /** The day on which it is switched off, `YYYY-MM-DD`; null where none is announced. */
  shutdownDate: string | null;
  /** The length of its context in tokens; null if the server does not say. */
  contextTokens: number | null;
  /** The kinds of its output, such as `text` or `embeddings`; absent if the server does not say. */
  outputs?: string[];
};

/** The models of the configured server. */
export interface ModelCatalogue {
  /** Those that the settings name; requests may name others. */
  readonly configured: ConfiguredModel[];
  /**
   * Lists them all; null where the server has no list of the names that requests use.
   *
   * @throws {MissingApiKey} when no server is configured; errors of the client when it refuses or is out of reach; the
   * signal's reason when that aborts.
   */
  list(signal: AbortSignal): Promise<ListedModel[] | null>;
}

/** Longer lists are left: the longest that are known, of some 500 models with descriptions, have less than 1 MB. */
const maxBytes = 4 * 1024 * 1024;
const maxPages = 10;

/** A catalogue behind `GET /models`. */
export function createModelCatalogue(env: ModelServer): ModelCatalogue {
  const loadClient = createClientLoader(env);

  async function listAll(signal: AbortSignal): Promise<ListedModel[] | null> {
    const client = await loadClient();
    const models: ListedModel[] = [];
    let path = "/models";
    let bytesLeft = maxBytes;
    for (let page = 0; page < maxPages; page++) {
      const body = await get(client, path, { signal, maxBytes: bytesLeft });
      if (body === null) return null;
      bytesLeft -= body.length;
      const reply = readJson(new TextDecoder().decode(body));
      const listed = readModelList(reply);
      if (listed === null) return null;
      models.push(...listed);
      const next = nextPageOf(reply, client.baseURL);
      if (next === "end") return models;
      if (next === "out_of_reach") return null;
      path = next.path;
    }
    // A model that this part of the list lacks may be in the rest.
    return null;
  }

  // The signal alone is not enough: Deno may forget the one of a reply whose body is still being read.
  return { configured: readConfiguredModels(env), list: (signal) => abortable(listAll(signal), signal) };
}

function readConfiguredModels(env: ModelServer): ConfiguredModel[] {
  const configured: { setting: string; model: string | null }[] = [
    { setting: "OPENAI_MODEL", model: env.model },
    { setting: "OPENAI_EMBEDDING_MODEL", model: env.embeddingModel },
    // If it is not set, it is the one that answers.
    { setting: "OPENAI_VISION_MODEL", model: env.visionModel === env.model ? null : env.visionModel },
    { setting: "OPENAI_TRANSCRIPTION_MODEL", model: env.transcriptionModel },
  ];
  return configured.filter((each): each is ConfiguredModel => each.model !== null);
}

/** The body of a reply; null where the server does not know the address, or the body is too long. */
async function get(
  client: OpenAI,
  path: string,
  { signal, maxBytes }: { signal: AbortSignal; maxBytes: number },
): Promise<Uint8Array | null> {
  let response: Response;
  try {
    response = await client.get(path, { signal, maxRetries: 0 }).asResponse();
  } catch (error) {
    if ([404, 405, 501].includes(Number(fieldsOf(error).status))) return null;
    throw error;
  }
  const reader = response.body?.getReader();
  if (reader === undefined) return null;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  try {
    while (true) {
      const { value, done } = await abortable(reader.read(), signal);
      if (done) return concat(parts);
      length += value.length;
      if (length > maxBytes) return null;
      parts.push(value);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Reads the reply of any server to `GET /models`: its models, in its order; null where it is no list of them. */
export function readModelList(reply: unknown): ListedModel[] | null {
  const list = Array.isArray(reply) ? reply : fieldsOf(reply).data;
  if (!Array.isArray(list)) return null;
  // Azure lists what can be deployed; requests use the names of deployments, which are not listed.
  if (list.some((each) => "lifecycle_status" in fieldsOf(each))) return null;
  const models: ListedModel[] = [];
  for (const each of list) {
    const { id, shutdown_date, expiration_date, architecture } = fieldsOf(each);
    if (typeof id !== "string" || id === "") continue;
    const { output_modalities: outputs } = fieldsOf(architecture);
    models.push({
      id,
      shutdownDate: readDate(shutdown_date) ?? readDate(expiration_date),
      contextTokens: readContext(each),
      ...(isTexts(outputs) ? { outputs } : {}),
    });
  }
  return models;
}

/** The fields in which servers give the length of the context: the one in force, then the model's own. */
const contextPaths = [
  "loaded_context_length", // LM Studio
  "meta.n_ctx", // llama.cpp
  "max_model_len", // vLLM, SGLang
  "top_provider.context_length", // OpenRouter
  "context_length", // OpenRouter, Together, Fireworks
  "context_window", // Groq, Docker Model Runner
  "max_context_length", // Mistral, LM Studio
  "max_input_tokens", // Anthropic
  "metadata.context_length", // DeepInfra
  "meta.n_ctx_train", // llama.cpp
].map((path) => path.split("."));

function readContext(model: unknown): number | null {
  for (const path of contextPaths) {
    const value = path.reduce((value, name) => fieldsOf(value)[name], model);
    if (Number.isSafeInteger(value) && Number(value) > 0) return Number(value);
  }
  return null;
}

/** Reads `2026-12-11`, with or without a time, and seconds since 1970. */
function readDate(value: unknown): string | null {
  const date = typeof value === "number"
    ? new Date(value * 1_000)
    : new Date(`${String(value).slice(0, 10)}T00:00:00Z`);
  const [day] = Number.isNaN(date.getTime()) ? [] : /^\d{4}-\d{2}-\d{2}/.exec(date.toISOString()) ?? [];
  return day ?? null;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/** Returns the address of the rest of a list. */
function nextPageOf(reply: unknown, baseUrl: string): { path: string } | "end" | "out_of_reach" {
  const { has_more: hasMore, last_id: lastId, links } = fieldsOf(reply);
  const { next } = fieldsOf(links);
  if (typeof next === "string") {
    const url = URL.parse(next, baseUrl);
    // The key goes to no other server.
    return url?.origin === new URL(baseUrl).origin ? { path: url.href } : "out_of_reach";
  }
  if (hasMore !== true) return "end";
  return typeof lastId === "string" ? { path: `/models?after_id=${encodeURIComponent(lastId)}` } : "out_of_reach";
}
