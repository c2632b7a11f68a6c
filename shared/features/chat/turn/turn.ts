import type { Services } from "../../../core/context.ts";
import type { Log } from "../../../infra/log.ts";
import type { AnswerHead } from "../../../core/answers/answer.ts";
import type { Source } from "../../../core/answers/stored_answer.ts";
import type { ModelRequest } from "../../../infra/llm/model_request.ts";
import type { StoreNote } from "../prompt/create_knowledge_tool.ts";

/** What a run reaches outside of itself. There may be no request: the sweeps of the indexer run turns, too. */
export type RunContext = {
  services: Pick<Services, "database" | "journal" | "loadModels" | "timeouts">;
  log: Log;
};

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

type TurnFields = AnswerHead & {
  runId: string;
  sources: Source[] | null;
};
