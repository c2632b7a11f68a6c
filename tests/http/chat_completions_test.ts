/** Servers that do not have the Responses API, and are asked for chat completions instead. */
import { delay } from "../../shared/libs/base/std/async.ts";
import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { readEvents, receive } from "../support/client.ts";
import { everything, lastBodyOf, leftOut, unsupported } from "../support/model_requests.ts";
import { createCoach, createTenant, createUser, operator } from "../support/project.ts";
import type { HttpError, Refuse, Step } from "../support/model_server.ts";
import { type Service, startService } from "../support/service.ts";
import {
  assertAnswered,
  assertFailed,
  countRequests,
  type ExpectedFailure,
  failures,
  forms,
  recordTurn,
} from "../support/turn_record.ts";

const { refused, busy, misconfigured, unavailable } = failures;
const hello = { text: "Hello world" };

/** A server without the Responses API, as it says so. */
const withoutResponses: [name: string, error: HttpError][] = [
  ["FastAPI", { status: 404, body: { detail: "Not Found" } }],
  ["Go", { status: 404, body: "404 page not found" }],
  ["an OpenAI error", {
    status: 404,
    body: {
      error: { message: "Invalid URL (POST /v1/responses)", type: "invalid_request_error", param: null, code: null },
    },
  }],
  ["Azure with an older version of its API", {
    status: 400,
    body: {
      error: {
        code: "BadRequest",
        message: "Azure OpenAI Responses API is enabled only for api-version 2025-03-01-preview and later",
      },
    },
  }],
  ["new-api", {
    status: 500,
    body: { error: { code: "convert_request_failed", type: "new_api_error", message: "not implemented" } },
  }],
];

function prepare() {
  const lacksResponses = (error: HttpError): Refuse => (_, path) => path === "/responses" ? error : null;
  const [, [, lacking] = []] = withoutResponses;
  const pathsOf = (service: Service, modelName: string) => service.model.requestsOf(modelName).map(({ path }) => path);

  const chunk = (delta: object, more: object = {}): Step => ({
    bytes: `data: ${
      JSON.stringify({ id: "chatcmpl-1", choices: [{ index: 0, delta, finish_reason: null, ...more }] })
    }\n\n`,
  });
  const finish = (reason: string): Step => chunk({}, { finish_reason: reason });
  const done: Step = { bytes: "data: [DONE]\n\n" };
  return { lacksResponses, lacking, pathsOf, chunk, finish, done };
}

