import type { LitElement } from "lit";
import type { Client } from "../../client/client.ts";
import type { components } from "../../client/api_types.ts";
import type { WatchedEvent } from "../../client/watch.ts";
import { tell } from "../ui/element.ts";
import type { UploadQueue } from "./files/upload_queue.ts";

/** The shapes of the service's replies. */
export type Schemas = components["schemas"];

/** The role of an expert. An owner may do everything, an editor all but publish and manage the team. */
export type Role = "owner" | "editor" | "answerer";

/** The parts that all panels of the desk share. */
export interface Desk {
  readonly client: Client;
  /** The persona of the expert. */
  readonly coach: Schemas["OwnCoach"];
  /** The ID of the expert who sits at the desk; empty if their token does not say it. */
  readonly userId: string;
  /** The role of the expert who sits at the desk. */
  readonly role: Role;
  /** The address of the chat page; null if the desk does not know it. */
  readonly chatUrl: string | null;
  /** The attributes that the launcher needs on a page of another site. */
  readonly connection: Record<"base-url" | "key" | "supabase-key", string>;
  readonly uploads: UploadQueue;
  /** Calls back with each event of the persona, until the returned function is called. */
  watch(listener: (event: WatchedEvent) => void): () => void;
}

/** Makes something once for each persona, so that it goes on when a panel is left and opened again. */
export function onePerPersona<Value>(create: (desk: Desk) => Value): (desk: Desk) => Value {
  const known = new WeakMap<Client, Map<string, Value>>();
  return (desk) => {
    const ofClient = known.get(desk.client) ?? new Map<string, Value>();
    known.set(desk.client, ofClient);
    const value = ofClient.get(desk.coach.id) ?? create(desk);
    ofClient.set(desk.coach.id, value);
    return value;
  };
}

/** A sentence about something that was done, and how to undo it, if that is possible. */
export type Notice = { sentence: string; undo?: () => Promise<void> };

/** The names of the events that parts of the desk fire for the desk. */
export const deskEvents = {
  /** Something was done. The detail is a notice about it. */
  notice: "human-desk-notice",
  /** A request has failed. The detail is the error. */
  failure: "human-desk-failure",
  /** Questions were answered or conversations taken over, so counts have changed. */
  change: "human-desk-change",
  /** The persona, its settings or roles have changed. The detail is the ID of one to open, empty if it is gone. */
  persona: "human-desk-persona",
} as const;

/** The address of the chat with the persona of a desk; null if the desk does not know the chat page. */
export function chatAddress({ chatUrl, coach }: Pick<Desk, "chatUrl" | "coach">): string | null {
  if (chatUrl === null) return null;
  const address = new URL(chatUrl, location.href);
  address.searchParams.set("coach", coach.slug ?? coach.id);
  return address.href;
}

/** Fires an event for the desk. */
export function tellDesk(from: LitElement, name: keyof typeof deskEvents, detail?: unknown): void {
  tell(from, deskEvents[name], detail);
}

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
