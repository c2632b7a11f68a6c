import { estimateTokens } from "./estimate_tokens.ts";
import type { ModelEvent } from "./model_event.ts";
import type { ModelRequest } from "./model_request.ts";

/** No server that keeps to the limit is cut off, however much the estimate is above its own count. */
const tolerance = 1.5;
/** A reply is looked at whenever so much more of it has come, in UTF-16 units. */
const step = 1_000;

/**
 * Watches a reply whose length somebody pays for: some servers take no limit, or do not keep to it. Returns true for the
 * events by which the reply is far longer than the request allows.
 */
export function createReplyLimit({ maxOutputTokens, settings }: ModelRequest): (events: ModelEvent[]) => boolean {
  if (maxOutputTokens === undefined) return () => false;
  const most = tolerance * Math.min(maxOutputTokens, settings.maxOutputTokens ?? Infinity);
  let tokens = 0;
  let written = "";
  return (events) => {
    for (const event of events) if (event.type === "text" || event.type === "thought") written += event.text;
    if (written.length < step) return false;
    tokens += estimateTokens(written);
    written = "";
    return tokens > most;
  };
}
