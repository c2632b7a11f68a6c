import type { Handler } from "../http/app.ts";
import { createEventStream, eventStreamHeaders } from "../http/event_stream.ts";
import { parseInput } from "../http/parse_input.ts";
import { readJsonBody } from "../http/read_json_body.ts";
import { ChatBody } from "./schemas.ts";
import { sendMessage } from "./send_message.ts";

/** `POST /chat` */
export const postChat: Handler = async (c) => {
  const { ctx } = c.var;
  const body = parseInput(ChatBody, await readJsonBody(c.req.raw, 256 * 1024));
  const events = createEventStream(ctx.services.timeouts.quiet);
  const { threadId, messageId } = await sendMessage(ctx, body, events);
  c.header("X-Thread-Id", threadId);
  c.header("X-Message-Id", messageId);
  await events.begun;
  return c.body(events.stream, 200, eventStreamHeaders);
};
