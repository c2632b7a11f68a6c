import { keep } from "../connection.ts";

/** The place that keeps the ID of the open thread across reloads. */
export interface Place {
  read(): string | null;
  /** @param replaces true if going back must not lead to the thread that was open before */
  write(threadId: string | null, replaces?: boolean): void;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The part of the address after `#`. Links to threads and going back work. */
export const addressPlace: Place = {
  read() {
    const id = location.hash.slice(1);
    return uuid.test(id) ? id : null;
  },
  write(threadId, replaces = false) {
    if (threadId === addressPlace.read()) return;
    const address = `${location.pathname}${location.search}${threadId === null ? "" : `#${threadId}`}`;
    history[replaces ? "replaceState" : "pushState"](null, "", address);
  },
};

/** The session storage of the tab. */
export function tabPlace(name: string): Place {
  const kept = keep<string>(`human-chat thread ${name}`, "tab");
  return { read: kept.load, write: (threadId) => kept.save(threadId) };
}
