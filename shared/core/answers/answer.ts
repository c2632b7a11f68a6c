import type { Phase } from "../../libs/llm/model_event.ts";
import type { CountedUsage } from "../../libs/llm/usage_meter.ts";
import type { Source, StoredAnswer } from "./stored_answer.ts";

/** The facts about an answer that are known before its first word. */
export type AnswerHead = {
  threadId: string;
  messageId: string;
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string;
  /** The run that writes it. The first has the id of the message; every retry is a new one. */
  runId: string | null;
};

/** An answer as it is saved. */
export type AnswerState = {
  messageId: string;
  /** The run that writes it; left out by a reader that ends an abandoned answer. */
  runId?: string;
  /** The text from `contentFrom` on; left out, the stored text stays. */
  content?: string;
  /** The number of characters that are stored already and come before `content`; left out, none. */
  contentFrom?: number;
  status: StoredAnswer["status"];
  /** The code of the error that it failed with. */
  errorCode?: string | null;
  /** For operators: what the client got, and what was underneath. */
  error?: string | null;
  responseId?: string | null;
  /** Its other responses: those in which the model called tools. Left out, the stored ones stay. */
  otherResponseIds?: string[];
  /** The tokens of all its requests so far; left out or null, no model was asked. */
  usage?: CountedUsage | null;
  /** The model that writes it. Left out or null, the stored one stays. */
  model?: string | null;
  /** The sources in the order of the prompt; Postgres keeps those that the text draws on. Left out, the stored ones stay. */
  sources?: Source[] | null;
  /** Of an end: true if nobody is connected to the answer any more. */
  isUnread?: boolean;
  /** The phase that the model's server named. Left out or null, the stored one stays. */
  phase?: Phase | null;
};

/** An answer that is being written. */
export type RunningAnswer = Omit<AnswerState, "contentFrom"> & { runId: string; content: string };

/** The end of an answer. */
export type Ending = Pick<AnswerState, "status" | "responseId" | "usage" | "sources"> & {
  /** The author; left out, the model. */
  author?: StoredAnswer["author"];
  /** True if the answer has used up its tokens. It is not stored: a reader who comes later is not told. */
  isCut?: boolean;
  /** True if its question was passed on to the expert. */
  isPassedOn?: boolean;
  /** True if it counts on a budget. */
  isBudgeted?: boolean;
  /** Of an answer that is only tried: the question that would have been passed on. */
  asksExpert?: string | null;
};

/** Why a run should end: it was stopped, the expert took over before any text, or the answer is another run's. */
export type StopReason = "stopped" | "taken_over" | "lost";

/** A remark on a save: the run should end; with `gap`, save all text; with `ended`, the end has these sources. */
export type SaveRemark = { messageId: string; reason: StopReason | "gap" | "ended"; sources?: Source[] };

/** The answer that a caller asks for, and the number of characters that the caller has. */
export type AskedAnswer = { accountId: string; userId: string | null; messageId: string; after: number };

/**
 * The part of an event's ID that follows the number of characters: empty in the first run of a turn. A position in the
 * text of one run means nothing in that of another.
 */
export function nameRun({ messageId, runId }: AnswerHead): string {
  return runId === null || runId === messageId ? "" : `-${runId.slice(0, 8)}`;
}
