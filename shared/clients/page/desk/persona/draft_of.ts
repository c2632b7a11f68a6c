import type { Client } from "../../../client/client.ts";
import type { Desk } from "../desk.ts";
import { PersonaDraft } from "./persona_draft.ts";

const known = new WeakMap<Client, Map<string, PersonaDraft>>();

/** The draft of the desk's persona: one for all panels, so that what is being saved goes on when a panel is left. */
export function draftOf({ client, coach }: Desk): PersonaDraft {
  const ofClient = known.get(client) ?? new Map<string, PersonaDraft>();
  known.set(client, ofClient);
  const draft = ofClient.get(coach.id) ?? new PersonaDraft(client, coach.id);
  ofClient.set(coach.id, draft);
  return draft;
}
