import type OpenAI from "openai";
import { abortable } from "../../base/std/async.ts";
import type { OpenaiEnv } from "../env.ts";
import { createClientLoader, ModelRequestError } from "./openai_client.ts";

/** Turns texts into vectors; those of texts that mean the same lie close to each other. */
export interface Embedder {
  /** Only vectors of the same model can be compared. */
  readonly model: string;
  /**
   * The vectors of texts, in their order, as Postgres writes a `halfvec(1536)`: `[0.1,…]`. Texts are cut at 8,000
   * characters.
   *
   * @throws {ModelRequestError} when the model fails, or the signal aborts.
   */
  embed(texts: string[], signal: AbortSignal): Promise<string[]>;
}

/** A text and the model whose vector of it this is, as the SQL functions take it. */
export type Embedding = { model: string; vector: string };

/** The dimensions of the column that holds the vectors. */
const dimensions = 1536;
/** About 2,000 tokens of English, and hardly ever more than the 8,191 tokens that OpenAI takes. */
const maxCharacters = 8_000;
const textsPerRequest = 100;

/** An embedder behind `/embeddings`; null when no model for it is configured. */
export function createEmbedder(env: OpenaiEnv): Embedder | null {
  const { embeddingModel: model } = env;
  if (model === null) return null;
  const loadClient = createClientLoader(env);
  // Only these models are known to accept a number of dimensions; others may refuse a request that names one.
  const asked = model.startsWith("text-embedding-3-") ? { dimensions } : {};

  const embedPart = async (texts: string[], signal: AbortSignal): Promise<string[]> => {
    const { embeddings } = await loadClient();
    const created = embeddings.create({
      model,
      input: texts.map((text) => text.slice(0, maxCharacters).toWellFormed()),
      encoding_format: "float",
      ...asked,
    }, { signal, maxRetries: 0 });
    const { data }: OpenAI.CreateEmbeddingResponse = await abortable(created, signal);
    if (data.length !== texts.length) throw new RangeError("There are not as many vectors as texts");
    return data.map(({ embedding }) => formatVector(embedding));
  };

  return {
    model,
    async embed(texts, signal) {
      const vectors: string[] = [];
      try {
        while (vectors.length < texts.length) {
          vectors.push(...await embedPart(texts.slice(vectors.length, vectors.length + textsPerRequest), signal));
        }
      } catch (cause) {
        throw new ModelRequestError(model, cause);
      }
      return vectors;
    },
  };
}

/**
 * Writes a vector with exactly 1,536 dimensions. A shorter one gets zeros at its end, which change no angle. A longer one
 * is cut: the models that allow this have the dimensions that matter most first. The length becomes 1, since half
 * precision ends at 65,504.
 *
 * @throws {TypeError} where the model's reply is no vector.
 */
export function formatVector(values: unknown): string {
  if (!isVector(values)) throw new TypeError("A vector is made of numbers");
  const kept = values.slice(0, dimensions);
  const length = Math.hypot(...kept) || 1;
  // Half precision holds little more than three digits.
  const digits = kept.map((value) => Number((value / length).toPrecision(5)));
  return `[${[...digits, ...new Array(dimensions - kept.length).fill(0)].join()}]`;
}

function isVector(values: unknown): values is number[] {
  return Array.isArray(values) && values.length > 0 && values.every(Number.isFinite);
}
