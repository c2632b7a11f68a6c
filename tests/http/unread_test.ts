import { assertEquals } from "../support/assert.ts";
import {
  acceptOf,
  ask,
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
import type { Step } from "../support/model_server.ts";
import { allScopes, createTenant, createUser, issueKey, issuePublishableKey, operator } from "../support/project.ts";
import { startService } from "../support/service.ts";
import { storeAnswer, storedAnswer } from "../support/turns.ts";

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService({ timeouts: { poll: 20, flush: 20, stop: 100 } }));
  const owner = await createUser();
  const tenant = await createTenant({ requests_per_minute: 10_000, scopes: allScopes }, { owner_id: owner.id });
  const { coachId, modelName } = tenant;
  const context = { coachId, userId: "u" };
  const post = (threadId: string, action: string, body?: unknown, credentials: Credentials = tenant) =>
    ask(service, "POST", `/threads/${threadId}/${action}`, credentials, body);
  const unread = async (threadId: string) => (await ask(service, "GET", `/threads/${threadId}`, tenant)).json.unread;

  /** Asks, and disconnects after the first text; the model goes on when it is told to. */
  async function askAndLeave(
    body: Record<string, unknown> = {},
    accept = acceptOf.text,
    rest: Step[] = [{ text: " to nobody." }],
  ) {
    const more = Promise.withResolvers<void>();
    service.model.script(modelName, { steps: [{ text: "Said" }, { waitFor: more.promise }, ...rest] });
    const leaving = new AbortController();
    const asked = service.model.requestsOf(modelName).length;
    const message = { message: "Bye", new_thread_id: crypto.randomUUID(), context, ...body };
    const init = { headers: { Accept: accept }, signal: leaving.signal };
    const reply = send(service, "POST", "/chat", tenant, message, init);
    reply.catch(() => {});
    let messageId: string | null = null;
    if (accept === acceptOf.object) {
      await eventually(() => service.model.requestsOf(modelName).length > asked, "the model is asked");
    } else {
      const response = await reply;
      messageId = response.headers.get("X-Message-Id");
      await response.body!.getReader().read();
    }
    leaving.abort();
    const threadId = message.new_thread_id;
    // The service has noticed that the other connection is gone when it replies on this one.
    await eventually(
      async () => (await ask(service, "GET", `/threads/${threadId}`, tenant)).status === 200,
      "it exists",
    );
    return { threadId, messageId: messageId!, goOn: more.resolve };
  }

  /** A thread with an answer that was finished after its person had left. */
  async function left(body?: Record<string, unknown>) {
    const turn = await askAndLeave(body);
    turn.goOn();
    await service.turns();
    return turn;
  }
  return handOver(stack, { service, tenant, owner, context, post, unread, askAndLeave, left });
}

