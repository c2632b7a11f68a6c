import * as z from "zod/mini";
import { replyObject } from "../../infra/db/reply_object.ts";
import { reasoningEfforts, verbosities } from "../../libs/llm/model_settings.ts";

/** A pinned answer, as a turn uses it. */
const FoundAnswer = replyObject({ id: z.string(), version: z.number(), question: z.string(), answer: z.string() });

/** What the notice for somebody who asks during a takeover is made of. */
const notice = {
  /** A text search configuration of Postgres, such as `english`. */
  language: z.string(),
  /** The coach's own notice; null: the default. */
  takeover_notice: z.nullable(z.string()),
};
export const TakeoverNotice = replyObject(notice);
export type TakeoverNotice = z.infer<typeof TakeoverNotice>;

/** The findings for a question: the coach who answers it, and the material to answer it from. */
export const findings = {
  coach: replyObject({
    id: z.string(),
    name: z.string(),
    title: z.string(),
    instructions: z.string(),
    model: z.nullable(z.string()),
    temperature: z.nullable(z.number()),
    reasoning_effort: z.nullable(z.enum(reasoningEfforts)),
    verbosity: z.nullable(z.enum(verbosities)),
    max_output_tokens: z.nullable(z.number()),
    store_responses: z.nullable(z.boolean()),
    /** The coach's sentence for saying that it does not know; null: the default. */
    no_answer: z.nullable(z.string()),
    ...notice,
  }),
  /** Lowercase hexadecimal. Identifies the user to the model's server without telling it who that is. */
  user_hash: z.string(),
  /** Pinned answers to similar questions, best first. */
  pinned: z.array(FoundAnswer),
  /** Passages of the coach's files that match the message, best first. */
  passages: z.array(replyObject({
    passage_id: z.string(),
    file_id: z.string(),
    filename: z.string(),
    source_url: z.nullable(z.string()),
    position: z.int(),
    page: z.nullable(z.number()),
    heading: z.nullable(z.string()),
    /** The day on which the file was uploaded or the page last read, as YYYY-MM-DD in UTC. */
    date: z.string(),
    content: z.string(),
    score: z.number(),
    seconds: z.optional(z.int()),
    is_recognized: z.optional(z.boolean()),
  })),
};

/** The fields of the findings for a question that is only tried. */
export const findingsFields = {
  ...findings,
  /** The pinned answer that would be given word for word. */
  exact: z.nullable(FoundAnswer),
  /** The maximum number of messages in a history. */
  history_limit: z.number(),
};

/** The same as a reply of Postgres. */
export const Findings = replyObject(findingsFields);
export type Findings = z.infer<typeof Findings>;

export type Coach = Findings["coach"];
export type NearAnswer = Findings["pinned"][number];
export type FoundPassage = Findings["passages"][number];
