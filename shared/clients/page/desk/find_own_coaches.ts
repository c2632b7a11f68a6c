import type { Client } from "../../client/client.ts";
import type { Schemas } from "./desk.ts";

/** Returns all personas whose expert the signed-in user is, also those that are not public. */
export async function findOwnCoaches(client: Client): Promise<Schemas["OwnCoach"][]> {
  const coaches: Schemas["OwnCoach"][] = [];
  let cursor: string | undefined;
  do {
    const { data, next_cursor } = await client.listOwnCoaches("me", { cursor, limit: 100 });
    coaches.push(...data);
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
  return coaches;
}
