import type { CoreServices } from "../core_services.ts";
import { lazy } from "../../base/lazy.ts";
import { type AnswerJournal, createAnswerJournal } from "./answer_journal.ts";

// Loaded with the first answer: refusals do without it, and without zod.
const loadStore = lazy(() => import("./store.ts"));

/** A journal of the answers that this process writes, kept in Postgres. */
export function openJournal(
  { database, timeouts, createLog }: Pick<CoreServices, "database" | "timeouts" | "createLog">,
): AnswerJournal {
  return createAnswerJournal(
    async (answers) => (await loadStore()).saveAnswers(database, answers),
    createLog({}),
    { interval: timeouts.flush, patience: timeouts.save },
  );
}
