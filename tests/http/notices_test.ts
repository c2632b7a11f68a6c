import { EventSourceParserStream } from "eventsource-parser/stream";
import { assertEquals } from "../support/assert.ts";
import {
  ask,
  assertInvalid,
  assertRefused,
  assertReply,
  chat,
  clientOf,
  type Credentials,
  send,
} from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { handOver } from "../support/hand_over.ts";
import { sweep } from "../support/knowledge.ts";
import { connect } from "../support/mcp.ts";
import { allScopes, createTenant, createUser, issueKey, operator, type Tenant } from "../support/project.ts";
import { type Service, startService } from "../support/service.ts";
import { slowStep } from "../support/slow.ts";
import { startTurn, storeAnswer, storeAnswers } from "../support/turns.ts";
import { storeQuestion } from "../support/questions.ts";

/** Somebody's question, and the answer that did not answer it. */
type Asking = { threadId: string; questionId: string; messageId: string; openQuestionId: string };

const words = "hey, its bob from oslo: what do I pay?";

async function prepare(options: Parameters<typeof startService>[0] = {}) {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService({ timeouts: { poll: 20, flush: 20, watch: 50 }, ...options }));
  const owner = await createUser();
  const tenant = await createTenant({ requests_per_minute: 10_000, scopes: allScopes }, { owner_id: owner.id });

  /** Has a person ask in words of their own; `sentence` is what the model makes of it. */
  async function asks(user_id: string, sentence: string | null, place: Tenant = tenant): Promise<Asking> {
    const ids = await storeAnswer(place, { content: "I do not know", status: "complete", user_id });
    await operator.from("messages").update({ content: words }).eq("id", ids.questionId).throwOnError();
    return { ...ids, openQuestionId: await storeQuestion(ids.messageId, sentence) };
  }
  const answer = (id: string, body: Record<string, unknown>, credentials: Credentials = tenant) =>
    ask(service, "POST", `/coaches/${tenant.coachId}/questions/${id}/answer`, credentials, body);
  const listed = async (threadId: string) =>
    (await ask(service, "GET", `/threads/${threadId}/messages?include=author,sources,status`, tenant)).json.data;
  const said = async (threadId: string) =>
    (await listed(threadId)).filter(({ author }: { author: string }) => author === "expert")
      .map(({ content }: { content: string }) => content);
  const threadOf = async (threadId: string) => (await ask(service, "GET", `/threads/${threadId}`, tenant)).json;
  const open = async (query = "") =>
    (await ask(service, "GET", `/coaches/${tenant.coachId}/questions?${query}`, tenant)).json.data;
  return handOver(stack, { service, owner, tenant, asks, answer, listed, said, threadOf, open });
}

