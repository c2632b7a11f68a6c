import type { Handler } from "../http/app_env.ts";
import { createEventStream, eventStreamHeaders } from "../http/event_stream.ts";
import { parseInput } from "../http/parse_input.ts";
import { readJsonBody } from "../http/read_json_body.ts";
import { beginTurn } from "./begin_turn.ts";
import { runTurn } from "./run_turn.ts";
import { ChatBody } from "./schemas.ts";

/** `POST /chat` */
export const postChat: Handler = async (c) => {
  const { ctx } = c.var;
  const body = parseInput(ChatBody, await readJsonBody(c.req.raw, 256 * 1024));
  const turn = await beginTurn(ctx, body);
  const events = createEventStream(ctx.services.timeouts.quiet);
  ctx.services.waitUntil(runTurn(ctx, turn, events));
  c.header("X-Thread-Id", turn.threadId);
  c.header("X-Message-Id", turn.messageId);
  await events.begun;
  return c.body(events.stream, 200, eventStreamHeaders);
};
