import OpenAI from "openai";
import { assert, assertEquals, assertInstanceOf, assertMatch, assertRejects } from "../../support/assert.ts";
import { eventually } from "../../support/eventually.ts";
import { openaiOf } from "../../support/openai_clients.ts";
import { fetchHurriedly, holdModel, lastAnswer, storedMessages } from "../../support/openai_turns.ts";
import { createTenant, issueKey, issuePublishableKey, type KeyOptions } from "../../support/project.ts";
import { type Service, startService } from "../../support/service.ts";
import { storedAnswer } from "../../support/turns.ts";

/** An account, and the official client with its key. */
async function start(service: Service, key: KeyOptions = { requests_per_minute: 1_000 }) {
  const tenant = await createTenant(key);
  return { tenant, model: tenant.coachId, openai: openaiOf(service, tenant) };
}

type ErrorClass = abstract new (...args: never[]) => InstanceType<typeof OpenAI.APIError>;

const messages = [{ role: "user" as const, content: "What do engines need?" }];

Deno.test("the official client reads chat completions", async (t) => {
  await using service = await startService({ timeouts: { leave: 1 } });
  const { tenant, model, openai } = await start(service);

  await t.step("with the helper stream(): events, the whole text, the reason of the end, the tokens", async () => {
    const stream = openai.chat.completions.stream({ model, messages, stream_options: { include_usage: true } });
    const contents: string[] = [];
    stream.on("content", (delta) => contents.push(delta));
    const whole = await stream.finalChatCompletion();
    assertEquals(contents, ["Hello", " world"]);
    assertEquals(await stream.finalContent(), "Hello world");
    assertEquals(whole.choices[0]!.finish_reason, "stop");
    const { input_tokens, output_tokens } = await storedAnswer(whole.id.replace("chatcmpl-", ""));
    const { prompt_tokens, completion_tokens, total_tokens } = whole.usage!;
    assertEquals([prompt_tokens, completion_tokens], [input_tokens!, output_tokens!]);
    assertEquals(total_tokens, input_tokens! + output_tokens!);
  });

  await t.step("an answer that was cut ends with length", async () => {
    const event = {
      type: "response.incomplete",
      response: { id: "r", status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
    };
    service.model.script(tenant.modelName, { steps: [{ text: "Half" }, { event }] });
    const { choices } = await openai.chat.completions.create({ model, messages });
    assertEquals([choices[0]!.message.content, choices[0]!.finish_reason], ["Half", "length"]);
  });

  const early = [
    { moment: "before it is accepted", isStream: false },
    { moment: "before it is accepted", isStream: true },
    { moment: "before its reply", isStream: false },
  ];
  for (const { moment, isStream } of early) {
    await t.step(`aborting a request ${moment} stops the answer; its text is kept (stream: ${isStream})`, async () => {
      const goOn = holdModel(service, tenant, "So far", { text: " and on" });
      const leaving = new AbortController();
      const content = `Leave ${moment}, ${isStream}`;
      service.supabase.fault = (path) => {
        if (moment === "before it is accepted" && path.endsWith("/begin_turn")) leaving.abort();
        return "pass";
      };
      const body = { model, messages: [{ role: "user" as const, content }], stream: isStream };
      const asking = openai.chat.completions.create(body, { signal: leaving.signal });
      const refused = assertRejects(() => asking, OpenAI.APIUserAbortError);
      if (moment === "before its reply") {
        const hasBegun = async () => (await storedMessages(tenant)).at(-2) === `user: ${content}`;
        await eventually(hasBegun, "the question was stored");
        leaving.abort();
      }
      await refused;
      service.supabase.fault = "pass";
      await assertStopped(content, goOn);
    });
  }

  await t.step("aborting a request in its stream stops the answer; its text is kept", async () => {
    const goOn = holdModel(service, tenant, "So far", { text: " and on" });
    const leaving = new AbortController();
    const content = "Leave in the stream";
    const body = { model, messages: [{ role: "user" as const, content }], stream: true as const };
    let read = "";
    const stream = await openai.chat.completions.create(body, { signal: leaving.signal });
    for await (const { choices } of stream) {
      read += choices[0]!.delta.content ?? "";
      if (read !== "") leaving.abort();
    }
    assertEquals(read, "So far");
    await assertStopped(content, goOn);
  });

  async function assertStopped(question: string, goOn: () => void) {
    await eventually(async () => (await lastAnswer(tenant)).status === "stopped", "the answer was stopped");
    goOn();
    await service.turns();
    assertEquals((await storedMessages(tenant)).slice(-2), [`user: ${question}`, "assistant: So far"]);
  }

  await t.step("a failure before the first word is an error, in the middle too", async () => {
    service.model.script(tenant.modelName, { steps: [{ cut: true }] });
    const streamed = { model, messages, stream: true } as const;
    const early = await assertRejects(() => openai.chat.completions.create(streamed), OpenAI.InternalServerError);
    assertEquals([early.status, early.code, early.type], [502, "model_unavailable", "server_error"]);
    service.model.script(tenant.modelName, { steps: [{ text: "Half" }, { cut: true }] });
    const stream = await openai.chat.completions.create(streamed);
    let read = "";
    const late = await assertRejects(async () => {
      for await (const { choices } of stream) read += choices[0]!.delta.content ?? "";
    }, OpenAI.APIError);
    assertEquals([read, late.code], ["Half", "model_unavailable"]);
    await assertRejects(() => openai.chat.completions.stream({ model, messages }).finalContent(), OpenAI.APIError);
  });
});

Deno.test("the official client reads responses", async (t) => {
  await using service = await startService();
  const { tenant, model, openai } = await start(service);
  const input = "What do engines need?";

  await t.step("whole, and again by its ID", async () => {
    const { data, response } = await openai.responses.create({ model, input, metadata: { a: "1" } }).withResponse();
    const messageId = response.headers.get("X-Message-Id")!;
    const { input_tokens, output_tokens } = await storedAnswer(messageId);
    assertEquals([data.id, data.output_text, data.status], [`resp_${messageId}`, "Hello world", "completed"]);
    assertEquals([data.usage!.input_tokens, data.usage!.output_tokens], [input_tokens!, output_tokens!]);
    const { output_text, output, usage, model: coach } = await openai.responses.retrieve(data.id);
    assertEquals([output_text, output, usage, coach], ["Hello world", data.output, data.usage, model]);
  });

  await t.step("as a stream, with the helper stream() too", async () => {
    const types: string[] = [];
    for await (const { type } of await openai.responses.create({ model, input, stream: true })) types.push(type);
    assertEquals(types, [
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    const stream = openai.responses.stream({ model, input });
    const snapshots: string[] = [];
    stream.on("response.output_text.delta", ({ snapshot }) => snapshots.push(snapshot));
    const { status, output_text, usage } = await stream.finalResponse();
    assertEquals([snapshots, status, output_text], [["Hello", "Hello world"], "completed", "Hello world"]);
    assert(usage!.total_tokens > 0);
  });

  await t.step("goes on from the previous one, and deletes the last one only", async () => {
    const first = await openai.responses.create({ model, input: "My name is Ada", user: "ada" });
    const second = await openai.responses.create({ model, input: "Who am I?", previous_response_id: first.id });
    const { body } = service.model.requestsOf(tenant.modelName).at(-1)!;
    assertMatch(JSON.stringify(body.input), /My name is Ada.*Hello world.*Who am I\?/);
    const refused = await assertRejects(() => openai.responses.delete(first.id), OpenAI.ConflictError);
    assertEquals(refused.code, "not_the_last_turn");
    await openai.responses.delete(second.id);
    await assertRejects(() => openai.responses.retrieve(second.id), OpenAI.NotFoundError);
    await openai.responses.delete(first.id);
    await assertRejects(() => openai.responses.retrieve(first.id), OpenAI.NotFoundError);
  });

  await t.step("in a conversation that it names", async () => {
    const conversation = crypto.randomUUID();
    const ask = (input: string) => openai.responses.create({ model, input, conversation }).withResponse();
    const threads = [await ask("One"), await ask("Two")].map(({ response }) => response.headers.get("X-Thread-Id"));
    assertEquals(threads[0], threads[1]);
  });

  await t.step("nothing is kept of one that is not to be stored", async () => {
    const { id } = await openai.responses.create({ model, input: "Forget this", store: false });
    await service.turns();
    await assertRejects(() => openai.responses.retrieve(id), OpenAI.NotFoundError);
    assert(!(await storedMessages(tenant)).includes("user: Forget this"));
  });

  await t.step("cancels one that is being written", async () => {
    const goOn = holdModel(service, tenant, "So far", { text: " and on" });
    const stream = await openai.responses.create({ model, input, stream: true });
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const event of stream) {
      events.push(event);
      if (event.type !== "response.output_text.delta") continue;
      const created = events[0] as OpenAI.Responses.ResponseCreatedEvent;
      const { status, output } = await openai.responses.cancel(created.response.id);
      const [message] = output as OpenAI.Responses.ResponseOutputMessage[];
      assertEquals([status, message!.content[0]], ["cancelled", {
        type: "output_text",
        text: "So far",
        annotations: [],
        logprobs: [],
      }]);
      goOn();
    }
    const last = events.at(-1) as OpenAI.Responses.ResponseIncompleteEvent;
    assertEquals([last.type, last.response.status], ["response.incomplete", "cancelled"]);
  });

  await t.step("a failure in the middle is an error, for the helper too", async () => {
    service.model.script(tenant.modelName, { steps: [{ text: "Half" }, { cut: true }] });
    const stream = await openai.responses.create({ model, input, stream: true });
    const types: string[] = [];
    const error = await assertRejects(async () => {
      for await (const { type } of stream) types.push(type);
    }, OpenAI.APIError);
    assertEquals([error.code, types.at(-1)], ["model_unavailable", "response.failed"]);
    await assertRejects(() => openai.responses.stream({ model, input }).finalResponse(), OpenAI.APIError);
  });
});

Deno.test("the official client throws its own errors", async (t) => {
  await using service = await startService();
  const { tenant, model, openai } = await start(service);
  const complete = (openai: OpenAI, body = {}, options = {}) =>
    openai.chat.completions.create({ model, messages, ...body }, options);
  const { publishableKey } = await issuePublishableKey(tenant.accountId);

  type Row = [string, ErrorClass, number, string, string | null, () => Promise<unknown>];
  const rows: Row[] = [
    [
      "a parameter that is not supported",
      OpenAI.BadRequestError,
      400,
      "invalid_input",
      "n",
      () => complete(openai, { n: 2 }),
    ],
    [
      "an unknown previous response",
      OpenAI.BadRequestError,
      400,
      "response_not_found",
      "previous_response_id",
      () => openai.responses.create({ model, input: "Hi", previous_response_id: `resp_${crypto.randomUUID()}` }),
    ],
    [
      "an invalid key",
      OpenAI.AuthenticationError,
      401,
      "invalid_api_key",
      null,
      () => complete(openaiOf(service, { apiKey: "hi_live_nobody" })),
    ],
    [
      "a publishable key",
      OpenAI.AuthenticationError,
      401,
      "invalid_api_key",
      null,
      () => complete(openaiOf(service, { apiKey: publishableKey })),
    ],
    [
      "a key without the scope",
      OpenAI.PermissionDeniedError,
      403,
      "missing_scope",
      null,
      async () => complete(openaiOf(service, await issueKey(tenant.accountId, { scopes: ["threads:read"] }))),
    ],
    [
      "an unknown model",
      OpenAI.NotFoundError,
      404,
      "model_not_found",
      "model",
      () => complete(openai, { model: "gpt-4o" }),
    ],
    [
      "an unknown thread",
      OpenAI.NotFoundError,
      404,
      "thread_not_found",
      null,
      () => complete(openai, {}, { headers: { "X-Thread-Id": crypto.randomUUID() } }),
    ],
    [
      "an idempotency key of another request",
      OpenAI.UnprocessableEntityError,
      422,
      "idempotency_key_reused",
      null,
      async () => {
        const headers = { "Idempotency-Key": "once" };
        await complete(openai, {}, { headers });
        await complete(openai, { user: "another" }, { headers });
      },
    ],
    ["too many requests", OpenAI.RateLimitError, 429, "rate_limit_exceeded", null, async () => {
      const limited = openaiOf(service, await issueKey(tenant.accountId, { requests_per_minute: 1 }));
      await complete(limited);
      await complete(limited);
    }],
    [
      "a body that is too large",
      OpenAI.APIError,
      413,
      "body_too_large",
      null,
      () => complete(openai, { user: "u".repeat(4 * 1024 * 1024) }),
    ],
    ["a model that declines", OpenAI.BadRequestError, 400, "content_filter", null, () => {
      service.model.script(tenant.modelName, { steps: [{ status: 400, code: "content_policy_violation" }] });
      return complete(openai);
    }],
    ["a conversation that is too long", OpenAI.BadRequestError, 400, "context_length_exceeded", "messages", () => {
      service.model.script(tenant.modelName, { steps: [{ status: 400, code: "context_length_exceeded" }] });
      return complete(openai);
    }],
    ["an input that is too long", OpenAI.BadRequestError, 400, "context_length_exceeded", "input", () => {
      service.model.script(tenant.modelName, { steps: [{ status: 400, code: "context_length_exceeded" }] });
      return openai.responses.create({ model, input: "Hi", stream: true });
    }],
    ["a model that fails", OpenAI.InternalServerError, 502, "model_unavailable", null, () => {
      service.model.script(tenant.modelName, { steps: [{ status: 500 }] });
      return complete(openai);
    }],
    ["a database that is away", OpenAI.InternalServerError, 503, "unavailable", null, async () => {
      service.supabase.fault = "refuse";
      await complete(openai).finally(() => void (service.supabase.fault = "pass"));
    }],
  ];
  for (const [name, type, status, code, param, provoke] of rows) {
    await t.step(`${name}: ${status} ${code}`, async () => {
      const error = await assertRejects(provoke, type);
      assertInstanceOf(error, type);
      assertEquals([error.status, error.code, error.param], [status, code, param], error.message);
      assert(error.requestID, "it names the request");
      assert(!/undefined|status code/.test(error.message), error.message);
    });
  }
});

Deno.test("the official client sends a request again", async (t) => {
  await using service = await startService({ losesReplies: true });
  // Without this, it waits for the five seconds that the reply asks for.
  const options = { maxRetries: 2, fetch: fetchHurriedly };
  const question = (content: string) => [{ role: "user" as const, content }];
  /** Has Postgres fail that many times where turns begin. */
  function fail(fault: "refuse" | "lose", times: number) {
    service.supabase.fault = (path) => path.endsWith("/begin_turn") && times-- > 0 ? fault : "pass";
  }

  for (const [fault, times] of [["refuse", 2], ["lose", 1]] as const) {
    for (const api of ["completions", "responses"]) {
      await t.step(`${api}: a 503, since requests of Postgres ${fault}: one turn is stored`, async () => {
        const { tenant, model } = await start(service);
        const openai = openaiOf(service, tenant, options);
        fail(fault, times);
        const text = api === "responses"
          ? (await openai.responses.create({ model, input: "Hi" })).output_text
          : (await openai.chat.completions.create({ model, messages: question("Hi") })).choices[0]!.message.content;
        assertEquals(text, "Hello world");
        await service.turns();
        assertEquals(await storedMessages(tenant), ["user: Hi", "assistant: Hello world"]);
      });
    }
  }

  await t.step("a model that fails is asked again, in the same turn", async () => {
    const { tenant, model } = await start(service);
    const openai = openaiOf(service, tenant, options);
    service.model.refuse(tenant.modelName, () => ({ status: 500 }));
    const asking = openai.chat.completions.create({ model, messages: question("Hi"), stream: true });
    await eventually(() => Promise.resolve(service.model.requestsOf(tenant.modelName).length > 2), "it was asked");
    service.model.refuse(tenant.modelName, null);
    const chunks = await Array.fromAsync(await asking);
    assertEquals(chunks.map(({ choices }) => choices[0]!.delta.content ?? "").join(""), "Hello world");
    assertEquals(await storedMessages(tenant), ["user: Hi", "assistant: Hello world"]);
  });

  await t.step("the same question, asked twice by a person, is two turns", async () => {
    const { tenant, model } = await start(service);
    const openai = openaiOf(service, tenant, options);
    for (const _ of [1, 2]) await openai.chat.completions.create({ model, messages: question("Hi") });
    assertEquals((await storedMessages(tenant)).length, 4);
  });

  await t.step("not where that cannot help: a long wait, a turn that is not the last", async () => {
    const { tenant, model } = await start(service, { requests_per_hour: 3, requests_per_minute: 1_000 });
    let requests = 0;
    const send: typeof fetch = (...args) => (requests++, fetchHurriedly(...args));
    const openai = openaiOf(service, tenant, { ...options, fetch: send });
    const first = await openai.responses.create({ model, input: "One" });
    await openai.responses.create({ model, input: "Two", previous_response_id: first.id });
    await assertRejects(() => openai.responses.delete(first.id), OpenAI.ConflictError);
    await assertRejects(() => openai.models.list().then(), OpenAI.RateLimitError);
    assertEquals(requests, 4);
  });
});
