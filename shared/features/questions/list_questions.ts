import * as z from "zod/mini";
import { Count, listOf, Timestamp, Uuid } from "../../core/wire/fields.ts";
import { coachColumns, uuidPattern } from "../../core/wire/ids.ts";
import { cursorField, limitField, pageSizeOf, uuidKey } from "../../core/wire/paging.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { ofExperts } from "../experts/fields.ts";
import { coachId, OpenQuestion, questionStatuses } from "./fields.ts";

/** Someone who asked a question in other words. */
export const MergedAsking = z.object({
  id: Uuid,
  thread_id: Uuid,
  asked_at: Timestamp,
  words: z.nullable(z.string()).check(
    z.describe(
      "The message of the person, at most 500 characters of it; null if the key lacks the scope `threads:read`",
    ),
  ),
});

/** A question of a list. */
export const ListedQuestion = z.object({
  ...OpenQuestion.shape,
  chats: z.optional(Count).check(
    z.describe(
      "With `include=askings`: how many threads get an answer, without those of `merged_askings`. Archived threads are " +
        "left out; 10,000 is the maximum",
    ),
  ),
  merged_askings: z.optional(z.array(MergedAsking)).check(
    z.describe(
      "With `include=askings`: the newest 100 people who have asked in other words, which a model has found to mean " +
        "the same. They get an answer only if its `notify` names them",
    ),
  ),
});

export const QuestionList = listOf(
  ListedQuestion,
  "questions",
  "Those that most people asked first; of those, the latest first",
);

/** A cursor of the list: whether somebody waits, people, time in microseconds and ID of the last question of a page. */
const cursorForm = new RegExp(`^([01])_(\\d{1,9})_(\\d{1,16})_(${uuidKey.source})$`);

/** The questions that a coach could not answer well. */
export const operation = defineEndpoint({
  name: "listQuestions",
  method: "GET",
  path: "/coaches/:coachId/questions",
  scope: "expert",
  failure: "Failed to fetch questions",
  errors: ofExperts,
  input: z.object({
    coachId,
    status: z._default(z.enum(questionStatuses, "status must be open, answered or dismissed"), "open").check(
      z.describe("The status of the questions to list"),
    ),
    off_topic: z.optional(z.enum(["true", "false"], "off_topic must be true or false")).check(
      z.describe("`true` lists only questions that are off topic, `false` only the others"),
    ),
    topic_id: z.optional(z.string("topic_id must be a UUID").check(z.regex(uuidPattern, "topic_id must be a UUID")))
      .check(
        z.describe("Lists only questions that were asked in conversations of this topic"),
      ),
    include: z.optional(z.literal("askings", "include must be askings")).check(
      z.describe("`askings`: with `chats` and `merged_askings` of each question, to choose who is told the answer"),
    ),
    limit: limitField,
    cursor: cursorField(cursorForm),
  }),
  output: QuestionList,
  async verb({ database, userId }, { coachId, status, off_topic, topic_id, include, ...page }) {
    const [, requested, people, asked, id] = cursorForm.exec(page.cursor ?? "") ?? [];
    return await database.callForBytes("list_questions", {
      ...coachColumns({ coachId, userId }),
      status,
      off_topic: off_topic === undefined ? null : off_topic === "true",
      has_askings: include === "askings",
      topic_id: topic_id ?? null,
      page_size: pageSizeOf(page),
      after_people: id === undefined ? null : Number(people),
      after_asked: id === undefined ? null : Number(asked),
      after_id: id ?? null,
      after_requested: id === undefined || requested === "1",
    });
  },
});
