import { keep } from "../../connection.ts";

const prefix = "human-desk draft ";

const draftOf = (name: string) => keep<Record<string, string>>(prefix + name, "tab");

/** Texts that were not sent yet. They survive a change of panel and a reload, but not the tab. */
export const drafts = {
  read: (name: string): Record<string, string> => draftOf(name).load() ?? {},
  keep: (name: string, fields: Record<string, string>): void => draftOf(name).save(fields),
  drop: (name: string): void => draftOf(name).save(null),
  dropAll(): void {
    try {
      for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
    } catch {
      // The browser stores nothing.
    }
  },
};
