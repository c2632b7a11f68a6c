/** The quirks of model servers: parameters, forms of messages, lengths, IDs. */
import { delay } from "../../shared/libs/base/std/async.ts";
import { assert, assertEquals, assertMatch, assertNotEquals } from "../support/assert.ts";
import { ask } from "../support/client.ts";
import { addFile, sweep } from "../support/knowledge.ts";
import { createCoach, createTenant, createUser, operator, type Tenant } from "../support/project.ts";
import { bodiesOf, everything, lastBodyOf, leftOut, unsupported } from "../support/model_requests.ts";
import type { HttpError, ModelBody, Refuse, Step } from "../support/model_server.ts";
import { startService } from "../support/service.ts";
import { assertAnswered, countRequests, recordTurn } from "../support/turn_record.ts";
import { storeAnswer, storedAnswer } from "../support/turns.ts";

const hello = { text: "Hello world" };

type Item = { type?: string; role?: string; content?: unknown; phase?: string };

function itemsOf({ input }: Pick<ModelBody, "input">): Item[] {
  return input as Item[];
}

function hasTypedText({ type, role, content }: Item): boolean {
  return type === "message" && role === "assistant" && typeof content === "string";
}

type Field = [field: string, read: (body: ModelBody) => unknown];
const fields = {
  temperature: ["temperature", ({ temperature }) => temperature],
  reasoning: ["reasoning", ({ reasoning }) => reasoning?.effort],
  verbosity: ["verbosity", ({ text }) => text?.verbosity],
  maxOutputTokens: ["max_output_tokens", (body) => body.max_output_tokens],
  store: ["store", ({ store }) => store],
  safetyIdentifier: ["safety_identifier", (body) => body.safety_identifier],
  promptCacheKey: ["prompt_cache_key", (body) => body.prompt_cache_key],
  tools: ["tools", ({ tools }) => tools],
} satisfies Record<string, Field>;

const refusals: [name: string, field: Field, refusal: HttpError][] = [
  [
    "models that reason, of OpenAI",
    fields.temperature,
    unsupported("temperature", "Unsupported parameter: 'temperature' is not supported with this model."),
  ],
  [
    "a gateway that loses the parameter",
    fields.temperature,
    unsupported(null, "Unsupported parameter: 'temperature' is not supported with this model."),
  ],
  [
    "a value that is not supported",
    fields.temperature,
    unsupported("temperature", "Unsupported value: 'temperature' does not support 0.5.", "unsupported_value"),
  ],
  [
    "models that do not reason",
    fields.reasoning,
    unsupported(
      "reasoning.effort",
      "Unsupported parameter: 'reasoning.effort' is not supported.",
      "unsupported_parameter",
    ),
  ],
  [
    "an effort that the model does not know",
    fields.reasoning,
    unsupported("reasoning.effort", "Unsupported value: 'low' is not supported with this model.", "unsupported_value"),
  ],
  [
    "a verbosity that the model does not know",
    fields.verbosity,
    unsupported("text.verbosity", "Unsupported value: 'low' is not supported. Supported values are: 'medium'."),
  ],
  [
    "a strict server that does not know texts",
    fields.verbosity,
    { status: 422, body: { detail: [{ loc: ["body", "text"], msg: "Extra inputs are not permitted" }] } },
  ],
  [
    "a strict server that repeats what it was sent",
    fields.reasoning,
    {
      status: 422,
      body: {
        detail: [{
          type: "extra_forbidden",
          loc: ["body", "reasoning"],
          msg: "Extra inputs are not permitted",
          input: { effort: "low", temperature: 1 },
        }],
      },
    },
  ],
  [
    "a server without a limit of tokens",
    fields.maxOutputTokens,
    unsupported(null, "Unknown parameter: 'max_output_tokens'.", "unknown_parameter"),
  ],
  ["a server that keeps nothing", fields.store, unsupported("store", "store must not be set on this resource")],
  [
    "a strict server",
    fields.safetyIdentifier,
    { status: 422, body: { detail: [{ loc: ["body", "safety_identifier"], msg: "Extra inputs are not permitted" }] } },
  ],
  [
    "a strict server that names the type first",
    fields.promptCacheKey,
    {
      status: 422,
      body: {
        detail: [{ type: "extra_forbidden", loc: ["body", "prompt_cache_key"], msg: "Extra inputs are not permitted" }],
      },
    },
  ],
  [
    "xAI, where the error is a string",
    fields.promptCacheKey,
    { status: 400, body: { code: "invalid-argument", error: "Argument not supported: prompt_cache_key" } },
  ],
  ["a model without tools", fields.tools, unsupported("tools", "This model does not support tools.")],
  ["a model without tools, of Ollama", fields.tools, unsupported(null, "library/seer:7b does not support tools")],
];

