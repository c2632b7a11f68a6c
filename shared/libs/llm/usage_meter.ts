import { estimateRequest, estimateTokens } from "./estimate_tokens.ts";
import type { ModelEvent, Usage } from "./model_event.ts";
import type { ModelRequest } from "./model_request.ts";

/** The tokens of a piece of work. They are estimated if the server has not reported the tokens of all its requests. */
export type CountedUsage = Usage & { isEstimated: boolean };

/**
 * Counts the tokens of requests to a model. A request counts from the moment it is begun: what the server does not report,
 * because it never does or because the reply was stopped or cut, is estimated. An estimate is only made when the total is
 * asked for.
 */
export interface UsageMeter {
  /** A request is about to be sent. */
  begin(request: ModelRequest): void;
  /** Events of its reply, before anything is left out of them. */
  read(events: ModelEvent[]): void;
  /** The request has failed: if nothing has come, it was refused or has not reached the server, and does not count. */
  fail(): void;
  /** The tokens of all requests so far; null if there were none. */
  total(): CountedUsage | null;
}

/** The request whose tokens are not known yet. */
type OpenRequest = {
  request: ModelRequest;
  visible: Estimate;
  thoughts: Estimate;
  isHeard: boolean;
};

type Estimate = {
  /** Text of the model that is not estimated yet. */
  written: string;
  /** The estimate of the text before that. */
  tokens: number;
};

/** Longer texts are estimated as they come, so as not to keep what may have no end. In UTF-16 units. */
const maxKept = 64 * 1024;

/** Postgres adds two counts, and the sum has to be an integer. */
const maxCount = 2 ** 30 - 1;

/** A meter that has counted nothing. */
export function createUsageMeter(): UsageMeter {
  let sum: CountedUsage | null = null;
  let open: OpenRequest | null = null;

  function add(usage: Usage, isEstimated: boolean): void {
    sum = {
      freshInput: Math.min((sum?.freshInput ?? 0) + usage.freshInput, maxCount),
      cachedInput: Math.min((sum?.cachedInput ?? 0) + usage.cachedInput, maxCount),
      visibleOutput: Math.min((sum?.visibleOutput ?? 0) + usage.visibleOutput, maxCount),
      reasoning: Math.min((sum?.reasoning ?? 0) + usage.reasoning, maxCount),
      isEstimated: isEstimated || sum?.isEstimated === true,
    };
    open = null;
  }
  function close(): void {
    if (open === null) return;
    const { request, visible, thoughts } = open;
    add({
      freshInput: estimateRequest(request),
      cachedInput: 0,
      visibleOutput: estimate(visible),
      reasoning: estimate(thoughts),
    }, true);
  }

  return {
    begin(request) {
      close();
      open = {
        request,
        visible: { written: "", tokens: 0 },
        thoughts: { written: "", tokens: 0 },
        isHeard: false,
      };
    },
    read(events) {
      for (const event of events) {
        if (open === null) return;
        // That comes before anything is sent.
        open.isHeard ||= event.type !== "unstreamed";
        if (event.type === "text") write(open.visible, event.text);
        else if (event.type === "thought") write(open.thoughts, event.text);
        else if (event.type === "call") write(open.visible, event.call.name + event.call.arguments);
        else if (event.type === "ended" && event.usage !== null) {
          // Some servers report no output of a reply that has a text.
          const written = event.usage.visibleOutput === 0 ? estimate(open.visible) : 0;
          add(written > 0 ? { ...event.usage, visibleOutput: written } : event.usage, written > 0);
        }
      }
    },
    fail() {
      if (open?.isHeard === false) open = null;
    },
    total() {
      close();
      return sum;
    },
  };
}

function write(sum: Estimate, text: string): void {
  sum.written += text;
  if (sum.written.length <= maxKept) return;
  sum.tokens += estimateTokens(sum.written);
  sum.written = "";
}

function estimate({ tokens, written }: Estimate): number {
  return tokens + estimateTokens(written);
}
