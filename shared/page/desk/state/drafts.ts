const prefix = "human-desk draft ";

/** What was typed and not sent yet: it outlives a look at another panel and a reload, but not the tab. */
export const drafts = {
  read(name: string): Record<string, string> {
    try {
      return JSON.parse(sessionStorage.getItem(prefix + name) ?? "{}");
    } catch {
      return {};
    }
  },
  keep(name: string, fields: Record<string, string>): void {
    try {
      sessionStorage.setItem(prefix + name, JSON.stringify(fields));
    } catch {
      // A browser that stores nothing.
    }
  },
  drop(name: string): void {
    try {
      sessionStorage.removeItem(prefix + name);
    } catch {
      // As above.
    }
  },
  dropAll(): void {
    try {
      for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
    } catch {
      // As above.
    }
  },
};
