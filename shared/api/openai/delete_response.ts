import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import type { AccountDatabase } from "../../infra/db/account_database.ts";
import { readResponseId, storedInput } from "./describe_response.ts";

const DeletedResponse = z.object({
  id: z.string(),
  object: z.literal("response"),
  deleted: z.literal(true),
});

const Deleted = z.nullable(z.string());

/** Deletes the last turn of a thread; false if the caller has no such answer or asked again. @throws 409 for others */
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

/** Deletes the last turn of a thread. 409 for any other turn. */
export const operation = defineEndpoint({
  name: "deleteResponse",
  method: "DELETE",
  path: "/openai/v1/responses/:responseId{[^/]+}",
  scope: "threads:write",
  failure: "Failed to delete the response",
  errors: () => [errors.responseNotFound(), errors.notTheLastTurn()],
  input: storedInput,
  output: DeletedResponse,
  async verb({ database, userId }, { responseId }): Promise<z.infer<typeof DeletedResponse>> {
    const messageId = readResponseId(responseId);
    if (!await deleteTurn(database, { userId, messageId })) throw errors.responseNotFound();
    return { id: responseId, object: "response", deleted: true };
  },
});