Deno.test("what a server refuses is left out, and the turn goes on", async (t) => {
  await using service = await startService({ env: everything });
  const owner = await createUser();
  for (const [name, [field, read], refusal] of refusals) {
    await t.step(`${name}: ${field}`, async () => {
      const tenant = await createTenant({}, { owner_id: owner.id });
      const sender = { ...tenant, accessToken: owner.accessToken };
      const { modelName } = tenant;
      service.model.refuse(modelName, (body) => read(body) === undefined ? null : refusal);
      const [first, requests] = await countRequests(
        service.model,
        modelName,
        () => recordTurn(service, sender, { userId: null }),
      );
      assertAnswered(first, hello);
      assertEquals([requests, leftOut(first)], [2, [field]]);

      const [before, after] = bodiesOf(service, modelName);
      assertNotEquals(read(before!), undefined);
      assertEquals(read(after!), undefined);
      // Everything else is sent as before.
      for (const [other, readOther] of Object.values(fields)) {
        if (other !== field) assertEquals(readOther(after!), readOther(before!), other);
      }

      const [next, more] = await countRequests(
        service.model,
        modelName,
        () => recordTurn(service, sender, { userId: null, threadId: first.threadId, form: "events" }),
      );
      assertAnswered(next, hello);
      assertEquals([more, leftOut(next)], [1, []], "what was refused is not remembered");

      const other = await createCoach(tenant.accountId, { model: crypto.randomUUID(), owner_id: owner.id });
      assertAnswered(await recordTurn(service, { ...sender, coachId: other.id }, { userId: null }), hello);
      // Its value may be that of another thread.
      assertNotEquals(read(lastBodyOf(service, other.model!)), undefined, "another model gets it no more");
    });
  }

  await t.step("several, one after the other", async () => {
    const tenant = await createTenant();
    const { modelName } = tenant;
    const refused = [
      fields.temperature,
      fields.reasoning,
      fields.store,
      fields.safetyIdentifier,
      fields.promptCacheKey,
    ];
    service.model.refuse(modelName, (body) => {
      const [field] = refused.find(([, read]) => read(body) !== undefined) ?? [];
      return field === undefined ? null : unsupported(field, `Unknown parameter: '${field}'.`, "unknown_parameter");
    });
    const first = await recordTurn(service, tenant);
    assertAnswered(first, hello);
    assertEquals(leftOut(first), refused.map(([field]) => field));
    const [next, requests] = await countRequests(service.model, modelName, () => recordTurn(service, tenant));
    assertAnswered(next, hello);
    assertEquals([requests, leftOut(next)], [1, []]);
  });

  await t.step("in the stream, instead of as a reply", async () => {
    const tenant = await createTenant();
    const error = {
      type: "invalid_request_error",
      code: "unsupported_parameter",
      message: "No.",
      param: "temperature",
    };
    service.model.script(tenant.modelName, { steps: [{ event: { type: "error", error } }] }, { steps: [hello] });
    const record = await recordTurn(service, tenant);
    assertAnswered(record, hello);
    assertEquals(leftOut(record), ["temperature"]);
  });

  await t.step("a server that refuses without end is not asked without end", async () => {
    const tenant = await createTenant();
    service.model.refuse(tenant.modelName, () => unsupported("temperature", "Unknown parameter: 'temperature'."));
    const [record, requests] = await countRequests(
      service.model,
      tenant.modelName,
      () => recordTurn(service, tenant),
    );
    assertEquals([record.status, record.stored.status], [502, "failed"]);
    assert(requests <= 3, `${requests} requests`);
  });
});