Deno.test("an answered question comes back into the threads where it was asked", async (t) => {
  await using prepared = await prepare();
  const { service, owner, tenant, asks, answer, listed, said, threadOf } = prepared;

  await t.step("as the expert's message, which belongs to the person's own question", async () => {
    const [ann, ben, other] = [
      await asks("ann", "What does it cost?"),
      await asks("ben", "what does it COST"),
      await asks("ben", "Who invented it?"),
    ];
    const before = await threadOf(ann.threadId);
    const expert = { apiKey: tenant.apiKey, accessToken: owner.accessToken };
    const reply = await answer(ann.openQuestionId, { answer: "Nothing." }, expert);
    assertReply(reply, 200);
    assertEquals([reply.json.status, reply.json.notified], ["answered", 2]);
    for (const { threadId, questionId } of [ann, ben]) {
      const [, , notice, ...more] = await listed(threadId);
      assertEquals(more, []);
      const { id, created_at, sources, expert, ...shown } = notice;
      // The key of the test has the scope of experts, who see which of them it was.
      assertEquals(expert.user_id, owner.id);
      assertEquals(shown, {
        thread_id: threadId,
        content: "Nothing.",
        role: "assistant",
        response_id: null,
        author: "expert",
        status: "complete",
        error_code: null,
        in_reply_to: questionId,
      });
      assertEquals([typeof id, created_at > (await listed(threadId))[1].created_at], ["string", true]);
      assertEquals(sources, [{
        kind: "pinned_answer",
        pinnedAnswerId: reply.json.pinned_answer_id,
        version: 1,
        question: words,
        quote: "Nothing.",
        isWordForWord: true,
      }]);
    }
    const { updated_at: _, ...after } = await threadOf(ann.threadId);
    const { updated_at: __, ...former } = before;
    assertEquals(after, { ...former, unread: 1 });
    assertEquals(await said(other.threadId), []);
    assertEquals(service.model.requestsOf(tenant.modelName).length, 0);
  });

  await t.step("where it is seen as it happens, by the person and by the expert", async () => {
    const { threadId, openQuestionId } = await asks("ann", "Where is it?");
    const streams = await Promise.all([`/threads/${threadId}/events`, `/coaches/${tenant.coachId}/events`].map(
      async (path) => {
        const { body } = await send(service, "GET", path, tenant);
        return body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      },
    ));
    assertReply(await answer(openQuestionId, { answer: "In Lund." }), 200);
    const id = (await listed(threadId))[2].id;
    for (const stream of streams) {
      for await (const { event, data } of stream) {
        if (event === "message.completed" && JSON.parse(data).message_id === id) break;
      }
    }
  });

  await t.step("with notify: false nobody is told; the same answer later tells them", async () => {
    const { threadId, openQuestionId } = await asks("ann", "When is it?");
    assertEquals((await answer(openQuestionId, { answer: "On Sunday.", notify: false })).json.notified, 0);
    assertEquals(await said(threadId), []);
    assertEquals((await answer(openQuestionId, { answer: "On Sunday.", notify: true })).json.notified, 1);
    assertEquals(await said(threadId), ["On Sunday."]);
  });

  await t.step("once, however often the same is answered, and by whomever", async () => {
    const [ann, ben] = [await asks("ann", "Is it big?"), await asks("ben", "Is it big?")];
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => answer(ann.openQuestionId, { answer: "Very." })),
    );
    assertEquals(replies.map(({ status, json }) => [status, json.notified]), Array(4).fill([200, 2]));
    for (const { threadId } of [ann, ben]) assertEquals(await said(threadId), ["Very."]);
    // Asked again by somebody else, only they are told.
    const cat = await asks("cat", "Is it big?");
    assertEquals((await answer(cat.openQuestionId, { answer: "Very." })).json.notified, 3);
    for (const { threadId } of [ann, ben, cat]) assertEquals(await said(threadId), ["Very."]);
  });

  await t.step("and once more when the text has changed: two experts at once, or one who knows better", async () => {
    const { threadId, openQuestionId } = await asks("ann", "Is it old?");
    await Promise.all(["Yes.", "No."].map((text) => answer(openQuestionId, { answer: text })));
    assertEquals((await said(threadId)).toSorted(), ["No.", "Yes."]);
    const { json } = await answer(openQuestionId, { answer: "A bit." });
    assertEquals([(await said(threadId)).at(-1), (await threadOf(threadId)).unread], ["A bit.", 3]);
    const path = `/coaches/${tenant.coachId}/answers/${json.pinned_answer_id}`;
    // Changes of the pinned answer tell nobody, and other variants are no other text.
    assertReply(await ask(service, "PATCH", path, tenant, { variants: ["How old is it?"] }), 200);
    assertEquals((await answer(openQuestionId, { answer: "A bit." })).json.notified, 1);
    assertReply(await ask(service, "PATCH", path, tenant, { answer: "Not at all." }), 200);
    assertEquals((await said(threadId)).length, 3);
    await answer(openQuestionId, { answer: "Not at all." });
    assertEquals((await said(threadId)).at(-1), "Not at all.");
  });

  await t.step("a thread that has asked twice gets it once, for the later question", async () => {
    const { threadId, messageId, openQuestionId } = await asks("ann", "Is it blue?");
    service.model.script(tenant.modelName, { steps: [{ text: "No idea." }] });
    const later = await chat(service, tenant, { message: "So, is it blue?", thread_id: threadId });
    assertEquals(await storeQuestion(later.messageId, "Is it blue?"), openQuestionId);
    assertEquals((await answer(openQuestionId, { answer: "Both are." })).json.notified, 1);
    const messages = await listed(threadId);
    assertEquals(messages.map(({ content }: { content: string }) => content), [
      words,
      "I do not know",
      "So, is it blue?",
      "No idea.",
      "Both are.",
    ]);
    assertEquals(messages[4].in_reply_to, messages[2].id);
    assertEquals(messages[1].id, messageId);
  });
});

