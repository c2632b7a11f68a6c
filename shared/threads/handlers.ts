import type { Handler } from "../http/app_env.ts";
import { parseInput } from "../http/parse_input.ts";
import { replyWithJsonBytes } from "../http/reply_with_json_bytes.ts";
import { requirePathParam } from "../http/require_path_param.ts";
import { MessagePaging } from "../paging.ts";
import { listMessages } from "./list_messages.ts";

/** `GET /threads/{threadId}/messages` */
export const getThreadMessages: Handler = async (c) => {
  const threadId = requirePathParam(c, "threadId");
  const paging = parseInput(MessagePaging, c.req.query());
  return replyWithJsonBytes(c, await listMessages(c.var.ctx, { threadId, ...paging }));
};
