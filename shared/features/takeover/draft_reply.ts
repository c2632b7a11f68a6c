import * as z from "zod/mini";
import { errors, failuresOfAnswers } from "../../infra/errors.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { dropCitations } from "../../core/answers/citation_filter.ts";
import { Source } from "../../core/answers/stored_answer.ts";
import { withQuestions } from "../../core/questions/read_questions.ts";
import { threadColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { findingsFields, History } from "../chat/begun_turn.ts";
import { openAnswer } from "../coach_tests/try_question.ts";
import { embedQuery } from "../knowledge/embed_query.ts";
import { inReplyToField } from "./say_as_expert.ts";
import { threadId } from "./take_over.ts";

export const DraftedReply = z.object({
  content: z.string().check(z.describe("The draft, without the numbers of its sources")),
  sources: z.array(Source).check(z.describe("The pinned answers and passages that it draws on")),
});

const FoundForReply = replyObject({
  ...findingsFields,
  question: z.string(),
  question_id: z.string(),
  history: History,
});

/**
 * Drafts what the expert might reply in a thread, for them to edit: a pinned answer to the very question, or what the model
 * makes of the thread, pinned answers and passages. Nothing is stored or sent.
 */
export const operation = defineEndpoint({
  name: "draftReply",
  method: "POST",
  path: "/threads/:threadId/draft-reply",
  body: "application/json",
  scope: "expert",
  failure: "Failed to draft the reply",
  isRepeatable: true,
  errors: () => [
    errors.notTheExpert(),
    errors.threadNotFound(),
    errors.messageNotFound(),
    errors.budgetExhausted(3_600),
    ...failuresOfAnswers(),
  ],
  input: z.object({
    threadId,
    in_reply_to: inReplyToField.check(
      z.describe("The user's message that the draft answers. By default, the newest of the thread"),
    ),
  }),
  output: DraftedReply,
  async verb(ctx, { threadId, in_reply_to: inReplyTo = null }) {
    const { userId } = ctx;
    const columns = threadColumns({ threadId, userId });
    const look = (question: string, found: { in_reply_to: string | null; query_vector: string | null }) =>
      withQuestions(
        { threadId },
        [question],
        ([asked]) => ctx.database.call("draft_reply", { ...columns, asked: asked!, ...found }, FoundForReply),
      );
    // As where a question is tried: nothing is embedded for others.
    let found = await look("", { in_reply_to: inReplyTo, query_vector: null });
    const { question, questionId, history, coach: { id: coachId } } = found;
    const queryVector = found.exact === null ? await embedQuery(ctx, question, { coachId, userId }) : null;
    // A newer question may have come meanwhile.
    if (queryVector !== null) found = await look(question, { in_reply_to: questionId, query_vector: queryVector });
    const say = await openAnswer(ctx, found, { coachId, userId, question, history, reference: null, isDraft: true });
    const { text, sources } = await say();
    return { content: dropCitations(text), sources: sources.map(({ number: _, ...source }) => source) };
  },
});
