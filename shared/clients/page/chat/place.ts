import { keep } from "../connection.ts";

/** Where it is kept which thread is open, so that a reload finds it. */
export interface Place {
  read(): string | null;
  /** @param replaces whether going back shall not lead to what was open before */
  write(threadId: string | null, replaces?: boolean): void;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The part of the address after `#`: links to threads work, and so does going back. */
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

/** The storage of the tab. */
export function tabPlace(name: string): Place {
  const kept = keep<string>(`human-chat thread ${name}`, "tab");
  return { read: kept.load, write: (threadId) => kept.save(threadId) };
}
