import * as z from "zod/mini";
import { type AccountDatabase, callRepeatable } from "../../infra/db/account_database.ts";
import type { RequestIdentity } from "../../core/wire/request_identity.ts";
import { ExpertRequest } from "./replies.ts";

/** A call for the expert: see `private.expert_call`. */
type ExpertCall = RequestIdentity & {
  thread_id: string;
  message_id: string | null;
  question: string | null;
  coach_id: string | null;
  title: string | null;
  email: string | null;
  language: string | null;
  request_id: string;
};

/** The request, and whether it is a new one. */
export type AskedExpert = { request: ExpertRequest; isNew: boolean };

const StoredRequest = z.object({ request: ExpertRequest, is_new: z.boolean() });

/** Stores a request, or finds the one about the same question. */
export async function askExpert(
  database: AccountDatabase,
  userId: string | null,
  { idempotencyKey, fingerprint, ...call }: ExpertCall,
): Promise<AskedExpert> {
  const { request, is_new } = await callRepeatable(database, "ask_expert", {
    user_id: userId,
    asked: { ...call, idempotency_key: idempotencyKey, fingerprint },
  }, StoredRequest);
  return { request, isNew: is_new };
}

/** A thread, and its reader. */
type ThreadAccess = {
  threadId: string;
  /** Null: the key acts alone. */
  userId: string | null;
};

/** The requests of a thread, newest first, in the JSON of the API. */
export async function listRequests(
  database: AccountDatabase,
  { threadId, userId }: ThreadAccess,
): Promise<Uint8Array<ArrayBuffer>> {
  return await database.callForBytes("list_requests", { user_id: userId, thread_id: threadId });
}

/** Takes a request back. */
export async function withdrawRequest(
  database: AccountDatabase,
  { threadId, userId, requestId }: ThreadAccess & {
    /** Null: no request can have such an id. */
    requestId: string | null;
  },
): Promise<ExpertRequest> {
  const args = { user_id: userId, thread_id: threadId, request_id: requestId };
  return await callRepeatable(database, "withdraw_request", args, ExpertRequest);
}
