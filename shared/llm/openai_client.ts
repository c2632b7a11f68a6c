// Resolved before openai, whose optional peer zod is. Resolved after it and without a lock file, which is not deployed,
// Deno looks for openai in a folder that it has not made. This is the smallest part of zod that can be named.
import "zod/v4/locales/en.js";
import type OpenAI from "openai";
import type { OpenaiEnv } from "../env.ts";
import { describeError } from "../log.ts";

/** A model is to be called, and neither a key nor a server of one's own is configured. */
export class MissingApiKey extends Error {
  override name = "MissingApiKey";
  readonly code = "openai_api_key_is_missing";
}

/** A single request to a model that failed. The message is for operators: it quotes nothing of what was sent or said. */
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
    // Loaded with the first call, to keep it out of the cold start of refusals.
    const { default: OpenAI } = await import("openai");
    // The client insists on a key; a server of one's own may need none.
    return client ??= new OpenAI({
      apiKey: env.apiKey ?? "none",
      baseURL: env.baseUrl ?? undefined,
      // It would print prompts where OPENAI_LOG says so.
      logLevel: "off",
    });
  };
}
