import { assert, assertEquals } from "../support/assert.ts";
import {
  acceptOf,
  ask,
  assertInvalid,
  assertRefused,
  assertReply,
  chat,
  clientOf,
  type Credentials,
} from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { addFile } from "../support/knowledge.ts";
import { connect } from "../support/mcp.ts";
import { addExpert, allScopes, createTenant, createUser, issueKey, operator } from "../support/project.ts";
import { startService } from "../support/service.ts";
import { changeAnswer, storeAnswer, storedAnswer } from "../support/turns.ts";
import { storeQuestion } from "../support/questions.ts";

type Ids = { threadId: string; messageId: string };

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService({ losesReplies: true, timeouts: { poll: 20, flush: 20 } }));
  const tenant = await createTenant({ requests_per_minute: 10_000, scopes: allScopes });
  const context = { coachId: tenant.coachId, userId: "u" };
  const revise = ({ threadId, messageId }: Ids, body: unknown, credentials: Credentials = tenant) =>
    ask(service, "POST", `/threads/${threadId}/messages/${messageId}/revise`, credentials, body);
  const asked = () => service.model.requestsOf(tenant.modelName).length;

  async function listed(threadId: string): Promise<string[][]> {
    const { json } = await ask(service, "GET", `/threads/${threadId}/messages?include=status,author`, tenant);
    const page = await ask(service, "GET", `/threads/${threadId}/messages?limit=1`, tenant);
    const withText = json.data.filter(({ content }: { content: string }) => content !== "");
    assertEquals(page.json.count, withText.length);
    return json.data.map(({ author, content }: Record<string, string>) => [author, content]);
  }

  /** A thread with one turn, whose answer is wrong. */
  async function answered(message = "Do I need a permit?", said = "You do."): Promise<Ids> {
    service.model.script(tenant.modelName, { steps: [{ text: said }] });
    return await chat(service, tenant, { message, context });
  }

  async function pinnedOf(id: string) {
    return (await operator.from("pinned_answers").select("*").eq("id", id).single().throwOnError()).data;
  }
  const pinnedCount = async () =>
    (await operator.from("pinned_answers").select("*", { count: "exact", head: true }).eq("coach_id", tenant.coachId)
      .throwOnError()).count;

  return handOver(stack, { service, tenant, context, revise, asked, listed, answered, pinnedOf, pinnedCount });
}

