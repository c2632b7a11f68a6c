import type { RequestContext } from "../context.ts";
import { type ApiError, errors } from "../errors.ts";
import { describeError } from "../log.ts";
import { countCharacters } from "../text/count_characters.ts";
import type { AnswerSink } from "./answer_sink.ts";
import { askedBy } from "./read_answer.ts";
import { recoverAnswers } from "../answers/recover_answers.ts";
import type { StoredAnswer } from "../answers/schemas.ts";

/**
 * Tells a sink what is stored of an answer that some other request writes, and then what is added to it, until it has
 * ended or nobody listens. Never rejects; what fails is told to the sink and logged.
 *
 * @param after characters that the reader has; `answer` holds those that follow
 */
export async function followAnswer(
  { services, caller, log }: RequestContext,
  { answer, after }: { answer: StoredAnswer; after: number },
  sink: AnswerSink,
): Promise<void> {
  const messageId = answer.messageId;
  let seen = after;
  let part: StoredAnswer | null = answer;
  let isRecovered = false;
  try {
    while (part?.runId === answer.runId) {
      if (part.content !== "") sink.write([part.content]);
      seen += countCharacters(part.content);
      if (part.status !== "streaming") return sink.end(part, part.status === "failed" ? readFailure(part) : undefined);
      if (!sink.isOpen()) return;
      if (part.isAbandoned) {
        if (isRecovered) break;
        await recoverAnswers(services, [part], log);
        isRecovered = true;
      }
      part = await services.answers.readSoon(askedBy(caller, { messageId, after: seen }), services.timeouts.save);
    }
    // Deleted or begun anew meanwhile, or nobody can tell how it ends.
    sink.end(answer, errors.answerFailed());
  } catch (error) {
    log("warn", "answer_not_followed", { message_id: messageId, reason: describeError(error) });
    sink.end(answer, errors.unavailable(error));
  }
}

/** The failure of an answer, as it was told to whoever asked for it. */
function readFailure({ errorCode }: StoredAnswer): ApiError {
  const told = [errors.modelUnavailable(undefined), errors.modelTimedOut(undefined)];
  return told.find(({ code }) => code === errorCode) ?? errors.answerFailed();
}
