import type OpenAI from "openai";
import { abortable } from "../base/std/async.ts";
import { decodeBase64 } from "../base/std/base64.ts";
import type { ModelServer } from "./model_settings.ts";
import { readFailure } from "./failure.ts";
import { createClientLoader, ModelRequestError } from "./openai_client.ts";

/** Turns texts into vectors; those of texts that mean the same lie close to each other. */
export interface Embedder {
  /** Only vectors of the same model can be compared. */
  readonly model: string;
  /** The vectors of texts, up to 8,000 characters each, as a `halfvec(1536)`. @throws {ModelRequestError} on failure */
  embed(texts: string[], signal: AbortSignal): Promise<string[]>;
}

/** A text and the model whose vector of it this is, as the SQL functions take it. */
export type Embedding = { model: string; vector: string };

/** The dimensions of the column that holds the vectors. */
const dimensions = 1536;
/** The UTF-16 units of a text that are embedded: 2,000 tokens of English, hardly ever over OpenAI's 8,191. */
export const maxEmbedded = 8_000;
/** Most servers take so many texts at once; Cohere takes 96, TEI 32 and DashScope 10. */
const usualTexts = 100;
const batchTexts = /\bbatch|(?:texts|inputs|items)\b.{0,30}(?:at most|exceed|maximum)|too many (?:texts|inputs|items)/i;

/** An embedder behind `/embeddings`; null when no model for it is configured. */
export function createEmbedder(env: ModelServer): Embedder | null {
  const { embeddingModel: model } = env;
  if (model === null) return null;
  const loadClient = createClientLoader(env);
  // Only these models are known to accept a number of dimensions; others may refuse a request that names one.
  const asked = model.startsWith("text-embedding-3-") ? { dimensions } : {};
  /** Halved whenever the server says that it is too much. */
  let textsPerRequest = usualTexts;

  const embedPart = async (texts: string[], signal: AbortSignal): Promise<string[]> => {
    const { embeddings } = await loadClient();
    const created = embeddings.create({
      model,
      input: texts.map((text) => text.slice(0, maxEmbedded).toWellFormed()),
      encoding_format: "float",
      ...asked,
    }, { signal, maxRetries: 0 });
    const { data }: OpenAI.CreateEmbeddingResponse = await abortable(created, signal);
    if (data.length !== texts.length) throw new RangeError("There are not as many vectors as texts");
    // Servers that run texts side by side may give their vectors in another order.
    return data.toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0))
      .map(({ embedding }) => formatVector(readVector(embedding)));
  };

  return {
    model,
    async embed(texts, signal) {
      const vectors: string[] = [];
      while (vectors.length < texts.length) {
        const part = texts.slice(vectors.length, vectors.length + textsPerRequest);
        try {
          vectors.push(...await embedPart(part, signal));
        } catch (cause) {
          if (part.length === 1 || !isTooMany(cause)) throw new ModelRequestError(model, cause);
          textsPerRequest = Math.min(textsPerRequest, Math.ceil(part.length / 2));
        }
      }
      return vectors;
    },
  };
}

/** Returns whether the server refuses the number of texts. */
function isTooMany(error: unknown): boolean {
  const { status = null, message = "" } = readFailure(error) ?? {};
  return (status === 400 || status === 413 || status === 422) && batchTexts.test(message.slice(0, 1_000));
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

/** The numbers of a vector: some gateways send them in Base64, as clients mostly ask for. @throws where they are none. */
function readVector(embedding: unknown): unknown {
  return typeof embedding === "string" ? [...new Float32Array(decodeBase64(embedding).buffer)] : embedding;
}

function isVector(values: unknown): values is number[] {
  return Array.isArray(values) && values.length > 0 && values.every(Number.isFinite);
}
