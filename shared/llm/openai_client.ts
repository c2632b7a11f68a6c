// Imported before openai, which has zod as an optional peer. Where zod is resolved after openai and without a lock file,
// and none is deployed, Deno looks for openai in a folder that it has not made. This is the smallest part of zod that can
// be imported.
import "zod/v4/locales/en.js";
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

/** Gives the official client for the environment, always the same one. Rejects with {@link MissingApiKey}. */
export function createClientLoader(env: OpenaiEnv): () => Promise<OpenAI> {
  let client: OpenAI | undefined;
  return async () => {
    if (env.apiKey === null && env.baseUrl === null) throw new MissingApiKey();
    // Loaded with the first call: refusals start without it.
    const { default: OpenAI } = await import("openai");
    // The client insists on a key; other servers than OpenAI's may need none.
    return client ??= new OpenAI({
      apiKey: env.apiKey ?? "none",
      baseURL: env.baseUrl ?? undefined,
      // With OPENAI_LOG set it would print prompts.
      logLevel: "off",
    });
  };
}
