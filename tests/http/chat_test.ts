import { assert, assertEquals, assertMatch, assertNotEquals } from "../support/assert.ts";
import { eventually } from "../support/eventually.ts";
import { acceptOf, ask, assertRefused, assertReply, chat, readEvents, send } from "../support/client.ts";
import { createCoach, createTenant, createUser, operator } from "../support/project.ts";
import type { Refusal } from "../support/refusals.ts";
import { startService } from "../support/service.ts";

Deno.test("POST /chat", async (t) => {
  await using service = await startService();
  const tenant = await createTenant();
  const context = { coachId: tenant.coachId, userId: "user-1" };

  await t.step("starts a thread and streams the answer as data lines", async () => {
    service.model.script(tenant.modelName, {
      responseId: "resp_first",
      steps: [{ text: "An engine" }, { text: " thinks." }],
    });
    const reply = await ask(service, "POST", "/chat", tenant, { message: "What is an engine?", context });
    assertReply(reply, 200);
    assertEquals(reply.text, "data: An engine\n\ndata:  thinks.\n\n");
    assertEquals(reply.headers.get("Content-Type"), "text/event-stream; charset=utf-8");
    assertEquals(reply.headers.get("Cache-Control"), "no-cache, no-transform");
    assertEquals(reply.headers.get("X-Accel-Buffering"), "no");
    const threadId = reply.headers.get("X-Thread-Id") ?? "";
    assertMatch(threadId, /^[0-9a-f-]{36}$/);
    const { json } = await ask(service, "GET", `/threads/${threadId}/messages`, tenant);
    assertEquals(json.count, 2);
    const [question, answer] = json.data;
    assertEquals([question.role, question.content, question.response_id], ["user", "What is an engine?", null]);
    assertEquals([answer.role, answer.content, answer.response_id], ["assistant", "An engine thinks.", "resp_first"]);
    assertEquals(answer.id, reply.headers.get("X-Message-Id"));
  });

  await t.step("line breaks arrive as data lines of one event, and the text is exactly the stored one", async () => {
    service.model.script(tenant.modelName, {
      steps: [{ text: "One:\n\n  indented\r" }, { text: "\nlast \ud83d" }, { text: "\ude00" }],
    });
    const reply = await ask(service, "POST", "/chat", tenant, { message: "Lines?", context });
    assertEquals(readEvents(reply.text), "One:\n\n  indented\nlast 😀");
    const { json } = await ask(service, "GET", `/threads/${reply.headers.get("X-Thread-Id")}/messages`, tenant);
    assertEquals(json.data[1].content, readEvents(reply.text));
  });

  await t.step("text is sent on as it arrives, not collected", async () => {
    const more = Promise.withResolvers<void>();
    service.model.script(tenant.modelName, {
      steps: [{ text: "first" }, { waitFor: more.promise }, { text: " second" }],
    });
    const response = await send(service, "POST", "/chat", tenant, { message: "Slowly", context });
    assert(response.headers.has("X-Thread-Id"));
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    assertEquals((await reader.read()).value, "data: first\n\n");
    more.resolve();
    assertEquals((await reader.read()).value, "data:  second\n\n");
    assert((await reader.read()).done);
  });

  await t.step("a thread is continued with the history from Postgres and the persona in the prompt", async () => {
    service.model.script(tenant.modelName, { steps: [{ text: "Answer one." }] });
    const first = await chat(service, tenant, { message: "Question one", context: { ...context, mode: "exam" } });
    const second = await chat(service, tenant, { message: "Question two", thread_id: first.threadId, context });
    assertEquals(second.threadId, first.threadId);
    const { body } = service.model.requestsOf(tenant.modelName).at(-1)!;
    assertEquals(body.input, [
      { role: "user", content: "Question one" },
      { type: "message", role: "assistant", content: "Answer one." },
      { role: "user", content: "Question two" },
    ]);
    for (const part of ["Ada Byron", "Mathematics Coach", "Explain with engines."]) {
      assert(body.instructions?.includes(part), body.instructions ?? "");
    }
    assertEquals(body.stream, true);
    assertEquals("temperature" in body, false);
    assert(service.model.requestsOf(tenant.modelName).at(-2)!.body.instructions?.includes('"exam"'));
  });

  await t.step("history_limit, temperature and system messages of the coach's settings reach the model", async () => {
    const modelName = crypto.randomUUID();
    const coach = await createCoach(tenant.accountId, { model: modelName, history_limit: 3, temperature: 0.25 });
    const { threadId } = await chat(service, tenant, { message: "0", context: { coachId: coach.id } });
    await chat(service, tenant, { message: "1", thread_id: threadId });
    await operator.from("messages").insert({ thread_id: threadId, role: "system", content: "Be brief." })
      .throwOnError();
    const reply = await chat(service, tenant, { message: "2", thread_id: threadId });
    assertEquals(reply.answer, "Hello world");
    const { body } = service.model.requestsOf(modelName).at(-1)!;
    assertEquals(body.temperature, 0.25);
    assertEquals(body.input, [
      { role: "user", content: "1" },
      { type: "message", role: "assistant", content: "Hello world" },
      { role: "system", content: "Be brief." },
      { role: "user", content: "2" },
    ]);
  });

  await t.step("the title is the first message, shortened at a word", async () => {
    const message = `${"word ".repeat(30)}\n\nend`;
    const { threadId } = await chat(service, tenant, { message, context: { ...context, userId: "title" } });
    const { json } = await ask(service, "GET", `/users/title/threads`, tenant);
    assertEquals(json.data[0].id, threadId);
    assertMatch(json.data[0].title, /^(word )+word…$/);
    assert(json.data[0].title.length <= 80);
  });

  await t.step("without a user the thread is anonymous, and the key may continue it", async () => {
    const { threadId } = await chat(service, tenant, { message: "Hi", context: { coachId: tenant.coachId } });
    const { data } = await operator.from("threads").select("user_id").eq("id", threadId).single().throwOnError();
    assertMatch(data.user_id, /^anonymous-[0-9a-f-]{36}$/);
    const again = await chat(service, tenant, { message: "Hi again", thread_id: threadId });
    assertEquals(again.threadId, threadId);
  });

  await t.step("without context.userId the thread belongs to the signed-in user", async () => {
    const user = await createUser();
    const credentials = { ...tenant, accessToken: user.accessToken };
    await chat(service, credentials, { message: "Hi", context: { coachId: tenant.coachId, isAuthenticated: true } });
    const { json } = await ask(service, "GET", `/users/${user.id}/threads`, credentials);
    assertEquals(json.count, 1);
  });

  await t.step("a reply cut at the model's token limit ends cleanly", async () => {
    service.model.script(tenant.modelName, {
      steps: [{ text: "as far as" }, {
        event: {
          type: "response.incomplete",
          response: { id: "resp_x", status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
        },
      }],
    });
    const reply = await chat(service, tenant, { message: "Long", context });
    assertEquals(reply.answer, "as far as");
  });

  await t.step("32,000 characters of any width are accepted and come back whole", async () => {
    service.model.script(tenant.modelName, { steps: [{ text: "ok" }] });
    const message = "😀".repeat(32_000);
    const { threadId } = await chat(service, tenant, { message, context });
    const { json } = await ask(service, "GET", `/threads/${threadId}/messages`, tenant);
    assertEquals(json.data[0].content, message);
  });

  await t.step("token usage and the request id are stored with the answer", async () => {
    service.model.script(tenant.modelName, {
      steps: [{ text: "counted" }, { end: true, usage: { input_tokens: 5, output_tokens: 3 } }],
    });
    const response = await send(service, "POST", "/chat", tenant, { message: "Count", context }, {
      headers: { "X-Request-Id": "trace-1" },
    });
    await response.text();
    assertEquals(response.headers.get("X-Request-Id"), "trace-1");
    const { data } = await operator.from("messages").select("*").eq("id", response.headers.get("X-Message-Id")!)
      .single().throwOnError();
    assertEquals([data.status, data.input_tokens, data.output_tokens, data.request_id], ["complete", 5, 3, "trace-1"]);
  });
});

Deno.test("a client that disconnects does not cancel the turn", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  const more = Promise.withResolvers<void>();
  service.model.script(tenant.modelName, {
    steps: [{ text: "Said" }, { waitFor: more.promise }, { text: " to nobody." }],
  });
  const leaving = new AbortController();
  const response = await send(service, "POST", "/chat", tenant, {
    message: "Bye",
    context: { coachId: tenant.coachId },
  }, { signal: leaving.signal });
  const threadId = response.headers.get("X-Thread-Id");
  await response.body!.getReader().read();
  leaving.abort();
  more.resolve();
  await service.turns();
  const { json } = await ask(service, "GET", `/threads/${threadId}/messages`, tenant);
  assertEquals(json.data.map(({ content }: { content: string }) => content), ["Bye", "Said to nobody."]);
  assertEquals(service.model.requestsOf(tenant.modelName)[0]?.aborted, false);
});

