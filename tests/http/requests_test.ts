import { EventSourceParserStream } from "eventsource-parser/stream";
import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, type Credentials, send } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { sweep } from "../support/knowledge.ts";
import {
  allScopes,
  createTenant,
  createUser,
  issuePublishableKey,
  operator,
  signInAnonymously,
} from "../support/project.ts";
import { startService } from "../support/service.ts";
import { storeAnswer } from "../support/turns.ts";
import { storeQuestion } from "../support/questions.ts";

const question = "May I bring my dog?";

/** A coach with an expert, and people who come by a page. */
async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService({ timeouts: { poll: 20, flush: 20, watch: 50 } }));
  const owner = await createUser();
  const tenant = await createTenant({ requests_per_minute: 10_000, scopes: allScopes }, { owner_id: owner.id });
  const { publishableKey } = await issuePublishableKey(tenant.accountId, { total_per_minute: 10_000 });
  const expert: Credentials = { publishableKey, accessToken: owner.accessToken };

  /** Somebody who came by the page, with a conversation of one turn. */
  async function visitor() {
    const { id, accessToken } = await signInAnonymously();
    const turn = await storeAnswer(tenant, { content: "I do not know", status: "complete", user_id: id });
    return { id, ...turn, credentials: { publishableKey, accessToken } as Credentials };
  }
  const call = (who: Credentials, threadId: string, body: unknown = {}) =>
    ask(service, "POST", `/threads/${threadId}/ask-expert`, who, body);
  const say = (threadId: string, body: object, who = expert) =>
    ask(service, "POST", `/threads/${threadId}/messages`, who, body);
  const list = (who: Credentials, threadId: string) => ask(service, "GET", `/threads/${threadId}/requests`, who);
  const withdraw = (who: Credentials, threadId: string, id: string) =>
    ask(service, "DELETE", `/threads/${threadId}/requests/${id}`, who);
  const messages = async (who: Credentials, threadId: string, include = "status,author") =>
    (await ask(service, "GET", `/threads/${threadId}/messages?include=${include}`, who)).json.data;
  const open = async (query = "") =>
    (await ask(service, "GET", `/coaches/${tenant.coachId}/questions?${query}`, expert)).json;
  const conversation = async (threadId: string) =>
    (await ask(service, "GET", `/coaches/${tenant.coachId}/threads`, expert)).json.data
      .find(({ id }: { id: string }) => id === threadId);
  /** Events of requests of a thread from now on: the returned function reads as many events. */
  const watch = async (threadId: string) => {
    const { body } = await send(service, "GET", `/threads/${threadId}/events`, tenant);
    const reader = body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader();
    assertEquals((await reader.read()).value?.event, "watching");
    return async (count: number) => {
      const kinds: string[] = [];
      while (kinds.length < count) {
        const { value } = await reader.read();
        if (value!.event!.startsWith("request.")) kinds.push(value!.event!);
      }
      await reader.cancel();
      return kinds;
    };
  };
  const acts = { visitor, call, say, list, withdraw, messages, open, conversation, watch };
  return handOver(stack, { service, owner, tenant, publishableKey, expert, ...acts });
}

