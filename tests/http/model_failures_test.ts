import { assert, assertEquals, assertRejects } from "deno-std/assert/mod.js";
import { delay } from "deno-std/async/delay.js";
import { ask, assertReply, chat, send } from "../support/client.ts";
import type { Step } from "../support/model_server.ts";
import { createTenant, operator } from "../support/project.ts";
import { startService } from "../support/service.ts";

/** A reply that the backend broke off for another reason than its length. */
const contentFilter: Step = {
  event: {
    type: "response.incomplete",
    response: { id: "r", status: "incomplete", incomplete_details: { reason: "content_filter" } },
  },
};

/** Short enough that a test is quick, long enough that a busy machine does not trip over them. */
const impatient = { firstChunk: 400, betweenChunks: 400, turn: 3_000 };

Deno.test("a model that fails before the first text → a JSON error that names the thread; the question is kept", async (t) => {
  const cases: [string, Step[], number, string][] = [
    ["refuses the key", [{ status: 401 }], 502, "The language model is unavailable"],
    ["refuses the request", [{ status: 400 }], 502, "The language model is unavailable"],
    [
      "sends an error event",
      [{ event: { type: "error", code: "server_error", message: "secret prompt", param: null } }],
      502,
      "The language model is unavailable",
    ],
    [
      "sends response.failed",
      [{
        event: {
          type: "response.failed",
          response: { id: "r", status: "failed", error: { code: "rate_limit_exceeded", message: "no" } },
        },
      }],
      502,
      "The language model is unavailable",
    ],
    ["ends without a word", [{ end: true }], 502, "The language model is unavailable"],
    ["is cut by a filter before text", [contentFilter], 502, "The language model is unavailable"],
    ["cuts the connection", [{ cut: true }], 502, "The language model is unavailable"],
    [
      "cuts the stream before text",
      [{ event: { type: "response.in_progress", response: {} } }, { cut: true }],
      502,
      "The language model is unavailable",
    ],
    [
      "sends a text event that is no JSON",
      [{ bytes: "event: response.output_text.delta\ndata: {oops\n\n" }],
      502,
      "The language model is unavailable",
    ],
    ["says nothing", [{ hang: true }], 504, "The language model did not answer in time"],
    [
      "begins and then says nothing",
      [{ event: { type: "response.in_progress", response: {} } }, { hang: true }],
      504,
      "The language model did not answer in time",
    ],
  ];
  for (const [name, steps, status, error] of cases) {
    // A cut connection is tried again, which takes longer than the impatient service waits.
    await using service = await startService(status === 504 ? { timeouts: impatient } : {});
    await t.step(`${name} → ${status}`, async () => {
      const tenant = await createTenant();
      service.model.script(tenant.modelName, { steps });
      const reply = await ask(service, "POST", "/chat", tenant, {
        message: "Are you there?",
        context: { coachId: tenant.coachId, userId: "u" },
      });
      assertReply(reply, status, { error });
      const threadId = reply.headers.get("X-Thread-Id")!;
      const { json } = await ask(service, "GET", `/threads/${threadId}/messages`, tenant);
      assertEquals(json.count, 1);
      assertEquals(json.data[0].content, "Are you there?");
      const { data } = await operator.from("messages").select("status, error").eq(
        "id",
        reply.headers.get("X-Message-Id")!,
      ).single().throwOnError();
      assertEquals(data.status, "failed");
      assert(data.error?.startsWith(error), String(data.error));
      assert(!JSON.stringify(data).includes("secret prompt"));

      service.model.script(tenant.modelName, { steps: [{ text: "Now I am." }] });
      const again = await chat(service, tenant, { message: "And now?", thread_id: threadId });
      assertEquals(again.answer, "Now I am.");
    });
  }
});

Deno.test("a model that fails after the first text → a visibly broken stream; what arrived is kept", async (t) => {
  await using service = await startService({ timeouts: impatient });
  const cases: [string, Step[]][] = [
    ["cuts the stream", [{ text: "Half an" }, { cut: true }]],
    ["ends the body without an end event", [{ text: "Half an" }, {
      event: { type: "response.in_progress", response: {} },
    }]],
    ["sends an error event", [{ text: "Half an" }, { event: { type: "error", code: "server_error", message: "x" } }]],
    ["falls silent", [{ text: "Half an" }, { hang: true }]],
    ["is cut by a filter", [{ text: "Half an" }, contentFilter]],
    ["sends rubbish", [{ text: "Half an" }, { bytes: "event: response.output_text.delta\ndata: {\n\n" }]],
  ];
  for (const [name, steps] of cases) {
    await t.step(name, async () => {
      const tenant = await createTenant();
      service.model.script(tenant.modelName, { steps });
      const response = await send(service, "POST", "/chat", tenant, {
        message: "Go",
        context: { coachId: tenant.coachId },
      });
      assertEquals(response.status, 200);
      await assertRejects(() => response.text());
      const { json } = await ask(service, "GET", `/threads/${response.headers.get("X-Thread-Id")}/messages`, tenant);
      assertEquals(json.data.map(({ content }: { content: string }) => content), ["Go", "Half an"]);
      const { data } = await operator.from("messages").select("status").eq("id", json.data[1].id).single()
        .throwOnError();
      assertEquals(data.status, "failed");
    });
  }
});

