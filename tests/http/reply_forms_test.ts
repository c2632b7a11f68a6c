import { setBudget } from "../support/budgets.ts";
import { assert, assertEquals, assertMatch, assertRejects } from "../support/assert.ts";
import { acceptOf, ask, assertRefused, assertReply, chat, readTypedEvents, send } from "../support/client.ts";
import { uploadAndIndex } from "../support/knowledge.ts";
import { defaultUsage } from "../support/response_events.ts";
import { createTenant, createUser, operator } from "../support/project.ts";
import { failureOf } from "../support/refusals.ts";
import { startService } from "../support/service.ts";
import { storeAnswer, storedAnswer } from "../support/turns.ts";

const asObject = { headers: { Accept: acceptOf.object } };
const asEvents = { headers: { Accept: acceptOf.events } };

Deno.test("POST /chat with Accept: application/json", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const body = { message: "What do engines need?", context: { coachId: tenant.coachId, userId: "u" } };

  await t.step("one object with the thread, the message as it is listed, and the sources", async () => {
    await uploadAndIndex(service, tenant, ["engines.md", "# Care\n\nEngines need rest and oil."]);
    service.model.script(tenant.modelName, {
      responseId: "resp_json",
      steps: [{ text: "Rest " }, { text: "and oil [1].\n" }],
    });
    const reply = await ask(service, "POST", "/chat", tenant, body, asObject);
    assertReply(reply, 200);
    assertMatch(reply.headers.get("Content-Type")!, /^application\/json/);
    assertEquals(Object.keys(reply.json), ["thread_id", "message", "sources", "status", "author"]);
    const { json } = await ask(service, "GET", `/threads/${reply.json.thread_id}/messages`, tenant);
    assertEquals(reply.json.message, json.data[1]);
    assertEquals(reply.json.message.content, "Rest and oil [1].\n");
    assertEquals(reply.headers.get("X-Thread-Id"), reply.json.thread_id);
    assertEquals(reply.headers.get("X-Message-Id"), reply.json.message.id);
    const [source] = reply.json.sources;
    assertEquals([source.number, source.filename, source.heading, source.page], [1, "engines.md", "Care", null]);
    assertEquals(source.quote, "Engines need rest and oil.");
    assertEquals(reply.json.sources, (await storedAnswer(reply.json.message.id)).sources);
  });

  await t.step("without sources → an empty list; a thread can be continued", async () => {
    const ignorant = await createTenant();
    const first = await ask(service, "POST", "/chat", ignorant, {
      message: "Hi",
      context: { coachId: ignorant.coachId },
    }, asObject);
    assertEquals(first.json.sources, []);
    const second = await chat(service, ignorant, { message: "And?", thread_id: first.json.thread_id });
    assertEquals(second.threadId, first.json.thread_id);
  });

  await t.step("a model that fails, at once or half-way → its status; the text so far stays", async () => {
    for (const [steps, kept] of [[[{ status: 400 }], 1], [[{ text: "Half" }, { cut: true as const }], 2]] as const) {
      service.model.script(tenant.modelName, { steps: [...steps] });
      const reply = await ask(service, "POST", "/chat", tenant, body, asObject);
      assertRefused(reply, "model_unavailable");
      const { json } = await ask(service, "GET", `/threads/${reply.headers.get("X-Thread-Id")}/messages`, tenant);
      assertEquals(json.count, kept);
    }
  });

  await t.step("a note is confirmed in one object too", async () => {
    const coach = await createUser();
    await operator.from("coach_profiles").update({ owner_id: coach.id }).eq("id", tenant.coachId).throwOnError();
    const note = { message: "Engines like oil.", context: { coachId: tenant.coachId, mode: "create_knowledge" } };
    const reply = await ask(service, "POST", "/chat", { ...tenant, accessToken: coach.accessToken }, note, asObject);
    assertReply(reply, 200);
    assertMatch(reply.json.message.content, /Engines like oil/);
    assertEquals([reply.json.message.response_id, reply.json.sources], [null, []]);
  });

  await t.step("an idempotent retry gets the same object", async () => {
    service.model.script(tenant.modelName, { steps: [{ text: "Oil [1]" }] });
    const init = { headers: { ...asObject.headers, "Idempotency-Key": crypto.randomUUID() } };
    const first = await ask(service, "POST", "/chat", tenant, body, init);
    assertReply(first, 200);
    assert(first.json.sources.length > 0);
    assertReply(await ask(service, "POST", "/chat", tenant, body, init), 200, first.json);
  });
});

