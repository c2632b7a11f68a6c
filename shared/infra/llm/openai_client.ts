import type OpenAI from "openai";
import type { OpenaiEnv } from "../env.ts";
import { describeError } from "../log.ts";

/** A model is to be called, but neither a key nor a server other than OpenAI's is configured. */
export class MissingApiKey extends Error {
  override name = "MissingApiKey";
  readonly code = "openai_api_key_is_missing";
}

/** A request to a model that failed. The message is for operators: it quotes neither the request nor the reply. */
export class ModelRequestError extends Error {
  override name = "ModelRequestError";

  constructor(model: string, cause: unknown) {
    super(`The model ${model} has not answered: ${describeError(cause)}`, { cause });
  }
}

/** The longest reply of an error status that is read, in bytes. */
const maxErrorBytes = 64 * 1024;

/** Gives the official client for the environment, always the same one. Rejects with {@link MissingApiKey}. */
export function createClientLoader(env: OpenaiEnv): () => Promise<OpenAI> {
  let client: OpenAI | undefined;
  return async () => {
    requireApiKey(env);
    // Loaded with the first call: refusals start without it.
    const { OpenAI } = await import("./openai_library.ts");
    // The client insists on a key; other servers than OpenAI's may need none.
    return client ??= new OpenAI({
      apiKey: env.apiKey ?? "none",
      baseURL: env.baseUrl ?? undefined,
      // With OPENAI_LOG set it would print prompts.
      logLevel: "off",
      fetch: fetchWithShortErrors,
    });
  };
}

/** @throws {MissingApiKey} where a model cannot be called. */
export function requireApiKey({ apiKey, baseUrl }: Pick<OpenaiEnv, "apiKey" | "baseUrl">): void {
  if (apiKey === null && baseUrl === null) throw new MissingApiKey();
}

/** `fetch`, with replies of error statuses cut: they are read whole, however long they are. */
export async function fetchWithShortErrors(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.ok || response.body === null) return response;
  let bytesLeft = maxErrorBytes;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      controller.enqueue(bytes.subarray(0, bytesLeft));
      bytesLeft -= bytes.length;
      if (bytesLeft <= 0) controller.terminate();
    },
  });
  // The signal also here: the one of `fetch` is forgotten once the response is collected as garbage.
  const body = response.body.pipeThrough(limit, { signal: init?.signal ?? undefined });
  return new Response(body, { status: response.status, headers: response.headers });
}
