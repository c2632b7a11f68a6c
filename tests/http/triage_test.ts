import { assertEquals, assertMatch } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, clientOf, type Credentials } from "../support/client.ts";
import { addFile } from "../support/knowledge.ts";
import { createCoach, createTenant, createUser, operator, type Tenant } from "../support/project.ts";
import { startService } from "../support/service.ts";
import { storeAnswer } from "../support/turns.ts";
import { storeQuestion } from "../support/questions.ts";

const expertKey = { requests_per_minute: 1_000, scopes: ["expert", "chat"] };

/** Has a person ask something that the persona does not know; null where it is not kept. */
async function keep(tenant: Pick<Tenant, "accountId" | "coachId">, user_id: string, question: string) {
  const { threadId, messageId } = await storeAnswer(tenant as Tenant, {
    content: "I do not know",
    status: "complete",
    user_id,
  });
  return { threadId, messageId, questionId: await storeQuestion(messageId, question) };
}

Deno.test("a person opens at most ten questions of a coach a day", async (t) => {
  await using service = await startService();
  const tenant = await createTenant(expertKey);
  const { coachId, modelName } = tenant;
  const numbers = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
  const kept: Awaited<ReturnType<typeof keep>>[] = [];
  for (const number of numbers) kept.push(await keep(tenant, "ann", `May I bring ${number} owls?`));

  await t.step(
    "the eleventh is not kept; the answer says that it does not know, not that it was passed on",
    async () => {
      const call = { id: "call_1", name: "ask_expert", arguments: { question: "Any herons?", for_human: false } };
      service.model.script(modelName, { steps: [{ call }] }, { steps: [{ text: "I do not know." }] });
      const body = { message: "Any herons?", context: { coachId, userId: "ann" } };
      const reply = await ask(service, "POST", "/chat", tenant, body, { headers: { Accept: "application/json" } });
      assertEquals([reply.json.message.content, reply.json.sources], ["I do not know.", []]);
      const input = service.model.requestsOf(modelName).at(-1)!.body.input as { output?: string }[];
      assertMatch(input.at(-1)!.output!, /"passed_on":false/);
      assertEquals((await clientOf(service, tenant).listQuestions(coachId)).count, 10);
    },
  );
  await t.step("those of other people, and of another coach, are", async () => {
    const other = await createCoach(tenant.accountId);
    for (const [place, person] of [[tenant, "ben"], [{ ...tenant, coachId: other.id }, "ann"]] as const) {
      assertEquals(typeof (await keep(place, person, "Any herons?")).questionId, "string");
    }
  });
  await t.step("a day later, there is room again", async () => {
    const { messageId } = kept[0]!;
    const ago = new Date(Date.now() - 25 * 3_600_000).toISOString();
    await operator.from("messages").update({ created_at: ago }).eq("id", messageId).throwOnError();
    assertEquals((await keep(tenant, "ann", "Any cranes?")).questionId, null, "as it was asked");
    await operator.from("messages").delete().eq("id", messageId).throwOnError();
    assertEquals(typeof (await keep(tenant, "ann", "Any cranes?")).questionId, "string");
  });
});

