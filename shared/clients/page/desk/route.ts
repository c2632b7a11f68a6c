import { decodePart } from "../ui/mailed_link.ts";

/** The panels, in the order in which they are shown. */
export const panels = [
  ...["overview", "questions", "conversations", "answers"] as const,
  ...["files", "persona", "share", "try", "tests", "usage", "team"] as const,
] as const;
export type Panel = typeof panels[number];

/** A place in the desk. The address of the page keeps it, so that reloading and going back work. */
export type Route = {
  panel: Panel;
  /** The ID of the item that is open, for example of a conversation. */
  id: string | null;
  filters: URLSearchParams;
};

/** Reads the place from a hash. The default is the first panel. */
export function readRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?", 2);
  const [name, id] = path.split("/");
  const panel = panels.find((panel) => panel === name);
  return {
    panel: panel ?? panels[0],
    id: panel !== undefined && id ? decodePart(id) : null,
    filters: new URLSearchParams(query),
  };
}

/** Returns the hash of a place. Filters without a value are left out. */
export function linkTo(panel: Panel, id?: string | null, filters: Iterable<[string, string]> = []): string {
  const query = new URLSearchParams([...filters].filter(([, value]) => value !== "")).toString();
  return `#${panel}${id ? `/${encodeURIComponent(id)}` : ""}${query && `?${query}`}`;
}
