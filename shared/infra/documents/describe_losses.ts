import type { Loss } from "./document_reader.ts";

const names: Record<Loss["kind"], { one: string; many: string; state: "unread" | "no text" }> = {
  pages_without_text: { one: "page", many: "pages", state: "no text" },
  unreadable_pages: { one: "page", many: "pages", state: "unread" },
  charts: { one: "chart", many: "charts", state: "unread" },
  diagrams: { one: "diagram", many: "diagrams", state: "unread" },
  parts: { one: "embedded document", many: "embedded documents", state: "unread" },
};

/** What of a document could not be read, in a sentence for the expert; undefined if that is nothing. */
export function describeLosses(losses: Loss[]): string | undefined {
  if (losses.length === 0) return;
  return losses.map(({ kind, count, total }) => {
    const { one, many, state } = names[kind];
    const things = total === undefined
      ? `${count} ${count === 1 ? one : many}`
      : `${count} of ${total} ${total === 1 ? one : many}`;
    return `${things} ${state === "unread" ? "could not be read" : count === 1 ? "has no text" : "have no text"}`;
  }).join("; ");
}
