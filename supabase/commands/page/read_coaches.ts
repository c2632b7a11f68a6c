import { createClient } from "../../../shared/clients/client/client.ts";

/**
 * Reads what a page shows of coaches before the first message, as JSON. A publishable key cannot read it without a user.
 *
 * @param apiKey a secret key of the account
 * @param coachId a coach; empty for all of the account
 * @throws {ServiceError} if the service refuses.
 */
export async function readCoaches(baseUrl: string, apiKey: string, coachId: string): Promise<string> {
  const client = createClient({ baseUrl, apiKey });
  return JSON.stringify(coachId ? [await client.getCoach(coachId)] : (await client.listCoaches()).data);
}
