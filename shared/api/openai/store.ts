import * as z from "zod/mini";
import type { AccountDatabase } from "../../infra/db/account_database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";

/** A coach, as a model that clients choose. */
const CoachModel = replyObject({
  id: z.string(),
  /** Seconds since 1970. */
  created: z.number(),
  owned_by: z.string(),
  name: z.string(),
  description: z.string(),
  /** The language model that plays the coach; null: the deployment's. */
  model: z.nullable(z.string()),
});
export type CoachModel = z.infer<typeof CoachModel>;

const Models = z.array(CoachModel);

/** The coaches that the caller may talk to, by name; with an ID, only that one. */
export async function listModels(database: AccountDatabase, id: string | null): Promise<CoachModel[]> {
  return await database.call("list_models", { model_id: id ?? undefined }, Models);
}

const Deleted = z.nullable(z.string());

/** Deletes the last turn of a thread; false if the caller has no such answer. @throws 409 for any other turn. */
export async function deleteTurn(
  database: AccountDatabase,
  turn: { userId: string | null; messageId: string },
): Promise<boolean> {
  return await database.call("delete_turn", { user_id: turn.userId, message_id: turn.messageId }, Deleted) !== null;
}
