/** The panels, in the order in which they are shown. */
export const panels = ["questions", "conversations", "answers", "files", "try", "usage"] as const;
export type Panel = typeof panels[number];

/** Where in the desk its reader is: kept in the address, so that a reload and "back" lead there. */
export type Route = {
  panel: Panel;
  /** What of the panel is open: a conversation, for example. */
  id: string | null;
  filters: URLSearchParams;
};

/** The place that a hash names; the first panel where it names none. */
export function readRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?", 2);
  const [name, id] = path.split("/");
  const panel = panels.find((panel) => panel === name);
  return {
    panel: panel ?? panels[0],
    id: panel !== undefined && id ? decode(id) : null,
    filters: new URLSearchParams(query),
  };
}

/** The hash of a place. Filters without a value are left out. */
export function linkTo(panel: Panel, id?: string | null, filters: Iterable<[string, string]> = []): string {
  const query = new URLSearchParams([...filters].filter(([, value]) => value !== "")).toString();
  return `#${panel}${id ? `/${encodeURIComponent(id)}` : ""}${query && `?${query}`}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
