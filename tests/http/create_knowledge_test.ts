import type OpenAI from "openai";
import { assert, assertEquals, assertMatch, assertRejects } from "../support/assert.ts";
import { ask, assertRefused, chat, type Credentials, send } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import type { ModelScript } from "../support/model_server.ts";
import { createTenant, createUser, issueKey, operator, type Tenant } from "../support/project.ts";
import type { Refusal } from "../support/refusals.ts";
import { type Service, startService } from "../support/service.ts";
import { storedAnswer } from "../support/turns.ts";

/** A tenant, the signed-in user of its coach, and another user. */
async function createOwnedTenant() {
  const owner = await createUser();
  const stranger = await createUser();
  const tenant = await createTenant({}, { owner_id: owner.id });
  return {
    tenant,
    owner: { apiKey: tenant.apiKey, accessToken: owner.accessToken },
    stranger: { apiKey: tenant.apiKey, accessToken: stranger.accessToken },
    ownerId: owner.id,
  };
}

async function filesOf({ coachId }: Pick<Tenant, "coachId">): Promise<string[]> {
  const { data } = await operator.from("knowledge_files").select("name").eq("coach_id", coachId).order("number")
    .throwOnError();
  return data.map(({ name }) => name);
}

/** All requests except those that every turn makes. */
const refuseStorage = (path: string) => /admit_request|begin_turn|save_turns/.test(path) ? "pass" : "refuse";

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService());
  const { tenant, owner, stranger, ownerId } = await createOwnedTenant();
  const { coachId } = tenant;
  const note = (message: string, threadId?: string) => ({
    message,
    thread_id: threadId,
    context: { coachId, mode: "create_knowledge" },
  });
  return handOver(stack, { service, tenant, owner, stranger, ownerId, coachId, note });
}

Deno.test("the mode create_knowledge", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, owner, note } = prepared;

  let threadId = "";
  await t.step("stores the note and tells its file name, without calling the model", async () => {
    const reply = await chat(service, owner, note("Lighthouses open in May. Bring a coat."));
    threadId = reply.threadId;
    const [name = "", ...others] = await filesOf(tenant);
    assertMatch(name, /^Lighthouses open in.*\.md$/);
    assertEquals(others, []);
    assert(reply.answer.includes(name), reply.answer);
    assertEquals(service.model.requestsOf(tenant.modelName), []);
    const { status, response_id, sources, content } = await storedAnswer(reply.messageId);
    assertEquals([status, response_id, sources, content], ["complete", null, null, reply.answer]);
  });

  await t.step("the thread lists the question and the confirmation like any other turn", async () => {
    await chat(service, owner, { message: "Thank you", thread_id: threadId });
    const reply = await chat(service, owner, note("Lamps turn slowly.", threadId));
    const { json } = await ask(service, "GET", `/threads/${threadId}/messages`, owner);
    const contents = json.data.map(({ content }: { content: string }) => content);
    assertEquals(contents.length, 6);
    assertEquals([contents[0], contents[4], contents[5]], [
      "Lighthouses open in May. Bring a coat.",
      "Lamps turn slowly.",
      reply.answer,
    ]);
    const { data } = await operator.from("messages").select("mode").eq("thread_id", threadId).eq("role", "user")
      .order("sequence").throwOnError();
    assertEquals(data.map(({ mode }) => mode), ["create_knowledge", null, "create_knowledge"]);
  });

  for (const prefix of ["create_knowledge:", "CREATE_KNOWLEDGE: ", " \n Create_Knowledge :\n"]) {
    await t.step(`a leading ${JSON.stringify(prefix)} is dropped`, async () => {
      const before = await filesOf(tenant);
      await chat(service, owner, note(`${prefix}Gulls sleep${before.length} on rocks.`));
      assertMatch((await filesOf(tenant)).at(-1)!, new RegExp(`^Gulls sleep${before.length}`));
    });
  }

  await t.step("such a word later in the text is kept", async () => {
    await chat(service, owner, note("Say create_knowledge: to store a note."));
    assertMatch((await filesOf(tenant)).at(-1)!, /^Say create.knowledge/);
  });
});