Deno.test("a person asks the expert in person, without an account", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, expert, visitor, call, say, list, messages, open, conversation } = prepared;
  const { publishableKey } = prepared;

  await t.step("about the last question: passed on, seen, answered", async () => {
    const { threadId, questionId, messageId, credentials } = await visitor();
    const asked = await call(credentials, threadId);
    assertReply(asked, 201);
    const { id, asked_at, question: words, ...entry } = asked.json;
    assertEquals(entry, {
      thread_id: threadId,
      message_id: questionId,
      status: "waiting",
      seen_at: null,
      answered_at: null,
      email: null,
    });
    assert(words !== "" && asked_at.endsWith("Z"));
    assertReply(await call(credentials, threadId, { message_id: messageId }), 200, asked.json);
    assertReply(await list(credentials, threadId), 200, { data: [asked.json], count: 1 });

    const [waiting] = (await open()).data;
    assertEquals([waiting.reasons, waiting.is_requested, waiting.off_topic], [["human"], true, false]);
    assertEquals((await conversation(threadId)).request, asked.json);
    assertEquals((await conversation(threadId)).request_status, "waiting");

    await messages(expert, threadId, "basis");
    const seen = (await list(credentials, threadId)).json.data[0];
    assertEquals([seen.status, seen.seen_at !== null], ["seen", true]);

    assertReply(await say(threadId, { content: "Yes, you may." }), 200);
    const answered = (await list(credentials, threadId)).json.data[0];
    assertEquals([answered.id, answered.status, answered.seen_at], [id, "answered", seen.seen_at]);
    const [asking, , reply] = await messages(credentials, threadId);
    assertEquals([reply.content, reply.author, reply.in_reply_to], ["Yes, you may.", "expert", questionId]);
    assertEquals(reply.expert, { name: "Ada Byron", picture_url: null });
    assertEquals(asking.request, answered);
    assertEquals([(await open()).data, (await open("status=answered")).data.length], [[], 1]);
    assertEquals((await conversation(threadId)).needs_reply_at, null);
    assertEquals(service.model.requestsOf(tenant.modelName).length, 0);
  });

  await t.step("with a new question, which only the expert answers", async () => {
    const { threadId, credentials } = await visitor();
    const asked = await call(credentials, threadId, { question, idempotency_key: "one" });
    assertReply(asked, 201);
    assertEquals((await call(credentials, threadId, { question, idempotency_key: "one" })).json, asked.json);
    assertRefused(
      await call(credentials, threadId, { question: "?", idempotency_key: "one" }),
      "idempotency_key_reused",
    );
    const other = await visitor();
    assertReply(await call(other.credentials, other.threadId, { question, idempotency_key: "one" }), 201);
    const [, , asking, answer, ...more] = await messages(credentials, threadId);
    assertEquals([asking.id, asking.content, more], [asked.json.message_id, question, []]);
    assertEquals([answer.status, answer.content], ["waiting", ""]);
    assertReply(await say(threadId, { content: "Yes." }), 200);
    const [, , , filled] = await messages(credentials, threadId);
    assertEquals([filled.id, filled.status, filled.content, filled.in_reply_to], [
      answer.id,
      "complete",
      "Yes.",
      asking.id,
    ]);
  });

  await t.step("and may begin a conversation with it", async () => {
    const { credentials } = await visitor();
    const threadId = crypto.randomUUID();
    assertRefused(await call(credentials, threadId, { question }), "thread_not_found");
    assertRefused(await call(credentials, threadId, { question, coachId: "nobody" }), "coach_not_found");
    assertReply(await call(credentials, threadId, { question, coachId: tenant.coachId }), 201);
    assertEquals((await ask(service, "GET", `/threads/${threadId}`, credentials)).json.title, question);
    assertRefused(
      await call((await visitor()).credentials, threadId, { question, coachId: tenant.coachId }),
      "thread_not_found",
    );
  });

  await t.step("nobody else can ask there, see it or take it back", async () => {
    const { threadId, messageId, credentials } = await visitor();
    const { id } = (await call(credentials, threadId)).json;
    const other = await visitor();
    const strangers = await createTenant({ scopes: allScopes });
    for (const who of [other.credentials, strangers]) {
      assertRefused(await call(who, threadId), "thread_not_found");
      assertRefused(await list(who, threadId), "thread_not_found");
      assertRefused(await prepared.withdraw(who, threadId, id), "thread_not_found");
    }
    assertRefused(await call(expert, threadId), "thread_not_found");
    assertRefused(await prepared.withdraw(expert, threadId, id), "thread_not_found");
    assertRefused(await prepared.withdraw(other.credentials, other.threadId, id), "request_not_found");
    assertRefused(await call(other.credentials, other.threadId, { message_id: messageId }), "message_not_found");
    assertInvalid(
      await call(credentials, threadId, { message_id: messageId, question }),
      "question and message_id cannot be combined",
    );
    assertEquals((await list({ publishableKey, accessToken: prepared.owner.accessToken }, threadId)).json.count, 1);
  });

  await t.step("without a mail server, an address is refused, and nothing is asked", async () => {
    const { threadId, credentials } = await visitor();
    assertRefused(await call(credentials, threadId, { email: "a@example.com" }), "mail_not_available");
    assertEquals((await list(credentials, threadId)).json.count, 0);
  });
});

