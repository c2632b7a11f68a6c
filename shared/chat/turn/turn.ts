import type { AnswerHead } from "../../answers/answer.ts";
import type { Source } from "../../answers/stored_answer.ts";
import type { ModelRequest } from "../../llm/model_request.ts";

/** A turn that has begun: question and empty answer are stored. */
export type Turn = ModelTurn | NoteTurn;

/** A turn that the model answers. */
export type ModelTurn = TurnFields & { request: ModelRequest };

/** A turn that stores a note in the knowledge base. */
export type NoteTurn = TurnFields & { note: string };

type TurnFields = AnswerHead & {
  runId: string;
  coachId: string;
  sources: Source[] | null;
};
