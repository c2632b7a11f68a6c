import type { Phase } from "../../answers/phase.ts";
import type { RequestContext } from "../../context.ts";
import { createAnswerText, maxKept } from "../../llm/answer_text.ts";
import { failWith } from "../../llm/failure.ts";
import { ModelError } from "../../llm/model_error.ts";
import type { ModelEvent, ToolCall } from "../../llm/model_event.ts";
import type { SaidMessage } from "../../llm/model_request.ts";
import { runToolCall } from "../prompt/create_knowledge_tool.ts";
import type { ModelTurn } from "./turn.ts";
import type { Watchdog } from "./watchdog.ts";

/** How many requests one turn may make: in two the model may call tools, in the last it has to answer. */
const maxRequests = 3;
/** How many calls of tools one turn may make. What goes beyond is dropped. */
const maxCalls = 8;

/**
 * The model's answer to a turn, as the events of one stream, whose texts are what the person is shown. Tools that the
 * model calls are run, and their output is sent in a further request; that holds everything so far, since not every
 * server keeps responses. The watchdog gives each request the same time.
 *
 * @throws {ModelError} when the model fails; the reason of the watchdog when that aborts.
 */
export async function* askModel(
  ctx: RequestContext,
  turn: ModelTurn,
  watchdog: Watchdog,
): AsyncGenerator<ModelEvent[]> {
  const { loadModels, timeouts } = ctx.services;
  const { model } = await loadModels();
  const answer = createAnswerText();
  /** The phase of what was shown so far; undefined where nothing was. */
  let phase: Phase | null | undefined;
  let callsLeft = maxCalls;
  let request = turn.request;
  for (let asked = 1;; asked++) {
    const calls: ToolCall[] = [];
    const said: SaidMessage[] = [];
    watchdog.expect(timeouts.firstChunk);
    for await (const events of model.stream(request, watchdog.signal, ctx.log)) {
      watchdog.expect(events[0]?.type === "unstreamed" ? timeouts.turn : timeouts.betweenChunks);
      const shown: ModelEvent[] = [];
      for (const event of events) {
        const text = answer.read(event);
        if (event.type === "message") said.push({ role: "assistant", content: "", phase: event.phase });
        else if (event.type === "text") {
          const message = said.at(-1);
          if (message && message.content.length < maxKept) message.content += event.text;
          if (text !== "") show(text, shown);
        } else {
          if (event.type === "call" && calls.length < callsLeft) calls.push(event.call);
          shown.push(event);
        }
      }
      yield shown;
    }
    if (calls.length === 0 || asked === maxRequests) break;
    callsLeft -= calls.length;
    // Everything that a tool calls has its own time limit.
    watchdog.expect(timeouts.turn);
    const input = [...request.input, ...said.filter(({ content }) => content !== "")];
    for (const call of calls) {
      const output = await runToolCall(ctx, { coachId: turn.coachId, tools: turn.request.tools }, call);
      input.push(
        { type: "function_call", call_id: call.id, name: call.name, arguments: call.arguments },
        { type: "function_call_output", call_id: call.id, output },
      );
    }
    const isLast = asked + 1 === maxRequests || callsLeft === 0;
    request = { ...turn.request, input };
    if (isLast && request.tools) request.toolChoice = "none";
  }
  const rest = answer.end();
  if (rest !== "") yield show(rest, []);
  if (phase === undefined) throw new ModelError(failWith("no_text"), turn.request);

  /** Adds a text, and its phase where that is another than before. */
  function show(text: string, shown: ModelEvent[]): ModelEvent[] {
    if (phase !== answer.phase) shown.push({ type: "message", phase: phase = answer.phase });
    shown.push({ type: "text", text });
    return shown;
  }
}
