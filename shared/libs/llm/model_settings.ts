/** The effort that a model may spend on thinking, from least to most. Not every model takes every value. */
export const reasoningEfforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type ReasoningEffort = typeof reasoningEfforts[number];

/** The length of a model's answers, from least to most. */
export const verbosities = ["low", "medium", "high"] as const;
export type Verbosity = typeof verbosities[number];

/** Numbers from `least` to `most`, both included. */
export type Bounds = { least: number; most: number };

/** Sampling temperatures. */
export const temperatureBounds: Bounds = { least: 0, most: 2 };

/** Tokens of an answer, those of reasoning included. */
export const maxOutputTokensBounds: Bounds = { least: 16, most: 1_000_000 };

/** Settings of a model. Null: the default of the next level, from the request to the server to the model. */
export type ModelSettings = {
  /** The variety of the words, 0 to 2. Models that reason take none. */
  temperature: number | null;
  reasoningEffort: ReasoningEffort | null;
  verbosity: Verbosity | null;
  /** The longest answer, in tokens, reasoning included. */
  maxOutputTokens: number | null;
  /** True if the model's server stores responses. A response that is not stored cannot be recovered after a crash. */
  store: boolean | null;
};

/** Everything as what stands behind has it. */
export const unset: ModelSettings = {
  temperature: null,
  reasoningEffort: null,
  verbosity: null,
  maxOutputTokens: null,
  store: null,
};

/** A model that is null is not used: search then uses words alone, and of images and videos only the names. */
export type ModelServer = {
  apiKey: string | null;
  baseUrl: string | null;
  model: string;
  embeddingModel: string | null;
  visionModel: string | null;
  transcriptionModel: string | null;
  /** For requests that have none of their own. */
  settings: ModelSettings;
  /** The most tokens of input and output together; null if the environment does not say. */
  contextTokens: number | null;
};
