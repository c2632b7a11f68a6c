import type { RequestContext } from "../../context.ts";
import type { ModelEvent, ToolCall } from "../../llm/event_reader.ts";
import type { ModelRequest } from "../../llm/model.ts";
import { runToolCall } from "../prompt/create_knowledge_tool.ts";
import type { ModelTurn } from "./turn.ts";
import type { Watchdog } from "./watchdog.ts";

/** How many requests one turn may make: in two the model may call tools, in the last it has to answer. */
const maxRequests = 3;

/**
 * The model's answer to a turn, as the events of one stream. Tools that the model calls are run, and their output is
 * sent in a further request; that holds everything so far, since not every server keeps responses. The texts before
 * and after a call are paragraphs. The watchdog gives each request the same time.
 *
 * @throws what `Model.stream` throws.
 */
export async function* askModel(
  ctx: RequestContext,
  turn: ModelTurn,
  watchdog: Watchdog,
): AsyncGenerator<ModelEvent[]> {
  const { model, timeouts } = ctx.services;
  let request: ModelRequest = turn.request;
  let isBreakDue = false;
  for (let asked = 1;; asked++) {
    const calls: ToolCall[] = [];
    let said = "";
    watchdog.expect(timeouts.firstChunk);
    for await (const events of model.stream(request, watchdog.signal)) {
      for (const event of events) {
        if (event.type === "text" || event.type === "calling") watchdog.expect(timeouts.betweenChunks);
        if (event.type === "text") said += event.text;
        else if (event.type === "call") calls.push(event.call);
      }
      if (isBreakDue && events.some(({ type }) => type === "text")) {
        isBreakDue = false;
        yield [{ type: "text", text: "\n\n" }];
      }
      yield events;
    }
    if (calls.length === 0 || asked === maxRequests) return;
    // Everything that a tool calls has its own time limit.
    watchdog.expect(timeouts.turn);
    const input = [...request.input];
    if (said !== "") {
      input.push({ role: "assistant", content: said });
      isBreakDue = true;
    }
    for (const call of calls) {
      const output = await runToolCall(ctx, { coachId: turn.coachId, tools: turn.request.tools }, call);
      input.push(
        { type: "function_call", call_id: call.id, name: call.name, arguments: call.arguments },
        { type: "function_call_output", call_id: call.id, output },
      );
    }
    const isLast = asked + 1 === maxRequests;
    request = { ...turn.request, input };
    if (isLast && request.tools) request.toolChoice = "none";
  }
}
