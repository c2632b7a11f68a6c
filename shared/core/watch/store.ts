import * as z from "zod/mini";
import type { AccountDatabase } from "../../infra/db/account_database.ts";
import type { Database } from "../../infra/db/database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import type { BegunWatch, EventsRead, Watched } from "./event.ts";

const Events = z.array(z.nullable(z.object({
  id: z.number(),
  at: z.number(),
  kind: z.string(),
  data: z.record(z.string(), z.string()),
})));
const ReadReply = z.object({ since: z.number(), events: z.array(z.nullable(Events)) });
const Begun = replyObject({
  since: z.number(),
  is_late: z.boolean(),
  events: Events,
  state: z.optional(z.record(z.string(), z.string())),
});

/** A caller who begins to watch. */
export type Watcher = {
  userId: string | null;
  /** The time of the event that the reader has seen last, in microseconds since 1970; null: there is none. */
  after: number | null;
};

/** Begins to watch a thread. */
export async function watchThread(
  database: AccountDatabase,
  { threadId, userId, after }: Watcher & { threadId: string },
): Promise<BegunWatch> {
  return await database.call("watch_thread", { thread_id: threadId, user_id: userId, after }, Begun);
}

/** Begins to watch all that is about a coach. */
export async function watchCoach(
  database: AccountDatabase,
  { coachId, userId, after }: Watcher & { coachId: string },
): Promise<BegunWatch> {
  return await database.call("watch_coach", { coach_id: coachId, user_id: userId, after }, Begun);
}

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
