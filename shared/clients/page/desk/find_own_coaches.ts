import type { Client } from "../../client/client.ts";
import { ServiceError } from "../../client/service_error.ts";
import type { Schemas } from "./desk.ts";

/** The number of requests in parallel. The limits of a user are low. */
const atOnce = 5;

/**
 * Finds the personas whose expert the signed-in user is. There is no list of them, so each persona is asked for something
 * that only its expert may read.
 *
 * @param coachId the only persona to check; empty for all that the key can reach
 */
export async function findOwnCoaches(client: Client, coachId: string): Promise<Schemas["Coach"][]> {
  const coaches = coachId ? [await client.getCoach(coachId)] : (await client.listCoaches()).data;
  const own: Schemas["Coach"][] = [];
  for (let start = 0; start < coaches.length; start += atOnce) {
    const some = coaches.slice(start, start + atOnce);
    const answers = await Promise.all(some.map(({ id }) => isExpert(client, id)));
    own.push(...some.filter((_, index) => answers[index]));
  }
  return own;
}

async function isExpert(client: Client, coachId: string): Promise<boolean> {
  try {
    await client.listQuestions(coachId, { limit: 1 });
    return true;
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 403 || error.status === 404)) return false;
    throw error;
  }
}
