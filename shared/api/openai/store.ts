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
  slug: z.nullable(z.string()),
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

/**
 * Deletes the last turn of a thread; false if the caller has no such answer, or another request has asked for it since.
 *
 * @throws 409 for any other turn.
 */
export async function deleteTurn(
  database: AccountDatabase,
  { userId, messageId, runId }: {
    userId: string | null;
    messageId: string;
    /** Names the request that nothing is to be kept of; left out, the turn is deleted in any case. */
    runId?: string;
  },
): Promise<boolean> {
  const turn = { user_id: userId, message_id: messageId, run_id: runId };
  return await database.call("delete_turn", turn, Deleted) !== null;
}