Deno.test("a client that disconnects while it waits for an object, or before the first text, does not cancel the turn either", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  for (const headers of [{ Accept: "application/json" }, { Accept: "*/*" }]) {
    const more = Promise.withResolvers<void>();
    service.model.script(tenant.modelName, { steps: [{ waitFor: more.promise }, { text: "Said to nobody." }] });
    const asked = service.model.requestsOf(tenant.modelName).length;
    const leaving = new AbortController();
    const body = { message: "Bye", context: { coachId: tenant.coachId, userId: headers.Accept } };
    const reply = send(service, "POST", "/chat", tenant, body, { headers, signal: leaving.signal }).catch(() => "left");
    await eventually(() => service.model.requestsOf(tenant.modelName).length > asked, "the model is asked");
    leaving.abort();
    assertEquals(await reply, "left");
    more.resolve();
    await service.turns();
    const { json: { data: [thread] } } = await ask(
      service,
      "GET",
      `/users/${encodeURIComponent(headers.Accept)}/threads`,
      tenant,
    );
    const { json } = await ask(service, "GET", `/threads/${thread.id}/messages`, tenant);
    assertEquals(json.data.map(({ content }: { content: string }) => content), ["Bye", "Said to nobody."]);
  }
});

Deno.test("the worker is kept alive until a turn is stored, in every form of reply", async (t) => {
  for (const accept of Object.values(acceptOf)) {
    await t.step(accept, async () => {
      await using service = await startService();
      const tenant = await createTenant();
      const more = Promise.withResolvers<void>();
      service.model.script(tenant.modelName, { steps: [{ text: "Said" }, { waitFor: more.promise }] });
      const body = { message: "Hi", context: { coachId: tenant.coachId } };
      const reply = ask(service, "POST", "/chat", tenant, body, { headers: { Accept: accept } });
      await eventually(() => service.model.requestsOf(tenant.modelName).length > 0, "the model is asked");
      assertEquals(await service.keptAlive(), { count: 1, pending: 1 });
      more.resolve();
      await reply.catch(() => {});
      await service.turns();
    });
  }
});

