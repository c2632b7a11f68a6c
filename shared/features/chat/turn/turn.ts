import type { Services } from "../../../core/context.ts";
import type { Log } from "../../../libs/base/log.ts";
import type { Allowance } from "../../../core/budgets/allowance.ts";
import type { AnswerHead } from "../../../core/answers/answer.ts";
import type { Source } from "../../../core/answers/stored_answer.ts";
import type { ModelRequest } from "../../../libs/llm/model_request.ts";
import type { StoreNote } from "../prompt/create_knowledge_tool.ts";
import type { EarlierTurn } from "../begun_turn.ts";

/** The dependencies of a run. There may be no request: the sweeps of the indexer run turns, too. */
export type RunContext = {
  services: Pick<
    Services,
    "database" | "journal" | "loadModels" | "mail" | "timeouts" | "waitUntil" | "wakeMailer"
  >;
  log: Log;
};

/** A turn that has begun: the question and an empty answer are stored. */
export type Turn = ModelTurn | NoteTurn;

/** The same, or a turn that needs no run: `runId` is that which it would have had. */
export type AcceptedTurn = Turn | EarlierTurn & { runId: string };

/** A turn that the model answers. */
export type ModelTurn = TurnFields & {
  request: ModelRequest;
  /** The part of the budgets that is reserved for its first call; null: there are none. */
  allowance: Allowance | null;
  /** The coach's text search configuration in Postgres. */
  language: string;
  /** The coach's sentence for saying that it does not know; null: the default. */
  noAnswer: string | null;
  /** The notice shown to someone who asks during a takeover; null: the default. */
  takeoverNotice: string | null;
  /** Null if the model may not store notes. */
  storeNote: StoreNote | null;
};

/** A turn that stores a note in the knowledge base. */
export type NoteTurn = TurnFields & { note: string; storeNote: StoreNote };

type TurnFields = AnswerHead & {
  runId: string;
  sources: Source[] | null;
};
