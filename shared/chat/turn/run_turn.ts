import type { RequestContext } from "../../context.ts";
import { ApiError, errors } from "../../errors.ts";
import type { Usage } from "../../llm/event_reader.ts";
import { ModelError } from "../../llm/model.ts";
import { describeError } from "../../log.ts";
import type { AnswerSink } from "../answer_sink.ts";
import { askModel } from "./ask_model.ts";
import { takeNote } from "../take_note.ts";
import type { Turn } from "./turn.ts";
import type { RunningAnswer, StopReason } from "../../answers/answer_journal.ts";
import { createWatchdog } from "./watchdog.ts";

/**
 * Runs a turn to its end: the text goes to the sink as it arrives and to the journal, and the sink ends only after the
 * whole answer is stored. Never rejects; what fails is told to the sink, stored and logged.
 */
export async function runTurn(ctx: RequestContext, turn: Turn, sink: AnswerSink): Promise<void> {
  const { services: { journal, timeouts }, log } = ctx;
  const began = performance.now();
  const answer: RunningAnswer = {
    message_id: turn.messageId,
    run_id: turn.runId,
    content: "",
    status: "streaming",
    sources: turn.sources,
  };
  const watchdog = createWatchdog(timeouts.turn);
  let endReason: StopReason | undefined;
  journal.open(answer, (reason) => {
    endReason = reason;
    watchdog.abort();
  });

  const responseIds: string[] = [];
  let failure: ApiError | undefined;
  try {
    for await (const events of "note" in turn ? takeNote(ctx, turn) : askModel(ctx, turn, watchdog)) {
      const pieces: string[] = [];
      for (const event of events) {
        if (event.type === "text") pieces.push(event.text);
        else if (event.type === "created") {
          responseIds.push(event.responseId);
          // Were the writer to go now, readers would complete the answer from this response: it has to be all of it.
          nameResponse(answer.content === "" ? event.responseId : null);
        } else if (event.type === "call") nameResponse(null);
        else if (event.type === "ended" && event.usage !== null) addUsage(answer, event.usage);
      }
      if (pieces.length > 0) {
        answer.content += pieces.join("");
        sink.write(pieces);
      }
    }
    if (answer.content === "") throw new ModelError("no_text");
  } catch (error) {
    if (endReason === "stopped") answer.status = "stopped";
    else if (endReason === "lost") failure = errors.answerFailed();
    else failure = readFailure(error, watchdog.signal.aborted);
  }
  watchdog.stop();

  nameResponse(responseIds.at(-1) ?? null);
  if (answer.status === "streaming") answer.status = failure ? "failed" : "complete";
  answer.error_code = failure?.code ?? null;
  answer.error = failure ? describeFailure(failure) : null;
  try {
    if (!await journal.close(answer)) failure = errors.answerFailed();
  } catch (error) {
    failure = errors.unavailable(error);
  }
  log(failure ? "error" : "info", "turn", {
    message_id: turn.messageId,
    response_id: answer.response_id,
    status: answer.status,
    ms: Math.round(performance.now() - began),
    input_tokens: answer.input_tokens,
    output_tokens: answer.output_tokens,
    reason: failure && describeFailure(failure),
  });
  sink.end(answer, failure);

  function nameResponse(responseId: string | null) {
    answer.response_id = responseId;
    const others = responseIds.filter((id) => id !== responseId);
    if (others.length > 0) answer.other_response_ids = others;
  }
}

/** The requests of a turn are counted together, as far as Postgres can count. */
function addUsage(answer: RunningAnswer, { inputTokens, outputTokens }: Usage): void {
  const add = (sum: number | null | undefined, tokens: number) => Math.min((sum ?? 0) + tokens, 2 ** 31 - 1);
  answer.input_tokens = add(answer.input_tokens, inputTokens);
  answer.output_tokens = add(answer.output_tokens, outputTokens);
}

function readFailure(error: unknown, isTimeout: boolean): ApiError {
  if (isTimeout) return errors.modelTimedOut(error);
  return error instanceof ApiError ? error : errors.modelUnavailable(error);
}

/** For operators: what the client is told, and what was underneath. */
function describeFailure({ message, cause }: ApiError): string {
  return cause === undefined ? message : `${message}: ${describeError(cause)}`;
}
