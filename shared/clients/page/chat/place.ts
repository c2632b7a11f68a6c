import { keep } from "../connection.ts";
import { hashBeneath, readSourcePlace } from "../reader/source_place.ts";

/** The place that keeps the ID of the open thread across reloads. */
export interface Place {
  read(): string | null;
  /** Returns the coach whom the place names, or that of the passage that a link to it names: an ID or a slug. */
  readCoach(): string | null;
  /** Names another coach. */
  writeCoach(name: string): void;
  /** @param replaces true if going back must not lead to the thread that was open before */
  write(threadId: string | null, replaces?: boolean): void;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The part of the address after `#`. Links to threads and going back work. */
export const addressPlace: Place = {
  read() {
    const id = hashBeneath().slice(1);
    return uuid.test(id) ? id : null;
  },
  readCoach: () => readSourcePlace()?.coachId ?? new URLSearchParams(location.search).get("coach"),
  writeCoach(name) {
    const address = new URL(location.href);
    address.searchParams.set("coach", name);
    address.hash = "";
    if (address.href !== location.href) history.pushState(null, "", address);
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
  return { read: kept.load, readCoach: () => null, writeCoach: () => {}, write: (threadId) => kept.save(threadId) };
}