Deno.test("a server that only speaks chat completions", async (t) => {
  const { lacksResponses, lacking, pathsOf, chunk, finish, done } = prepare();

  for (const [name, error] of withoutResponses) {
    await t.step(`${name}: is asked there, and the next time at once`, async () => {
      await using service = await startService({ env: everything });
      const tenant = await createTenant();
      const { modelName } = tenant;
      service.model.refuse(modelName, lacksResponses(error));
      service.model.script(modelName, {
        steps: [{ reasoning: "Hm." }, { text: "Hello" }, { text: " world" }, {
          end: true,
          usage: { input_tokens: 5, output_tokens: 3 },
        }],
      });
      const first = await recordTurn(service, tenant, { message: "One" });
      assertAnswered(first, { ...hello, responseId: null, usage: [5, 3], phase: null });
      const second = await recordTurn(service, tenant, { message: "Two", threadId: first.threadId, form: "events" });
      assertAnswered(second, { ...hello, responseId: null, usage: [5, 3] });
      assertEquals(pathsOf(service, modelName), ["/responses", "/chat/completions", "/chat/completions"]);

      const { messages, stream, stream_options, temperature } = lastBodyOf(service, modelName);
      assertEquals([stream, stream_options?.include_usage, temperature], [true, true, 0.5]);
      const [instructions, ...said] = messages;
      assert(["system", "developer"].includes(instructions!.role));
      assertMatch(String(instructions!.content), /Ada Byron/);
      assertEquals<unknown>(said, [
        { role: "user", content: "One" },
        { role: "assistant", content: "Hello world" },
        { role: "user", content: "Two" },
      ]);

      // It is the server that lacks it, whatever the model.
      const other = await createCoach(tenant.accountId, { model: crypto.randomUUID() });
      assertAnswered(await recordTurn(service, { ...tenant, coachId: other.id }), hello);
      assertEquals(pathsOf(service, other.model!), ["/chat/completions"]);
    });
  }

  await t.step("turns that begin before the first has found out are asked there too", async () => {
    await using service = await startService();
    const tenant = await createTenant();
    const { modelName } = tenant;
    const { promise: isLearned, resolve: learn } = Promise.withResolvers<void>();
    let asked = 0;
    service.model.refuse(modelName, (_, path) => {
      if (path !== "/responses") return null;
      // The first refusal comes at once, the others after its turn has been answered.
      return asked++ === 0 ? lacking! : { ...lacking!, after: isLearned };
    });
    const turns = Array.from({ length: 4 }, async (_, index) => {
      // Not recorded before the others go on: a record waits for all turns.
      const body = { message: `${index}`, context: { coachId: tenant.coachId } };
      const { text } = await receive(service, "POST", "/chat", tenant, body);
      learn();
      return readEvents(text);
    });
    assertEquals(await Promise.all(turns), Array(4).fill(hello.text));
  });

  await t.step("streams", async (t) => {
    await using service = await startService();
    const rows: [name: string, steps: Step[], text: string | null, failure?: ExpectedFailure][] = [
      ["cut at the limit of tokens", [chunk({ content: "As far" }), finish("length"), done], "As far"],
      ["without [DONE]", [chunk({ content: "All" }), finish("stop")], "All"],
      ["broken off after the reason to finish", [chunk({ content: "All" }), finish("stop"), { cut: true }], "All"],
      ["thoughts in the text, their tags in pieces", [
        ..."<think>Hm.</think>\n\nAll".match(/.{1,3}/gs)!.map((content) => chunk({ content })),
        finish("stop"),
        done,
      ], "All"],
      [
        "a failure on a line of its own",
        [chunk({ content: "Half" }), {
          bytes: 'error: {"message":"The engine room is flooded","code":502}\n\n',
        }],
        null,
        { ...unavailable, said: "Half", reason: /engine room/ },
      ],
      ["null and empty contents", [
        chunk({ role: "assistant", content: null }),
        chunk({ content: "" }),
        chunk({
          content: "All",
        }),
        finish("stop"),
        done,
      ], "All"],
      ["thoughts under three names", [
        chunk({ reasoning_content: "Hm." }),
        chunk({ reasoning: "Hm." }),
        chunk({ content: null, reasoning_details: [{ type: "reasoning.text", text: "Hm." }] }),
        chunk({ content: "All" }),
        finish("stop"),
        done,
      ], "All"],
      [
        "a refusal",
        [chunk({ refusal: "I would " }), chunk({ refusal: "rather not." }), finish("stop"), done],
        "I would rather not.",
      ],
      ["a last chunk with null as choices", [chunk({ content: "All" }), finish("stop"), {
        bytes: `data: {"choices":null,"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n`,
      }, done], "All"],
      ["an end that is missing", [chunk({ content: "Half" })], null, { ...unavailable, said: "Half" }],
      ["[DONE] without a reason to finish", [chunk({ content: "All" }), done], "All"],
      ["an empty reason to finish, and [DONE]", [chunk({ content: "All" }), finish(""), done], "All"],
      ["an empty reason to finish, and no [DONE]", [chunk({ content: "Half" }), finish("")], null, {
        ...unavailable,
        said: "Half",
      }],
      ["[DONE] after nothing", [done], null, unavailable],
      [
        "an error in the middle",
        [chunk({ content: "Half" }), {
          bytes: 'data: {"error":{"message":"The engine room is flooded","code":502}}\n\n',
        }],
        null,
        { ...unavailable, said: "Half", reason: /engine room/ },
      ],
      [
        "a rate limit in the middle",
        [chunk({ content: "Half" }), {
          bytes: 'data: {"error":{"message":"Slow down","type":"rate_limit_exceeded"}}\n\n',
        }],
        null,
        { ...busy, said: "Half" },
      ],
      ["a content filter in the middle", [chunk({ content: "Half" }), finish("content_filter"), done], null, {
        ...refused,
        said: "Half",
      }],
      ["a content filter at once", [chunk({ role: "assistant" }), finish("content_filter"), done], null, refused],
    ];
    for (const [name, steps, text, failure] of rows) {
      await t.step(name, async () => {
        const tenant = await createTenant();
        service.model.refuse(tenant.modelName, lacksResponses(lacking!));
        service.model.script(tenant.modelName, { steps: [{ bytes: ": hi\n\n" }, ...steps] });
        for (const form of forms) {
          const record = await recordTurn(service, tenant, { form });
          if (failure) assertFailed(record, failure, form);
          else assertAnswered(record, { text: text!, responseId: null });
        }
      });
    }
  });
});