Deno.test("messages of the assistant take the form that a server reads", async (t) => {
  await using service = await startService({ env: everything });
  const said = "What is the temperature of the store, and which input type fits?";
  const typed = { type: "message", role: "assistant", content: "Hello world" };
  const untyped = { role: "assistant", content: "Hello world" };
  const listed = { ...typed, content: [{ type: "output_text", text: "Hello world", annotations: [] }] };

  /** vLLM before June 2026 echoes the request, in Python syntax. */
  const pydantic = (body: ModelBody) =>
    unsupported(
      null,
      `12 validation errors:\n  {'type': 'string_type', 'loc': ('body', 'input', 'str'), 'msg': 'Input should be a ` +
        `valid string', 'input': ${JSON.stringify(body.input).replaceAll('"', "'")}}`,
    );
  const anyTyped = (body: ModelBody) => itemsOf(body).some(hasTypedText);
  const rows: [name: string, refuse: Refuse, form: Item, leftOut: unknown[]][] = [
    [
      "llama.cpp and LocalAI of spring 2026 insist on the type",
      (body) =>
        itemsOf(body).some(({ type, role }) => role === "assistant" && type === undefined)
          ? unsupported(null, "item['type'] == 'message' is required")
          : null,
      typed,
      [],
    ],
    [
      "older ones of llama.cpp insist on parts",
      (body) =>
        anyTyped(body)
          ? {
            status: 400,
            body: { error: { code: 400, message: "'type' must be 'output_text'", type: "invalid_request_error" } },
          }
          : null,
      listed,
      ["content"],
    ],
    [
      "a strict server that names the place",
      (body) => {
        const index = itemsOf(body).findIndex(hasTypedText);
        const detail = [{ loc: ["body", "input", index, "type"], msg: "Extra inputs are not permitted" }];
        return index < 0 ? null : { status: 422, body: { detail } };
      },
      untyped,
      ["type"],
    ],
    ["vLLM before June 2026 refuses the type", (body) => anyTyped(body) ? pydantic(body) : null, untyped, ["type"]],
    [
      "and says so otherwise",
      (body) =>
        anyTyped(body)
          ? unsupported(
            null,
            "2 validation errors for ValidatorIterator\n0.ResponseOutputTextParam\n  Input should be a valid " +
              "dictionary [type=dict_type, input_value='H', input_type=str]",
          )
          : null,
      untyped,
      ["type"],
    ],
    [
      "a server that names the item",
      (body) => {
        const index = itemsOf(body).findIndex(hasTypedText);
        return index < 0 ? null : unsupported(`input[${index}].type`, "Unknown parameter.", "unknown_parameter");
      },
      untyped,
      ["type"],
    ],
  ];
  for (const [name, refuse, form, left] of rows) {
    await t.step(name, async () => {
      const tenant = await createTenant();
      const { modelName } = tenant;
      service.model.refuse(modelName, refuse);
      const { threadId } = await recordTurn(service, tenant, { message: said });
      const second = await recordTurn(service, tenant, { message: said, threadId });
      assertAnswered(second, hello);
      assertEquals(leftOut(second), left);
      assertEquals(itemsOf(lastBodyOf(service, modelName)), [
        { role: "user", content: said },
        form,
        { role: "user", content: said },
      ]);
      assertEquals(lastBodyOf(service, modelName).temperature, 0.5);
      const [third, requests] = await countRequests(
        service.model,
        modelName,
        () => recordTurn(service, tenant, { threadId }),
      );
      assertAnswered(third, hello);
      assertEquals([requests, leftOut(third)], [1, []]);
    });
  }

  await t.step("phases are left out where they are refused", async () => {
    const tenant = await createTenant();
    service.model.script(tenant.modelName, { steps: [{ message: "Hello world", phase: "final_answer" }] });
    service.model.refuse(tenant.modelName, (body) => {
      const index = itemsOf(body).findIndex(({ phase }) => phase !== undefined);
      return index < 0 ? null : unsupported(`input[${index}].phase`, "Unknown parameter.", "unknown_parameter");
    });
    const { threadId } = await recordTurn(service, tenant);
    const second = await recordTurn(service, tenant, { threadId });
    assertAnswered(second, { ...hello, phase: "final_answer" });
    assertEquals(leftOut(second), ["phase"]);
    assertEquals(itemsOf(lastBodyOf(service, tenant.modelName))[1], typed);
  });
});

