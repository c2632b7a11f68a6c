import type { Context } from "../context.ts";
import type { ModelEvent, ToolCall } from "../llm/event_reader.ts";
import { ModelError, type ModelRequest } from "../llm/model.ts";
import { runToolCall } from "./create_knowledge_tool.ts";
import type { ModelTurn } from "./turn.ts";
import type { Watchdog } from "./watchdog.ts";

/** How often one turn may ask the model: twice it may call tools, then it has to answer. */
const maxRequests = 3;

/**
 * The model's answer to a turn, as the events of one stream. Where the model calls tools, they are run and the model
 * goes on with what they have put out. The watchdog expects of each request what it expects of an only one.
 *
 * @throws what `Model.stream` throws.
 */
export async function* askModel(ctx: Context, turn: ModelTurn, watchdog: Watchdog): AsyncGenerator<ModelEvent[]> {
  const { model, timeouts } = ctx.services;
  let request: ModelRequest = turn.request;
  for (let asked = 1;; asked++) {
    const calls: ToolCall[] = [];
    let responseId: string | undefined;
    watchdog.expect(timeouts.firstChunk);
    for await (const events of model.stream(request, watchdog.signal)) {
      for (const event of events) {
        if (event.type === "text" || event.type === "calling") watchdog.expect(timeouts.betweenChunks);
        else if (event.type === "created") responseId = event.responseId;
        else if (event.type === "call") calls.push(event.call);
      }
      yield events;
    }
    if (calls.length === 0 || asked === maxRequests) return;
    if (responseId === undefined) throw new ModelError("no_response_id");

    // What a tool reaches has time limits of its own.
    watchdog.expect(timeouts.turn);
    const input: ModelRequest["input"] = [];
    for (const call of calls) {
      const output = await runToolCall(ctx, turn, call);
      input.push({ type: "function_call_output", call_id: call.id, output });
    }
    const isLast = asked + 1 === maxRequests;
    request = { ...turn.request, input, previousResponseId: responseId };
    if (isLast && request.tools) request.toolChoice = "none";
  }
}
