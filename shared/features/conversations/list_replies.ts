import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { exactTextField, listOf, requiredId, Timestamp, Uuid } from "../../core/wire/fields.ts";
import { type CoachAccess, coachColumns, uuidPattern } from "../../core/wire/ids.ts";
import { pageColumns, pageFields, uuidKey } from "../../core/wire/paging.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { lineField } from "../coaches/coach_fields.ts";
import { coachId, ofExperts } from "../experts/fields.ts";

export const replyId = requiredId("replyId", "The saved reply: `id` in the list");
export const nameField = lineField("name", 80);
export const contentField = exactTextField("content", 8_000);

/** The saved replies of a coach, which its experts often write. */
export const SavedReply = z.object({
  id: Uuid,
  name: z.string().check(z.describe("What the experts call it. People never see it")),
  content: z.string(),
  created_at: Timestamp,
});

export const SavedReplyList = listOf(SavedReply, "replies", "In the order in which they were saved");

/** A reply and its coach, as the SQL function takes them. @throws 404 for an id that no reply has: null is a new one. */
export function replyColumns({ replyId, ...access }: CoachAccess & { replyId: string }) {
  const columns = coachColumns(access);
  if (!uuidPattern.test(replyId)) throw errors.replyNotFound();
  return { ...columns, reply_id: replyId };
}

/** The saved replies of a coach. */
export const operation = defineEndpoint({
  name: "listReplies",
  method: "GET",
  path: "/coaches/:coachId/replies",
  scope: "expert",
  failure: "Failed to fetch the saved replies",
  errors: ofExperts,
  input: z.object({ coachId, ...pageFields(uuidKey) }),
  output: SavedReplyList,
  verb: ({ database, userId }, { coachId, ...page }) =>
    database.callForBytes("list_replies", { ...coachColumns({ coachId, userId }), ...pageColumns(page) }),
});
