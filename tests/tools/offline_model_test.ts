import { assertEquals, assertMatch } from "deno-std/assert/mod.js";
import { buildInstructions, quotePassages } from "../../shared/chat/prompt/build_request.ts";
import { answer, createOfflineModel } from "../../supabase/local/offline_model.ts";

const coach = { name: "Mara", title: "Coach", instructions: "Delegation starts with the outcome. Rest is work." };
const passage = { passageId: "p", fileId: "f", page: null, heading: null, score: 1 };
const passages = [
  { ...passage, filename: "Rest.md", content: 'Sleep before you "decide". A walk helps.' },
  { ...passage, filename: "Ninety days.md", content: "A good first meeting is listening." },
];

/** The text between the two fixed sentences. */
function say(question: string, isQuoting: boolean): string {
  const text = answer({
    instructions: buildInstructions(coach, { mode: null, hasPinned: false, hasPassages: isQuoting }),
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

  const ask = createOfflineModel({ wordDelay: 0 });
  const post = (body: unknown) =>
    ask(new Request("http://model.test/v1/responses", { method: "POST", body: JSON.stringify(body) }));
  const newerFields = {
    model: "gpt-9",
    instructions: "<persona>\nRest is work. Walks help.\n</persona>",
    reasoning: { effort: "low", summary: null },
    text: { verbosity: "low", format: { type: "text" } },
    max_output_tokens: 900,
    store: true,
    safety_identifier: "s",
    prompt_cache_key: "p",
    made_up: [null],
  };
  const conversation = [
    { type: "message", role: "user", content: "Do walks help?" },
    { type: "message", role: "assistant", content: "They do.", phase: "final_answer" },
    { type: "reasoning", id: "rs_1", summary: [] },
  ];

  for (
    const [form, content] of Object.entries({
      "a string": "What about rest?",
      "a list of parts": [{ type: "input_text", text: "What about rest?" }, {
        type: "input_image",
        image_url: "data:,",
      }],
    })
  ) {
    await t.step(`takes fields and items that it does not know, and a question that is ${form}`, async () => {
      const reply = await post({
        ...newerFields,
        input: [...conversation, { type: "message", role: "user", content }],
      });
      const body = await reply.json();
      assertEquals([reply.status, body.status, body.model], [200, "completed", "offline"], JSON.stringify(body));
      assertMatch(body.output[0].content[0].text, /: “Rest is work\.”\n/);
    });
  }

  await t.step("streams with them too", async () => {
    const reply = await post({ ...newerFields, input: conversation.slice(0, 1), stream: true });
    assertMatch(await reply.text(), /"type":"response\.completed".*“Walks help\.”/);
  });

  await t.step("lists itself as the only model, without an end", async () => {
    const reply = await ask(new Request("http://model.test/v1/models"));
    assertEquals([reply.status, await reply.json()], [200, {
      object: "list",
      data: [{ id: "offline", object: "model", created: 0, owned_by: "this machine" }],
    }]);
  });
});
