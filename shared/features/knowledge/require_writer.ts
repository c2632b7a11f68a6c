import { errors } from "../../base/errors.ts";
import type { Refusal } from "./store.ts";

/**
 * Returns the store's reply to a change of a coach's knowledge, unless it is a refusal.
 *
 * @throws 404 for what the account does not have; 403 when a signed-in user is not the coach.
 */
export function requireWriter<Reply extends object>(reply: Reply | Refusal): Exclude<Reply, Refusal> {
  if (!("error" in reply)) return reply as Exclude<Reply, Refusal>;
  switch (reply.error) {
    case "not_the_coach":
      throw errors.notTheCoach();
    case "file_not_found":
      throw errors.fileNotFound();
    default:
      throw errors.coachNotFound();
  }
}
