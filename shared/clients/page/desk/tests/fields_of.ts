import type { Schemas } from "../desk.ts";
import { isPassage } from "../parts/passage.ts";
import { fill, t } from "../texts.ts";
import { emptyFields, maxHistory, maxRubric, type TestFields } from "./test_fields.ts";

type Message = Schemas["Message"];

/**
 * Makes a test of an answer in a conversation: with what was said before it, and the files that it draws on.
 *
 * @param asked the question that the message answers
 * @param earlier the messages before that question
 */
export function fieldsOfMessage(message: Message, asked: string, earlier: Message[]): TestFields {
  const history = earlier.filter(({ content }) => content.trim() !== "").slice(-maxHistory)
    .map(({ role, content }) => ({ role, content }));
  const fields = { ...emptyFields, question: asked, history, threadId: message.thread_id };
  const { sources = [], author, content } = message;
  if (author === "expert") {
    const isPinned = sources.some((source) => !isPassage(source) && source.isWordForWord);
    return { ...fields, outcome: isPinned ? "pinned" : "answered", rubric: writeRubric(content) };
  }
  const files = sources.filter(isPassage).flatMap(({ filename }) => filename ?? []);
  return { ...fields, outcome: "answered", allOf: [...new Set(files)] };
}

/** Makes a test of a pinned answer: its question, and the expert's words. */
export function fieldsOfPinned({ question, answer }: Pick<Schemas["PinnedAnswer"], "question" | "answer">): TestFields {
  return { ...emptyFields, question, outcome: "pinned", rubric: writeRubric(answer) };
}

/** Expects what the expert has said, in whatever words. */
function writeRubric(words: string): string {
  return fill(t.tests.rubric, { words }).slice(0, maxRubric).toWellFormed();
}