Deno.test("POST /coaches/{coachId}/questions/dismiss", async (t) => {
  await using service = await startService();
  const tenant = await createTenant(expertKey);
  const stranger = await createTenant(expertKey);
  const client = clientOf(service, tenant);
  const path = `/coaches/${tenant.coachId}/questions/dismiss`;
  const dismiss = (body: object, credentials: Credentials = tenant) => ask(service, "POST", path, credentials, body);
  const open = async () => (await client.listQuestions(tenant.coachId)).data.map(({ question }) => question).toSorted();
  const first = await keep(tenant, "ann", "Any owls?");
  const second = await keep(tenant, "ann", "Any herons?");
  await keep(tenant, "ann", "Any cranes?");
  await keep(tenant, "ben", "Any cranes?");
  await keep(tenant, "ben", "Any gulls?");

  await t.step("dismisses what the thread has asked, and each can be reopened", async () => {
    const reply = await dismiss({ thread_id: first.threadId });
    assertReply(reply, 200, { question_ids: [first.questionId] });
    assertEquals(await open(), ["Any cranes?", "Any gulls?", "Any herons?"]);
    assertReply(await dismiss({ thread_id: first.threadId }), 200, { question_ids: [] });
    assertEquals((await client.reopenQuestion(tenant.coachId, first.questionId!)).status, "open");
  });
  await t.step(
    "with of_person, what the person has asked in any thread, but nothing that others have asked too",
    async () => {
      const { question_ids } = await client.dismissQuestions(tenant.coachId, {
        thread_id: first.threadId,
        of_person: true,
      });
      assertEquals(question_ids.toSorted(), [first.questionId!, second.questionId!].toSorted());
      assertEquals(await open(), ["Any cranes?", "Any gulls?"]);
    },
  );
  await t.step("not for a stranger, for the person, or for a thread of another coach", async () => {
    const other = await createCoach(tenant.accountId);
    const elsewhere = await keep({ ...tenant, coachId: other.id }, "ben", "Any gulls?");
    const user = await createUser();
    const body = { thread_id: first.threadId, of_person: true };
    assertEquals((await dismiss(body, stranger)).status, 404);
    assertEquals((await dismiss(body, { ...tenant, accessToken: user.accessToken })).status, 403);
    for (const thread_id of [elsewhere.threadId, crypto.randomUUID()]) {
      assertRefused(await dismiss({ thread_id, of_person: true }), "thread_not_found");
    }
    for (const wrong of [{}, { thread_id: "x" }, { thread_id: first.threadId, of_person: 1 }]) {
      assertEquals((await dismiss(wrong)).status, 400);
    }
    assertEquals(await open(), ["Any cranes?", "Any gulls?"]);
  });
});

Deno.test("the list of questions for triage", async (t) => {
  await using service = await startService();
  const tenant = await createTenant(expertKey);
  const client = clientOf(service, tenant);
  const list = async (query: Parameters<typeof client.listQuestions>[1] = {}) =>
    (await client.listQuestions(tenant.coachId, query)).data.map(({ question, off_topic }) => [question, off_topic]);
  await keep(tenant, "ann", "What is the capital of Mongolia?");
  await keep(tenant, "ann", "How do owls sleep?");

  await t.step("without files, nothing is off topic", async () => {
    assertEquals(await list({ off_topic: "true" }), []);
  });
  await t.step("of what one person has asked, the latest comes first; what more people asked, before it", async () => {
    for (let time = 0; time < 3; time++) await keep(tenant, "ben", "May I feed them?");
    await keep(tenant, "cat", "When do they wake?");
    assertEquals((await list()).map(([question]) => question), [
      "When do they wake?",
      "May I feed them?",
      "How do owls sleep?",
      "What is the capital of Mongolia?",
    ]);
    await keep(tenant, "dan", "How do owls sleep?");
    const pages: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listQuestions(tenant.coachId, { limit: 1, cursor });
      pages.push(page.data[0]!.question);
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    assertEquals(pages, [
      "How do owls sleep?",
      "When do they wake?",
      "May I feed them?",
      "What is the capital of Mongolia?",
    ]);
  });
  await t.step("off topic is what shares no rare word with any passage", async () => {
    const common = Array.from({ length: 9 }, (_, index) => `Number ${index}: what a capital idea, they wake.`);
    await addFile(tenant, "owls.md", "Owls sleep by day. Feed them mice.", ...common);
    assertEquals(await list(), [
      ["How do owls sleep?", false],
      ["When do they wake?", true],
      ["May I feed them?", false],
      ["What is the capital of Mongolia?", true],
    ]);
    assertEquals(await list({ off_topic: "true", limit: 1 }), [["When do they wake?", true]]);
    assertEquals((await list({ off_topic: "false" })).length, 2);
    // Whoever asks for a human is not put away, whatever they ask.
    const { messageId } = await keep(tenant, "eve", "What is the capital of Mongolia?");
    await storeQuestion(messageId, "What is the capital of Mongolia?", { isForHuman: true });
    assertEquals((await list({ off_topic: "true" })).length, 1);
    const reply = await ask(service, "GET", `/coaches/${tenant.coachId}/questions?off_topic=1`, tenant);
    assertInvalid(reply, "off_topic must be true or false");
  });
});
