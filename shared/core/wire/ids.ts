import { errors } from "../../infra/errors.ts";
import { isStorableText } from "../../libs/base/text.ts";

/** Any UUID, of whatever version, as Postgres reads it. */
export const uuidPattern = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/** The id of a coach, as a client names it. @throws 404 for one that Postgres cannot hold: no coach has it. */
export function requireCoachId(coachId: string): string {
  if (!isStorableText(coachId)) throw errors.coachNotFound();
  return coachId;
}

/** The id of a row, as a client names it; null for one that no row can have. */
export function uuidOrNull(id: string): string | null {
  return uuidPattern.test(id) ? id : null;
}

/** An id that no row has, where null would mean a new one, or none. */
export const noId = "00000000-0000-0000-0000-000000000000";

/** The coach that an expert's request is about, and the caller. */
export type CoachAccess = {
  coachId: string;
  /** Null: a server with a key. */
  userId: string | null;
};

/** The same as the SQL functions take it. @throws 404 for an id that no coach has. */
export function coachColumns({ coachId, userId }: CoachAccess) {
  return { coach_id: requireCoachId(coachId), user_id: userId };
}

/** The thread that a request is about, and the caller. */
type ThreadAccess = {
  threadId: string;
  /** Null: a server with a key. */
  userId: string | null;
};

/** The same as the SQL functions take it. @throws 404 for an id that no thread has. */
export function threadColumns({ threadId, userId }: ThreadAccess) {
  if (!uuidPattern.test(threadId)) throw errors.threadNotFound();
  return { thread_id: threadId, user_id: userId };
}

/** The user whose data a path names: `me` is the signed-in one. @throws 403 if the caller is another user */
export function requireNamedUser(asked: string, signedIn: string | null): string {
  if (signedIn === null) return asked;
  if (asked !== "me" && asked !== signedIn) throw errors.userMismatch();
  return signedIn;
}

/**
 * The same of what nobody may do for another user, not even a server with a key.
 *
 * @throws 401 if nobody is signed in, 403 if the caller is signed in as another user.
 */
export function requireSelf(asked: string, signedIn: string | null): string {
  if (signedIn === null) throw errors.signInFirst();
  return requireNamedUser(asked, signedIn);
}

// Apart from idempotency_key.ts: the indexer names this type, and its upload has no room for the package that hashes.

/** An idempotency key, and the fingerprint of what it was sent with. */
export type RequestIdentity = {
  idempotencyKey?: string;
  fingerprint?: string;
  /** The time for which an earlier request with the key counts as the same; left out, 24 hours. */
  keyLastsSeconds?: number;
};