Deno.test("whoever answers a question says who is told", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, asks, answer, said } = prepared;

  await t.step("the typed client and MCP can say so, too", async () => {
    const [ann, ben] = [await asks("ann", "Is it loud?"), await asks("ann", "Is it soft?")];
    const client = clientOf(service, tenant);
    const answered = await client.answerQuestion(tenant.coachId, ann.openQuestionId, { answer: "No.", notify: false });
    assertEquals(answered.notified, 0);
    await using mcp = await connect(service, tenant);
    const args = { coachId: tenant.coachId, questionId: ben.openQuestionId, answer: "Yes." };
    const { structuredContent } = await mcp.callTool({ name: "answer-question", arguments: args });
    assertEquals((structuredContent as { notified: number }).notified, 1);
    assertEquals([await said(ann.threadId), await said(ben.threadId)], [[], ["Yes."]]);
  });

  await t.step("a question that few have asked takes one call of Postgres", async () => {
    const { openQuestionId } = await asks("ann", "Is it free?");
    const before = service.supabase.requests.length;
    await answer(openQuestionId, { answer: "Yes." });
    assertEquals(service.supabase.requests.slice(before), ["/rest/v1/rpc/answer_question"]);
  });

  await slowStep(t, "more than a thousand are told in one request", async () => {
    const count = 1_030;
    const turns = await storeAnswers(
      Array.from({ length: count }, (_, person) => (
        { ...tenant, content: "I do not know", status: "complete", user_id: `person ${person}` }
      )),
    );
    let id = "";
    for (const { messageId } of turns) id = await storeQuestion(messageId, "Is it heavy?");
    const before = service.supabase.requests.length;
    assertEquals((await answer(id, { answer: "No." })).json.notified, count);
    assertEquals(service.supabase.requests.length - before, 2);
    for (const { threadId } of [turns[0]!, turns.at(-1)!]) assertEquals(await said(threadId), ["No."]);
  });

  await t.step("what is not a way to notify → 400, and nothing is done", async () => {
    const { threadId, openQuestionId } = await asks("ann", "Is it red?");
    const error = 'notify must be true, false, or {"askings": […]} with at most 1,000 IDs';
    for (
      const notify of ["yes", 1, [], {}, { askings: "all" }, { askings: ["x"] }, {
        askings: Array(1_001).fill(threadId),
      }]
    ) {
      assertInvalid(await answer(openQuestionId, { answer: "Yes.", notify }), error);
    }
    assertEquals(await said(threadId), []);
  });
});

