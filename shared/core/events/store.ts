import * as z from "zod/mini";
import type { Database } from "../../infra/db/database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import type { EventsRead, Watched } from "./event_reader.ts";

const Events = z.array(z.nullable(z.object({
  id: z.number(),
  at: z.number(),
  kind: z.string(),
  data: z.record(z.string(), z.string()),
})));
const ReadReply = z.object({ since: z.number(), events: z.array(z.nullable(Events)) });

/** A watch that has begun. */
export const BegunReply = replyObject({
  since: z.number(),
  is_late: z.boolean(),
  events: Events,
  state: z.optional(z.record(z.string(), z.string())),
});

/** Returns the events since a moment, in microseconds since 1970, for several watchers. */
export async function readEvents(database: Database, watched: Watched[], since: number): Promise<EventsRead> {
  const readers = watched.map(({ accountId, keyId, userId, ...what }) => ({
    account_id: accountId,
    api_key_id: keyId,
    user_id: userId,
    ..."threadId" in what ? { thread_id: what.threadId } : { coach_id: what.coachId },
  }));
  return await database.call("read_events", { readers, since }, ReadReply);
}
