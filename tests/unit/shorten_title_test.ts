import { shortenTitle } from "../../shared/features/chat/question.ts";
import { assert, assertEquals } from "../support/assert.ts";

const cases: Record<string, { message: string; title: string }> = {
  "a short message is its own title": { message: "How are you?", title: "How are you?" },
  "white space around it is cut": { message: " \n\tHow are you?\r\n ", title: "How are you?" },
  "white space inside is one space": { message: "How\r\n\r\nare\t \u00a0you?", title: "How are you?" },
  "80 characters stay whole": { message: "x".repeat(80), title: "x".repeat(80) },
  "81 characters without a space are cut inside": { message: "x".repeat(81), title: `${"x".repeat(79)}…` },
  "a long message is cut after a word": {
    message: `${"word ".repeat(15)}overflow`,
    title: `${"word ".repeat(15).trim()}…`,
  },
  "a word that ends at character 79 stays": { message: `${"x".repeat(79)} yy`, title: `${"x".repeat(79)}…` },
  "a word that ends at character 80 is dropped": { message: `aa ${"x".repeat(77)} yy`, title: "aa…" },
  "marks of direction are left out": { message: "May I \u202Eton\u202C fast\u200B?", title: "May I ton fast?" },
  "joiners stay": { message: "می\u200Cخواهم 👩\u200D💻", title: "می\u200Cخواهم 👩\u200D💻" },
  "a message that cannot be seen stays": { message: "\u200B", title: "\u200B" },
  "characters are counted, not UTF-16 units": { message: "😀".repeat(80), title: "😀".repeat(80) },
  "no character is cut in half": { message: "😀".repeat(81), title: `${"😀".repeat(79)}…` },
};

Deno.test("shortenTitle", async (t) => {
  for (const [promise, { message, title }] of Object.entries(cases)) {
    await t.step(promise, () => assertEquals(shortenTitle(message), title));
  }

  await t.step("no title is longer than 80 characters or has a space before its ellipsis", () => {
    for (let length = 1; length <= 100; length++) {
      const title = shortenTitle(`${"x".repeat(length)} `.repeat(100));
      assert([...title].length <= 80 && !title.endsWith(" …"), `${length}: ${title}`);
    }
  });
});