Deno.test("what waits for the expert is never given to the model", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, expert, visitor, call, say, withdraw, list, messages, open, conversation } = prepared;
  const post = (threadId: string, action: string) => ask(service, "POST", `/threads/${threadId}/${action}`, expert);
  const last = async (who: Credentials, threadId: string) => (await messages(who, threadId)).at(-1);

  await t.step("not when a takeover is released or expires", async () => {
    const { threadId, credentials } = await visitor();
    await call(credentials, threadId, { question });
    for (const end of ["release", "expiry"]) {
      assertReply(await post(threadId, "takeover"), 200);
      if (end === "release") assertReply(await post(threadId, "release"), 200);
      else await operator.from("threads").update({ taken_over_until: "2020-01-01" }).eq("id", threadId).throwOnError();
      await sweep(service);
      assertEquals([(await last(credentials, threadId)).status, end], ["waiting", end]);
      assert((await conversation(threadId)).needs_reply_at !== null);
    }
  });

  await t.step("not even where something else waits for the model, nor does the sweep look for it", async () => {
    const { threadId, id, credentials } = await visitor();
    await call(credentials, threadId, { question });
    const isWaiting = async () =>
      (await operator.from("threads").select("is_waiting").eq("id", threadId).single().throwOnError()).data
        .is_waiting;
    assertEquals(await isWaiting(), false);
    assertReply(await post(threadId, "takeover"), 200);
    const body = { message: "More", thread_id: threadId, context: { coachId: tenant.coachId, userId: id } };
    assertReply(await ask(service, "POST", "/chat", credentials, body), 200);
    assertEquals(await isWaiting(), true);
    service.model.scriptEach(tenant.modelName, () => ({ steps: [{ text: "From the model." }] }));
    assertReply(await post(threadId, "release"), 200);
    await sweep(service);
    const states = (await messages(credentials, threadId)).filter(({ role }: { role: string }) => role === "assistant")
      .map(({ status, content }: Record<string, string>) => [status, content]);
    assertEquals(states, [["complete", "I do not know"], ["waiting", ""], ["complete", "From the model."]]);
  });

  await t.step("while everything else is answered by the model", async () => {
    const { threadId, id, credentials } = await visitor();
    const asked = await call(credentials, threadId, { question });
    service.model.script(tenant.modelName, { steps: [{ text: "Well." }] });
    const context = { coachId: tenant.coachId, userId: id };
    assertReply(
      await ask(service, "POST", "/chat", credentials, { message: "More", thread_id: threadId, context }),
      200,
    );
    await service.turns();
    assertEquals((await last(credentials, threadId)).content, "Well.");
    // The request that waits longest, wherever it stands.
    assertReply(await say(threadId, { content: "Yes." }), 200);
    const filled = (await messages(credentials, threadId)).find((message: Record<string, string>) =>
      message.content === "Yes."
    );
    assertEquals(filled.in_reply_to, asked.json.message_id);
  });

  await t.step("taken back, it ends as stopped, and waits again when it is asked once more", async () => {
    const { threadId, credentials } = await visitor();
    const happened = await prepared.watch(threadId);
    const asked = (await call(credentials, threadId, { question })).json;
    const withdrawn = await withdraw(credentials, threadId, asked.id);
    assertReply(withdrawn, 200, { ...asked, status: "withdrawn" });
    assertReply(await withdraw(credentials, threadId, asked.id), 200, withdrawn.json);
    assertEquals((await last(credentials, threadId)).status, "stopped");
    const isOpen = (await open()).data.some(({ thread_id }: { thread_id: string }) => thread_id === threadId);
    assertEquals(isOpen, false);
    assertEquals((await conversation(threadId)).needs_reply_at, null);
    const again = await call(credentials, threadId, { message_id: asked.message_id });
    assertReply(again, 200);
    assertEquals([again.json.id, again.json.status, (await last(credentials, threadId)).status], [
      asked.id,
      "waiting",
      "waiting",
    ]);
    assertEquals((await list(credentials, threadId)).json.count, 1);
    await list(expert, threadId);
    assertEquals(await happened(4), ["request.opened", "request.withdrawn", "request.opened", "request.seen"]);
  });

  await t.step("stopped, it is taken back, too, by its person alone", async () => {
    const { threadId, credentials } = await visitor();
    const other = await visitor();
    const happened = await prepared.watch(threadId);
    const asked = (await call(credentials, threadId, { question })).json;
    const { id } = await last(credentials, threadId);
    const stop = (who: Credentials) => ask(service, "POST", `/chat/${id}/stop`, who);
    for (const who of [other.credentials, expert]) assertRefused(await stop(who), "message_not_found");
    assertEquals((await list(credentials, threadId)).json.data, [asked]);
    for (let times = 0; times < 2; times++) {
      const reply = await stop(credentials);
      assertReply(reply, 200);
      assertEquals(reply.json.status, "stopped");
      assertEquals((await list(credentials, threadId)).json.data, [{ ...asked, status: "withdrawn" }]);
    }
    const isOpen = (await open()).data.some(({ thread_id }: { thread_id: string }) => thread_id === threadId);
    assertEquals([isOpen, (await conversation(threadId)).needs_reply_at], [false, null]);
    assertEquals(await happened(2), ["request.opened", "request.withdrawn"]);
  });

  await t.step("what the model had not known is still an open question when the request is taken back", async () => {
    const { threadId, messageId, credentials } = await visitor();
    await storeQuestion(messageId, "What does it cost?");
    const { id } = (await call(credentials, threadId)).json;
    const reasons = async () =>
      (await open()).data.map(({ reasons, is_requested }: Record<string, unknown>) => [reasons, is_requested]);
    const unknown = async () =>
      (await ask(service, "GET", `/coaches/${tenant.coachId}/overview`, expert)).json.week.not_known;
    assertEquals([(await reasons())[0], await unknown()], [[["human"], true], 1]);
    await withdraw(credentials, threadId, id);
    assertEquals([(await reasons()).at(-1), await unknown()], [[["unknown"], false], 1]);
  });
});

