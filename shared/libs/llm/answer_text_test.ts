import type { Phase } from "./model_event.ts";
import { createAnswerText } from "./answer_text.ts";
import { assertEquals } from "../../../tests/support/assert.ts";

type Said = [phase: Phase | null, ...pieces: string[]];

/** The text shown for messages: piece by piece, what the end adds, and the phase. */
function show(messages: Said[]) {
  const answer = createAnswerText();
  const shown = messages.flatMap(([phase, ...pieces]) => [
    answer.read({ type: "message", phase }),
    ...pieces.map((text) => answer.read({ type: "text", text })),
  ]);
  return [shown.filter((piece) => piece !== ""), answer.end(), answer.phase];
}

const cases: Record<string, [messages: Said[], shown: string[], end: string, phase: Phase | null]> = {
  "one message": [[[null, "Hel", "lo"]], ["Hel", "lo"], "", null],
  "messages become paragraphs": [[[null, "One"], [null, "Two", "!"]], ["One", "\n\nTwo", "!"], "", null],
  "a message without text makes no paragraph": [
    [[null], [null, "One"], [null], [null, "Two"]],
    ["One", "\n\nTwo"],
    "",
    null,
  ],
  "a commentary before the answer is not shown": [
    [["commentary", "Let me see"], ["final_answer", "Yes"]],
    ["Yes"],
    "",
    "final_answer",
  ],
  "nor one after it, or between": [
    [["final_answer", "One"], ["commentary", "Hm"], ["final_answer", "Two"], ["commentary", "Done"]],
    ["One", "\n\nTwo"],
    "",
    "final_answer",
  ],
  "a commentary that is all there is": [
    [["commentary", "Let ", "me"], ["commentary", "see"], ["final_answer"]],
    [],
    "Let me\n\nsee",
    "commentary",
  ],
  "nothing": [[], [], "", null],
};

Deno.test("createAnswerText", async (t) => {
  for (const [what, [messages, ...expected]] of Object.entries(cases)) {
    await t.step(what, () => assertEquals(show(messages), expected));
  }

  await t.step("events that are no text add nothing", () => {
    const answer = createAnswerText();
    assertEquals(answer.read({ type: "alive" }) + answer.read({ type: "ended", usage: null }) + answer.end(), "");
  });
});
