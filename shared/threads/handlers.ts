import type { Handler } from "../http/app_env.ts";
import { parseQuery } from "../http/parse_input.ts";
import { replyWithJsonBytes } from "../http/reply_with_json_bytes.ts";
import { requirePathParam } from "../http/require_path_param.ts";
import { listMessages } from "./list_messages.ts";
import { MessageQuery } from "./schemas.ts";

/** `GET /threads/{threadId}/messages` */
export const getThreadMessages: Handler = async (c) => {
  const threadId = requirePathParam(c, "threadId");
  const query = parseQuery(MessageQuery, c.req.query());
  return replyWithJsonBytes(c, await listMessages(c.var.ctx, { threadId, ...query }));
};
