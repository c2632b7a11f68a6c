import { assert, assertEquals, assertNotEquals } from "../support/assert.ts";
import { ask, assertRefused, assertReply, chat, clientOf, type Credentials, receive, send } from "../support/client.ts";
import { sweep } from "../support/knowledge.ts";
import { startLogin } from "../support/login.ts";
import {
  createAppClient,
  createTenant,
  createUser,
  issueKey,
  issuePublishableKey,
  operator,
  type Tenant,
} from "../support/project.ts";
import type { Refusal } from "../support/refusals.ts";
import { type Service, startService } from "../support/service.ts";
import { startTurn, storeAnswer, talk } from "../support/turns.ts";

const done = (userId: string) => ({ message: "User deleted successfully", userId });

/** The threads of a user that are stored, and how often they have asked. */
async function readStored({ accountId }: Pick<Tenant, "accountId">, userId: string) {
  const { data } = await operator.rpc("export_user", { account_id: accountId, user_id: userId }).throwOnError();
  const { threads, asked } = data as { threads: { id: string }[]; asked: unknown[] };
  return { threads: threads.map(({ id }) => id), asked: asked.length };
}

const nothing = { threads: [], asked: 0 };

const erase = (service: Service, credentials: Credentials, userId = "me") =>
  ask(service, "DELETE", `/users/${encodeURIComponent(userId)}`, credentials);

Deno.test("DELETE /users/{userId}", async (t) => {
  await using service = await startService({ timeouts: { flush: 20 } });
  await using login = await startLogin();
  // Removes what other tests have left to the sweeps.
  await sweep(service);
  const [tenant, foreign] = [await createTenant({ requests_per_minute: 1_000 }), await createTenant()];
  await login.join(tenant);
  const page = await issuePublishableKey(tenant.accountId);

  await t.step("erases the caller, named by ID or as me, whoever signed them in; a second time too", async () => {
    const anonymous = (await createAppClient().auth.signInAnonymously()).data.session!;
    const user = await createUser();
    const callers = [
      [user.id, { ...tenant, accessToken: user.accessToken }],
      [anonymous.user.id, { ...page, accessToken: anonymous.access_token }],
      ["acme:ada|1", { ...tenant, accessToken: await login.sign("ada|1") }],
    ] as const;
    for (const [userId, credentials] of callers) {
      for (const asked of [userId, "me"]) {
        const { threadId } = await talk(service, tenant, userId);
        assertEquals(await readStored(tenant, userId), { threads: [threadId], asked: 1 });
        assertReply(await erase(service, credentials, asked), 200, done(userId));
        assertEquals(await readStored(tenant, userId), nothing);
        assertReply(await ask(service, "GET", `/threads/${threadId}`, tenant), 404);
        assertReply(await erase(service, credentials, asked), 200, done(userId));
      }
      const threads = await ask(service, "GET", "/users/me/threads", credentials);
      assertReply(threads, 200, { data: [], count: 0 });
    }
  });

  await t.step("has the model's server delete the responses, and leaves everybody else alone", async () => {
    const [user, other] = [await createUser(), await createUser()];
    const { responseId } = await talk(service, tenant, user.id);
    const kept = [await talk(service, tenant, other.id), await talk(service, foreign, user.id)];
    assertReply(await erase(service, { ...tenant, accessToken: user.accessToken }), 200);
    await sweep(service);
    assert(service.model.removals.includes(responseId));
    assert(kept.every(({ responseId }) => !service.model.removals.includes(responseId)));
    assertEquals((await readStored(tenant, other.id)).threads, [kept[0]!.threadId]);
    assertEquals((await readStored(foreign, user.id)).threads, [kept[1]!.threadId]);
  });

  await t.step("takes the ratings and idempotency keys; what they asked in vain is no question any more", async () => {
    const user = await createUser();
    const credentials = { ...tenant, accessToken: user.accessToken };
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const body = { message: "Hi", context: { coachId: tenant.coachId } };
    const start = async () => (await ask(service, "POST", "/chat", credentials, body, { headers })).headers;
    const [first, again] = [await start(), await start()];
    const [threadId, messageId] = [first.get("X-Thread-Id")!, first.get("X-Message-Id")!];
    assertEquals(again.get("X-Thread-Id"), threadId);
    const path = `/threads/${threadId}/messages/${messageId}/feedback`;
    assertReply(await ask(service, "PUT", path, credentials, { rating: "down" }), 200);
    const countQuestions = async () =>
      (await operator.from("open_questions").select("id").eq("coach_id", tenant.coachId).throwOnError()).data.length;
    assertEquals(await countQuestions(), 1);
    assertReply(await erase(service, credentials), 200);
    assertEquals(await countQuestions(), 0);
    const { data } = await operator.from("feedback").select("message_id").eq("message_id", messageId).throwOnError();
    assertEquals(data, []);
    // The user may go on, as somebody who is new.
    assertNotEquals((await start()).get("X-Thread-Id"), threadId);
  });

  await t.step("with a key that is bound to a coach, what they said to the others as well", async () => {
    const user = await createUser();
    const second = await createTenant();
    await operator.from("coach_profiles").update({ account_id: tenant.accountId }).eq("id", second.coachId)
      .throwOnError();
    const bound = await issuePublishableKey(tenant.accountId, { coach_ids: [tenant.coachId] });
    for (const { coachId } of [tenant, second]) {
      await storeAnswer({ ...tenant, coachId }, { content: "Said", status: "complete", user_id: user.id });
    }
    assertReply(await erase(service, { ...bound, accessToken: user.accessToken }), 200);
    assertEquals(await readStored(tenant, user.id), nothing);
  });
});