Deno.test("an answer that comes back leaves the thread as it is otherwise", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, asks, answer, listed, said, threadOf, open } = prepared;

  await t.step("it starts no takeover and ends none, and who waits for the expert still waits", async () => {
    const { threadId, openQuestionId } = await asks("ann", "What does it cost?");
    const { json: { taken_over_until } } = await ask(service, "POST", `/threads/${threadId}/takeover`, tenant);
    await ask(service, "POST", "/chat", tenant, { message: "Are you there?", thread_id: threadId });
    await answer(openQuestionId, { answer: "Nothing." });
    const shown = (await listed(threadId)).map((message: Record<string, string>) => [message.status, message.content]);
    assertEquals(shown.slice(2), [["complete", "Are you there?"], ["waiting", ""], ["complete", "Nothing."]]);
    assertEquals((await threadOf(threadId)).taken_over_until, taken_over_until);
    const waiting = await ask(service, "GET", `/coaches/${tenant.coachId}/threads?needs_reply=true`, tenant);
    assertEquals(waiting.json.data.map(({ id }: { id: string }) => id), [threadId]);
    await ask(service, "POST", `/threads/${threadId}/messages`, tenant, { content: "Yes, I am." });
    assertEquals((await listed(threadId))[3].content, "Yes, I am.");
  });

  await t.step("an answer that is being written goes on, and ends before it", async () => {
    const { threadId, openQuestionId } = await asks("ann", "Where is it?");
    const turn = await startTurn(service, tenant, {
      said: ["One "],
      rest: [{ text: "two." }],
      body: { thread_id: threadId, context: undefined },
    });
    assertReply(await answer(openQuestionId, { answer: "In Lund." }), 200);
    assertEquals((await threadOf(threadId)).active_message_id, turn.messageId);
    turn.goOn();
    await turn.reply;
    await service.turns();
    const shown = (await listed(threadId)).map((message: Record<string, string>) => [message.status, message.content]);
    assertEquals(shown.slice(3), [["complete", "One two."], ["complete", "In Lund."]]);
    const { json } = await ask(service, "GET", `/threads/${threadId}/messages?limit=1`, tenant);
    assertEquals(json.count, 5);
  });

  await t.step("who asked while the answer was given has not got it: the question is open again", async () => {
    const ann = await asks("ann", "When is it?");
    const late = await storeAnswer(tenant, { content: "Not known", status: "complete", user_id: "ben" });
    assertEquals((await answer(ann.openQuestionId, { answer: "On Sunday." })).json.notified, 1);
    assertEquals(await storeQuestion(late.messageId, "When is it?"), ann.openQuestionId);
    assertEquals((await open()).map(({ id }: { id: string }) => id), [ann.openQuestionId]);
    assertEquals((await answer(ann.openQuestionId, { answer: "On Sunday." })).json.notified, 2);
    for (const { threadId } of [ann, late]) assertEquals(await said(threadId), ["On Sunday."]);
    assertEquals(await open(), []);
  });

  await t.step("archived threads are left out, until they are not", async () => {
    const { threadId, openQuestionId } = await asks("ann", "Is it big?");
    const archive = (is_archived: boolean) => ask(service, "PATCH", `/threads/${threadId}`, tenant, { is_archived });
    await archive(true);
    assertEquals((await answer(openQuestionId, { answer: "Very." })).json.notified, 0);
    assertEquals([await said(threadId), (await threadOf(threadId)).unread], [[], 0]);
    await archive(false);
    assertEquals((await answer(openQuestionId, { answer: "Very." })).json.notified, 1);
  });

  await t.step("erased people and deleted threads are left out; exports and erasures reach what was sent", async () => {
    const [ann, ben, cat] = [
      await asks("ann2", "Is it old?"),
      await asks("ben2", "Is it old?"),
      await asks("cat2", "Is it old?"),
    ];
    await operator.rpc("erase_user", { account_id: tenant.accountId, user_id: "ann2" }).throwOnError();
    await ask(service, "DELETE", `/threads/${ben.threadId}`, tenant);
    assertEquals((await answer(ann.openQuestionId, { answer: "Yes." })).json.notified, 1);
    const of = { account_id: tenant.accountId, user_id: "cat2" };
    const { data } = await operator.rpc("export_user", of).throwOnError();
    const [{ messages }] = (data as { threads: [{ messages: Record<string, unknown>[] }] }).threads;
    assertEquals(messages.map(({ in_reply_to, author }) => [in_reply_to, author]), [
      [null, "user"],
      [null, "ai"],
      [cat.questionId, "expert"],
    ]);
    const erased = (await operator.rpc("erase_user", of).throwOnError()).data as { messages: number };
    assertEquals(erased.messages, 3);
    assertRefused(await answer(ann.openQuestionId, { answer: "Yes." }), "question_not_found");
  });

  await t.step("a question that replaces an older one takes the message along; a deleted answer does not", async () => {
    const [ann, ben] = [await asks("ann", "Is it loud?"), await asks("ben", "Is it loud?")];
    const { json } = await answer(ann.openQuestionId, { answer: "Yes." });
    service.model.script(tenant.modelName, { steps: [{ text: "New." }] });
    await chat(service, tenant, { message: "Instead", thread_id: ann.threadId, replaces: ann.questionId });
    assertEquals([await said(ann.threadId), (await threadOf(ann.threadId)).unread], [[], 0]);
    await ask(service, "DELETE", `/coaches/${tenant.coachId}/answers/${json.pinned_answer_id}`, tenant);
    assertEquals((await listed(ben.threadId))[2].in_reply_to, ben.questionId);
  });

  await t.step("a correction that notifies is the same message: once, with the person's own question", async () => {
    const { threadId, messageId, questionId } = await asks("ann", "Is it soft?");
    const revise = (answer: string) =>
      ask(service, "POST", `/threads/${threadId}/messages/${messageId}/revise`, tenant, { answer, notify: true });
    const first = await revise("No.");
    assertEquals((await revise("No.")).json, first.json);
    const [, , notice, ...more] = await listed(threadId);
    assertEquals([notice.id, notice.in_reply_to, notice.sources[0].question], [
      first.json.messageId,
      questionId,
      words,
    ]);
    assertEquals(more, []);
    assertEquals((await answer((await open("status=answered"))[0].id, { answer: "No." })).json.notified >= 1, true);
    assertEquals(await said(threadId), ["No."]);
    assertEquals((await revise("Yes.")).json.version, 2);
    assertEquals(await said(threadId), ["No.", "Yes."]);
  });
});

