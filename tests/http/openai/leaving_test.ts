import OpenAI from "openai";
import { assert, assertEquals, assertNotEquals, assertRejects } from "../../support/assert.ts";
import { ask, assertReply, receive, send } from "../../support/client.ts";
import { eventually } from "../../support/eventually.ts";
import { chatOf, complete, openaiOf, openaiUrl } from "../../support/openai_clients.ts";
import { holdModel, storedMessages } from "../../support/openai_turns.ts";
import type { Step } from "../../support/model_server.ts";
import { allScopes, createTenant, operator, type Tenant } from "../../support/project.ts";
import { type Service, startService } from "../../support/service.ts";
import { storedAnswer } from "../../support/turns.ts";

/** Sends a question to a coach that answers half and waits, and leaves. `goOn` lets the model go on. */
async function leave(
  service: Service,
  tenant: Tenant,
  { retryCount, isStream = true }: { retryCount?: string; isStream?: boolean },
) {
  const { promise, resolve: goOn } = Promise.withResolvers<void>();
  const steps: Step[] = [{ text: "Half" }, { waitFor: promise }, { text: " and half" }, { end: true }];
  service.model.script(tenant.modelName, { steps });
  const controller = new AbortController();
  const request = fetch(`${openaiUrl(service)}/chat/completions`, {
    method: "POST",
    signal: controller.signal,
    headers: {
      "Content-Type": "application/json",
      "X-API-Key": tenant.apiKey,
      ...(retryCount === undefined ? {} : { "X-Stainless-Retry-Count": retryCount }),
    },
    body: JSON.stringify({ model: tenant.coachId, messages: chatOf("Talk"), stream: isStream }),
  });
  request.catch(() => {});
  if (isStream) await (await request).body!.getReader().read();
  let messageId = "";
  await eventually(async () => {
    const { data } = await operator.from("messages").select("id, threads!inner(account_id)")
      .eq("threads.account_id", tenant.accountId).eq("role", "assistant").eq("content", "Half").throwOnError();
    messageId = data[0]?.id ?? "";
    return messageId !== "";
  }, "the half is stored");
  controller.abort();
  return { messageId, goOn };
}

const textOf = (json: { choices: { message: { content: string } }[] }) => json.choices[0]!.message.content;

Deno.test("a client that leaves", async (t) => {
  await using service = await startService({ timeouts: { leave: 300, flush: 50 } });

  for (const isStream of [true, false]) {
    await t.step(`stops its answer, whose text is kept (stream: ${isStream})`, async () => {
      const tenant = await createTenant();
      const { messageId } = await leave(service, tenant, { isStream });
      await eventually(async () => (await storedAnswer(messageId)).status === "stopped", "the answer is stopped");
      assertEquals((await storedAnswer(messageId)).content, "Half");
      await eventually(() => service.model.requestsOf(tenant.modelName)[0]!.aborted, "the model is stopped");
    });
  }

  await t.step("does not stop it if the same request has come again, which gets all of it", async () => {
    const tenant = await createTenant();
    const { length: before } = service.supabase.requests;
    const { messageId, goOn } = await leave(service, tenant, { retryCount: "0" });
    const again = complete(service, tenant, chatOf("Talk"), {
      stream: true,
      headers: { "X-Stainless-Retry-Count": "1" },
    });
    const isAskedToStop = () => service.supabase.requests.slice(before).some((path) => path.endsWith("/stop_turn"));
    await eventually(isAskedToStop, "the first request is no longer waited for");
    assertEquals((await storedAnswer(messageId)).status, "streaming");
    goOn();
    const { text, headers } = await again;
    assertEquals(headers.get("X-Message-Id"), messageId);
    assert(text.includes("half") && text.endsWith("data: [DONE]\n\n"), text);
    assertEquals((await storedAnswer(messageId)).status, "complete");
    assertEquals(service.model.requestsOf(tenant.modelName).length, 1);
  });
});