Deno.test("POST /threads/{threadId}/messages/{messageId}/revise", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, revise, asked, listed, answered, pinnedOf } = prepared;

  await t.step("pins the correction, which is given word for word from then on, and marks the answer", async () => {
    const ids = await answered();
    const reply = await revise(ids, { question: "Do I need a permit?", answer: "No [2], since May you do not [1]." });
    assertReply(reply, 200);
    const { pinnedAnswerId, ...rest } = reply.json;
    assertEquals(rest, { version: 1, messageId: null });
    const stored = await storedAnswer(ids.messageId);
    assertEquals([stored.content, stored.revision_id], ["You do.", pinnedAnswerId]);
    assert(stored.revised_at !== null);
    assertEquals(await listed(ids.threadId), [["user", "Do I need a permit?"], ["ai", "You do."]]);
    const before = asked();
    const body = { message: "do i need a permit", context: { coachId: tenant.coachId, userId: "somebody else" } };
    const again = await ask(service, "POST", "/chat", tenant, body, { headers: { Accept: acceptOf.object } });
    assertEquals([again.json.message.content, again.json.author], ["No, since May you do not.", "expert"]);
    assertEquals(asked(), before);
  });

  await t.step("with notify, the person reads it in their thread; nobody takes over, what waits goes on", async () => {
    const ids = await answered("May I fish here?", "Yes.");
    await ask(service, "POST", `/threads/${ids.threadId}/takeover`, tenant);
    await chat(service, tenant, { message: "Are you there?", thread_id: ids.threadId });
    const { data: before } = await operator.from("threads").select("taken_over_until").eq("id", ids.threadId).single()
      .throwOnError();
    const { json } = await revise(ids, { question: "May I fish here?", answer: "Only from June.", notify: true });
    assertEquals(await listed(ids.threadId), [
      ["user", "May I fish here?"],
      ["ai", "Yes."],
      ["user", "Are you there?"],
      ["ai", ""],
      ["expert", "Only from June."],
    ]);
    const notice = await storedAnswer(json.messageId);
    assertEquals([notice.is_by_expert, notice.status, notice.model, notice.run_id], [true, "complete", null, null]);
    assertEquals(notice.sources, [{
      kind: "pinned_answer",
      pinnedAnswerId: json.pinnedAnswerId,
      version: 1,
      question: "May I fish here?",
      quote: "Only from June.",
      isWordForWord: true,
    }]);
    const { data: after } = await operator.from("threads").select("taken_over_until").eq("id", ids.threadId).single()
      .throwOnError();
    assertEquals(after, before);
    await ask(service, "POST", `/threads/${ids.threadId}/messages`, tenant, { content: "Yes, I am." });
    assertEquals((await listed(ids.threadId))[3], ["expert", "Yes, I am."]);

    const free = await answered("May I swim here?", "Yes.");
    await revise(free, { question: "May I swim here?", answer: "Never.", notify: true });
    assertEquals((await ask(service, "GET", `/threads/${free.threadId}`, tenant)).json.handled_by, "ai");
  });

  await t.step("a question that is pinned already gets a new version", async () => {
    const [first, second] = [await answered("Is it open?"), await answered("Is it open?")];
    const once = await revise(first, { question: "Is the gallery open today?", answer: "Yes." });
    const twice = await revise(second, { question: "is the gallery open today", answer: "No." });
    assertEquals(twice.json, { pinnedAnswerId: once.json.pinnedAnswerId, version: 2, messageId: null });
    const { question, answer, version } = await pinnedOf(once.json.pinnedAnswerId);
    assertEquals([question, answer, version], ["Is the gallery open today?", "No.", 2]);
    assertEquals((await revise(first, { question: "Is the gallery open today?", answer: "No." })).json.version, 2);
  });

  await t.step("who has written it is kept: the expert who is signed in, or nobody for a key", async () => {
    const expert = await createUser();
    const own = await createTenant({}, { owner_id: expert.id });
    const ids = await storeAnswer(own, { content: "Wrong", status: "complete" });
    const body = { question: "Who wrote this?", answer: "Me." };
    const reply = await revise(ids, body, { ...own, accessToken: expert.accessToken });
    assertReply(reply, 200);
    assertEquals((await pinnedOf(reply.json.pinnedAnswerId)).written_by, expert.id);
    const byKey = await revise(
      ids,
      { ...body, answer: "A server." },
      await issueKey(own.accountId, { scopes: ["expert"] }),
    );
    assertEquals((await pinnedOf(byKey.json.pinnedAnswerId)).written_by, null);
  });

  await t.step("the question of an open question that the answer has led to; it is answered by that", async () => {
    const ids = await answered("hey its me, Bob from Oslo, when do you open??", "I do not know.");
    assertInvalid(await revise(ids, { answer: "At nine." }), "question is required");
    const { run_id } = await storedAnswer(ids.messageId);
    const questionId = await storeQuestion(ids.messageId, "When does the shop open?", { runId: run_id! });
    const reply = await revise(ids, { answer: "At nine." });
    assertReply(reply, 200);
    assertEquals((await pinnedOf(reply.json.pinnedAnswerId)).question, "When does the shop open?");
    const { data: opened } = await operator.from("open_questions").select("status, pinned_answer_id")
      .eq("id", questionId).single().throwOnError();
    assertEquals(opened, { status: "answered", pinned_answer_id: reply.json.pinnedAnswerId });
  });
});

