import { failWith } from "./failure.ts";
import { ModelError } from "./model_error.ts";
import type { ReportedFailure } from "./model_event.ts";
import { unset } from "./model_settings.ts";
import { assert, assertEquals } from "../../../tests/support/assert.ts";

function describe(failure: Partial<ReportedFailure>, question = "Hi", instructions = "You are Ann."): string {
  const request = { model: null, settings: unset, instructions, history: [], quoted: [] };
  return new ModelError({ ...failWith(""), status: 400, ...failure }, {
    ...request,
    input: [{ role: "user", content: question }],
  }).message;
}

Deno.test("a model's error names what operators need", () => {
  assertEquals(
    describe({ status: 404, code: "model_not_found", param: "model", requestId: "req_1", message: "No such model" }),
    "misconfigured, 404, model_not_found, param model, request req_1, look at OPENAI_MODEL: No such model",
  );
  assertEquals(describe({ status: null, isUnreachable: true }), "unavailable, no reply");
  assertEquals(describe({ message: "One\r\ntwo\n\n three" }), "unavailable, 400: One two three");
});

Deno.test("a model's error never holds the key, whatever form that has", () => {
  const request = { model: null, settings: unset, instructions: "", history: [], quoted: [], input: [] };
  const failure = { ...failWith(""), status: 401, message: "Wrong key 0123456789abcdef0123456789abcdef" };
  const { message } = new ModelError(failure, request, "0123456789abcdef0123456789abcdef");
  assertEquals(message, "misconfigured, 401, look at OPENAI_API_KEY: Wrong key …");
});

const questions = {
  English: 'She said "no" and I am scared; my wife\'s name is Ann & my code is C:\\secret',
  German: "Ich habe große Angst vor der Prüfung nächste Woche in München",
  Russian: "Меня зовут Иван Петров, мой диагноз тяжёлый",
  Chinese: "我叫王小明，我的诊断结果是阳性，请帮我",
  short: "My son is gay",
};

const ways: Record<string, (text: string) => string> = {
  "as it is": (text) => text,
  "with other white space": (text) => text.replaceAll(" ", "\n  "),
  "in lower case": (text) => text.toLowerCase(),
  "as JSON": (text) => JSON.stringify({ content: text }),
  "as JSON in JSON": (text) => JSON.stringify(JSON.stringify({ content: text })),
  "as JSON of ASCII": (text) =>
    JSON.stringify(text).replace(/[^\0-\x7f]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`),
  "as Python": (text) => `{'content': '${text.replaceAll("'", "\\'")}'}`,
  "as HTML": (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("'", "&#39;"),
};

Deno.test("a model's error repeats nothing of the conversation, however it is written", async (t) => {
  for (const [language, question] of Object.entries(questions)) {
    const words = question.match(/\p{L}{3,}/gu)!.map((word) => word.toLowerCase());
    for (const [way, write] of Object.entries(ways)) {
      await t.step(`${language}, ${way}`, () => {
        for (const message of [write(question), `Bad: ${write(question)}.`.slice(0, 45)]) {
          const described = describe({ message }, question).replace(/Bad|content/g, "").toLowerCase();
          // A word at the cut may have lost its neighbours.
          const left = words.slice(0, -1).filter((word) => described.split("unavailable")[1]!.includes(word));
          assertEquals(left, [], described);
        }
      });
    }
  }

  await t.step("in a code, a parameter and an id", () => {
    const text = "Remember that I am ill";
    const described = describe({ code: text, param: text, message: text, requestId: text }, text);
    assertEquals(described, "unavailable, 400, …, param …, request …: …");
  });

  await t.step("the instructions", () => {
    assertEquals(
      describe({ message: "Too rude: You are Ann, a coach." }, "Hi", "You are Ann, a coach."),
      "unavailable, 400: Too rude: ….",
    );
  });
});

Deno.test("a model's error holds no key", () => {
  for (const key of ["sk-proj-a_1", "xai-" + "Ab1".repeat(20), "hi_live_abc", "eyJhbGciOi.J9"]) {
    const described = describe({ message: `Wrong key: ${key}, see`, code: key, requestId: key });
    assert(!described.includes(key.slice(0, 12)), described);
  }
});

Deno.test("a model's error is short, whatever the server says", () => {
  const described = describe({ message: "a ".repeat(1_000_000), code: "b ".repeat(1_000_000) });
  assert(described.length < 700, String(described.length));
});
