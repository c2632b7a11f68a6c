import type { Loss } from "./document_reader.ts";

const names: Record<Loss["kind"], [one: string, many: string]> = {
  pages_without_text: ["page", "pages"],
  pages_without_letters: ["page", "pages"],
  recognized_pages: ["page", "pages"],
  broken_pages: ["page", "pages"],
  unreadable_pages: ["page", "pages"],
  charts: ["chart", "charts"],
  diagrams: ["diagram", "diagrams"],
  parts: ["embedded document", "embedded documents"],
  objects: ["embedded object", "embedded objects"],
  fields: ["field", "fields"],
  slides_without_text: ["slide", "slides"],
  hidden_slides: ["hidden slide", "hidden slides"],
  hidden_sheets: ["hidden sheet", "hidden sheets"],
  hidden_rows: ["hidden row", "hidden rows"],
  hidden_columns: ["hidden column", "hidden columns"],
  answer_sheets: ["sheet", "sheets"],
};

/** Tells people in a sentence what of a document could not be read; undefined if that is nothing. */
export function describeLosses(losses: Loss[]): string | undefined {
  return losses.length === 0 ? undefined : losses.map(describeLoss).join("; ");
}

function describeLoss({ kind, count, total = count }: Loss): string {
  const [one, many] = names[kind];
  if (kind === "answer_sheets") {
    return "it has the columns question and answer: import it as answers to have these given word for word";
  }
  const things = `${count}${/page|slides_/.test(kind) ? ` of ${total}` : ""} ${total === 1 ? one : many}`;
  if (kind.startsWith("hidden")) return `${things} ${count === 1 ? "was" : "were"} left out`;
  if (kind.endsWith("without_text")) return `${things} ${count === 1 ? "has" : "have"} no text`;
  if (kind === "pages_without_letters") return `many letters of ${things} could not be read`;
  if (kind === "recognized_pages") return `the text of ${things} was recognized from a picture`;
  if (kind === "broken_pages") return `the rest of ${things} could not be read`;
  if (kind === "fields") return `${things} ${count === 1 ? "is" : "are"} not filled in`;
  return `${things} could not be read`;
}