Deno.test("an organisation that may not stream", async (t) => {
  await using service = await startService({
    timeouts: { quiet: 50, firstChunk: 300, betweenChunks: 300, turn: 5_000 },
  });
  const mayNotStream: Refuse = ({ stream }) =>
    stream
      ? unsupported("stream", "Your organization must be verified to stream this model.", "unsupported_value")
      : null;

  await t.step("gets its answer in one piece, pings meanwhile, however long that takes", async () => {
    const tenant = await createTenant();
    service.model.refuse(tenant.modelName, mayNotStream);
    for (const [requests, form] of [[2, "text"], [1, "events"]] as const) {
      service.model.script(tenant.modelName, {
        responseId: "resp_whole",
        steps: [
          { waitFor: delay(1_000) },
          { reasoning: "Hm." },
          { message: "Looking.", phase: "commentary" },
          { message: "Found.", phase: "final_answer" },
        ],
      });
      const [record, asked] = await countRequests(
        service.model,
        tenant.modelName,
        () => recordTurn(service, tenant, { form }),
      );
      assertAnswered(record, { text: "Found.", phase: "final_answer", responseId: "resp_whole", usage: [11, 7] });
      assertEquals([record.hasPings, asked, leftOut(record)], [true, requests, requests === 2 ? ["stream"] : []]);
    }
    assertEquals(bodiesOf(service, tenant.modelName).map(({ stream }) => stream ?? false), [true, false, false]);
  });

  await t.step("and calls tools", async () => {
    const owner = await createUser();
    const tenant = await createTenant({}, { owner_id: owner.id });
    service.model.refuse(tenant.modelName, mayNotStream);
    service.model.script(
      tenant.modelName,
      { steps: [{ call: { id: "call_1", name: "create_knowledge", arguments: { text: "Owls hunt." } } }] },
      { steps: [{ text: "Noted." }] },
    );
    const sender = { ...tenant, accessToken: owner.accessToken };
    assertAnswered(await recordTurn(service, sender, { userId: null }), { text: "Noted.", usage: [22, 14] });
  });

  await t.step("and hears of it when the turn takes too long", async () => {
    await using hasty = await startService({ timeouts: { quiet: 50, turn: 1_000 } });
    const tenant = await createTenant();
    hasty.model.refuse(tenant.modelName, mayNotStream);
    hasty.model.script(tenant.modelName, { steps: [{ waitFor: new Promise(() => {}) }] });
    const { status, code, stored } = await recordTurn(hasty, tenant, { form: "events" });
    assertEquals([status, code, stored.error_code], [504, "model_timed_out", "model_timed_out"]);
  });
});

