import { type AskedQuestion, withQuestions } from "../../shared/core/questions/read_questions.ts";
import { DatabaseError } from "../../shared/infra/db/database.ts";
import { assertEquals, assertRejects } from "../support/assert.ts";

/** SQL that wants questions in a language, as often as it is called with another; `content`: what it is about. */
function createSql(language: string, content = "") {
  const calls: AskedQuestion[][] = [];
  const call = (asked: AskedQuestion[]) => {
    calls.push(asked);
    const isRead = asked.length > 0 && asked.every((question) => question.language === language);
    if (isRead) return Promise.resolve("done");
    return Promise.reject(new DatabaseError("f", "PT412", undefined, { message: language, details: content }));
  };
  return { call, calls };
}

Deno.test("questions are read in the language that SQL asks for", async (t) => {
  const coachId = crypto.randomUUID();

  await t.step("once for a coach", async () => {
    const { call, calls } = createSql("german");
    for (let time = 0; time < 3; time++) {
      assertEquals(await withQuestions({ coachId }, ["Helfen Übungen?"], call), "done");
    }
    assertEquals(calls.map(([asked]) => asked?.language), ["", "german", "german", "german"]);
    assertEquals(calls[1]?.[0], {
      ...calls[3]![0]!,
      content: "Helfen Übungen?",
      words: ["helf", "ubung"],
      content_words: ["helf", "ubung"],
      points_back: false,
    } as AskedQuestion);
  });

  await t.step("and again when the coach speaks another", async () => {
    const { call, calls } = createSql("french");
    await withQuestions({ coachId }, ["Oui ?", "Non ?"], call);
    assertEquals(calls.map((asked) => asked.map(({ language }) => language)), [["german", "german"], [
      "french",
      "french",
    ]]);
  });

  await t.step("a text that only SQL knows is the one that it names", async () => {
    const { call, calls } = createSql("english", "Why owls?");
    await withQuestions({ threadId: crypto.randomUUID() }, [], call);
    assertEquals(calls.map(([asked]) => asked?.content), [undefined, "Why owls?"]);
  });

  await t.step("other failures are thrown", async () => {
    const failure = new DatabaseError("f", "57014");
    const thrown = await assertRejects(() => withQuestions({ coachId }, ["Q"], () => Promise.reject(failure)));
    assertEquals(thrown, failure);
  });
});