Deno.test("POST /threads/{threadId}/messages/{messageId}/revise: what cannot be revised", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, context, revise, listed, answered, pinnedCount } = prepared;

  await t.step("without a question of anybody but the user → 400, and nothing is written", async () => {
    const ids = await answered();
    const before = await pinnedCount();
    const reply = await revise(ids, { answer: "No.", notify: true });
    assertInvalid(reply, "question is required");
    assertEquals([await pinnedCount(), (await storedAnswer(ids.messageId)).revised_at], [before, null]);
  });

  await t.step("passages that misled are barred; one of another answer → 404, and nothing is done", async () => {
    await addFile(tenant, "tides.md", "The tide turns at noon near the lighthouse.");
    service.model.script(tenant.modelName, { steps: [{ text: "At noon [1]." }] });
    const ids = await chat(service, tenant, { message: "When does the tide turn near the lighthouse?", context });
    const sources = (await storedAnswer(ids.messageId)).sources as { passageId: string; filename: string }[];
    assertEquals(sources.map(({ filename }) => filename), ["tides.md"]);
    const barred = sources[0]!.passageId;
    const body = { question: "Does the tide matter to ships?", answer: "Yes.", notify: true };
    const count = await pinnedCount();
    for (const wrong of [["0".repeat(32)], [barred, "'"], [barred, "\0"], ["\ud800"]]) {
      assertRefused(await revise(ids, { ...body, bar_passages: wrong }), "passage_not_found");
    }
    const answerer = await createUser();
    await addExpert(tenant.coachId, answerer, "answerer");
    const asAnswerer = { apiKey: tenant.apiKey, accessToken: answerer.accessToken };
    assertRefused(await revise(ids, { ...body, bar_passages: [barred] }, asAnswerer), "role_not_sufficient");
    assertEquals([await pinnedCount(), (await listed(ids.threadId)).length], [count, 2]);
    assertReply(await revise(ids, { ...body, bar_passages: [barred] }), 200);
    service.model.script(tenant.modelName, { steps: [{ text: "I do not know." }] });
    const again = await chat(service, tenant, { message: "When does the tide turn near the lighthouse?", context });
    const drawnOn = (await storedAnswer(again.messageId)).sources as { kind: string }[] | null;
    assertEquals((drawnOn ?? []).filter(({ kind }) => kind === "passage"), []);
  });

  for (const status of ["streaming", "waiting"]) {
    await t.step(`an answer that is ${status} → 409`, async () => {
      const ids = await storeAnswer(tenant, { content: "", status });
      assertRefused(await revise(ids, { question: "Is it so?", answer: "No." }), "answer_unfinished");
      assertEquals((await storedAnswer(ids.messageId)).revised_at, null);
    });
  }

  for (const status of ["stopped", "failed"]) {
    await t.step(`an answer that is ${status} can be revised, and so can one of the expert`, async () => {
      const ids = await storeAnswer(tenant, { content: "Half", status });
      assertReply(await revise(ids, { question: `Is it ${status}?`, answer: "No." }), 200);
      await changeAnswer(ids.messageId, { status: "complete", is_by_expert: true });
      assertReply(await revise(ids, { question: `Is it ${status}?`, answer: "Yes." }), 200);
    });
  }

  await t.step("a question, an answer of another thread, an unknown message → 404 message_not_found", async () => {
    const ids = await answered();
    const other = await answered();
    const { data } = await operator.from("messages").select("id").eq("thread_id", ids.threadId).eq("role", "user")
      .single()
      .throwOnError();
    for (const messageId of [data.id, other.messageId, crypto.randomUUID(), "7", "%00"]) {
      const reply = await revise({ ...ids, messageId }, { question: "Is it?", answer: "No." });
      assertRefused(reply, "message_not_found");
    }
    for (const threadId of [crypto.randomUUID(), "7", "%00"]) {
      const reply = await revise({ ...ids, threadId }, { question: "Is it?", answer: "No." });
      assertRefused(reply, "thread_not_found");
    }
  });
});

