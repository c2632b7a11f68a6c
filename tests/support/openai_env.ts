import type { ModelServer } from "../../shared/libs/llm/model_settings.ts";
import { unset } from "../../shared/libs/llm/model_settings.ts";

/** The environment of a server that has only a language model, `m`, and settings that leave everything to it. */
export function openaiEnv(baseUrl: string): ModelServer {
  return {
    apiKey: "sk-1",
    baseUrl,
    model: "m",
    embeddingModel: null,
    visionModel: null,
    transcriptionModel: null,
    settings: unset,
    contextTokens: null,
  };
}