Deno.test("unread: answers that are finished after the person has left", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, context, unread, askAndLeave, left } = prepared;
  const follow = (messageId: string, headers: Record<string, string> = {}) =>
    ask(service, "GET", `/chat/${messageId}/stream`, tenant, undefined, { headers });

  await t.step("who has received the whole answer has read it, in every form of reply", async () => {
    for (const accept of Object.values(acceptOf)) {
      service.model.script(tenant.modelName, { steps: [{ text: "Hello" }] });
      const reply = await ask(service, "POST", "/chat", tenant, { message: "Hi", context }, {
        headers: { Accept: accept },
      });
      assertEquals(await unread(reply.headers.get("X-Thread-Id")!), 0, accept);
    }
  });

  await t.step("it counts in the thread and in lists with state, and nowhere else", async () => {
    const { threadId } = await left();
    assertEquals(await unread(threadId), 1);
    for (const query of ["", "&search=nobody", "&limit=1", "&search=nobody&limit=1"]) {
      const list = async (include: string) =>
        (await ask(service, "GET", `/users/u/threads?${include}${query}`, tenant)).json.data[0];
      assertEquals((await list("include=state")).unread, 1, query);
      assertEquals("unread" in await list("coachId="), false, query);
    }
    const { json } = await ask(service, "GET", `/coaches/${tenant.coachId}/threads?limit=1`, tenant);
    assertEquals([json.data[0].id, json.data[0].unread], [threadId, 1]);
  });

  for (const accept of [acceptOf.events, acceptOf.object]) {
    await t.step(`also where the reply was to be ${accept}`, async () => {
      const { threadId, goOn } = await askAndLeave({}, accept);
      goOn();
      await service.turns();
      assertEquals(await unread(threadId), 1);
    });
  }

  await t.step("each such answer counts", async () => {
    const { threadId } = await left();
    await left({ new_thread_id: threadId });
    assertEquals(await unread(threadId), 2);
  });

  await t.step("who follows the answer to its end has read it", async () => {
    const { threadId, messageId, goOn } = await askAndLeave();
    const followed = follow(messageId);
    goOn();
    assertEquals((await followed).text.includes("nobody."), true);
    assertEquals(await unread(threadId), 0);
  });

  await t.step("so has who comes back for it later, or sends the question again", async () => {
    const { threadId, messageId } = await left();
    assertEquals((await follow(messageId, { Accept: acceptOf.object })).json.message.content, "Said to nobody.");
    assertEquals(await unread(threadId), 0);
    const idempotency_key = crypto.randomUUID();
    const again = await left({ idempotency_key });
    assertEquals(await unread(again.threadId), 1);
    const body = { message: "Bye", new_thread_id: again.threadId, context, idempotency_key };
    assertEquals((await ask(service, "POST", "/chat", tenant, body)).text.includes("nobody."), true);
    assertEquals(await unread(again.threadId), 0);
  });

  await t.step("reading the list of messages marks nothing as read, and running the answer again does", async () => {
    const { threadId, messageId } = await left();
    await ask(service, "GET", `/threads/${threadId}/messages`, tenant);
    assertEquals(await unread(threadId), 1);
    service.model.script(tenant.modelName, { steps: [{ text: "Again" }] });
    await ask(service, "POST", `/chat/${messageId}/retry`, tenant);
    assertEquals(await unread(threadId), 0);
  });

  await t.step("answers that are stopped or fail do not count", async () => {
    const stopped = await askAndLeave();
    const stop = ask(service, "POST", `/chat/${stopped.messageId}/stop`, tenant);
    await service.turns();
    stopped.goOn();
    assertReply(await stop, 200);
    assertEquals(await unread(stopped.threadId), 0);
    const failed = await askAndLeave({}, acceptOf.text, [{ cut: true }]);
    failed.goOn();
    await service.turns();
    assertEquals((await storedAnswer(failed.messageId)).status, "failed");
    assertEquals(await unread(failed.threadId), 0);
  });

  await t.step("what is deleted is no longer unread", async () => {
    const { threadId, messageId } = await left();
    service.model.script(tenant.modelName, { steps: [{ text: "New" }] });
    await chat(service, tenant, { message: "Instead", thread_id: threadId, replaces: messageId });
    assertEquals(await unread(threadId), 0);
  });

  await t.step("the turn makes no request for it", async () => {
    const before = service.supabase.requests.length;
    const { threadId } = await left();
    const made = new Set(service.supabase.requests.slice(before));
    assertEquals(made, new Set(["begin_turn", "save_turns", "read_thread"].map((name) => `/rest/v1/rpc/${name}`)));
    assertEquals(await unread(threadId), 1);
  });
});

