import type { Client } from "../../client/client.ts";
import { ServiceError } from "../../client/service_error.ts";
import type { Schemas } from "./desk.ts";

/** How many are asked at once: a user's limits are those of somebody who reads. */
const atOnce = 5;

/**
 * The personas whose expert the signed-in user is. No list says so: each is asked for what only its expert may read.
 *
 * @param coachId the only one that is looked at; empty for all that the key opens
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
