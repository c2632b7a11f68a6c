import type { AnswerJournal } from "../answers/answer_journal.ts";
import type { CoreServices } from "../core_services.ts";
import type { Models } from "../llm/models.ts";

/** What sweeps reach outside of themselves. */
export type IndexerServices = CoreServices & Models & { journal: AnswerJournal };
