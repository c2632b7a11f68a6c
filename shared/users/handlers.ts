import type { Handler } from "../http/app_env.ts";
import { parseInput } from "../http/parse_input.ts";
import { replyWithJsonBytes } from "../http/reply_with_json_bytes.ts";
import { requirePathParam } from "../http/require_path_param.ts";
import { ThreadPaging } from "../paging.ts";
import { listThreads } from "./list_threads.ts";

/** `GET /users/{userId}/threads` */
export const getUserThreads: Handler = async (c) => {
  const userId = requirePathParam(c, "userId");
  const paging = parseInput(ThreadPaging, c.req.query());
  const coachId = c.req.query("coachId") || null;
  return replyWithJsonBytes(c, await listThreads(c.var.ctx, { userId, coachId, ...paging }));
};