Deno.test("a thread that is longer than the model's context", async (t) => {
  await using service = await startService();
  const sizeOf = (body: ModelBody) => JSON.stringify(body.input).length;
  const overflows: [name: string, error: HttpError | Step[]][] = [
    ["OpenAI", unsupported("input", "Your input exceeds the context window of this model.", "context_length_exceeded")],
    ["llama.cpp", {
      status: 400,
      body: {
        error: {
          code: 400,
          message: "the request exceeds the available context size",
          type: "exceed_context_size_error",
        },
      },
    }],
    ["vLLM", unsupported(null, "This model's maximum context length is 4096 tokens. You requested 9000 tokens.")],
  ];

  /** A thread of exchanges of 2,000 characters each. */
  async function createThread({ accountId, coachId }: Tenant, exchanges = 9): Promise<string> {
    const { data: thread } = await operator.from("threads")
      .insert({ account_id: accountId, coach_id: coachId, user_id: "u", title: "Long" }).select("id").single()
      .throwOnError();
    const began = Date.now() - 1_000_000;
    for (let exchange = 0; exchange < exchanges; exchange++) {
      const said = (word: string) => `${word} ${exchange}. `.repeat(100).slice(0, 1_000);
      await operator.from("messages").insert([
        {
          thread_id: thread.id,
          role: "user",
          content: said("Question"),
          created_at: new Date(began + 2_000 * exchange).toISOString(),
        },
        {
          thread_id: thread.id,
          role: "assistant",
          content: said("Answer"),
          created_at: new Date(began + 2_000 * exchange + 1_000).toISOString(),
        },
      ]).throwOnError();
    }
    return thread.id;
  }
  /** Checks that a request holds whole exchanges, the newest ones, and the message. */
  function assertWhole(body: ModelBody): void {
    const items = itemsOf(body);
    assertEquals(items.length % 2, 1);
    for (const [index, { role }] of items.entries()) assertEquals(role, index % 2 === 0 ? "user" : "assistant");
    assertEquals(items.at(-1)?.content, "Go");
    if (items.length > 1) assertMatch(String(items.at(-3)?.content), /^Question 8|^Go/);
  }

  for (const [name, error] of overflows) {
    // Where no exchange fits, it takes a turn more to find out how much would.
    for (const [limit, requests, kept, turns] of [[13_000, 2, 4, 1], [1_500, 3, 0, 3]] as const) {
      await t.step(`${name}: a context of ${limit} characters is found, and remembered`, async () => {
        const tenant = await createTenant();
        const { modelName } = tenant;
        const threadId = await createThread(tenant);
        service.model.refuse(modelName, (body) => sizeOf(body) > limit ? error as HttpError : null);
        const [first, asked] = await countRequests(
          service.model,
          modelName,
          () => recordTurn(service, tenant, { threadId }),
        );
        assertAnswered(first, hello);
        assertEquals(asked, requests);
        bodiesOf(service, modelName).forEach(assertWhole);
        assertEquals(itemsOf(lastBodyOf(service, modelName)).length, 2 * kept + 1);
        let more = requests as number;
        for (let turn = 1; turn <= turns; turn++) {
          const [next, asked] = await countRequests(
            service.model,
            modelName,
            () => recordTurn(service, tenant, { threadId }),
          );
          assertAnswered(next, hello);
          assert(asked <= more, "what was found out is forgotten");
          more = asked;
        }
        assertEquals(more, 1, "what worked is not remembered");
        assertWhole(lastBodyOf(service, modelName));
      });
    }
  }

  await t.step("in the stream", async () => {
    const tenant = await createTenant();
    const threadId = await createThread(tenant);
    const failed = { code: "context_length_exceeded", message: "Your input exceeds the context window." };
    service.model.script(tenant.modelName, {
      steps: [{ event: { type: "response.failed", response: { id: "resp_1", status: "failed", error: failed } } }],
    }, { steps: [hello] });
    assertAnswered(await recordTurn(service, tenant, { threadId }), hello);
    const [long, short] = bodiesOf(service, tenant.modelName);
    assert(sizeOf(short!) < sizeOf(long!) * 0.6);
    assertWhole(short!);
  });

  await t.step("whose files do not fit either: they are left out", async () => {
    const tenant = await createTenant();
    await addFile(tenant, "walks.md", "Go for a walk every day.");
    const threadId = await createThread(tenant);
    const isQuoted = (body: ModelBody) => JSON.stringify(body.input).includes("walks.md");
    const [, error] = overflows[0]!;
    service.model.refuse(tenant.modelName, (body) => isQuoted(body) ? error as HttpError : null);
    assertAnswered(await recordTurn(service, tenant, { threadId, message: "Go for a walk?" }), hello);
    const bodies = bodiesOf(service, tenant.modelName);
    assertEquals(bodies.map(isQuoted), [true, true, false]);
    assertEquals(itemsOf(bodies.at(-1)!), [{ role: "user", content: "Go for a walk?" }]);
  });

  // 4,000 tokens are some 9,000 characters of question and history.
  const tokens = 4_000;
  await t.step("is told by OPENAI_CONTEXT_TOKENS: fits at the first try", async () => {
    const defaultModel = crypto.randomUUID();
    await using told = await startService({
      env: { OPENAI_CONTEXT_TOKENS: String(tokens), OPENAI_MODEL: defaultModel },
    });
    const tenant = await createTenant({}, { model: null });
    const threadId = await createThread(tenant);
    assertAnswered(await recordTurn(told, tenant, { threadId }), hello);
    const [body, ...others] = bodiesOf(told, defaultModel);
    assertEquals(others, []);
    assertWhole(body!);
    const { length } = itemsOf(body!);
    assert(sizeOf(body!) < tokens * 4 && length > 1 && length < 19, `${length} items`);
  });

  for (const field of ["max_model_len", "context_length"]) {
    await t.step(`is told by GET /v1/models (${field}): fits at the first try`, async () => {
      await using told = await startService();
      const tenant = await createTenant();
      told.model.scriptModels([{ id: "other", [field]: 100_000 }, { id: tenant.modelName, [field]: tokens }]);
      const threadId = await createThread(tenant);
      assertAnswered(await recordTurn(told, tenant, { threadId }), hello);
      const [body, ...others] = bodiesOf(told, tenant.modelName);
      assertEquals(others, []);
      assertWhole(body!);
      const { length } = itemsOf(body!);
      assert(sizeOf(body!) < tokens * 4 && length > 1 && length < 19, `${length} items`);
      assertAnswered(await recordTurn(told, tenant, { threadId }), hello);
      assertEquals(told.model.listings.length, 1);
    });
  }
});

