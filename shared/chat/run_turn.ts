import type { Context } from "../context.ts";
import { ApiError, errors } from "../errors.ts";
import { ModelError } from "../llm/model.ts";
import { describeError } from "../log.ts";
import type { Turn } from "./begin_turn.ts";
import type { SavedTurn } from "./turn_journal.ts";
import { createWatchdog } from "./watchdog.ts";

/** Receives the text of a turn as it arrives, then its end. */
export interface TextSink {
  /** The pieces of one network read. */
  write(pieces: string[]): void;
  /** Nothing follows. With an error, what was written is not the whole. */
  end(error?: Error): void;
}

/**
 * Runs a turn to its end: the model's text goes to the sink as it arrives and to the journal, and the sink ends only
 * after the whole answer is stored. Never rejects; what fails is told to the sink, stored and logged.
 */
export async function runTurn({ services, log }: Context, { messageId, request }: Turn, sink: TextSink): Promise<void> {
  const { model, journal, timeouts } = services;
  const began = performance.now();
  const answer: SavedTurn = { message_id: messageId, content: "", status: "streaming" };
  const watchdog = createWatchdog(timeouts.turn);
  journal.open(answer);
  watchdog.expect(timeouts.firstChunk);

  let failure: ApiError | undefined;
  try {
    for await (const events of model.stream(request, watchdog.signal)) {
      const pieces: string[] = [];
      for (const event of events) {
        if (event.type === "text") pieces.push(event.text);
        else if (event.type === "created") answer.response_id = event.responseId;
        else if (event.type === "ended") {
          answer.input_tokens = event.usage?.inputTokens;
          answer.output_tokens = event.usage?.outputTokens;
        }
      }
      if (pieces.length > 0) {
        answer.content += pieces.join("");
        sink.write(pieces);
        watchdog.expect(timeouts.betweenChunks);
      }
    }
    if (answer.content === "") throw new ModelError("no_text");
  } catch (error) {
    failure = watchdog.signal.aborted ? errors.modelTimedOut(error) : errors.modelUnavailable(error);
  }
  watchdog.stop();

  answer.status = failure ? "failed" : "complete";
  answer.error = failure ? describeFailure(failure) : null;
  try {
    await journal.close(answer);
  } catch (error) {
    failure = errors.unavailable(error);
  }
  log(failure ? "error" : "info", "turn", {
    message_id: messageId,
    response_id: answer.response_id,
    status: answer.status,
    ms: Math.round(performance.now() - began),
    input_tokens: answer.input_tokens,
    output_tokens: answer.output_tokens,
    reason: failure && describeFailure(failure),
  });
  sink.end(failure);
}

/** For operators: what the client is told, and what was underneath. */
function describeFailure({ message, cause }: ApiError): string {
  return `${message}: ${describeError(cause)}`;
}