Deno.test("a client that leaves after it has joined an answer", async (t) => {
  await using service = await startService({ timeouts: { leave: 300, flush: 50, poll: 20 } });

  await t.step("stops it, since nobody waits for it any more", async () => {
    const tenant = await createTenant();
    const { messageId } = await leave(service, tenant, { retryCount: "0" });
    const again = new AbortController();
    const reply = await fetch(`${openaiUrl(service)}/chat/completions`, {
      method: "POST",
      signal: again.signal,
      headers: { "Content-Type": "application/json", "X-API-Key": tenant.apiKey, "X-Stainless-Retry-Count": "1" },
      body: JSON.stringify({ model: tenant.coachId, messages: chatOf("Talk"), stream: true }),
    });
    assertEquals(reply.headers.get("X-Message-Id"), messageId);
    await reply.body!.getReader().read();
    again.abort();
    await eventually(async () => (await storedAnswer(messageId)).status === "stopped", "the answer is stopped");
    assertEquals((await storedAnswer(messageId)).content, "Half");
  });
});

Deno.test("a client that leaves a stream before its first word stops the answer", async () => {
  await using service = await startService({ timeouts: { leave: 1 } });
  const tenant = await createTenant();
  service.model.script(tenant.modelName, { steps: [{ hang: true }] });
  const controller = new AbortController();
  const body = { model: tenant.coachId, messages: [{ role: "user" as const, content: "Talk" }], stream: true as const };
  const asking = openaiOf(service, tenant).chat.completions.create(body, { signal: controller.signal });
  const refused = assertRejects(() => asking, OpenAI.APIUserAbortError);
  await eventually(() => service.model.requestsOf(tenant.modelName).length > 0, "the model is asked");
  controller.abort();
  await refused;
  // Long before the headers of the stream would leave, with which it is noticed as well.
  await eventually(() => service.model.requestsOf(tenant.modelName)[0]!.aborted, "the model is stopped", 5);
});

Deno.test("a client that leaves a task stops it", async () => {
  await using service = await startService({ timeouts: { leave: 100 } });
  const tenant = await createTenant();
  service.model.script(tenant.modelName, { steps: [{ text: "Half" }, { hang: true }] });
  const controller = new AbortController();
  const reply = await fetch(`${openaiUrl(service)}/chat/completions`, {
    method: "POST",
    signal: controller.signal,
    headers: { "Content-Type": "application/json", "X-API-Key": tenant.apiKey, "X-Task": "title" },
    body: JSON.stringify({ model: tenant.coachId, messages: chatOf("Name this"), stream: true }),
  });
  await reply.body!.getReader().read();
  controller.abort();
  await eventually(() => service.model.requestsOf(tenant.modelName)[0]!.aborted, "the model is stopped");
});

Deno.test("a request that an official client sends again", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const asking = (retryCount: string, more: object = {}) =>
    complete(service, tenant, chatOf("Hi"), { headers: { "X-Stainless-Retry-Count": retryCount }, ...more });

  await t.step("gets the same answer, and the model is asked once", async () => {
    const first = await asking("0");
    const again = await asking("1");
    assertEquals(again.json, first.json);
    assertEquals(service.model.requestsOf(tenant.modelName).length, 1);
  });

  await t.step("is another one if it was not repeated, or says something else", async () => {
    const first = await asking("0");
    const second = await asking("0");
    assertNotEquals(second.json.id, first.json.id);
    assertNotEquals((await asking("1", { user: "somebody" })).json.id, second.json.id);
  });

  await t.step("runs an answer again that has failed, in its place", async () => {
    service.model.script(tenant.modelName, { steps: [{ status: 400 }] }, { steps: [{ text: "At last" }] });
    const failed = await asking("0", { user: "f" });
    assertEquals(failed.status, 502);
    const again = await asking("1", { user: "f" });
    assertEquals([again.status, textOf(again.json)], [200, "At last"]);
    assertEquals(again.headers.get("X-Message-Id"), failed.headers.get("X-Message-Id"));
  });

  await t.step("an Idempotency-Key is one, as everywhere", async () => {
    const headers = { "Idempotency-Key": "k1" };
    const first = await complete(service, tenant, chatOf("Hi"), { headers });
    assertEquals((await complete(service, tenant, chatOf("Hi"), { headers })).json, first.json);
    const other = await complete(service, tenant, chatOf("Other"), { headers });
    assertEquals([other.status, other.headers.get("x-should-retry")], [422, "false"]);
  });
});

