import type { ModelEvent, Phase, ToolCall } from "../../../infra/llm/model_event.ts";
import { createAnswerText, maxKept } from "../../../infra/llm/answer_text.ts";
import { failWith } from "../../../infra/llm/failure.ts";
import { ModelError } from "../../../infra/llm/model_error.ts";
import type { SaidMessage } from "../../../infra/llm/model_request.ts";
import { describeError } from "../../../infra/log.ts";
import { askExpertTool, type PassedOn, readPassedOn, tellPassedOn } from "../prompt/ask_expert_tool.ts";
import { runToolCall } from "../prompt/create_knowledge_tool.ts";
import { usualSentences } from "../prompt/usual_sentences.ts";
import type { ModelTurn, RunContext } from "./turn.ts";
import type { Watchdog } from "./watchdog.ts";
import { ApiError, errors, usualRetryAfter } from "../../../base/errors.ts";

/**
 * The maximum number of requests in one turn. The model may call tools in the first two; in the last, it must answer.
 */
const maxRequests = 3;
/** The maximum number of tool calls in one turn. Further calls are dropped. */
const maxCalls = 8;

/** The part of a turn that is needed to ask the model. */
export type AskedTurn = Pick<ModelTurn, "request" | "language" | "noAnswer" | "storeNote">;

/**
 * Streams the model's answer to a turn as events, whose texts are shown to the person. Tools that the model calls are
 * run, and their output is sent in a further request. That request contains everything so far, because not every server
 * stores responses. The watchdog gives each request the same time.
 *
 * If the model asks the expert, the person is told that it does not know: by the model or, if that request fails or
 * returns no text, in the coach's own sentence.
 *
 * @param passOn stores the question for the expert, at most one per turn; returns whether it is stored. Never rejects.
 * @throws {ModelError} when the model fails; the reason of the watchdog when that aborts.
 */
export async function* askModel(
  ctx: RunContext,
  turn: AskedTurn,
  { watchdog, passOn }: { watchdog: Watchdog; passOn: (passedOn: PassedOn) => Promise<boolean> },
): AsyncGenerator<ModelEvent[]> {
  const { loadModels, timeouts } = ctx.services;
  const { model } = await loadModels();
  const { tools = [] } = turn.request;
  const answer = createAnswerText();
  /** The phase of the text shown so far; undefined if there is none. */
  let phase: Phase | null | undefined;
  let isExpertAsked = false;
  /** True if the question that was passed on is stored. */
  let isKept = false;
  /** True if the model has written text since then. */
  let isTold = false;

  try {
    yield* talk();
  } catch (error) {
    if (!isExpertAsked || watchdog.isStopped()) throw error;
    ctx.log("warn", "no_answer_not_told", { reason: describeError(error) });
    isTold = false;
  }
  if (isExpertAsked && !isTold) {
    answer.read({ type: "message", phase: null });
    yield show(answer.read({ type: "text", text: turn.noAnswer ?? usualSentences(turn.language).noAnswer }), []);
  }
  const rest = answer.end();
  if (rest !== "") yield show(rest, []);
  if (phase === undefined) throw new ModelError(failWith("no_text"), turn.request);

  async function* talk(): AsyncGenerator<ModelEvent[]> {
    let callsLeft = maxCalls;
    let request = turn.request;
    for (let asked = 1;; asked++) {
      const calls: ToolCall[] = [];
      const said: SaidMessage[] = [];
      let isAsking = false;
      watchdog.expect(timeouts.firstChunk);
      for await (const events of model.stream(request, watchdog.signal, ctx.log)) {
        watchdog.expect(events[0]?.type === "unstreamed" ? timeouts.turn : timeouts.betweenChunks);
        const shown: ModelEvent[] = [];
        for (const event of events) {
          // Text between the call and its output would be a guess.
          if (isAsking && (event.type === "message" || event.type === "text")) continue;
          const text = answer.read(event);
          if (event.type === "message") said.push({ role: "assistant", content: "", phase: event.phase });
          else if (event.type === "text") {
            const message = said.at(-1);
            if (message && message.content.length < maxKept) message.content += event.text;
            if (text !== "") show(text, shown);
            isTold ||= isExpertAsked && text.trim() !== "";
          } else {
            if (event.type === "call" && calls.length < callsLeft) {
              calls.push(event.call);
              isAsking ||= asksExpert(event.call);
            }
            shown.push(event);
          }
        }
        yield shown;
      }
      if (calls.length === 0) return;
      // A run that was stopped stores nothing more.
      watchdog.signal.throwIfAborted();
      // Everything that a tool calls has its own time limit.
      watchdog.expect(timeouts.turn);
      if (isAsking && !isExpertAsked) {
        isExpertAsked = true;
        isKept = await passOn(readPassedOn(calls.filter(asksExpert)));
      }
      if (asked === maxRequests) return;
      callsLeft -= calls.length;
      const input = [...request.input, ...said.filter(({ content }) => content !== "")];
      for (const call of calls) {
        const output = asksExpert(call)
          ? tellPassedOn(turn.noAnswer, isKept)
          : await runToolCall(call, turn.storeNote, ctx.log);
        input.push(
          { type: "function_call", call_id: call.id, name: call.name, arguments: call.arguments },
          { type: "function_call_output", call_id: call.id, output },
        );
      }
      const hasToolsLeft = !isExpertAsked || tools.some(({ name }) => name !== askExpertTool.name);
      const isLast = asked + 1 === maxRequests || callsLeft === 0 || !hasToolsLeft;
      request = { ...turn.request, input };
      if (isLast && request.tools) request.toolChoice = "none";
    }
  }

  function asksExpert({ name }: ToolCall): boolean {
    return name === askExpertTool.name && tools.includes(askExpertTool);
  }

  /** Adds a text, and its phase if that has changed. */
  function show(text: string, shown: ModelEvent[]): ModelEvent[] {
    if (phase !== answer.phase) shown.push({ type: "message", phase: phase = answer.phase });
    shown.push({ type: "text", text });
    return shown;
  }
}

/** The longest wait that clients are asked for, in seconds: so long they would have waited for a first word. */
const maxRetryAfter = 60;

/** Returns the error that the client sees when a model fails. */
export function readFailure(error: unknown, isTimeout: boolean): ApiError {
  if (isTimeout) return errors.modelTimedOut(error);
  if (error instanceof ModelError) return toApiError(error);
  return error instanceof ApiError ? error : errors.modelUnavailable(error);
}

/** Maps the model's error to one that tells the client what to do. */
function toApiError(error: ModelError): ApiError {
  switch (error.kind) {
    case "refused":
      return errors.modelRefused(error);
    case "too_long":
      return errors.messageTooLong(error);
    case "busy": {
      const retryAfter = Math.ceil(error.failure.retryAfter ?? usualRetryAfter);
      return errors.modelBusy(Math.min(Math.max(retryAfter, 1), maxRetryAfter), error);
    }
    case "misconfigured":
      return errors.modelMisconfigured(error);
    case "unavailable":
      return errors.modelUnavailable(error);
  }
}
