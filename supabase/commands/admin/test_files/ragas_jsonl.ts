import type { TestCase } from "../../../../shared/features/persona_tests/schemas.ts";

/** A test with its answer in a run, and the texts of the passages that the model was given for it. */
export type AnsweredTest = { test: TestCase; text: string; contexts: string[] };

/**
 * Writes the answers of a run as the single-turn samples of Ragas, a JSON object a line. What was said before a question
 * is put in front of it, in Ragas' own form; the rubric is the reference, or else the texts that an answer must contain.
 */
export function writeRagasJsonl(answered: AnsweredTest[]): string {
  return answered.map(({ test, text, contexts }) =>
    `${
      JSON.stringify({
        user_input: writeConversation(test),
        response: text,
        retrieved_contexts: contexts,
        reference: writeReference(test),
      })
    }\n`
  ).join("");
}

function writeConversation({ question, history = [] }: TestCase): string {
  if (history.length === 0) return question;
  return [...history, { role: "user", content: question }]
    .map(({ role, content }) => `${role === "user" ? "Human" : "AI"}: ${content}`).join("\n");
}

function writeReference(
  { expect: { rubric, contains = [], icontains = [], contains_any = [] } = {} }: TestCase,
): string | null {
  const texts = [...contains, ...icontains, ...contains_any.slice(0, 1)];
  return rubric ?? (texts.length > 0 ? texts.join("\n") : null);
}
