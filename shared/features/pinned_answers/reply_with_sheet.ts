import type { Reply } from "../../http/endpoint.ts";
import type { ExportedSheet } from "./export_pinned_answers.ts";

/** Replies with a file to be saved. */
export const replyWithSheet: Reply<ExportedSheet> = (c, { coachId, csv }) =>
  c.body(csv, 200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="answers-${coachId.replaceAll(/[^\w.-]+/g, "_").slice(0, 100)}.csv"`,
  });
