import * as store from "../../core/answers/store.ts";
import type { AskedAnswer } from "../../core/answers/answer.ts";
import type { StoredAnswer } from "../../core/answers/stored_answer.ts";
import type { RequestContext } from "../../core/context.ts";
import { type ApiError, errors, failuresOfAnswers } from "../../infra/errors.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import { describeError } from "../../libs/base/log.ts";
import { countCharacters } from "../../libs/base/text.ts";
import type { AnswerSink } from "./answer_sinks.ts";

/** The answer to read, and the number of characters that the caller already has. */
type ReadAnswerInput = { messageId: string; after: number };

/** A stored answer, with the text after its first `after` characters. @throws 404 if the caller has none such */
export async function readAnswer({ database, userId }: RequestContext, input: ReadAnswerInput): Promise<StoredAnswer> {
  const isId = uuidPattern.test(input.messageId);
  return requireAnswer(isId ? await store.readAnswer(database, { ...input, userId }) : null);
}

/** Reads the answer again a moment later; null if deleted. @throws {DatabaseError} when all tries have failed */
export async function readAnswerSoon(
  { services, admission, userId }: RequestContext,
  { messageId, after }: ReadAnswerInput,
  patience: number,
): Promise<StoredAnswer | null> {
  const { accountId } = await admission.require();
  const asked: AskedAnswer = { accountId, userId, messageId, after };
  return await services.answers.readSoon(asked, patience);
}

/** @throws 404 if there is no answer. */
export function requireAnswer(answer: StoredAnswer | null): StoredAnswer {
  if (answer === null) throw errors.messageNotFound();
  return answer;
}

/**
 * Relays an answer that another request produces: writes the stored text to a sink, and then the text that is added,
 * until the answer ends or the reader disconnects. Never rejects: a failure ends the sink and is logged.
 *
 * @param after characters that the reader has; `answer` contains the text after them
 */
export async function relayAnswer(
  ctx: RequestContext,
  { answer, after }: { answer: StoredAnswer; after: number },
  sink: AnswerSink,
): Promise<void> {
  const { services, log } = ctx;
  const messageId = answer.messageId;
  let seen = after;
  let part: StoredAnswer | null = answer;
  let isRecovered = false;
  try {
    while (part?.runId === answer.runId) {
      if (part.content !== "") sink.write([part.content]);
      seen += countCharacters(part.content);
      // If it waits for the expert, there is nothing to follow yet: an event announces its start.
      if (part.status !== "streaming") return sink.end(part, part.status === "failed" ? readFailure(part) : undefined);
      if (!sink.isOpen()) return sink.end(part);
      if (part.isAbandoned) {
        if (isRecovered) break;
        // Few readers meet one, and this module is also that of those who only stop an answer.
        const { recoverAnswers } = await import("../../core/answers/recover_answers.ts");
        await recoverAnswers(services, [part], log);
        isRecovered = true;
      }
      part = await readAnswerSoon(ctx, { messageId, after: seen }, services.timeouts.save);
    }
    sink.end(answer, describeLoss(part, answer));
  } catch (error) {
    log("warn", "answer_not_followed", { message_id: messageId, reason: describeError(error) });
    sink.end(answer, errors.unavailable(error));
  }
}

/** Explains why an answer can no longer be followed: it was deleted or run again, or its ending cannot be read. */
function describeLoss(part: StoredAnswer | null, { runId }: StoredAnswer): ApiError {
  if (part === null) return errors.messageNotFound();
  return part.runId === runId ? errors.answerFailed() : errors.answerChanged();
}

/** Returns the failure that the request which produced the answer has reported. */
function readFailure({ errorCode }: StoredAnswer): ApiError {
  return failuresOfAnswers().find(({ code }) => code === errorCode) ?? errors.answerFailed();
}