Deno.test("DELETE /users/{userId}: who may not", async (t) => {
  await using service = await startService();
  const tenant = await createTenant();
  const [user, other] = [await createUser(), await createUser()];
  const { accessToken } = user;
  const page = await issuePublishableKey(tenant.accountId);
  for (const { id } of [user, other]) await talk(service, tenant, id);
  const { apiKey } = await issueKey(tenant.accountId, { scopes: ["chat", "threads:read"] });
  const reading = await issuePublishableKey(tenant.accountId, { scopes: ["chat", "threads:read"] });
  const refusals: [name: string, credentials: Credentials, userId: string, Refusal, what?: string][] = [
    ["a key alone, for a user", tenant, user.id, "sign_in_first"],
    ["a key alone, for me", tenant, "me", "sign_in_first"],
    ["a page where nobody is signed in", page, "me", "sign_in_first"],
    ["another user's token", { ...tenant, accessToken }, other.id, "user_mismatch"],
    ["another user's token at a page", { ...page, accessToken }, other.id, "user_mismatch"],
    ["a user that nobody is", { ...tenant, accessToken }, "nobody", "user_mismatch"],
    ["a key without the scope", { apiKey, accessToken }, user.id, "missing_scope", "threads:write"],
    ["a page without the scope", { ...reading, accessToken }, "me", "missing_scope", "threads:write"],
    ["a key without the scope, alone", { apiKey }, user.id, "missing_scope", "threads:write"],
    ["no user at all", { ...tenant, accessToken }, "", "invalid_input", "userId is required in path"],
    ["a blank user", { ...tenant, accessToken }, "  ", "invalid_input", "userId is required in path"],
  ];
  for (const [name, credentials, userId, ...refusal] of refusals) {
    await t.step(`${name} → ${refusal[0]}`, async () => {
      assertRefused(await erase(service, credentials, userId), ...refusal);
    });
  }

  await t.step("nothing was erased", async () => {
    for (const { id } of [user, other]) assertEquals((await readStored(tenant, id)).threads.length, 1);
  });
});

Deno.test("DELETE /users/{userId} while the user chats", async (t) => {
  await using service = await startService({ timeouts: { flush: 20 } });
  await sweep(service);
  const tenant = await createTenant({ requests_per_minute: 1_000 });

  await t.step("in the middle of an answer: its stream and its followers break, and nothing is left", async () => {
    const user = await createUser();
    const responseId = `resp_${crypto.randomUUID()}`;
    const body = { context: { coachId: tenant.coachId, userId: user.id } };
    const turn = await startTurn(service, tenant, { said: ["Well"], responseId, body });
    const events = { headers: { Accept: 'text/event-stream; profile="events"' } };
    const follower = await send(service, "GET", `/chat/${turn.messageId}/stream`, tenant, undefined, events);
    assertReply(await erase(service, { ...tenant, accessToken: user.accessToken }), 200, done(user.id));
    await turn.reply.then(() => assert(false, "the stream ended as if all were well"), () => {});
    assert(/event: error\n/.test(await follower.text()));
    await service.turns();
    assertEquals(await readStored(tenant, user.id), nothing);
    assertEquals((await receive(service, "GET", `/chat/${turn.messageId}/stream`, tenant)).status, 404);
    await sweep(service);
    assert(service.model.removals.includes(responseId));
    turn.goOn();
  });

  await t.step("beside turns and other erasures: each has its reply, and nothing of before is left", async () => {
    const user = await createUser();
    const credentials = { ...tenant, accessToken: user.accessToken };
    const context = { coachId: tenant.coachId };
    for (let round = 0; round < 5; round++) {
      const { threadId } = await chat(service, credentials, { message: "Busy", context });
      const replies = await Promise.all([
        receive(service, "POST", "/chat", credentials, { message: "More", thread_id: threadId }),
        erase(service, credentials),
        ask(service, "PATCH", `/threads/${threadId}`, credentials, { title: "One" }),
        erase(service, credentials),
        receive(service, "POST", "/chat", credentials, { message: "Even more", thread_id: threadId }),
      ]);
      const statuses = replies.map(({ status }) => status);
      for (const status of statuses) assert([200, 404].includes(status), String(statuses));
      assertEquals([statuses[1], statuses[3]], [200, 200]);
      await service.turns();
      assertEquals(await readStored(tenant, user.id), nothing);
    }
  });
});

Deno.test("the typed client erases the signed-in user", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  const user = await createUser();
  await talk(service, tenant, user.id);
  const client = clientOf(service, { ...tenant, accessToken: user.accessToken });
  assertEquals(await client.eraseUser("me"), done(user.id));
  assertEquals(await client.eraseUser(user.id), done(user.id));
  assertEquals((await client.listThreads("me")).count, 0);
});
