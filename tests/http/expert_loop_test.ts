import { assertEquals, assertMatch } from "../support/assert.ts";
import { ask, assertReply, chat, type Credentials } from "../support/client.ts";
import { bodiesOf } from "../support/model_requests.ts";
import { createTenant, createUser } from "../support/project.ts";
import { startService } from "../support/service.ts";

Deno.test("what the coach does not know today, it says tomorrow in the expert's words", async (t) => {
  await using service = await startService();
  const owner = await createUser();
  const tenant = await createTenant({}, { owner_id: owner.id });
  const { coachId, modelName } = tenant;
  // A key without the scope `expert`: the coach's own user needs none.
  const expert: Credentials = { apiKey: tenant.apiKey, accessToken: owner.accessToken };
  const say = (message: string, fields: object = {}) =>
    chat(service, tenant, { message, context: { coachId, userId: "u" }, ...fields });
  const requests = () => bodiesOf(service, modelName);
  const answer = "Yes, if it sleeps through talks.";

  let threadId = "";
  /** Which messages of the thread wait for the expert, as its person sees them. */
  const passedOn = async () => {
    const { json } = await ask(service, "GET", `/threads/${threadId}/messages?include=status`, tenant);
    return json.data.map((message: { is_passed_on?: true }) => message.is_passed_on);
  };
  await t.step("asked what no file says, the coach says so and guesses nothing", async () => {
    service.model.script(
      modelName,
      {
        steps: [{
          call: {
            id: "call_1",
            name: "ask_expert",
            arguments: { question: "May a dog come to the workshop?", for_human: false },
          },
        }],
      },
      { steps: [{ text: "I do not know that, and have passed it on." }] },
    );
    const reply = await say("Hi! May I bring Rex, my dog, to the workshop?");
    assertEquals(reply.answer, "I do not know that, and have passed it on.");
    threadId = reply.threadId;
    assertEquals(await passedOn(), [undefined, true]);
    const { json } = await ask(service, "GET", `/threads/${threadId}/messages?include=author`, tenant);
    assertEquals(json.data.map((message: object) => "is_passed_on" in message), [false, false]);
  });

  await t.step("the question is open, without the words of the person, and the expert answers it", async () => {
    const { json: { data } } = await ask(service, "GET", `/coaches/${coachId}/questions`, expert);
    assertEquals(data.length, 1);
    const [{ id, question, times, people }] = data;
    assertEquals([question, times, people], ["May a dog come to the workshop?", 1, 1]);
    const path = `/coaches/${coachId}/questions/${id}/answer`;
    assertReply(
      await ask(service, "POST", path, expert, { answer, variants: ["Can I bring my dog to the workshop?"] }),
      200,
    );
    assertEquals((await ask(service, "GET", `/coaches/${coachId}/questions`, expert)).json.data, []);
    // The answer of the expert has been added.
    assertEquals(await passedOn(), [undefined, undefined, undefined]);
  });

  await t.step("asked again in other case and punctuation, the answer is the expert's, word for word", async () => {
    const asked = requests().length;
    for (const message of ["can i bring my DOG to the workshop", "Please: may a dog come to the workshop ?!"]) {
      assertEquals((await say(message)).answer, answer);
    }
    // Also where the conversation has gone on.
    assertEquals((await say("May a dog come to the workshop?", { thread_id: threadId })).answer, answer);
    assertEquals(requests().length, asked);
  });

  await t.step("asked in other words, or for the opposite, the model is given it above all files", async () => {
    for (const message of ["Are dogs welcome at your workshop?", "May a dog not come to the workshop?"]) {
      service.model.script(modelName, { steps: [{ text: "It may, as long as it sleeps [1]." }] });
      const reply = await say(message);
      assertEquals(reply.answer, "It may, as long as it sleeps [1].");
      assertMatch(JSON.stringify(requests().at(-1)!.input), /Yes, if it sleeps through talks\./);
      const { json } = await ask(service, "GET", `/threads/${reply.threadId}/messages?include=sources,author`, tenant);
      const { author, sources: [source] } = json.data[1];
      assertEquals([author, source.kind, source.number, source.isWordForWord], ["ai", "pinned_answer", 1, false]);
    }
  });
});