Deno.test("the model's passing troubles are tried again before the first text, for as long as there is time", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  service.model.script(tenant.modelName, { steps: [{ status: 503 }] });
  const reply = await ask(service, "POST", "/chat", tenant, { message: "Hi", context: { coachId: tenant.coachId } });
  assertReply(reply, 502, { error: "The language model is unavailable" });
  assertEquals(service.model.requestsOf(tenant.modelName).length, 3);
});

Deno.test("headers leave after a while without text, with comments until it comes", async () => {
  await using service = await startService({ timeouts: { quiet: 50 } });
  const tenant = await createTenant();
  const thought = Promise.withResolvers<void>();
  service.model.script(tenant.modelName, { steps: [{ waitFor: thought.promise }, { text: "At last" }] });
  const response = await send(service, "POST", "/chat", tenant, {
    message: "Think",
    context: { coachId: tenant.coachId },
  });
  assertEquals(response.status, 200);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  assertEquals((await reader.read()).value, ": ping\n\n");
  assertEquals((await reader.read()).value, ": ping\n\n");
  thought.resolve();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) rest += part.value;
  assertEquals(rest.replaceAll(": ping\n\n", ""), "data: At last\n\n");
});

Deno.test("no failure shows a key, a prompt or a message in the log, and each logs one line with the request id", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  service.model.script(tenant.modelName, { steps: [{ status: 401 }] });
  const reply = await ask(service, "POST", "/chat", tenant, {
    message: "my secret diary",
    context: { coachId: tenant.coachId },
  }, {
    headers: { "X-Request-Id": "failing-1" },
  });
  assertReply(reply, 502);
  const lines = service.logs.filter((line) => line.request_id === "failing-1");
  assertEquals(lines.map(({ level, event }) => [level, event]), [["error", "turn"], ["error", "request"]]);
  assert(String(lines[0]?.reason).includes("401"), JSON.stringify(lines));
  for (const secret of ["my secret diary", tenant.apiKey, "Explain with engines"]) {
    assert(!JSON.stringify(service.logs).includes(secret));
  }
});

Deno.test("comments of the model are no text: a reply that only keeps its connection alive times out", async () => {
  await using service = await startService({ timeouts: { ...impatient, betweenChunks: 300 } });
  const tenant = await createTenant();
  const comments: Step[] = Array.from({ length: 20 }, (_, index) => [
    { waitFor: delay(50 * index) },
    { bytes: ": keep-alive\n\n" },
  ]).flat();
  service.model.script(tenant.modelName, { steps: [{ text: "One" }, ...comments, { text: " two" }] });
  const response = await send(service, "POST", "/chat", tenant, {
    message: "Go",
    context: { coachId: tenant.coachId },
  });
  await assertRejects(() => response.text());
});

Deno.test("a model that fails and holds its connection open is hung up on", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  const failed: Step = { event: { type: "response.failed", response: { id: "r", error: { code: "server_error" } } } };
  service.model.script(tenant.modelName, { steps: [failed, { hang: true }] });
  assertReply(
    await ask(service, "POST", "/chat", tenant, { message: "Go", context: { coachId: tenant.coachId } }),
    502,
  );
  const [exchange] = service.model.requestsOf(tenant.modelName);
  await exchange!.over;
  assertEquals(exchange!.aborted, true);
});

Deno.test("ids and counts of the model that Postgres cannot hold cost no answer", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  service.model.script(tenant.modelName, {
    steps: [
      { event: { type: "response.created", response: { id: "resp_\0\ud800" } } },
      { text: "Whole" },
      { end: true, usage: { input_tokens: 1.5, output_tokens: 3e9 } },
    ],
  });
  const { answer } = await chat(service, tenant, { message: "Go", context: { coachId: tenant.coachId } });
  assertEquals(answer, "Whole");
});

Deno.test("without a key for the model, lists work and chat says that the model is unavailable", async () => {
  await using service = await startService({ env: { OPENAI_BASE_URL: "", OPENAI_API_KEY: "" } });
  const tenant = await createTenant();
  assertReply(await ask(service, "GET", "/users/u/threads", tenant), 200, { data: [], count: 0 });
  const reply = await ask(service, "POST", "/chat", tenant, { message: "Hi", context: { coachId: tenant.coachId } });
  assertReply(reply, 502, { error: "The language model is unavailable" });
});
