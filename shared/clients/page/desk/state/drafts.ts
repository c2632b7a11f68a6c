import { keep } from "../../connection.ts";

const prefix = "human-desk draft ";

const draftOf = (name: string) => keep<Record<string, string>>(prefix + name, "tab");

/** What was typed and not sent yet: it outlives a look at another panel and a reload, but not the tab. */
export const drafts = {
  read: (name: string): Record<string, string> => draftOf(name).load() ?? {},
  keep: (name: string, fields: Record<string, string>): void => draftOf(name).save(fields),
  drop: (name: string): void => draftOf(name).save(null),
  dropAll(): void {
    try {
      for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
    } catch {
      // A browser that stores nothing.
    }
  },
};