Deno.test(`POST /chat with Accept: ${acceptOf.events}`, async (t) => {
  await using service = await startService({ timeouts: { flush: 20, poll: 20 } });
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const body = { message: "Go", context: { coachId: tenant.coachId, userId: "u" } };

  await t.step("sends meta, deltas, sources, usage and done; ids count the characters sent so far", async () => {
    service.model.script(tenant.modelName, {
      responseId: "resp_events",
      steps: [{ text: "One\n" }, { text: "😀" }, { text: " two" }],
    });
    const reply = await ask(service, "POST", "/chat", tenant, body, asEvents);
    assertReply(reply, 200);
    assertEquals(reply.headers.get("Content-Type"), "text/event-stream; charset=utf-8");
    const [thread_id, message_id] = ["X-Thread-Id", "X-Message-Id"].map((name) => reply.headers.get(name));
    const { json } = await ask(service, "GET", `/threads/${thread_id}/messages`, tenant);
    assertEquals(readTypedEvents(reply.text), [
      { event: "meta", id: "0", data: { thread_id, message_id, created_at: json.data[1].created_at } },
      { event: "delta", id: "4", data: { text: "One\n" } },
      { event: "delta", id: "5", data: { text: "😀" } },
      { event: "delta", id: "9", data: { text: " two" } },
      { event: "sources", id: "9", data: [] },
      { event: "usage", id: "9", data: defaultUsage },
      { event: "done", id: "9", data: { status: "complete", author: "ai", response_id: "resp_events" } },
    ]);
  });

  await t.step("done says that the question was passed on, and that the answer counts on a budget", async () => {
    const done = async () =>
      readTypedEvents((await ask(service, "POST", "/chat", tenant, body, asEvents)).text).at(-1)!;
    const call = { id: "call_1", name: "ask_expert", arguments: { question: "What do owls eat?", for_human: false } };
    service.model.script(tenant.modelName, { steps: [{ call }] }, { steps: [{ text: "I do not know." }] });
    const ending = { status: "complete", author: "ai" };
    const passedOn = await done();
    assertEquals(passedOn.data, { ...ending, response_id: passedOn.data.response_id, is_passed_on: true });
    await setBudget(tenant, { amount: 1_000_000 });
    const budgeted = await done();
    assertEquals(budgeted.data, { ...ending, response_id: budgeted.data.response_id, is_budgeted: true });
    await operator.from("budgets").delete().eq("account_id", tenant.accountId).throwOnError();
  });

  await t.step("unknown usage is left out", async () => {
    service.model.script(tenant.modelName, {
      steps: [{ text: "x" }, { event: { type: "response.completed", response: { id: "r", status: "completed" } } }],
    });
    const reply = await ask(service, "POST", "/chat", tenant, body, asEvents);
    assertEquals(readTypedEvents(reply.text).map(({ event }) => event), ["meta", "delta", "sources", "done"]);
  });

  await t.step("meta is sent before the model says anything", async () => {
    const thought = Promise.withResolvers<void>();
    service.model.script(tenant.modelName, { steps: [{ waitFor: thought.promise }, { text: "Well" }] });
    const response = await send(service, "POST", "/chat", tenant, body, asEvents);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    assertMatch((await reader.read()).value!, /^event: meta\n/);
    thought.resolve();
    assertMatch((await reader.read()).value!, /^event: delta\n/);
    await reader.cancel();
  });

  await t.step("a failure before or after the first text → an error event, then the stream ends cleanly", async () => {
    const error = failureOf("model_unavailable");
    service.model.script(tenant.modelName, { steps: [{ status: 400 }] });
    const early = await ask(service, "POST", "/chat", tenant, body, asEvents);
    assertReply(early, 200);
    assertEquals(readTypedEvents(early.text).slice(1), [{ event: "error", id: "0", data: error }]);
    service.model.script(tenant.modelName, { steps: [{ text: "Half" }, { cut: true }] });
    const late = await ask(service, "POST", "/chat", tenant, body, asEvents);
    assertEquals(readTypedEvents(late.text).slice(1), [
      { event: "delta", id: "4", data: { text: "Half" } },
      { event: "error", id: "4", data: error },
    ]);
  });

  await t.step("a refused request gets its usual status", async () => {
    assertReply(await ask(service, "POST", "/chat", tenant, { message: "" }, asEvents), 400);
    assertReply(
      await ask(service, "POST", "/chat", tenant, { message: "x", context: { coachId: "x" } }, asEvents),
      404,
    );
  });

  await t.step("a stopped turn ends with done, and says so", async () => {
    service.model.script(tenant.modelName, { steps: [{ text: "Half" }, { hang: true }] });
    const response = await send(service, "POST", "/chat", tenant, body, asEvents);
    const stream = response.text();
    const path = `/chat/${response.headers.get("X-Message-Id")}/stop`;
    assertReply(await ask(service, "POST", path, tenant), 200);
    const { data } = readTypedEvents(await stream).at(-1)!;
    assertEquals((data as { status: string }).status, "stopped");
  });

  await t.step("a stream can be resumed as typed events, after Last-Event-ID", async () => {
    const { threadId, messageId } = await storeAnswer(tenant, { content: "One 😀 two", status: "complete" });
    const init = { headers: { ...asEvents.headers, "Last-Event-ID": "5" } };
    const reply = await ask(service, "GET", `/chat/${messageId}/stream`, tenant, undefined, init);
    const [meta, ...rest] = readTypedEvents(reply.text);
    assertEquals([meta?.event, meta?.id], ["meta", "5"]);
    assertEquals((meta?.data as { thread_id: string }).thread_id, threadId);
    assertEquals(rest, [
      { event: "delta", id: "9", data: { text: " two" } },
      { event: "sources", id: "9", data: [] },
      { event: "done", id: "9", data: { status: "complete", author: "ai", response_id: null } },
    ]);
  });

  await t.step("a reader who already has all of the text still gets the closing events", async () => {
    const { messageId } = await storeAnswer(tenant, { content: "All", status: "complete" });
    const init = { headers: { ...asEvents.headers, "Last-Event-ID": "3" } };
    const reply = await ask(service, "GET", `/chat/${messageId}/stream`, tenant, undefined, init);
    assertEquals(readTypedEvents(reply.text).map(({ event, id }) => [event, id]), [
      ["meta", "3"],
      ["sources", "3"],
      ["done", "3"],
    ]);
  });

  await t.step("resuming an answer that has failed ends with an error event", async () => {
    const { messageId } = await storeAnswer(tenant, { content: "Half", status: "failed" });
    const reply = await ask(service, "GET", `/chat/${messageId}/stream`, tenant, undefined, asEvents);
    assertReply(reply, 200);
    assertEquals(readTypedEvents(reply.text).at(-1), {
      event: "error",
      id: "4",
      data: failureOf("answer_failed"),
    });
  });

  await t.step("the plain text form has none of these events", async () => {
    service.model.script(tenant.modelName, { steps: [{ text: "One" }, { text: " two" }] });
    const reply = await ask(service, "POST", "/chat", tenant, body, { headers: { Accept: "text/event-stream" } });
    assertEquals(reply.text, "data: One\n\ndata:  two\n\n");
    service.model.script(tenant.modelName, { steps: [{ text: "Half" }, { cut: true }] });
    await assertRejects(() => ask(service, "POST", "/chat", tenant, body));
  });
});
