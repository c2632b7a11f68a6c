import type { Handler } from "../http/app_env.ts";
import { parseQuery } from "../http/parse_input.ts";
import { replyWithJsonBytes } from "../http/reply_with_json_bytes.ts";
import { requirePathParam } from "../http/require_path_param.ts";
import { listMessages } from "./list_messages.ts";
import { listThreads } from "./list_threads.ts";
import { MessageQuery, ThreadQuery } from "./schemas.ts";

/** `GET /users/{userId}/threads` */
export const getUserThreads: Handler = async (c) => {
  const userId = requirePathParam(c, "userId");
  const query = parseQuery(ThreadQuery, c.req.query());
  return replyWithJsonBytes(c, await listThreads(c.var.ctx, { userId, ...query }));
};

/** `GET /threads/{threadId}/messages` */
export const getThreadMessages: Handler = async (c) => {
  const threadId = requirePathParam(c, "threadId");
  const query = parseQuery(MessageQuery, c.req.query());
  return replyWithJsonBytes(c, await listMessages(c.var.ctx, { threadId, ...query }));
};