/** Sweeps until a question has been compared with others. */
async function compare(service: Service, { coachId }: Tenant) {
  await eventually(async () => {
    await sweep(service);
    const { data } = await operator.from("open_questions").select("due_at").eq("coach_id", coachId)
      .not("due_at", "is", null).throwOnError();
    return data.length === 0;
  }, "all questions are compared");
}

Deno.test("who asked in other words is told only if the expert says so", async (t) => {
  await using prepared = await prepare({ isIndexerAsleep: true });
  const { service, tenant, asks, answer, said, open } = prepared;
  const listed = async (credentials: Credentials = tenant) =>
    (await ask(service, "GET", `/coaches/${tenant.coachId}/questions?include=askings`, credentials)).json.data[0];
  service.model.script(tenant.modelName, { steps: [{ text: "yes" }] });
  const ann = await asks("ann", "How long should I fast at first?");
  await compare(service, tenant);
  const ben = await asks("ben", "At first, how many hours do I fast?");
  await compare(service, tenant);
  // By the words that were merged, and by those of the question.
  const [cat, dan] = [
    await asks("cat", "at first how many hours do I fast"),
    await asks("dan", "How long should I fast at first"),
  ];
  const archived = await asks("eve", "At first, how many hours do I fast?");
  await ask(service, "PATCH", `/threads/${archived.threadId}`, tenant, { is_archived: true });

  await t.step("the list shows how many chats get an answer, and those to be ticked", async () => {
    const [{ id, times }, ...others] = await open();
    assertEquals([id, times, others], [ann.openQuestionId, 5, []]);
    const { chats, merged_askings } = await listed();
    assertEquals(chats, 2);
    assertEquals(merged_askings.map(({ asked_at, ...asking }: { asked_at: string }) => [typeof asked_at, asking]), [
      ["string", { id: cat.messageId, thread_id: cat.threadId, words }],
      ["string", { id: ben.messageId, thread_id: ben.threadId, words }],
    ]);
    assertEquals("chats" in (await open())[0], false, "only where it is asked for");
    assertReply(await ask(service, "GET", `/coaches/${tenant.coachId}/questions?include=all`, tenant), 400);
  });

  await t.step("their words are hidden from a key that may not read threads", async () => {
    const blind = await issueKey(tenant.accountId, { scopes: ["expert"] });
    const { merged_askings } = await listed(blind);
    assertEquals(merged_askings.map(({ words }: { words: string | null }) => words), [null, null]);
    const owner = {
      ...await issueKey(tenant.accountId, { scopes: ["chat"] }),
      accessToken: prepared.owner.accessToken,
    };
    assertEquals(JSON.stringify(await listed(owner)).includes("oslo"), false);
  });

  await t.step("an answer goes to the others only", async () => {
    const { json } = await answer(ann.openQuestionId, { answer: "Twelve hours." });
    assertEquals(json.notified, 2);
    for (const { threadId } of [ann, dan]) assertEquals(await said(threadId), ["Twelve hours."]);
    for (const { threadId } of [ben, cat, archived]) assertEquals(await said(threadId), []);
  });

  await t.step("and leaves the question open while one of those who were not told waits for the expert", async () => {
    const path = `/threads/${ben.threadId}/ask-expert`;
    const requested = await ask(service, "POST", path, tenant, { message_id: ben.messageId });
    assertReply(requested, 201);
    const { json } = await answer(ann.openQuestionId, { answer: "Twelve hours." });
    assertEquals([json.status, json.is_requested, await said(ben.threadId)], ["open", true, []]);
    await ask(service, "DELETE", `/threads/${ben.threadId}/requests/${requested.json.id}`, tenant);
    assertEquals((await answer(ann.openQuestionId, { answer: "Twelve hours." })).json.status, "answered");
  });

  await t.step("and to those who are ticked; IDs that are none of these are ignored", async () => {
    const foreign = await createTenant({ scopes: allScopes });
    const stranger = await asks("ann", "How long should I fast at first?", foreign);
    const other = await asks("fay", "Who invented it?");
    const askings = [ben, archived, stranger, other].map(({ messageId }) => messageId);
    const { json } = await answer(ann.openQuestionId, {
      answer: "Twelve hours.",
      notify: { askings: [...askings, crypto.randomUUID()] },
    });
    assertEquals(json.notified, 3);
    for (const { threadId } of [ann, ben, dan]) assertEquals(await said(threadId), ["Twelve hours."]);
    for (const { threadId } of [cat, archived, other]) assertEquals(await said(threadId), []);
    const { json: theirs } = await ask(service, "GET", `/threads/${stranger.threadId}/messages`, foreign);
    assertEquals(theirs.count, 2);
  });

  await t.step("who rates an answer in words that were merged is one of them", async () => {
    service.model.script(tenant.modelName, { steps: [{ text: "At first, how many hours do I fast?" }] });
    const rated = await asks("gus", null);
    await compare(service, tenant);
    const merged = (await listed()).merged_askings.map(({ id }: { id: string }) => id);
    assertEquals([merged.includes(rated.messageId), merged.includes(cat.messageId)], [true, true]);
    await answer(ann.openQuestionId, { answer: "Twelve hours." });
    assertEquals(await said(rated.threadId), []);
  });

  await t.step("who asked what the expert has put into words is told, whatever it becomes one with", async () => {
    const unworded = await asks("hal", null);
    const body = { answer: "Twelve hours.", question: "At first, how many hours do I fast?" };
    const { json } = await answer(unworded.openQuestionId, body);
    assertEquals(json.id, ann.openQuestionId);
    assertEquals([await said(unworded.threadId), await said(cat.threadId)], [["Twelve hours."], []]);
  });
});
