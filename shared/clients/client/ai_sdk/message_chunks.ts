import type { Answer } from "../answer.ts";
import { ServiceError } from "../service_error.ts";
import { type AnswerMetadata, describeSources, type SourceDocument, type SourcesPart } from "./ui_messages.ts";

/** A piece of an answer, as the AI SDK's `UIMessageChunk` has it. */
export type MessageChunk =
  | { type: "start"; messageId: string }
  | { type: "text-start"; id: string }
  | { type: "text-delta"; id: string; delta: string }
  | { type: "text-end"; id: string }
  | SourceDocument
  | SourcesPart
  | { type: "error"; errorText: string }
  | { type: "finish"; messageMetadata: AnswerMetadata };

/** An answer has one text. */
const id = "text";

/**
 * Converts an answer to the AI SDK's chunks. A failure of the service ends it with its sentence. If the connection is
 * lost for good, the error is thrown, so that the SDK recognizes it.
 */
export async function* readChunks(answer: Answer): AsyncGenerator<MessageChunk> {
  yield { type: "start", messageId: answer.messageId };
  let hasText = false;
  let failure: ServiceError | undefined;
  try {
    for await (const delta of answer) {
      if (!hasText) yield { type: "text-start", id };
      hasText = true;
      yield { type: "text-delta", id, delta };
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    failure = error;
  }
  if (hasText) yield { type: "text-end", id };
  if (failure !== undefined) {
    yield { type: "error", errorText: describeError(failure).message };
    return;
  }
  if (answer.ending === null) return;
  const { author, status, sources } = answer.ending;
  yield* describeSources(sources);
  yield { type: "finish", messageMetadata: { author, status } };
}

/** An error as users should read it: the service's sentence, and how long to wait after a rate limit or for a budget. */
export function describeError(error: ServiceError): ServiceError {
  const { status, code, requestId, messageId, body } = error;
  const seconds = body.retryAfter;
  let sentence: string;
  if (code === "budget_exhausted") {
    sentence = seconds === undefined
      ? body.message ?? error.message
      : `That is all for now. You can continue on ${formatMoment(Date.now() + 1_000 * seconds)}.`;
  } else if (status === 429 && seconds !== undefined) {
    sentence = `${error.message}. Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
  } else return error;
  return new ServiceError({ status, code, requestId, messageId, body: { ...error.body, error: sentence } });
}

/** A time, in the language of the browser. */
function formatMoment(time: number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: "full", timeStyle: "short" });
}