Deno.test("a server that only speaks chat completions, and calls tools", async (t) => {
  const { lacksResponses, lacking, chunk, finish, done } = prepare();

  await t.step("calls of tools", async (t) => {
    await using service = await startService();
    const owner = await createUser();
    const called = (more: object, name: string | undefined, written: string) => ({
      ...more,
      function: { ...(name === undefined ? {} : { name }), arguments: written },
    });
    const rows: [name: string, steps: Step[]][] = [
      ["in the usual pieces", [
        { text: "Let me see." },
        { call: { id: "call_1", name: "create_knowledge", arguments: { text: "Owls hunt." } } },
        { call: { id: "call_2", name: "create_knowledge", arguments: { text: "Gulls sleep." } } },
      ]],
      ["in single characters", [
        { bytes: ": hi\n\n" },
        chunk({ content: "Let me see." }),
        ...["Owls hunt.", "Gulls sleep."].flatMap((text, index) => [
          chunk({ tool_calls: [called({ index, id: `call_${index + 1}`, type: "function" }, "create_knowledge", "")] }),
          ...[...JSON.stringify({ text })].map((character) =>
            chunk({ tool_calls: [called({ index }, undefined, character)] })
          ),
        ]),
        finish("tool_calls"),
        done,
      ]],
      ["whole, and without an index", [
        { bytes: ": hi\n\n" },
        chunk({ content: "Let me see." }),
        ...["Owls hunt.", "Gulls sleep."].map((text, index) =>
          chunk({
            tool_calls: [
              called({ id: `call_${index + 1}`, type: "function" }, "create_knowledge", JSON.stringify({ text })),
            ],
          })
        ),
        // Some servers say "stop" after calls too.
        finish("stop"),
        done,
      ]],
    ];
    for (const [name, steps] of rows) {
      await t.step(name, async () => {
        const tenant = await createTenant({}, { owner_id: owner.id });
        service.model.refuse(tenant.modelName, lacksResponses(lacking!));
        service.model.script(tenant.modelName, { steps }, { steps: [{ text: "Noted." }] });
        const sender = { ...tenant, accessToken: owner.accessToken };
        assertAnswered(await recordTurn(service, sender, { userId: null }), {
          text: "Let me see.\n\nNoted.",
          responseId: null,
        });
        const { data } = await operator.from("knowledge_files").select("name").eq("coach_id", tenant.coachId)
          .order("number").throwOnError();
        assertEquals(data.map(({ name }) => name.split(" ")[0]), ["Owls", "Gulls"]);

        const { messages, tools } = lastBodyOf(service, tenant.modelName);
        const offered = tools as unknown as { type: string; function: { name: string } }[];
        assertEquals(offered.map(({ type, function: { name } }) => [type, name]), [
          ["function", "ask_expert"],
          ["function", "create_knowledge"],
        ]);
        const ids = ["call_1", "call_2"];
        const called = messages.flatMap((message) => message.role === "assistant" ? message.tool_calls ?? [] : []);
        assertEquals(called.map(({ id }) => id), ids);
        const outputs = messages.filter((message) => message.role === "tool");
        assertEquals(outputs.map(({ tool_call_id }) => tool_call_id), ids);
        for (const { content } of outputs) assertMatch(String(content), /stored_as/);
      });
    }
  });

  await t.step("a call whose arguments go on without end fails the answer", async () => {
    await using service = await startService({ timeouts: { turn: 20_000, betweenChunks: 5_000 } });
    const tenant = await createTenant();
    service.model.refuse(tenant.modelName, lacksResponses(lacking!));
    const piece = chunk({ tool_calls: [{ index: 0, function: { arguments: "x".repeat(100_000) } }] });
    const begin = chunk({ tool_calls: [{ index: 0, id: "call_1", function: { name: "create_knowledge" } }] });
    service.model.script(tenant.modelName, {
      steps: [{ bytes: ": hi\n\n" }, begin, ...Array.from({ length: 200 }, () => piece), { hang: true }],
    });
    assertFailed(await recordTurn(service, tenant), unavailable);
    const exchange = service.model.requestsOf(tenant.modelName).at(-1)!;
    await exchange.over;
    assertEquals(exchange.aborted, true, "the model's stream was left open");
  });
});

