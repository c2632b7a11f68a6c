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
export type ThreadAccess = {
  threadId: string;
  /** Null: a server with a key. */
  userId: string | null;
};

/** The same as the SQL functions take it. @throws 404 for an id that no thread has. */
export function threadColumns({ threadId, userId }: ThreadAccess) {
  if (!uuidPattern.test(threadId)) throw errors.threadNotFound();
  return { thread_id: threadId, user_id: userId };
}