Deno.test("a response that is not to be stored", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const respond = (body: object) =>
    ask(service, "POST", "/openai/v1/responses", tenant, { model: tenant.coachId, ...body });
  const read = (id: string) => ask(service, "GET", `/openai/v1/responses/${id}`, tenant);

  await t.step("is erased when it has ended, with its thread", async () => {
    const { json, headers } = await respond({ input: "Hi", store: false });
    assertEquals([json.status, json.store], ["completed", false]);
    await service.turns();
    assertEquals((await read(json.id)).status, 404);
    assertEquals((await ask(service, "GET", `/threads/${headers.get("X-Thread-Id")}`, tenant)).status, 404);
  });

  await t.step("also where the answer fails, so that a repeated request is a turn of its own", async () => {
    const tenant = await createTenant();
    service.model.script(
      tenant.modelName,
      { steps: [{ status: 400 }] },
      { steps: [{ text: "Half" }, { cut: true }] },
      { steps: [{ text: "At last" }] },
    );
    const sent = async (retryCount: string, more: object) =>
      (await receive(service, "POST", "/openai/v1/responses", tenant, {
        model: tenant.coachId,
        input: "Fail",
        store: false,
        ...more,
      }, { headers: { "X-Stainless-Retry-Count": retryCount } })).status;
    assertEquals(await sent("0", {}), 502);
    await service.turns();
    assertEquals(await storedMessages(tenant), []);
    assertEquals(await sent("1", { stream: true }), 200);
    await service.turns();
    assertEquals(await storedMessages(tenant), []);
    assertEquals(await sent("1", {}), 200);
    await service.turns();
    assertEquals(await storedMessages(tenant), []);
  });

  await t.step("also where Postgres is away for a moment", async () => {
    const tenant = await createTenant();
    let times = 2;
    service.supabase.fault = (path) => path.endsWith("/delete_turn") && times-- > 0 ? "refuse" : "pass";
    const request = { model: tenant.coachId, input: "Hi", store: false };
    assertEquals((await ask(service, "POST", "/openai/v1/responses", tenant, request)).status, 200);
    await service.turns();
    service.supabase.fault = "pass";
    assertEquals(await storedMessages(tenant), []);
  });

  await t.step("in a conversation, takes only its own turn along", async () => {
    const conversation = crypto.randomUUID();
    const kept = await respond({ input: "1?", conversation });
    const { json } = await respond({ input: "2?", conversation, store: false });
    await service.turns();
    assertEquals([(await read(kept.json.id)).status, (await read(json.id)).status], [200, 404]);
  });

  await t.step("stays where it waits for the expert, until they have answered it and after", async () => {
    const expert = await createTenant({ requests_per_minute: 1_000, scopes: allScopes });
    const [input, conversation] = ["Is anybody there?", crypto.randomUUID()];
    const send = (body: object) =>
      ask(service, "POST", "/openai/v1/responses", expert, { model: expert.coachId, conversation, ...body });
    const threadId = (await send({ input: "Hi" })).headers.get("X-Thread-Id")!;
    assertReply(await ask(service, "POST", `/threads/${threadId}/takeover`, expert), 200);
    assertEquals((await send({ input, store: false })).status, 200);
    await service.turns();
    assertReply(await ask(service, "POST", `/threads/${threadId}/messages`, expert, { content: "I am." }), 200);
    assertEquals((await storedMessages(expert)).slice(2), [`user: ${input}`, "assistant: I am."]);
  });

  await t.step("DELETE takes the last turn of a thread, and no other", async () => {
    const first = await respond({ input: "1?" });
    const second = await respond({ input: "2?", previous_response_id: first.json.id });
    assertEquals(second.headers.get("X-Thread-Id"), first.headers.get("X-Thread-Id"));
    const remove = (id: string) => ask(service, "DELETE", `/openai/v1/responses/${id}`, tenant);
    const refused = await remove(first.json.id);
    assertEquals([refused.status, refused.headers.get("x-should-retry")], [409, "false"]);
    assertEquals((await remove(second.json.id)).json, { id: second.json.id, object: "response", deleted: true });
    assertEquals((await remove(first.json.id)).status, 200);
    assertEquals((await remove(first.json.id)).status, 404);
  });

  await t.step("a previous response of another key or user, or none, is 400", async () => {
    const { json } = await respond({ input: "1?", user: "u" });
    const other = await createTenant();
    const asOther = await ask(service, "POST", "/openai/v1/responses", other, {
      model: other.coachId,
      input: "?",
      previous_response_id: json.id,
    });
    const ofAnotherUser = await respond({ input: "2?", user: "v", previous_response_id: json.id });
    const ofNobody = await respond({ input: "2?", previous_response_id: `resp_${crypto.randomUUID()}` });
    for (const { status, json } of [asOther, ofAnotherUser, ofNobody]) {
      assertEquals([status, json.error.param], [400, "previous_response_id"]);
    }
    const go = await send(service, "POST", "/openai/v1/responses", tenant, {
      model: tenant.coachId,
      input: "2?",
      user: "u",
      previous_response_id: json.id,
    });
    await go.body?.cancel();
    assertEquals(go.status, 200);
  });

  await t.step("a conversation that could be of several people is refused", async () => {
    const reply = await respond({ input: "Hi", conversation: "conv_1" });
    assertEquals([reply.status, reply.json.error.param], [400, "conversation"]);
    assertEquals((await respond({ input: "Hi", conversation: { id: "conv_1" }, user: "u" })).status, 200);
  });
});

