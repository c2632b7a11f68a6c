/** The phases that a model's server names: a message that only accompanies the work, or the answer itself. */
export const phases = ["commentary", "final_answer"] as const;
export type Phase = typeof phases[number];

/** The phase that a server names; null for any other value. */
export function readPhase(value: unknown): Phase | null {
  return phases.find((phase) => phase === value) ?? null;
}

/** An event in a reply of the model. */
export type ModelEvent =
  | { type: "created"; responseId: string }
  /** A message begins: the texts that follow are its own. */
  | { type: "message"; phase: Phase | null }
  | { type: "text"; text: string }
  | { type: "call"; call: ToolCall }
  /** `isCut` where the answer has used up its tokens. */
  | { type: "ended"; usage: Usage | null; isCut?: true }
  | { type: "failed"; failure: ReportedFailure }
  /** A thought of the model: nobody is shown it, but it costs as much as a text. */
  | { type: "thought"; text: string }
  /** Something else: no more than a sign of life. */
  | { type: "alive" }
  /** The reply will come in one piece: until then there is no sign of life. */
  | { type: "unstreamed" };

/** A function that the model calls. The arguments are meant to be JSON, but may be any text. */
export type ToolCall = { id: string; name: string; arguments: string; kept?: KeptWithCall };

/** Fields that a server of chat completions wants back with a call: thoughts (DeepSeek, Kimi), a signature (Gemini). */
export type KeptWithCall = { reasoning_content?: string; extra_content?: unknown };

/** The tokens of one or more replies: four counts, of which none is part of another. */
export type Usage = {
  /** Tokens of the input that the server read for the first time. */
  freshInput: number;
  /** Tokens of the input that the server had in its cache. */
  cachedInput: number;
  /** Tokens of what the model wrote for others: texts and calls. */
  visibleOutput: number;
  /** Tokens of the model's thoughts. */
  reasoning: number;
};

/** A failure as a server reports it. The texts are the server's own and may quote anything. */
export type ReportedFailure = {
  /** Of the HTTP reply; in a stream null, unless the error itself has one. */
  status: number | null;
  /** Codes and types, as many as there are, joined by spaces. */
  code: string;
  /** The part of the request that is at fault. */
  param: string | null;
  message: string;
  /** The time to wait, in seconds. */
  retryAfter: number | null;
  /** The server's own id of the request. */
  requestId: string | null;
  /** True if the connection failed before there was a reply. */
  isUnreachable?: boolean;
};
