import type { Ending } from "../../core/answers/answer.ts";
import type { ApiError } from "../../base/errors.ts";

/** Receives an answer as it arrives, and finally its ending. */
export interface AnswerSink {
  /** The pieces of one network read. */
  write(pieces: string[]): void;
  /** Ends the answer. With a failure, the answer is incomplete. */
  end(ending: Ending, failure?: ApiError): void;
  /** Returns false once the reader has disconnected. */
  isOpen(): boolean;
}
