import type OpenAI from "openai";
import type { KeptWithCall, Phase } from "./model_event.ts";
import type { ModelSettings } from "./model_settings.ts";

/** A function that the model may call, as the Responses API describes it. */
export type ModelTool = OpenAI.Responses.FunctionTool;

/** A request to a model. It reads the history, the quoted material and the input, in this order. */
export type ModelRequest = {
  /** Null: the usual model of the server. */
  model: string | null;
  /** The setting that names the model, for operators; left out, the usual one. */
  modelSetting?: string;
  /** Null in a setting: the usual one of the server. */
  settings: ModelSettings;
  instructions: string;
  /** Earlier messages, oldest first. The oldest are left out if the model cannot read so much. */
  history: SaidMessage[];
  /** Material that helps, what weighs most first. The last is left out first where the model cannot read all of it. */
  quoted: UserMessage[];
  /** The question, and what has happened since. */
  input: (SaidMessage | UserMessage | CallItem | CallOutput)[];
  tools?: ModelTool[];
  /** `none`: the model sees the tools, but has to answer without them. */
  toolChoice?: "none";
  /** The form of the reply; left out, text. */
  format?: OpenAI.Responses.ResponseFormatTextConfig;
  /** A hash that stands for the person who asks: at most 64 characters. */
  userHash?: string;
  /** The most tokens of the answer, where the settings allow more. */
  maxOutputTokens?: number;
  /** The most tries after failures that may pass; 3 by default. */
  maxTries?: number;
  /** Asked before a request that may have cost something is sent again; null: it is not. Left out: it may be. */
  mayRetry?: (request: ModelRequest) => Promise<{ outputTokens: number | null } | null>;
  /** Requests with the same key begin alike, so that they should meet the same cache. */
  cacheKey?: string;
};

/** A message of the conversation. */
export type SaidMessage = {
  role: "user" | "assistant" | "system";
  content: string;
  /** The phase that the model's server named. */
  phase?: Phase | null;
};

/** A message of the user that may hold images, each the URL of one. */
export type UserMessage = { role: "user"; content: string | ({ imageUrl: string } | { pdfUrl: string })[] };

/** A call that the model made. */
export type CallItem = {
  type: "function_call";
  call_id: string;
  name: string;
  arguments: string;
  kept?: KeptWithCall;
};

/** The output of a call. */
export type CallOutput = { type: "function_call_output"; call_id: string; output: string };