Deno.test("turns that run at the same time on one thread are all answered, each answer directly after its question", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  const { threadId } = await chat(service, tenant, { message: "0", context: { coachId: tenant.coachId } });
  await Promise.all(["1", "2", "3", "4"].map((message) => chat(service, tenant, { message, thread_id: threadId })));
  const { json } = await ask(service, "GET", `/threads/${threadId}/messages`, tenant);
  assertEquals(json.data.map(({ role }: { role: string }) => role), Array(5).fill(["user", "assistant"]).flat());
  const times = json.data.map(({ created_at }: { created_at: string }) => created_at);
  assertEquals(times, [...new Set(times)].toSorted());
});

Deno.test("what POST /chat refuses leaves nothing behind", async (t) => {
  await using service = await startService();
  const tenant = await createTenant();
  const user = await createUser();
  const context = { coachId: tenant.coachId };
  const inactive = await createCoach(tenant.accountId, { is_active: false });
  const otherCoach = await createCoach(tenant.accountId);
  const { threadId } = await chat(service, tenant, { message: "mine", context: { ...context, userId: "owner" } });
  // The tests of this process run one after the other, so nothing else changes the tables meanwhile.
  const countRows = async () => {
    const { count: threads } = await operator.from("threads").select("*", { count: "exact", head: true })
      .throwOnError();
    const { count: messages } = await operator.from("messages").select("*", { count: "exact", head: true })
      .throwOnError();
    return [threads, messages];
  };
  const before = await countRows();
  const requests = service.model.requestsOf(tenant.modelName).length;

  const noThread = crypto.randomUUID();
  const invalid: [name: string, body: unknown, sentence: string][] = [
    ["null as body", "null", "The request body must be a JSON object"],
    ["an array as body", [], "The request body must be a JSON object"],
    ["a string as body", '"hi"', "The request body must be a JSON object"],
    ["no message", { context }, "message is required"],
    ["a message that is a number", { message: 1, context }, "message must be a string"],
    ["a message that is null", { message: null, context }, "message must be a string"],
    ["a blank message", { message: " \n\t", context }, "message must not be blank"],
    [
      "a message of 32,001 characters",
      { message: "a".repeat(32_001), context },
      "message must be at most 32,000 characters long",
    ],
    [
      "a NUL in the message",
      { message: "a\0b", context },
      "message must not contain NUL characters or unpaired surrogates",
    ],
    [
      "half a surrogate pair",
      '{"message": "\\ud800", "context": {"coachId": "x"}}',
      "message must not contain NUL characters or unpaired surrogates",
    ],
    [
      "a NUL in the coach",
      { message: "a", context: { coachId: "\0" } },
      "context.coachId must not contain NUL characters or unpaired surrogates",
    ],
    ["a context that is a string", { message: "a", context: "x" }, "context must be an object"],
    ["a coach that is a number", { message: "a", context: { coachId: 7 } }, "context.coachId must be a string"],
    [
      "a user that is an object",
      { message: "a", context: { ...context, userId: {} } },
      "context.userId must be a string",
    ],
    ["a blank user", { message: "a", context: { ...context, userId: " " } }, "context.userId must not be blank"],
    [
      "a user of 256 characters",
      { message: "a", context: { ...context, userId: "u".repeat(256) } },
      "context.userId must be at most 255 characters long",
    ],
    [
      "isAuthenticated that is a string",
      { message: "a", context: { ...context, isAuthenticated: "true" } },
      "context.isAuthenticated must be true or false",
    ],
    [
      "a mode of 65 characters",
      { message: "a", context: { ...context, mode: "m".repeat(65) } },
      "context.mode must be at most 64 characters long",
    ],
    ["no coach and no thread", { message: "a" }, "context.coachId is required to start a thread"],
    ["a thread_id that is no UUID", { message: "a", thread_id: "7" }, "thread_id must be a UUID"],
    ["a thread_id that is a number", { message: "a", thread_id: 7 }, "thread_id must be a string"],
  ];
  const cases: [string, unknown, Refusal, what?: string][] = [
    ["broken JSON", '{"message": ', "invalid_json"],
    ["an empty body", "", "invalid_json"],
    ["bytes that are not UTF-8", new Uint8Array([0x22, 0xff, 0x22]), "invalid_json"],
    [
      "another coach than the thread's",
      { message: "a", thread_id: threadId, context: { coachId: otherCoach.id } },
      "coach_mismatch",
    ],
    ["a body over 256 KB", { message: "a", filler: "x".repeat(256 * 1024) }, "body_too_large", "256 KB"],
    ["an unknown coach", { message: "a", context: { coachId: "nobody" } }, "coach_not_found"],
    ["a coach with a quote in its id", { message: "a", context: { coachId: "x' or '1'='1" } }, "coach_not_found"],
    ["an inactive coach", { message: "a", context: { coachId: inactive.id } }, "coach_not_found"],
    ["an unknown thread", { message: "a", thread_id: noThread }, "thread_not_found"],
    [
      "another user's thread",
      { message: "a", thread_id: threadId, context: { userId: "stranger" } },
      "thread_not_found",
    ],
    [
      "isAuthenticated without a token",
      { message: "a", context: { ...context, isAuthenticated: true } },
      "invalid_access_token",
    ],
  ];
  cases.push(...invalid.map(([name, body, what]) => [name, body, "invalid_input", what] as typeof cases[number]));
  for (const [name, body, refusal, what] of cases) {
    await t.step(`${name} → ${refusal} ${what ?? ""}`, async () => {
      const reply = await ask(service, "POST", "/chat", tenant, body);
      assertRefused(reply, refusal, what);
      assertEquals(reply.headers.get("Access-Control-Allow-Origin"), "*");
    });
  }
  await t.step("a userId that is not the token's → 403", async () => {
    const reply = await ask(service, "POST", "/chat", { ...tenant, accessToken: user.accessToken }, {
      message: "a",
      context: { ...context, userId: "owner" },
    });
    assertRefused(reply, "user_mismatch");
  });
  await t.step("a signed-in user who continues another user's thread → 404", async () => {
    const reply = await ask(service, "POST", "/chat", { ...tenant, accessToken: user.accessToken }, {
      message: "a",
      thread_id: threadId,
    });
    assertRefused(reply, "thread_not_found");
  });
  await t.step("nothing was stored, and the model was not called", async () => {
    assertEquals(await countRows(), before);
    assertEquals(service.model.requestsOf(tenant.modelName).length, requests);
  });
});

Deno.test("null counts as a field left out", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  const reply = await chat(service, tenant, {
    message: "Hi",
    thread_id: null,
    context: { coachId: tenant.coachId, userId: null, mode: null, isAuthenticated: null },
  });
  assertNotEquals(reply.threadId, "");
  assertEquals(reply.answer, "Hello world");
});

Deno.test("a refusal is sent after the body has been read, however large", async (t) => {
  await using service = await startService();
  const tenant = await createTenant();
  for (const [name, credentials, status] of [["too large", tenant, 413], ["no key", {}, 401]] as const) {
    await t.step(`${name} → ${status}`, async () => {
      let sent = 0;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          controller.enqueue(new Uint8Array(64 * 1024).fill(32));
          if (++sent === 64) controller.close();
        },
      });
      const reply = await send(service, "POST", "/chat", credentials, body);
      assertEquals(reply.status, status);
      await reply.body?.cancel();
      assertEquals(sent, 64);
    });
  }
});
