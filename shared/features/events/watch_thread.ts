import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { BegunReply } from "../../core/events/store.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { threadColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { EventData, position } from "./fields.ts";
import { openWatch, readPosition, replyWithEvents } from "./reply_with_events.ts";

/** Begins to watch a thread, for its user and for the expert behind its coach. */
export const operation = defineEndpoint({
  name: "watchThread",
  method: "GET",
  path: "/threads/:threadId/events",
  headers: { lastEventId: "Last-Event-ID" },
  scope: "threads:read",
  failure: "Failed to fetch events",
  errors: () => [errors.threadNotFound()],
  input: z.object({ threadId: requiredId("threadId", "The thread to watch"), ...position }),
  output: EventData,
  async verb(ctx, { threadId, ...position }) {
    const after = readPosition(position);
    const columns = { ...threadColumns({ threadId, userId: ctx.userId }), after };
    return await openWatch(ctx, { threadId }, {
      ...await ctx.database.call("watch_thread", columns, BegunReply),
      after,
    });
  },
  reply: replyWithEvents,
});