Deno.test("POST /threads/{threadId}/messages/{messageId}/revise: repeated, and afterwards", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, revise, listed, answered, pinnedOf } = prepared;

  await t.step("with the same key, once: one notice, however often it comes", async () => {
    const ids = await answered("Is it blue?", "Yes.");
    const body = { question: "Is the sky blue?", answer: "No.", notify: true, idempotency_key: crypto.randomUUID() };
    const replies = await Promise.all([1, 2, 3, 4].map(() => revise(ids, body)));
    for (const reply of replies) assertReply(reply, 200, replies[0]!.json);
    assertEquals((await listed(ids.threadId)).length, 3);
    assertRefused(await revise(ids, { ...body, answer: "Grey." }), "idempotency_key_reused");
    // Changed by somebody else meanwhile, whose key is another one: an old repetition does not undo that.
    const { id, accessToken } = await createUser();
    await operator.from("coach_profiles").update({ owner_id: id }).eq("id", tenant.coachId).throwOnError();
    const changed = await revise(ids, { ...body, answer: "Sometimes.", notify: false }, { ...tenant, accessToken });
    assertReply(changed, 200);
    assertReply(await revise(ids, body), 200, replies[0]!.json);
    assertEquals((await pinnedOf(replies[0]!.json.pinnedAnswerId)).answer, "Sometimes.");
  });

  await t.step("a call whose reply is lost is made again, and tells nobody twice", async () => {
    const ids = await answered("Is it red?", "Yes.");
    let lost = 0;
    service.supabase.fault = (path) => path.endsWith("/revise_answer") && lost++ === 0 ? "lose" : "pass";
    assertReply(await revise(ids, { question: "Is the sea red?", answer: "No.", notify: true }), 200);
    service.supabase.fault = "pass";
    assertEquals([lost, (await listed(ids.threadId)).length], [2, 3]);
  });

  await t.step("a pinned answer outlives the thread that it was made for", async () => {
    const ids = await answered("Is it green?", "Yes.");
    const { json } = await revise(ids, { question: "Is grass green?", answer: "In spring.", notify: true });
    assertReply(await ask(service, "DELETE", `/threads/${ids.threadId}`, tenant), 200);
    assertEquals((await pinnedOf(json.pinnedAnswerId)).answer, "In spring.");
  });

  await t.step("with the typed client, and as a tool", async () => {
    const { threadId, messageId } = await answered();
    const body = { question: "With the client?", answer: "Yes.", notify: true };
    const options = { idempotencyKey: crypto.randomUUID() };
    const client = clientOf(service, tenant);
    const revised = await client.reviseAnswer(threadId, messageId, body, options);
    assertEquals(await client.reviseAnswer(threadId, messageId, body, options), revised);
    await using mcp = await connect(service, tenant);
    const args = { threadId, messageId, question: "With a tool?", answer: "Yes." };
    const result = await mcp.callTool({ name: "revise-answer", arguments: args });
    assertEquals((result.structuredContent as { version: number }).version, 1, JSON.stringify(result));
  });

  const barError = "bar_passages must be a list of at most 100 passage IDs";
  for (
    const [body, error] of [
      [{ question: "Q?" }, "answer is required"],
      [{ question: "Q?", answer: " " }, "answer must not be blank"],
      [{ question: "Q?", answer: "x".repeat(20_001) }, "answer must be at most 20,000 characters long"],
      [
        { question: "Q?", answer: "a\0" },
        "answer must not contain NUL characters or unpaired surrogates",
      ],
      [{ question: "", answer: "A" }, "question must not be blank"],
      [{ question: "x".repeat(1_001), answer: "A" }, "question must be at most 1,000 characters long"],
      [{ question: "Q?", answer: "A", notify: "yes" }, "notify must be true or false"],
      [{ question: "Q?", answer: "A", bar_passages: "x" }, barError],
      [{ question: "Q?", answer: "A", bar_passages: Array(101).fill("x") }, barError],
    ] as const
  ) {
    await t.step(`${JSON.stringify(body).slice(0, 50)} → 400`, async () => {
      const ids = await storeAnswer(tenant, { content: "Said", status: "complete" });
      assertInvalid(await revise(ids, body), error);
    });
  }
});
