import type { RunningAnswer, StopReason } from "../../../core/answers/answer.ts";
import { createCitationFilter } from "../../../core/answers/citation_filter.ts";
import { type ApiError, errors } from "../../../infra/errors.ts";
import { ModelError } from "../../../libs/llm/model_error.ts";
import type { ModelEvent } from "../../../libs/llm/model_event.ts";
import { createUsageMeter } from "../../../libs/llm/usage_meter.ts";
import { describeError, type LogFields } from "../../../libs/base/log.ts";
import type { AnswerSink } from "../answer_sinks.ts";
import { describeTakeover } from "../prompt/usual_sentences.ts";
import type { PassedOn } from "../prompt/ask_expert_tool.ts";
import { askModel, readFailure } from "./ask_model.ts";
import type { ModelTurn, NoteTurn, RunContext, Turn } from "./turn.ts";
import { createWatchdog } from "./watchdog.ts";

const encoder = new TextEncoder();

/** The maximum length of an answer, in bytes. A longer one ends here, in the same way as at the limit of tokens. */
const maxBytes = 1024 * 1024;

/**
 * Runs a turn to its end: the text is written to the journal and, as it arrives, to the sink. The sink ends after the
 * whole answer is stored. Never rejects: a failure is stored, logged and passed to the sink.
 */
