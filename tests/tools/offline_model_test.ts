import { assertEquals } from "deno-std/assert/mod.js";
import { buildInstructions, quotePassages } from "../../shared/chat/prompt/build_request.ts";
import { answer } from "../../supabase/local/offline_model.ts";

const coach = { name: "Mara", title: "Coach", instructions: "Delegation starts with the outcome. Rest is work." };
const passage = { fileId: "f", page: null, heading: null, score: 1 };
const passages = [
  { ...passage, filename: "Rest.md", content: 'Sleep before you "decide". A walk helps.' },
  { ...passage, filename: "Ninety days.md", content: "A good first meeting is listening." },
];

/** The text between the two fixed sentences. */
function say(question: string, isQuoting: boolean): string {
  const text = answer({
    instructions: buildInstructions(coach, { mode: null, hasPassages: isQuoting }),
    input: [
      ...(isQuoting ? [{ role: "user", content: quotePassages(coach, passages) }] : []),
      { role: "user", content: question },
    ],
  });
  return /^This is Mara, in the words I was given: (.*)\n\n\(I am the offline model/.exec(text)?.[1] ?? text;
}

Deno.test("the offline model", async (t) => {
  await t.step("quotes the persona", () => {
    assertEquals(say("What about rest?", false), "“Rest is work.”");
  });
  await t.step("quotes the best passage instead if there is one, and names its source", () => {
    assertEquals(say("Does a walk help, or another meeting?", true), 'In "Rest.md" I wrote: “A walk helps.”');
  });
});