Deno.test("a server that only speaks chat completions, and refuses", async (t) => {
  const { lacking, pathsOf } = prepare();

  await t.step("without a stream, where it may not stream", async () => {
    await using service = await startService({ timeouts: { quiet: 50, firstChunk: 300 } });
    const owner = await createUser();
    const tenant = await createTenant({}, { owner_id: owner.id });
    service.model.refuse(tenant.modelName, (body, path) => {
      if (path === "/responses") return lacking!;
      if (!body.stream) return null;
      return unsupported("stream", "Your organization must be verified to stream this model.", "unsupported_value");
    });
    const call = { id: "call_1", name: "create_knowledge", arguments: { text: "Owls hunt." } };
    service.model.script(
      tenant.modelName,
      { steps: [{ reasoning: "Hm." }, { waitFor: delay(600) }, { call }] },
      { steps: [{ text: "Noted." }] },
    );
    const record = await recordTurn(service, { ...tenant, accessToken: owner.accessToken }, { userId: null });
    assertAnswered(record, { text: "Noted.", responseId: null, usage: [22, 14] });
    assertEquals([record.hasPings, leftOut(record)], [true, ["stream"]]);
  });

  await t.step("with less history, where it is too long", async () => {
    await using service = await startService();
    const tenant = await createTenant();
    service.model.refuse(tenant.modelName, ({ messages }, path) => {
      if (path === "/responses") return lacking!;
      return messages.length > 4 ? unsupported("messages", "Too long.", "context_length_exceeded") : null;
    });
    const { threadId } = await recordTurn(service, tenant, { message: "1" });
    for (const message of ["2", "3"]) assertAnswered(await recordTurn(service, tenant, { message, threadId }), hello);
    const [, ...said] = lastBodyOf(service, tenant.modelName).messages;
    assertEquals(said.map(({ content }) => content), ["2", "Hello world", "3"]);
  });

  await t.step("what it refuses is left out there too", async () => {
    await using service = await startService({ env: everything });
    const tenant = await createTenant();
    const refused = ["temperature", "stream_options", "safety_identifier"];
    service.model.refuse(tenant.modelName, (body, path) => {
      const field = refused.find((field) => field in body);
      if (path === "/responses") return lacking!;
      return field === undefined ? null : unsupported(field, `Unknown parameter: '${field}'.`);
    });
    const record = await recordTurn(service, tenant);
    assertAnswered(record, hello);
    assertEquals(leftOut(record).toSorted(), refused.toSorted());
    assertEquals(
      await countRequests(service.model, tenant.modelName, async () => {
        assertAnswered(await recordTurn(service, tenant), hello);
      }),
      [undefined, 1],
    );
  });

  await t.step("a server with neither → 502, and the operator is told which setting to look at", async () => {
    await using service = await startService();
    const tenant = await createTenant();
    service.model.refuse(tenant.modelName, () => lacking!);
    for (const form of forms) {
      assertFailed(await recordTurn(service, tenant, { form }), { ...misconfigured, reason: /OPENAI_BASE_URL/ }, form);
    }
  });

  await t.step("an unknown model is not taken for a missing API", async () => {
    await using service = await startService();
    const tenant = await createTenant();
    service.model.refuse(tenant.modelName, () => ({
      status: 404,
      body: {
        error: { message: "The model `x` does not exist or you do not have access to it.", code: "model_not_found" },
      },
    }));
    const { code } = await recordTurn(service, tenant);
    assertEquals([code, pathsOf(service, tenant.modelName)], ["model_misconfigured", ["/responses"]]);
    service.model.refuse(tenant.modelName, null);
    assertAnswered(await recordTurn(service, tenant), hello);
    assertEquals(pathsOf(service, tenant.modelName).at(-1), "/responses");
  });
});
