import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { BegunReply } from "../../core/events/store.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { EventData, position } from "./fields.ts";
import { openWatch, readPosition, replyWithEvents } from "./reply_with_events.ts";

/** Begins to watch everything that happens with a coach, for the expert behind it. */
export const operation = defineEndpoint({
  name: "watchCoach",
  method: "GET",
  path: "/coaches/:coachId/events",
  headers: { lastEventId: "Last-Event-ID" },
  scope: "expert",
  failure: "Failed to fetch events",
  errors: () => [errors.coachNotFound(), errors.notTheExpert()],
  input: z.object({ coachId: requiredId("coachId", "The coach to watch"), ...position }),
  output: EventData,
  async verb(ctx, { coachId, ...position }) {
    const after = readPosition(position);
    const columns = { ...coachColumns({ coachId, userId: ctx.userId }), after };
    return await openWatch(ctx, { coachId }, { ...await ctx.database.call("watch_coach", columns, BegunReply), after });
  },
  reply: replyWithEvents,
});