export async function runTurn(ctx: RunContext, turn: Turn, sink: AnswerSink): Promise<void> {
  const { services: { journal, loadModels, timeouts }, log } = ctx;
  const began = performance.now();
  const answer: RunningAnswer = {
    messageId: turn.messageId,
    runId: turn.runId,
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

  const citations = createCitationFilter(turn.sources);
  let isPassedOn = false;
  const passOn = async (passedOn: PassedOn) => {
    // The quoted material does not answer the question, so the answer is not based on it.
    if (answer.content === "") citations.forget();
    const isKept = await passOnQuestion(ctx, turn, passedOn);
    isPassedOn ||= isKept;
    return isKept;
  };
  const meter = createUsageMeter();
  const cut = createCutter();
  const responseIds: string[] = [];
  let failure: ApiError | undefined;
  let isCut = false;
  try {
    if ("request" in turn) answer.model = turn.request.model ?? (await loadModels()).model.usualName;
    for await (const events of "note" in turn ? takeNote(turn) : askModel(ctx, turn, { watchdog, passOn, meter })) {
      const pieces: string[] = [];
      for (const event of events) {
        if (event.type === "text") pieces.push(citations.read(event.text));
        else if (event.type === "message") answer.phase = event.phase;
        else if (event.type === "created") {
          responseIds.push(event.responseId);
          // If this run dies, readers complete the answer from this response: it must contain the whole answer.
          nameResponse(answer.content === "" ? event.responseId : null);
        } else if (event.type === "call") nameResponse(null);
        else if (event.type === "ended") {
          answer.usage = meter.total();
          isCut ||= event.isCut === true;
        }
      }
      if (!show(pieces)) break;
    }
  } catch (error) {
    if (endReason === "lost") failure = errors.answerFailed();
    else if (endReason === undefined) failure = readFailure(error, watchdog.signal.aborted);
    else answer.status = "stopped";
  }
  show([citations.end()]);
  watchdog.stop();
  answer.usage = meter.total();
  nameResponse(responseIds.at(-1) ?? null);
  if (answer.status === "streaming") answer.status = failure ? "failed" : "complete";
  answer.errorCode = failure?.code ?? null;
  answer.error = failure ? describeFailure(failure) : null;
  answer.isUnread = !sink.isOpen();
  let isTakenOver = false;
  try {
    const reason = await journal.close(answer);
    isTakenOver = reason === "taken_over";
    if (reason === "lost") failure = errors.answerFailed();
  } catch (error) {
    failure = errors.unavailable(error);
  }
  // It was deleted, or another run ended it: not a failure of the service.
  const level = endReason === "lost" ? "warn" : failure ? "error" : "info";
  const ended = { status: isTakenOver ? "waiting" : answer.status, ms: Math.round(performance.now() - began) };
  log(level, "turn", { ...ended, ...describeRun(answer, failure) });
  if (isTakenOver) {
    // The text so far is no longer the answer.
    if (answer.content === "" && "request" in turn) sink.write([describeTakeover(turn)]);
    sink.end({ ...answer, status: "waiting", sources: null });
  } else {sink.end(
      { ...answer, isCut, isPassedOn, isBudgeted: "allowance" in turn && turn.allowance !== null },
      failure,
    );}

  /** Returns false if the answer has become too long. */
  function show(allPieces: string[]): boolean {
    const pieces = allPieces.filter((piece) => piece !== "");
    answer.sources = citations.sources;
    const text = pieces.join("");
    const shown = cut(answer.content, text);
    answer.content += shown;
    if (shown !== "") sink.write(shown === text ? pieces : [shown]);
    isCut ||= shown !== text;
    return shown === text;
  }
  function nameResponse(responseId: string | null) {
    answer.responseId = responseId;
    const others = responseIds.filter((id) => id !== responseId);
    if (others.length > 0) answer.otherResponseIds = others;
  }
}

function describeRun(answer: RunningAnswer, failure: ApiError | undefined): LogFields {
  return {
    message_id: answer.messageId,
    response_id: answer.responseId,
    code: failure?.code,
    input_tokens: answer.usage && answer.usage.freshInput + answer.usage.cachedInput,
    output_tokens: answer.usage && answer.usage.visibleOutput + answer.usage.reasoning,
    reason: failure && describeFailure(failure),
    ...describeModelError(failure?.cause),
  };
}

/** Cuts additions to an answer, so that it stays within its maximum size. */
function createCutter(): (answer: string, text: string) => string {
  let size: number | undefined;
  return (answer, text) => {
    // A UTF-16 unit has at most three bytes. Most answers are short and need not be counted.
    if ((answer.length + text.length) * 3 <= maxBytes) return text;
    size ??= encoder.encode(answer).length;
    const { read, written } = encoder.encodeInto(text, new Uint8Array(Math.min(text.length * 3, maxBytes - size)));
    size += written;
    return text.slice(0, read);
  };
}

/** For operators: the message that the client gets, and its cause. */
function describeFailure({ message, cause }: ApiError): string {
  return cause === undefined ? message : `${message}: ${describeError(cause)}`;
}

/** The error of the model's server, as searchable log fields. */
function describeModelError(error: unknown): LogFields {
  if (!(error instanceof ModelError)) return {};
  const { code, param, requestId } = error.failure;
  return { model_code: code || undefined, param, upstream_request_id: requestId, setting: error.setting };
}

/** Stores the note of a turn and confirms it, in a model's events. @throws 503 before any if it cannot be stored */
async function* takeNote({ note, storeNote }: NoteTurn): AsyncGenerator<ModelEvent[]> {
  const { filename } = await storeNote(note).catch((cause) => {
    throw errors.unavailable(cause);
  });
  yield [{ type: "text", text: `Noted. It is in the knowledge base as “${filename}”.` }];
}

/** Keeps the question of a turn for the expert; returns whether it is kept: a person may ask too many. Never rejects. */
async function passOnQuestion(
  ctx: RunContext,
  { messageId, runId }: Pick<ModelTurn, "messageId" | "runId">,
  passedOn: PassedOn,
): Promise<boolean> {
  try {
    // Loaded with the first question: other turns start without it.
    const { keepQuestion } = await import("../../questions/keep_question.ts");
    const isKept = await keepQuestion(ctx.services.database, { messageId, runId, ...passedOn }) !== null;
    const { services, log } = ctx;
    // Its experts are told immediately.
    if (passedOn.isForHuman && services.mail) services.waitUntil(services.wakeMailer(log));
    return isKept;
  } catch (error) {
    ctx.log("error", "question_not_kept", { message_id: messageId, reason: describeError(error) });
    return false;
  }
}
