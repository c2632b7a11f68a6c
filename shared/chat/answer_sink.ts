import type { Ending } from "../answers/answer.ts";
import type { ApiError } from "../errors.ts";

/** Receives an answer as it arrives, then how it ended. */
export interface AnswerSink {
  /** The pieces of one network read. */
  write(pieces: string[]): void;
  /** Nothing follows. With a failure, the answer is not whole. */
  end(ending: Ending, failure?: ApiError): void;
  /** Whether the reader is still there. */
  isOpen(): boolean;
}
