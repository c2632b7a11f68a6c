import type { AnswerHead } from "../../../core/answers/answer.ts";
import type { Source } from "../../../core/answers/stored_answer.ts";
import type { ModelRequest } from "../../../infra/llm/model_request.ts";

/** A turn that has begun: question and empty answer are stored. */
export type Turn = ModelTurn | NoteTurn;

/** A turn that the model answers. */
export type ModelTurn = TurnFields & {
  request: ModelRequest;
  /** Of the coach: a text search configuration of Postgres. */
  language: string;
  /** How the coach says that it does not know; null: in a usual sentence. */
  noAnswer: string | null;
  /** What a person reads whose question the expert will answer in person; null: a usual sentence. */
  takeoverNotice: string | null;
  /** Null where the model may store no notes. */
  storeNote: StoreNote | null;
};

/** A turn that stores a note in the knowledge base. */
export type NoteTurn = TurnFields & { note: string; storeNote: StoreNote };

/** Adds a note, in Markdown, to the knowledge of the coach. */
export type StoreNote = (text: string) => Promise<{ filename: string }>;

type TurnFields = AnswerHead & {
  runId: string;
  sources: Source[] | null;
};