Deno.test("unread: messages of the expert", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, post, unread, left } = prepared;
  const say = (threadId: string) => post(threadId, "messages", { content: "In person." });

  await t.step("each counts, also in the list of threads that are archived", async () => {
    const { threadId } = await storeAnswer(tenant, { content: "Well.", status: "complete" });
    assertEquals(await unread(threadId), 0);
    for (const expected of [1, 2]) {
      assertReply(await say(threadId), 200);
      assertEquals(await unread(threadId), expected);
    }
    await ask(service, "PATCH", `/threads/${threadId}`, tenant, { is_archived: true });
    const { json } = await ask(service, "GET", "/users/u/threads?include=state&archived=true", tenant);
    assertEquals(json.data[0].unread, 2);
  });

  await t.step("so does an answer that waited for the expert, and following it does not mark it as read", async () => {
    const { threadId } = await storeAnswer(tenant, { content: "Well.", status: "complete" });
    await post(threadId, "takeover");
    const { json } = await ask(service, "POST", "/chat", tenant, { message: "There?", thread_id: threadId }, {
      headers: { Accept: acceptOf.object },
    });
    assertEquals(await unread(threadId), 0);
    assertEquals((await say(threadId)).json.id, json.message.id);
    assertReply(await ask(service, "GET", `/chat/${json.message.id}/stream`, tenant), 200);
    assertEquals(await unread(threadId), 1);
  });

  await t.step("and an answer that the model gave in the background after a takeover", async () => {
    const { threadId } = await storeAnswer(tenant, { content: "Well.", status: "complete" });
    await post(threadId, "takeover");
    await ask(service, "POST", "/chat", tenant, { message: "There?", thread_id: threadId });
    service.model.script(tenant.modelName, { steps: [{ text: "The expert has left." }] });
    await post(threadId, "release");
    await sweep(service);
    await eventually(async () => await unread(threadId) === 1, "it counts");
  });

  await t.step("and a correction that the person is notified of", async () => {
    const { threadId, messageId } = await storeAnswer(tenant, { content: "Wrong.", status: "complete" });
    const revision = { question: "Which one?", answer: "That one.", notify: true };
    assertReply(await post(threadId, `messages/${messageId}/revise`, revision), 200);
    assertEquals(await unread(threadId), 1);
  });

  await t.step("an export of the user has it, and erasing the user leaves nothing", async () => {
    const { threadId } = await left();
    await say(threadId);
    const of = { account_id: tenant.accountId, user_id: "u" };
    const { data } = await operator.rpc("export_user", of).throwOnError();
    const { threads } = data as { threads: { id: string; messages: { is_unread: boolean }[] }[] };
    const exported = threads.find(({ id }) => id === threadId)!;
    assertEquals(exported.messages.map(({ is_unread }) => is_unread), [false, true, true]);
    await operator.rpc("erase_user", of).throwOnError();
    assertReply(await ask(service, "GET", `/threads/${threadId}`, tenant), 404);
  });
});

Deno.test("POST /threads/{threadId}/read", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, owner, post, unread } = prepared;
  const user = await createUser();
  const ofUser = { apiKey: tenant.apiKey, accessToken: user.accessToken };
  const said = async () => {
    const { threadId } = await storeAnswer(tenant, { content: "Well.", status: "complete", user_id: user.id });
    await post(threadId, "messages", { content: "In person." });
    return threadId;
  };
  const read = (threadId: string, credentials: Credentials) => post(threadId, "read", undefined, credentials);

  await t.step("sets it to 0 for the thread's user, returns the thread, and may be repeated", async () => {
    const threadId = await said();
    const other = await said();
    const before = (await ask(service, "GET", `/threads/${threadId}`, ofUser)).json;
    assertEquals(before.unread, 1);
    for (let time = 0; time < 2; time++) assertReply(await read(threadId, ofUser), 200, { ...before, unread: 0 });
    assertEquals([await unread(threadId), await unread(other)], [0, 1]);
    await post(threadId, "messages", { content: "One more." });
    assertEquals(await unread(threadId), 1);
  });

  await t.step("a page with a publishable key, the typed client and a key alone can do it", async () => {
    const threadId = await said();
    const { publishableKey } = await issuePublishableKey(tenant.accountId);
    const page = { publishableKey, accessToken: user.accessToken };
    assertEquals((await read(threadId, page)).json.unread, 0);
    await post(threadId, "messages", { content: "Two." });
    assertEquals((await clientOf(service, ofUser).markThreadRead(threadId)).unread, 0);
    await post(threadId, "messages", { content: "Three." });
    assertEquals((await read(threadId, tenant)).json.unread, 0);
  });

  await t.step("the thread of somebody else → 404, for the expert too, and nothing is changed", async () => {
    const threadId = await said();
    const stranger = await createTenant();
    const other = await createUser();
    for (
      const credentials of [
        stranger,
        { apiKey: tenant.apiKey, accessToken: other.accessToken },
        { apiKey: tenant.apiKey, accessToken: owner.accessToken },
        { apiKey: stranger.apiKey, accessToken: user.accessToken },
      ]
    ) assertRefused(await read(threadId, credentials), "thread_not_found");
    for (const id of [crypto.randomUUID(), "x"]) {
      assertRefused(await read(id, tenant), "thread_not_found");
    }
    assertEquals(await unread(threadId), 1);
  });

  await t.step("a key without the scope threads:write → 403", async () => {
    const threadId = await said();
    const { apiKey } = await issueKey(tenant.accountId, { scopes: ["chat", "threads:read"] });
    assertReply(await read(threadId, { apiKey }), 403);
    assertEquals(await unread(threadId), 1);
  });
});
