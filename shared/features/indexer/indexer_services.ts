import type { AnswerJournal } from "../../core/answers/answer_journal.ts";
import type { CoreServices } from "../../core/core_services.ts";
import type { Models } from "../../infra/llm/models.ts";
import type { PostMessage } from "../webhooks/post_message.ts";

/** The dependencies of sweeps. */
export type IndexerServices = CoreServices & Models & {
  journal: AnswerJournal;
  /** Sends a message to the webhook of an account. */
  postMessage: PostMessage;
};

/** The same for the work of one sweep. */
export type SweepServices = IndexerServices & {
  /** True if any account has budgets. */
  isBudgeted: boolean;
};