Deno.test("a response that is not to be stored, and its clients leave", async (t) => {
  await using service = await startService({ timeouts: { leave: 300, flush: 50, poll: 20 } });
  const options = { store: false, stream: true };
  const send = (tenant: Tenant, retryCount: string, signal?: AbortSignal) =>
    fetch(`${openaiUrl(service)}/responses`, {
      method: "POST",
      signal,
      headers: {
        "Content-Type": "application/json",
        "X-API-Key": tenant.apiKey,
        "X-Stainless-Retry-Count": retryCount,
      },
      body: JSON.stringify({ model: tenant.coachId, input: "Forget this", ...options }),
    });
  const isErased = (tenant: Tenant) => async () => (await storedMessages(tenant)).length === 0;

  await t.step("is stopped and erased", async () => {
    const tenant = await createTenant();
    holdModel(service, tenant, "Half");
    const controller = new AbortController();
    const reply = await send(tenant, "0", controller.signal);
    await reply.body!.getReader().read();
    assertEquals((await storedMessages(tenant)).length, 2);
    controller.abort();
    await eventually(isErased(tenant), "the turn is erased");
    await eventually(() => service.model.requestsOf(tenant.modelName)[0]!.aborted, "the model is stopped");
  });

  await t.step("goes on for the same request that came again, and is erased when that has ended", async () => {
    const tenant = await createTenant();
    const goOn = holdModel(service, tenant, "Half", { text: " and half" });
    const controller = new AbortController();
    const first = await send(tenant, "0", controller.signal);
    await first.body!.getReader().read();
    const second = await send(tenant, "1");
    controller.abort();
    assertEquals(second.headers.get("X-Message-Id"), first.headers.get("X-Message-Id"));
    goOn();
    const text = await second.text();
    assert(text.includes("response.completed") && text.includes("Half and half"), text);
    await eventually(isErased(tenant), "the turn is erased");
  });

  await t.step("is erased when those who came again have left, too", async () => {
    const tenant = await createTenant();
    holdModel(service, tenant, "Half");
    const controller = new AbortController();
    for (const retryCount of ["0", "1"]) {
      const reply = await send(tenant, retryCount, controller.signal);
      await reply.body!.getReader().read();
    }
    controller.abort();
    await eventually(isErased(tenant), "the turn is erased");
    await eventually(() => service.model.requestsOf(tenant.modelName)[0]!.aborted, "the model is stopped");
  });
});
