import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofExperts } from "../experts/fields.ts";
import { contentField, nameField, SavedReply } from "./list_replies.ts";

/** Saves a reply for the experts of a coach. */
export const operation = defineEndpoint({
  name: "createReply",
  method: "POST",
  path: "/coaches/:coachId/replies",
  body: "application/json",
  scope: "expert",
  failure: "Failed to save the reply",
  errors: () => [...ofExperts(), errors.tooManyReplies()],
  input: z.object({ coachId, name: nameField, content: contentField }),
  output: SavedReply,
  verb: ({ database, userId }, { coachId, ...fields }) =>
    database.callForBytes("save_reply", { ...coachColumns({ coachId, userId }), reply_id: null, fields }),
});