Deno.test("the mode create_knowledge: notes that are refused", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, owner, stranger, ownerId, coachId, note } = prepared;

  await t.step("a refused note stores nothing", async (t) => {
    const other = await createTenant();
    const narrow = await issueKey(tenant.accountId, { scopes: ["chat", "threads:read", "knowledge:read"] });
    const speechless = await issueKey(tenant.accountId, { scopes: ["knowledge:write"] });
    const ownerless = await createTenant();
    const mine = await chat(service, stranger, { message: "Hi", context: { coachId } });
    const countRows = async () => {
      const counts = [];
      for (const table of ["threads", "messages", "knowledge_files"] as const) {
        const { count } = await operator.from(table).select("*", { count: "exact", head: true }).throwOnError();
        counts.push(count);
      }
      return counts;
    };
    const before = await countRows();
    const requests = service.model.requestsOf(tenant.modelName).length;
    const body = note("Gulls lie.");

    const cases: [string, Credentials, unknown, Refusal, what?: string][] = [
      ["no bearer", tenant, body, "invalid_access_token"],
      [
        "the coach's user named by the key alone",
        tenant,
        { ...body, context: { ...body.context, userId: ownerId } },
        "invalid_access_token",
      ],
      ["a bad bearer", { ...tenant, accessToken: "x.y.z" }, body, "invalid_access_token"],
      ["another user", stranger, body, "not_the_coach"],
      ["another user, in a thread of theirs", stranger, note("Gulls lie.", mine.threadId), "not_the_coach"],
      [
        "a coach without a user",
        { ...ownerless, accessToken: owner.accessToken },
        { ...body, context: { ...body.context, coachId: ownerless.coachId } },
        "not_the_coach",
      ],
      [
        "a key without knowledge:write",
        { ...owner, apiKey: narrow.apiKey },
        body,
        "missing_scope",
        "knowledge:write",
      ],
      ["a key without chat", { ...owner, apiKey: speechless.apiKey }, body, "missing_scope", "chat"],
      [
        "nothing but the prefix",
        owner,
        note(" create_knowledge: \n"),
        "invalid_input",
        "message must contain a note after create_knowledge:",
      ],
      ["a blank message", owner, note(" "), "invalid_input", "message must not be blank"],
      [
        "no coach and no thread",
        owner,
        { message: "Gulls lie.", context: { mode: "create_knowledge" } },
        "invalid_input",
        "context.coachId is required to start a thread",
      ],
      [
        "an unknown coach",
        owner,
        { ...body, context: { ...body.context, coachId: "nobody" } },
        "coach_not_found",
      ],
      ["another account's coach", { ...owner, apiKey: other.apiKey }, body, "coach_not_found"],
      ["an unknown thread", owner, note("Gulls lie.", crypto.randomUUID()), "thread_not_found"],
      ["another user's thread", owner, note("Gulls lie.", mine.threadId), "thread_not_found"],
    ];
    for (const [name, credentials, body, refusal, what] of cases) {
      await t.step(`${name} → ${refusal} ${what ?? ""}`, async () => {
        assertRefused(await ask(service, "POST", "/chat", credentials, body), refusal, what);
      });
    }
    await t.step("no thread, no message, no file, and the model was not called", async () => {
      assertEquals(await countRows(), before);
      assertEquals(service.model.requestsOf(tenant.modelName).length, requests);
    });
  });

  await t.step("a note that cannot be stored → 503; the question stays, the answer is failed", async () => {
    const before = await filesOf(tenant);
    service.supabase.fault = refuseStorage;
    const reply = await ask(service, "POST", "/chat", owner, note("Gulls will not land."));
    service.supabase.fault = "pass";
    assertRefused(reply, "unavailable");
    assertEquals(await filesOf(tenant), before);
    const { json } = await ask(service, "GET", `/threads/${reply.headers.get("X-Thread-Id")}/messages`, owner);
    assertEquals(json.data.map(({ content }: { content: string }) => content), ["Gulls will not land."]);
    const { status, content } = await storedAnswer(reply.headers.get("X-Message-Id")!);
    assertEquals([status, content], ["failed", ""]);
    assert(!JSON.stringify(await service.logs()).includes("Gulls"));
  });

  await t.step("another mode calls the model", async () => {
    const requests = service.model.requestsOf(tenant.modelName).length;
    for (const mode of ["Create_Knowledge", "create_knowledge ", "exam"]) {
      await chat(service, stranger, { message: "Hi", context: { coachId, mode } });
    }
    assertEquals(service.model.requestsOf(tenant.modelName).length, requests + 3);
  });
});

type FunctionCallOutput = OpenAI.Responses.ResponseInputItem.FunctionCallOutput;

/** The results of its calls that the model was given, request by request. */
function outputsOf(service: Service, { modelName }: Tenant): { call_id?: string | null; output: unknown }[][] {
  return service.model.requestsOf(modelName).map(({ body }) =>
    (body.input as FunctionCallOutput[]).filter(({ type }) => type === "function_call_output")
      .map(({ call_id, output }) => ({ call_id, output: JSON.parse(String(output)) }))
  );
}