Deno.test("ids of responses are opaque texts", async (t) => {
  await using service = await startService();
  const ids: [name: string, id: string][] = [
    ["of 241 characters", `resp_${"bGl0ZWxsbTo".repeat(22)}`.slice(0, 241)],
    ["that end in =", `resp_${"bGl0ZWxsbTo".repeat(10)}==`],
    ["with a slash, a plus and a percent sign", "resp_a/b+c%2Fd?e#f"],
    ["with a dot and a colon", "gen-1.2:3"],
  ];
  for (const [name, baseId] of ids) {
    const id = `${baseId.slice(0, 200)}${crypto.randomUUID().slice(0, 8)}${baseId.slice(200)}`.slice(0, 241);
    await t.step(`${name}: stored and listed`, async () => {
      const tenant = await createTenant();
      service.model.script(tenant.modelName, { responseId: id, steps: [hello] });
      const record = await recordTurn(service, tenant);
      assertAnswered(record, { ...hello, responseId: id });
      const { json } = await ask(service, "GET", `/threads/${record.threadId}/messages`, tenant);
      assertEquals(json.data[1].response_id, id);
    });
    await t.step(`${name}: recovered`, async () => {
      const tenant = await createTenant();
      service.model.keep(id, { status: "completed", text: "All of it" });
      const { threadId, messageId } = await storeAnswer(
        tenant,
        { content: "All", status: "streaming", response_id: id },
        31,
      );
      const { json } = await ask(service, "GET", `/threads/${threadId}/messages`, tenant);
      assertEquals(json.data.at(-1).content, "All of it");
      assertEquals((await storedAnswer(messageId)).status, "complete");
    });
    await t.step(`${name}: erased`, async () => {
      const tenant = await createTenant();
      service.model.keep(id, { status: "completed", text: "All" });
      await storeAnswer(tenant, { content: "All", status: "complete", response_id: id, user_id: "gone" });
      await operator.rpc("erase_user", { account_id: tenant.accountId, user_id: "gone" }).throwOnError();
      await sweep(service);
      assert(service.model.removals.includes(id), JSON.stringify(service.model.removals));
    });
  }

  await t.step("a refusal that a dead writer left is recovered as text", async () => {
    const tenant = await createTenant();
    const id = `resp_${crypto.randomUUID()}`;
    service.model.keep(id, { status: "completed", text: "I would rather not.", isRefusal: true });
    const { threadId, messageId } = await storeAnswer(
      tenant,
      { content: "I", status: "streaming", response_id: id },
      31,
    );
    const { json } = await ask(service, "GET", `/threads/${threadId}/messages`, tenant);
    assertEquals(json.data.at(-1).content, "I would rather not.");
    assertEquals((await storedAnswer(messageId)).status, "complete");
  });
});

Deno.test("what servers are told of the one who asks", async (t) => {
  await using service = await startService();
  const tenant = await createTenant();
  const other = await createTenant({}, { model: tenant.modelName });
  const tell = async (sender: Tenant, userId: string, threadId?: string) => {
    const record = await recordTurn(service, sender, { userId, threadId });
    return { ...record, body: lastBodyOf(service, tenant.modelName) };
  };

  await t.step("safety_identifier is a hash: the same for a user of an account, another for others", async () => {
    const told = [
      await tell(tenant, "ann"),
      await tell(tenant, "ann"),
      await tell(tenant, "bob"),
      await tell(other, "ann"),
    ].map(({ body }) => body.safety_identifier!);
    for (const each of told) assertMatch(each, /^[0-9a-f]{64}$/);
    assertEquals([told[1], new Set(told).size], [told[0], 3]);
    const bodies = JSON.stringify(bodiesOf(service, tenant.modelName));
    for (const id of ["ann", "bob", tenant.accountId, other.accountId]) assert(!bodies.includes(`"${id}"`), id);
  });

  await t.step("prompt_cache_key is the thread", async () => {
    const { threadId, body } = await tell(tenant, "ann");
    const { body: again } = await tell(tenant, "ann", threadId);
    assertEquals([body.prompt_cache_key, again.prompt_cache_key], [threadId, threadId]);
  });

  await t.step("store only where that is set", async () => {
    assertEquals("store" in (await tell(tenant, "ann")).body, false);
    for (const store of [true, false]) {
      await using told = await startService({ env: { OPENAI_STORE: String(store) } });
      await recordTurn(told, tenant);
      assertEquals(lastBodyOf(told, tenant.modelName).store, store);
    }
  });
});