Deno.test("an answer to the open question and a correction end a request, too", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, expert, visitor, call, say, list, messages, open } = prepared;
  const status = async (who: Credentials, threadId: string) => (await list(who, threadId)).json.data[0].status;

  await t.step("the answer to the open question, also in archived threads", async () => {
    const [ann, ben] = [await visitor(), await visitor()];
    await storeQuestion(ann.messageId, "What is it?");
    await call(ann.credentials, ann.threadId);
    await operator.from("threads").update({ is_archived: true }).eq("id", ann.threadId).throwOnError();
    const asked = await call(ben.credentials, ben.threadId, { question });
    const [first, second, ...others] = (await open()).data;
    assertEquals([others, first.is_requested, second.is_requested], [[], true, true]);
    for (const { id } of [first, second]) {
      const path = `/coaches/${tenant.coachId}/questions/${id}/answer`;
      const reply = await ask(service, "POST", path, expert, { answer: "A thing.", question: `Is it ${id}?` });
      assertReply(reply, 200);
      assertEquals(reply.json.notified, 1);
    }
    assertEquals([await status(ann.credentials, ann.threadId), await status(ben.credentials, ben.threadId)], [
      "answered",
      "answered",
    ]);
    // What waited is the answer now: nothing was added.
    const [, , asking, filled, ...more] = await messages(ben.credentials, ben.threadId);
    assertEquals([asking.id, filled.content, filled.author, more], [asked.json.message_id, "A thing.", "expert", []]);
    assertEquals(filled.in_reply_to, asking.id);
  });

  await t.step("not one that nobody is told: the person waits, and what they have asked is listed", async () => {
    const [ann, ben] = [await visitor(), await visitor()];
    const questionId = await storeQuestion(ann.messageId, "Who is it?");
    await storeQuestion(ben.messageId, "Who is it?");
    await call(ann.credentials, ann.threadId);
    const path = `/coaches/${tenant.coachId}`;
    const answer = (notify: boolean) =>
      ask(service, "POST", `${path}/questions/${questionId}/answer`, expert, { answer: "An owl.", notify });
    const asked = async () => (await open()).data.find(({ id }: { id: string }) => id === questionId);
    const silently: [string, () => ReturnType<typeof ask>][] = [
      [
        "a pinned answer",
        () => ask(service, "POST", `${path}/answers`, expert, { question: "Who is it? ", answer: "It is an owl." }),
      ],
      ["an answer", () => answer(false)],
      ["a correction", () =>
        ask(service, "POST", `/threads/${ann.threadId}/messages/${ann.messageId}/revise`, expert, {
          answer: "An owl.",
        })],
    ];
    for (const [how, act] of silently) {
      const reply = await act();
      assert(reply.status < 300, `${how}: ${JSON.stringify(reply.json)}`);
      const { status: state, is_requested } = await asked() ?? {};
      assertEquals([how, state, is_requested], [how, "open", true]);
      assertEquals([how, await status(ann.credentials, ann.threadId)], [how, "waiting"]);
    }
    const { json } = await answer(true);
    assertEquals([json.status, json.is_requested, json.notified], ["answered", false, 2]);
    assertEquals([await asked(), await status(ann.credentials, ann.threadId)], [undefined, "answered"]);
  });

  await t.step("a correction, which names the answer that it corrects", async () => {
    const { threadId, questionId, messageId, credentials } = await visitor();
    await call(credentials, threadId);
    const revision = { answer: "Five.", question: "How many?", notify: true };
    assertReply(await ask(service, "POST", `/threads/${threadId}/messages/${messageId}/revise`, expert, revision), 200);
    const { corrects, in_reply_to, content } = (await messages(credentials, threadId)).at(-1);
    assertEquals([content, corrects, in_reply_to], ["Five.", messageId, questionId]);
    assertEquals(await status(credentials, threadId), "answered");
  });

  await t.step("a message ends what it names, and closes the question only if nobody else has asked it", async () => {
    const [ann, ben] = [await visitor(), await visitor()];
    for (const { messageId } of [ann, ben]) await storeQuestion(messageId, "Where is it?");
    await call(ann.credentials, ann.threadId);
    const later = (await call(ann.credentials, ann.threadId, { question })).json;
    for (const in_reply_to of [ben.questionId, ann.messageId]) {
      assertRefused(await say(ann.threadId, { content: "Yes.", in_reply_to }), "message_not_found");
    }
    assertReply(await say(ann.threadId, { content: "Yes.", in_reply_to: later.message_id }), 200);
    const states = (await list(ann.credentials, ann.threadId)).json.data.map(({ status }: { status: string }) =>
      status
    );
    assertEquals(states, ["answered", "waiting"]);
    assertReply(await say(ann.threadId, { content: "In Lund." }), 200);
    assertEquals(await status(ann.credentials, ann.threadId), "answered");
    const left = (await open()).data.map(({ question, people, is_requested }: Record<string, unknown>) => ({
      question,
      people,
      is_requested,
    }));
    assertEquals(left, [{ question: "Where is it?", people: 2, is_requested: false }]);
  });

  await t.step("a human who was asked for in the conversation has come as well", async () => {
    const { threadId, messageId } = await visitor();
    const asked = "May I talk to Ada?";
    await storeQuestion(messageId, asked, { isForHuman: true });
    assertReply(await say(threadId, { content: "Here I am." }), 200);
    assertEquals((await open()).data.some(({ question }: { question: string }) => question === asked), false);
  });
});

