import type { Client } from "../../client/client.ts";
import type { components } from "../../client/api_types.ts";
import type { WatchedEvent } from "../../client/watch.ts";
import type { UploadQueue } from "./files/upload_queue.ts";

/** The shapes of the service's replies. */
export type Schemas = components["schemas"];

/** What all panels of the desk work with. */
export interface Desk {
  readonly client: Client;
  /** The persona whose expert sits here. */
  readonly coach: Schemas["Coach"];
  readonly uploads: UploadQueue;
  /** Calls back with what happens to the persona, until the function that it gives is called. */
  watch(listener: (event: WatchedEvent) => void): () => void;
}

/** Names of the events by which a part of the desk tells the desk something. */
export const deskEvents = {
  /** Something was done: the detail is a sentence about it. */
  notice: "human-desk-notice",
  /** A call failed: the detail is the error. */
  failure: "human-desk-failure",
  /** Questions were answered or conversations taken over here, so counts have changed. */
  change: "human-desk-change",
} as const;

/** Tells the desk something. */
export function tellDesk(from: EventTarget, name: keyof typeof deskEvents, detail?: unknown): void {
  from.dispatchEvent(new CustomEvent(deskEvents[name], { detail, bubbles: true, composed: true }));
}
