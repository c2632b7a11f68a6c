import type { RequestContext } from "../../core/context.ts";
import { readIds } from "./read_ids.ts";
import type { OpenQuestion } from "./replies.ts";
import type { DecideQuestionInput } from "./schemas.ts";
import * as store from "./store.ts";

/**
 * Removes a question from the open ones. It is still counted, and reopens if many more people ask it.
 *
 * @throws 404 if the caller's account has no such coach or the coach no such question, 403 if the caller is not the
 * expert.
 */
export function dismissQuestion(ctx: RequestContext, input: DecideQuestionInput): Promise<OpenQuestion> {
  return decide(ctx, input, "dismissed");
}

/** Puts a question back to the open ones. @throws as {@link dismissQuestion} does. */
export function reopenQuestion(ctx: RequestContext, input: DecideQuestionInput): Promise<OpenQuestion> {
  return decide(ctx, input, "open");
}

async function decide(
  { database, userId }: RequestContext,
  input: DecideQuestionInput,
  status: "open" | "dismissed",
): Promise<OpenQuestion> {
  return await store.decideQuestion(database, { ...readIds(input), userId }, status);
}
