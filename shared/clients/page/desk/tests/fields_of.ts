import type { Schemas } from "../desk.ts";
import { withoutNumbers } from "../parts/numbered_sources.ts";
import { emptyFields, maxHistory, maxReference, type TestFields } from "./test_fields.ts";

type Message = Schemas["Message"];

/**
 * Makes a test of an answer in a conversation, with what was said before it.
 *
 * @param asked the question that the message answers
 * @param earlier the messages before that question
 */
export function fieldsOfMessage(message: Message, asked: string, earlier: Message[]): TestFields {
  const history = earlier.filter(({ content }) => content.trim() !== "").slice(-maxHistory)
    .map(({ role, content }) => ({ role, content }));
  const { content, sources = [], thread_id: threadId } = message;
  return { ...emptyFields, question: asked, reference: cut(withoutNumbers(content, sources)), history, threadId };
}

/** Makes a test of a pinned answer: its question, and the expert's words. */
export function fieldsOfPinned({ question, answer }: Pick<Schemas["PinnedAnswer"], "question" | "answer">): TestFields {
  return { ...emptyFields, question, reference: cut(answer) };
}

function cut(words: string): string {
  return words.slice(0, maxReference).toWellFormed();
}