function callOf(text: unknown, id = "call_1") {
  return { call: { id, name: "create_knowledge", arguments: typeof text === "string" ? { text } : text } };
}

Deno.test("the tool create_knowledge is offered only when the coach's own user asks", async (t) => {
  await using service = await startService();
  const { tenant, owner, stranger, ownerId } = await createOwnedTenant();
  const narrow = await issueKey(tenant.accountId, { scopes: ["chat"] });
  const other = await createTenant({}, { model: tenant.modelName });
  const context = { coachId: tenant.coachId };
  const cases: [string, Credentials, { coachId: string; userId?: string }, boolean][] = [
    ["the coach's user", owner, context, true],
    ["another user", stranger, context, false],
    ["the key alone", tenant, context, false],
    ["the key alone, naming the coach's user", tenant, { ...context, userId: ownerId }, false],
    ["the coach's user with a key that may not write", { ...owner, apiKey: narrow.apiKey }, context, false],
    [
      "the coach's user at another coach",
      { ...owner, apiKey: other.apiKey },
      { coachId: other.coachId },
      false,
    ],
  ];
  for (const [name, credentials, context, isOffered] of cases) {
    await t.step(`${name}: ${isOffered ? "offered" : "not offered"}`, async () => {
      await chat(service, credentials, { message: "Hi", context });
      const { body } = service.model.requestsOf(tenant.modelName).at(-1)!;
      const [askExpert, tool, ...others] = body.tools as OpenAI.Responses.FunctionTool[];
      assertEquals([askExpert?.name, tool !== undefined, others], ["ask_expert", isOffered, []]);
      assertEquals("tool_choice" in body, false);
      if (!isOffered) return;
      assertEquals([tool?.type, tool?.name, tool?.strict], ["function", "create_knowledge", true]);
      const { properties, ...schema } = tool!.parameters as { properties: { text: { type: string } } };
      assertEquals(schema, { type: "object", required: ["text"], additionalProperties: false } as unknown);
      assertEquals([Object.keys(properties), properties.text.type], [["text"], "string"]);
    });
  }
});

