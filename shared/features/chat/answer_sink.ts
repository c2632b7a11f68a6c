import type { Ending } from "../../core/answers/answer.ts";
import type { ApiError } from "../../base/errors.ts";

/** Receives an answer as it arrives, then how it ended. */
export interface AnswerSink {
  /** The pieces of one network read. */
  write(pieces: string[]): void;
  /** Nothing follows. With a failure, the answer is not whole. */
  end(ending: Ending, failure?: ApiError): void;
  /** Whether the reader is still there. */
  isOpen(): boolean;
}