Deno.test("questions that somebody waits for are listed first", async () => {
  await using prepared = await prepare();
  const { service, tenant, expert, visitor, call, open } = prepared;
  for (const people of [1, 2, 3]) {
    for (let person = 0; person < people; person++) {
      await storeQuestion((await visitor()).messageId, `Question ${people}?`);
    }
  }
  const { threadId, messageId, credentials } = await visitor();
  await storeQuestion(messageId, "Question 1?");
  await storeQuestion((await visitor()).messageId, "Question 4?");
  await call(credentials, threadId);
  const expected = ["Question 1?", "Question 3?", "Question 2?", "Question 4?"];
  const names = ({ data }: { data: { question: string }[] }) => data.map(({ question }) => question);
  assertEquals(names(await open()), expected);
  const paged: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const page: { data: { question: string }[]; next_cursor: string | null } = await open(
      `limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`,
    );
    paged.push(...names(page));
    cursor = page.next_cursor;
  }
  assertEquals(paged, expected);
  assertMatch((await open("limit=1")).next_cursor, /^1_/);

  // Three answers tell how long they usually take.
  const hours = async () => (await ask(service, "GET", `/coaches/${tenant.coachId}`, expert)).json.usual_reply_hours;
  for (let answers = 0; answers < 3; answers++) {
    assertEquals(await hours(), null);
    const who = await visitor();
    await call(who.credentials, who.threadId);
    await prepared.say(who.threadId, { content: "Yes." });
  }
  assertEquals(await hours(), 0);
});

Deno.test("requests are erased with their person, and with their question", async () => {
  await using prepared = await prepare();
  const { service, tenant, visitor, call, conversation, open } = prepared;
  const ann = await visitor();
  await call(ann.credentials, ann.threadId, { question });
  const { data: exported } = await operator.rpc("export_user", { account_id: tenant.accountId, user_id: ann.id })
    .throwOnError();
  const [thread] = (exported as { threads: { messages: { request: { status: string } | null }[] }[] }).threads;
  assertEquals(thread!.messages.map(({ request }) => request?.status ?? null), [null, null, "waiting", null]);
  // Another question in its place.
  const context = { coachId: tenant.coachId, userId: ann.id };
  const { message_id: replaces } = (await ask(service, "GET", `/threads/${ann.threadId}/requests`, ann.credentials))
    .json.data[0];
  service.model.script(tenant.modelName, { steps: [{ text: "Well." }] });
  const body = { message: "Another", thread_id: ann.threadId, replaces, context };
  assertReply(await ask(service, "POST", "/chat", ann.credentials, body), 200);
  await service.turns();
  assertEquals((await conversation(ann.threadId)).needs_reply_at, null);
  await call(ann.credentials, ann.threadId);
  assertEquals((await open()).data.length, 1);
  assertReply(await ask(service, "DELETE", "/users/me", ann.credentials), 200);
  assertEquals((await open()).data, []);
});