Deno.test("the model calls create_knowledge", async (t) => {
  await using service = await startService();

  /** One turn of the coach's own user or of another user, in which the model follows the scripts. */
  async function play(
    scripts: ModelScript[],
    { as = "owner", fault = "pass" }: { as?: "owner" | "stranger"; fault?: typeof service.supabase.fault } = {},
  ) {
    const owned = await createOwnedTenant();
    const { tenant } = owned;
    service.model.script(tenant.modelName, ...scripts);
    service.supabase.fault = fault;
    const reply = await chat(service, owned[as], { message: "Note this", context: { coachId: tenant.coachId } });
    service.supabase.fault = "pass";
    return {
      reply,
      tenant,
      files: await filesOf(tenant),
      outputs: outputsOf(service, tenant),
      bodies: service.model.requestsOf(tenant.modelName).map(({ body }) => body),
      stored: await storedAnswer(reply.messageId),
    };
  }
  const usage = (input_tokens: number, output_tokens: number) => ({
    end: true as const,
    usage: { input_tokens, output_tokens },
  });
  const done: ModelScript = { responseId: "resp_last", steps: [{ text: "It is noted." }] };

  await t.step("the note is stored, the model continues, and both texts are one answer", async () => {
    const { reply, files, outputs, bodies, stored } = await play([
      { responseId: "resp_call", steps: [{ text: "Let me see. " }, callOf("Owls hunt at night."), usage(10, 4)] },
      { responseId: "resp_last", steps: [{ text: "It is" }, { text: " noted." }, usage(20, 6)] },
    ]);
    assertEquals(reply.answer, "Let me see. \n\nIt is noted.");
    assertEquals(files.length, 1);
    assertMatch(files[0]!, /^Owls hunt at night.*\.md$/);
    assertEquals(outputs, [[], [{ call_id: "call_1", output: { stored_as: files[0] } }]]);
    const [first, second] = bodies;
    assertEquals([second?.instructions, second?.tools], [first?.instructions, first?.tools]);
    // A server that keeps no responses must be sent the whole conversation.
    assertEquals((second?.input as unknown[]).slice(0, -1), [
      ...first?.input as unknown[],
      { type: "message", role: "assistant", content: "Let me see. " },
      {
        type: "function_call",
        call_id: "call_1",
        name: "create_knowledge",
        arguments: '{"text":"Owls hunt at night."}',
      },
    ]);
    assertEquals(
      [stored.status, stored.content, stored.response_id, stored.input_tokens, stored.output_tokens],
      ["complete", "Let me see. \n\nIt is noted.", "resp_last", 30, 10],
    );
  });

  await t.step("a call without text before it", async () => {
    const { reply, files } = await play([{ steps: [callOf("Owls hunt at night.")] }, done]);
    assertEquals([reply.answer, files.length], ["It is noted.", 1]);
  });

  await t.step("several calls at once are all run and all answered", async () => {
    const steps = [callOf("Owls hunt.", "call_1"), callOf("Gulls sleep.", "call_2")];
    const { files, outputs } = await play([{ steps }, done]);
    assertEquals(files.map((name) => name.split(" ")[0]), ["Owls", "Gulls"]);
    assertEquals(outputs[1]?.map(({ call_id }) => call_id), ["call_1", "call_2"]);
  });

  for (
    const [name, given] of [
      ["no JSON", "{text:"],
      ["JSON that is no object", "[]"],
      ["no text", {}],
      ["a blank text", { text: " \n" }],
      ["a text that is a number", { text: 7 }],
      ["a NUL", { text: "a\0b" }],
      ["half a surrogate pair", '{"text": "\\ud800"}'],
    ] as const
  ) {
    await t.step(`arguments with ${name} store nothing; the model gets an error and corrects them`, async () => {
      const bad = { call: { id: "call_1", name: "create_knowledge", arguments: given } };
      const { reply, files, outputs } = await play([{ steps: [bad] }, { steps: [callOf("Owls hunt.")] }, done]);
      assertMatch(String((outputs[1]?.[0]?.output as { error?: string }).error), /^The arguments must be JSON/);
      assertEquals([files.length, reply.answer], [1, "It is noted."]);
    });
  }

  await t.step("a tool that does not exist is refused", async () => {
    const call = { id: "call_1", name: "drop_tables", arguments: { text: "Owls" } };
    const { files, outputs } = await play([{ steps: [{ call }] }, done]);
    assertEquals([files, outputs[1]], [[], [{ call_id: "call_1", output: { error: "There is no such tool." } }]]);
  });

  await t.step("a call of the tool when it was not offered, with another user signed in, stores nothing", async () => {
    const { reply, files, outputs, bodies } = await play([{ steps: [callOf("Owls lie.")] }, done], { as: "stranger" });
    assertEquals([files, outputs[1]], [[], [{ call_id: "call_1", output: { error: "There is no such tool." } }]]);
    assertEquals(reply.answer, "It is noted.");
    for (const { tools } of bodies) assertEquals(tools?.length, 1);
  });

  await t.step("when a note cannot be stored, the model gets an error and the answer continues", async () => {
    const { reply, files, outputs } = await play([{ steps: [callOf("Owls hunt.")] }, done], { fault: refuseStorage });
    assertEquals([files, reply.answer], [[], "It is noted."]);
    assertMatch(String((outputs[1]?.[0]?.output as { error?: string }).error), /could not be stored/);
    const [line] = (await service.logs()).filter(({ event }) => event === "note_not_stored");
    assertEquals(line?.level, "error");
    assert(!JSON.stringify(await service.logs()).includes("Owls"));
  });

  await t.step("the third request is the last, and forbids tool calls", async () => {
    const { reply, files, bodies } = await play([
      { steps: [{ text: "1" }, callOf("Owls hunt.")] },
      { steps: [{ text: "2" }, callOf("Gulls sleep.")] },
      { steps: [{ text: "3" }, callOf("Bats squeak.")] },
    ]);
    assertEquals([reply.answer, files.length], ["1\n\n2\n\n3", 2]);
    assertEquals(bodies.map(({ tool_choice }) => tool_choice), [undefined, undefined, "none"]);
  });
});

Deno.test("when the model fails after its call, its text and its note stay", async (t) => {
  await using service = await startService({ timeouts: { firstChunk: 400, betweenChunks: 400 } });
  const { tenant, owner } = await createOwnedTenant();
  const ending = { refuses: [{ status: 400 }], "falls silent": [{ hang: true as const }] };
  for (const [name, steps] of Object.entries(ending)) {
    await t.step(name, async () => {
      const before = await filesOf(tenant);
      service.model.script(
        tenant.modelName,
        { responseId: "resp_call", steps: [{ text: "Let me see." }, callOf(`Owls ${name}.`)] },
        { steps },
      );
      const response = await send(service, "POST", "/chat", owner, {
        message: "Note this",
        context: { coachId: tenant.coachId },
      });
      await assertRejects(() => response.text());
      assertEquals((await filesOf(tenant)).length, before.length + 1);
      const { data } = await operator.from("messages").select().eq("id", response.headers.get("X-Message-Id")!)
        .single().throwOnError();
      assertEquals([data.status, data.content], ["failed", "Let me see."]);
    });
  }
});
