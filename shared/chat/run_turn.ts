import type { Context } from "../context.ts";
import { ApiError, errors } from "../errors.ts";
import type { TextSink } from "../http/event_stream.ts";
import type { ModelRequest } from "../llm/model.ts";
import { ModelError } from "../llm/model.ts";
import { describeError } from "../log.ts";
import type { SavedTurn } from "./turn_journal.ts";
import { createWatchdog } from "./watchdog.ts";

/**
 * Runs a turn to its end: the model's text goes to the sink as it arrives and to the journal, and the sink ends only
 * after the whole answer is stored. Never rejects; what fails is told to the sink, stored and logged.
 */
export async function runTurn(ctx: Context, messageId: string, request: ModelRequest, sink: TextSink): Promise<void> {
  const { services: { model, journal, timeouts }, log } = ctx;
  const began = performance.now();
  const turn: SavedTurn = { message_id: messageId, content: "", status: "streaming" };
  const watchdog = createWatchdog(timeouts.turn);
  journal.open(turn);
  watchdog.expect(timeouts.firstChunk);

  let failure: ApiError | undefined;
  try {
    for await (const events of model.stream(request, watchdog.signal)) {
      const pieces: string[] = [];
      for (const event of events) {
        if (event.type === "text") pieces.push(event.text);
        else if (event.type === "created") turn.response_id = event.responseId;
        else if (event.type === "ended") {
          turn.input_tokens = event.usage?.inputTokens;
          turn.output_tokens = event.usage?.outputTokens;
        }
      }
      if (pieces.length > 0) {
        turn.content += pieces.join("");
        sink.write(pieces);
      }
      if (turn.content !== "") watchdog.expect(timeouts.betweenChunks);
    }
    if (turn.content === "") throw new ModelError("no_text");
  } catch (error) {
    failure = watchdog.signal.aborted ? errors.modelTimedOut(error) : errors.modelUnavailable(error);
  }
  watchdog.stop();

  turn.status = failure ? "failed" : "complete";
  turn.error = failure ? `${failure.message}: ${describeError(failure.cause)}` : null;
  try {
    await journal.close(turn);
  } catch (error) {
    failure = errors.unavailable(error);
  }
  log(failure ? "error" : "info", "turn", {
    message_id: messageId,
    response_id: turn.response_id,
    status: turn.status,
    ms: Math.round(performance.now() - began),
    input_tokens: turn.input_tokens,
    output_tokens: turn.output_tokens,
    reason: failure && `${failure.message}: ${describeError(failure.cause)}`,
  });
  sink.end(failure);
}
