import type { CoreServices } from "../core_services.ts";
import { fieldsOf } from "../../base/fields_of.ts";
import type { AnswerJournal } from "./answer_journal.ts";

/**
 * When the platform announces that it ends this isolate, saves the text of its running turns at once and writes a log
 * line. The turns go on for as long as the platform lets them.
 */
export function saveAtEnd(
  { createLog, waitUntil }: Pick<CoreServices, "createLog" | "waitUntil">,
  journal: AnswerJournal,
): void {
  addEventListener("beforeunload", (event) => {
    const { reason } = fieldsOf(fieldsOf(event).detail);
    const turns = journal.openAnswers;
    const level = turns > 0 ? "warn" : "info";
    createLog({})(level, "worker_ends", { reason: typeof reason === "string" ? reason : null, turns });
    waitUntil(journal.saveNow());
  });
}
