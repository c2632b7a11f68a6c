import type { CoreServices } from "../core_services.ts";
import type { AnswerJournal } from "./answer_journal.ts";

/**
 * When the platform says that it is about to end this isolate, saves at once what its running turns have said so far,
 * and leaves a line in the log. The turns go on for as long as they are let.
 */
export function saveAtEnd(
  { createLog, waitUntil }: Pick<CoreServices, "createLog" | "waitUntil">,
  journal: AnswerJournal,
): void {
  addEventListener("beforeunload", (event) => {
    const { reason } = (event as CustomEvent<{ reason?: unknown } | undefined>).detail ?? {};
    const turns = journal.openAnswers;
    const level = turns > 0 ? "warn" : "info";
    createLog({})(level, "worker_ends", { reason: typeof reason === "string" ? reason : null, turns });
    waitUntil(journal.saveNow());
  });
}
