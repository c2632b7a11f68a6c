/** Errors of model servers, in their words, with the messages to the person and the operator. */
import { assert, assertEquals, assertMatch, assertNotMatch } from "../support/assert.ts";
import { ask } from "../support/client.ts";
import { deleteRows, statesAndReasons, uploadAndIndex } from "../support/knowledge.ts";
import { sampleFiles } from "../support/sample_files.ts";
import { createTenant, operator, type Tenant } from "../support/project.ts";
import type { HttpError, ModelScript, Step } from "../support/model_server.ts";
import { type Service, startService } from "../support/service.ts";
import { slow } from "../support/slow.ts";
import {
  assertAnswered,
  assertFailed,
  countRequests,
  type ExpectedFailure,
  failures,
  forms,
  recordTurn,
  sendStream,
} from "../support/turn_record.ts";

const { refused, busy, misconfigured, tooLong, unavailable } = failures;

type Row = [
  name: string,
  /** The server's replies; a single error is used for each request. */
  sends: HttpError | Step[],
  expected: ExpectedFailure,
  more?: {
    /** The number of requests of a turn to the model; not checked if left out. */
    requests?: number;
    /** The codes of the server that are shown to the operator. */
    modelCode?: string;
    param?: string;
    /** A slow row. */
    isSlow?: boolean;
  },
];

/** An error as OpenAI words it. */
function openaiError(
  status: number,
  error: { message: string; type?: string | null; param?: string | null; code?: string | null },
  headers: Record<string, string> = {},
): HttpError {
  return {
    status,
    body: { error: { type: "invalid_request_error", param: null, code: null, ...error } },
    headers: { "x-request-id": "req_upstream", ...headers },
  };
}

/** An event that ends a response, after the steps before. */
function failing(error: { code?: string | null; message: string }): Step {
  return { event: { type: "response.failed", response: { id: "resp_1", status: "failed", error } } };
}

async function play(service: Service, [_, sends, expected, more = {}]: Row, tenant: Tenant) {
  const steps = Array.isArray(sends) ? sends : [sends];
  service.model.script(tenant.modelName, { steps });
  for (const form of forms) {
    const [record, requests] = await countRequests(
      service.model,
      tenant.modelName,
      () => recordTurn(service, tenant, { form }),
    );
    assertFailed(record, expected, form);
    if (more.requests !== undefined) assertEquals(requests, more.requests);
    const { line } = record;
    const shown = JSON.stringify(line);
    if (!Array.isArray(sends) && sends.headers?.["x-request-id"]) {
      assertEquals(line.upstream_request_id, "req_upstream", shown);
    }
    if (more.modelCode !== undefined) assert(String(line.model_code).split(" ").includes(more.modelCode), shown);
    if (more.param !== undefined) assertEquals(line.param, more.param, shown);
    const { data: [shownToOperators] } = await operator.from("recent_errors").select("error_code, error")
      .eq("message_id", record.messageId).throwOnError();
    assertEquals(shownToOperators, { error_code: expected.code, error: record.stored.error });
  }
}

async function playAll(t: Deno.TestContext, service: Service, rows: Row[]) {
  for (const row of rows) {
    const [name, , { status, code, retryAfter }, more] = row;
    await t.step({
      name: `${name} → ${status} ${code}${retryAfter ? `, Retry-After: ${retryAfter}` : ""}`,
      ignore: slow.ignore && more?.isSlow === true,
      fn: async () => play(service, row, await createTenant()),
    });
  }
}

Deno.test("what the model declines to answer", async (t) => {
  await using service = await startService();
  const filtered: Step = {
    event: {
      type: "response.incomplete",
      response: { id: "resp_1", status: "incomplete", incomplete_details: { reason: "content_filter" } },
    },
  };
  await playAll(t, service, [
    [
      "Azure's filter of prompts",
      {
        status: 400,
        headers: { "x-request-id": "req_upstream" },
        body: {
          error: {
            message: "The prompt was filtered by the content management policy of this resource.",
            type: null,
            param: "prompt",
            code: "content_filter",
            status: 400,
            innererror: {
              code: "ResponsibleAIPolicyViolation",
              content_filter_result: { violence: { filtered: true, severity: "medium" } },
            },
          },
        },
      },
      { ...refused, retryAfter: null, reason: /content management policy/ },
      { requests: 1, modelCode: "content_filter", param: "prompt" },
    ],
    [
      "OpenAI's invalid_prompt",
      openaiError(400, { message: "Access to this content is limited for safety reasons.", code: "invalid_prompt" }),
      { ...refused, reason: /limited for safety reasons/ },
      { requests: 1, modelCode: "invalid_prompt" },
    ],
    [
      "xAI's usage guidelines, where the error is a string",
      {
        status: 403,
        headers: { "x-request-id": "req_upstream" },
        body: {
          code: "The caller does not have permission to execute the specified operation",
          error: "Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO",
        },
      },
      { ...refused, reason: /violates usage guidelines/ },
      { requests: 1 },
    ],
    ["a filter before the first text", [{ reasoning: "Hm." }, filtered], refused, { requests: 1 }],
    ["a filter in the middle", [{ text: "First, you" }, filtered], { ...refused, said: "First, you" }, { requests: 1 }],
    [
      "a response that fails by policy",
      [{ text: "First" }, failing({ code: "content_filter", message: "The answer was filtered." })],
      { ...refused, said: "First", reason: /The answer was filtered/ },
      { requests: 1, modelCode: "content_filter" },
    ],
  ]);
});

Deno.test("a model that is busy", async (t) => {
  await using service = await startService();
  const rateLimit = { message: "Rate limit reached for requests", type: "requests", code: "rate_limit_exceeded" };
  const slowDown = { message: "The engine is currently overloaded, please try again later", type: "server_error" };
  const seconds = (wait: number) => ({ "retry-after": String(wait) });
  await playAll(t, service, [
    [
      "429 with a long Retry-After, which is told at once",
      openaiError(429, rateLimit, seconds(20)),
      { ...busy, retryAfter: "20", reason: /Rate limit reached/ },
      { requests: 1, modelCode: "rate_limit_exceeded" },
    ],
    ["429 with one beyond a minute", openaiError(429, rateLimit, seconds(600)), { ...busy, retryAfter: "60" }, {
      requests: 1,
    }],
    ["429 that may be asked again at once", openaiError(429, rateLimit, seconds(0)), { ...busy, retryAfter: "1" }, {
      requests: 3,
    }],
    ["429 that is worth 4 s of waiting", openaiError(429, rateLimit, seconds(2)), { ...busy, retryAfter: "2" }, {
      requests: 3,
      isSlow: true,
    }],
    ["429 that is worth one wait", openaiError(429, rateLimit, seconds(4)), { ...busy, retryAfter: "4" }, {
      requests: 2,
      isSlow: true,
    }],
    ["429 that tells no time", openaiError(429, rateLimit), { ...busy, retryAfter: "10" }],
    ["529", {
      status: 529,
      body: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
      headers: seconds(7),
    }, {
      ...busy,
      retryAfter: "7",
      reason: /Overloaded/,
    }, { requests: 1, modelCode: "overloaded_error" }],
    ["503 that says overloaded", openaiError(503, slowDown), { ...busy, retryAfter: "10" }],
    ["503 with a Retry-After", openaiError(503, { message: "Down for a moment" }, seconds(30)), {
      ...busy,
      retryAfter: "30",
    }, { requests: 1 }],
    [
      "a stream that fails by a rate limit before any text",
      [{ reasoning: "Hm." }, failing({ code: "rate_limit_exceeded", message: "Rate limit reached" })],
      { ...busy, retryAfter: "10", reason: /Rate limit reached/ },
      { modelCode: "rate_limit_exceeded" },
    ],
    [
      "a stream that fails by a rate limit after a text",
      [{ text: "So" }, failing({ code: "rate_limit_exceeded", message: "Rate limit reached" })],
      { ...busy, said: "So", reason: /Rate limit reached/ },
      { requests: 1, modelCode: "rate_limit_exceeded" },
    ],
    [
      "an overloaded server, as an error event",
      [{ text: "So" }, { event: { type: "error", code: "server_is_overloaded", message: "Come back", param: null } }],
      { ...busy, said: "So", reason: /Come back/ },
      { requests: 1, modelCode: "server_is_overloaded" },
    ],
    [
      "the same one level down",
      [{ text: "So" }, {
        event: {
          type: "error",
          error: { type: "service_unavailable_error", code: "server_is_overloaded", message: "Come back", param: null },
        },
      }],
      { ...busy, said: "So", reason: /Come back/ },
      { requests: 1, modelCode: "server_is_overloaded" },
    ],
  ]);

  await t.step("429 that tells a date", async () => {
    const tenant = await createTenant();
    const date = new Date(Date.now() + 40_000).toUTCString();
    service.model.script(tenant.modelName, { steps: [openaiError(429, rateLimit, { "retry-after": date })] });
    const record = await recordTurn(service, tenant);
    assertFailed(record, busy);
    assertMatch(String(record.retryAfter), /^(2\d|3\d|40)$/);
  });

  for (const [name, error] of [["429", openaiError(429, rateLimit, seconds(1))], ["500", { status: 500 }]] as const) {
    await t.step(`${name}, and then an answer`, async () => {
      const tenant = await createTenant();
      service.model.script(tenant.modelName, { steps: [error] }, { steps: [{ text: "Here I am." }] });
      const [record, requests] = await countRequests(
        service.model,
        tenant.modelName,
        () => recordTurn(service, tenant),
      );
      assertAnswered(record, { text: "Here I am." });
      assertEquals(requests, 2);
    });
  }
});

Deno.test("a model that is not set up correctly", async (t) => {
  const defaultModel = crypto.randomUUID();
  await using service = await startService({ env: { OPENAI_MODEL: defaultModel } });
  const noModel = { message: "The requested model does not exist.", param: "model", code: "model_not_found" };
  const quota = { message: "You exceeded your current quota.", type: "insufficient_quota", code: "insufficient_quota" };
  const naming = (setting: string, said: RegExp) => ({
    ...misconfigured,
    retryAfter: null,
    reason: new RegExp(`${setting}.*${said.source}|${said.source}.*${setting}`),
  });
  await playAll(t, service, [
    [
      "a wrong key",
      openaiError(401, { message: "Incorrect API key provided: sk-inv***ted.", code: "invalid_api_key" }),
      naming("OPENAI_API_KEY", /Incorrect API key/),
      { requests: 1, modelCode: "invalid_api_key" },
    ],
    [
      "a key that may not use the model",
      openaiError(403, { message: "You are not allowed to use this model" }),
      naming("OPENAI_API_KEY", /not allowed/),
      { requests: 1 },
    ],
    [
      "an account without money",
      openaiError(402, { message: "Insufficient Balance", type: "unknown_error", code: "invalid_request_error" }),
      naming("OPENAI_API_KEY", /Insufficient Balance/),
      { requests: 1 },
    ],
    ["a quota that is used up", openaiError(429, quota), naming("OPENAI_API_KEY", /exceeded your current quota/), {
      requests: 1,
      modelCode: "insufficient_quota",
    }],
    ["an unknown model, 400", openaiError(400, noModel), naming("coach_profiles.model", /does not exist/), {
      requests: 1,
      modelCode: "model_not_found",
      param: "model",
    }],
    ["an unknown model, 404", openaiError(404, noModel), naming("coach_profiles.model", /does not exist/), {
      requests: 1,
      modelCode: "model_not_found",
    }],
    [
      "an unknown model, in Ollama's words",
      openaiError(404, { message: "model 'seer:7b' not found", type: "not_found_error" }),
      naming("coach_profiles.model", /seer:7b/),
      { requests: 1 },
    ],
  ]);

  await t.step("an unknown model of the deployment", async () => {
    const tenant = await createTenant({}, { model: null });
    await play(service, [
      "",
      openaiError(404, noModel),
      naming("OPENAI_MODEL", /does not exist/),
      { requests: 1 },
    ], { ...tenant, modelName: defaultModel });
  });

  await t.step("no key: lists work, and chat names the setting", async () => {
    await using keyless = await startService({ env: { OPENAI_BASE_URL: "", OPENAI_API_KEY: "" } });
    const tenant = await createTenant();
    assertEquals((await ask(keyless, "GET", "/users/u/threads", tenant)).json, { data: [], count: 0 });
    for (const form of forms) {
      assertFailed(await recordTurn(keyless, tenant, { form }), { ...misconfigured, reason: /OPENAI_API_KEY/ }, form);
    }
  });
});

Deno.test("a message that the model cannot hold by itself", async (t) => {
  await using service = await startService();
  const overflow = { message: "Your input exceeds the context window of this model.", code: "context_length_exceeded" };
  await playAll(t, service, [
    [
      "OpenAI",
      openaiError(400, { ...overflow, param: "input" }),
      { ...tooLong, reason: /exceeds the context window/ },
      {
        modelCode: "context_length_exceeded",
      },
    ],
    [
      "llama.cpp",
      {
        status: 400,
        body: {
          error: {
            code: 400,
            message: "the request exceeds the available context size, try increasing it",
            type: "exceed_context_size_error",
            n_prompt_tokens: 9000,
            n_ctx: 4096,
          },
        },
      },
      tooLong,
      { modelCode: "exceed_context_size_error" },
    ],
    [
      "vLLM",
      openaiError(400, {
        message: "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens.",
        type: "BadRequestError",
      }),
      tooLong,
    ],
    ["in the stream", [failing({ ...overflow })], tooLong, { modelCode: "context_length_exceeded" }],
  ]);

  await t.step("is not held by less history either", async () => {
    const tenant = await createTenant();
    const { threadId } = await recordTurn(service, tenant);
    service.model.script(tenant.modelName, { steps: [openaiError(400, overflow)] });
    const [record, requests] = await countRequests(
      service.model,
      tenant.modelName,
      () => recordTurn(service, tenant, { threadId }),
    );
    assertFailed(record, tooLong);
    assert(requests <= 3, `${requests} requests`);
    assertEquals((service.model.requestsOf(tenant.modelName).at(-1)!.body.input as unknown[]).length, 1);
  });
});

Deno.test("a model that is unavailable", async (t) => {
  await using service = await startService();
  await playAll(t, service, [
    ...[500, 502, 503, 504].map((status): Row => [
      `${status}, asked three times`,
      // A 503 that says when to come back is a busy server.
      status === 503 ? { status, headers: {} } : { status },
      { ...unavailable, retryAfter: null, reason: new RegExp(`Scripted error ${status}`) },
      { requests: 3 },
    ]),
    ["a page of a proxy", { status: 502, body: "<html><h1>Bad Gateway</h1></html>", headers: {} }, unavailable, {
      requests: 3,
      isSlow: true,
    }],
    ["a connection that is cut at once", [{ cut: true }], unavailable, { requests: 3 }],
    ["one that is cut after a text", [{ text: "So" }, { cut: true }], { ...unavailable, said: "So" }, { requests: 1 }],
    [
      "an error event without type or code",
      [{ text: "So" }, { bytes: 'data: {"error":{"message":"The engine room is flooded"}}\n\n' }],
      { ...unavailable, said: "So", reason: /The engine room is flooded/ },
      { requests: 1 },
    ],
    [
      "the same before a text",
      [{ bytes: 'data: {"error":{"message":"The engine room is flooded"}}\n\n' }],
      { ...unavailable, reason: /The engine room is flooded/ },
    ],
    [
      "an error event whose error is a string",
      [{ text: "So" }, { event: { type: "error", error: "The engine room is flooded" } }],
      { ...unavailable, said: "So", reason: /The engine room is flooded/ },
      { requests: 1 },
    ],
    [
      "an error event with nothing but a message",
      [{ text: "So" }, { event: { type: "error", message: "The engine room is flooded" } }],
      { ...unavailable, said: "So", reason: /The engine room is flooded/ },
      { requests: 1 },
    ],
    [
      "a response that fails",
      [{ text: "So" }, failing({ code: "server_error", message: "The engine room is flooded" })],
      { ...unavailable, said: "So", reason: /The engine room is flooded/ },
      { requests: 1, modelCode: "server_error" },
    ],
    ["a response that says nothing", [{ end: true }], unavailable],
    ["a request that is refused for an unknown reason", openaiError(400, { message: "No.", code: "odd" }), {
      ...unavailable,
      reason: /No\./,
    }, { requests: 1, modelCode: "odd" }],
    ["a reply that is no stream", sendStream("<html>Welcome</html>").steps, unavailable],
  ]);

  await t.step("a server that cannot be reached", async () => {
    await using cutOff = await startService({ env: { OPENAI_BASE_URL: "http://127.0.0.1:9/v1" } });
    assertFailed(await recordTurn(cutOff, await createTenant()), unavailable);
  });
});

/** As many languages write a character that is not ASCII. */
function escapeUnicode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

Deno.test("what a server echoes in its error is kept from the operator", async (t) => {
  const key = `sk-proj-${"aB3".repeat(16)}`;
  await using service = await startService({ env: { OPENAI_API_KEY: key } });
  const said = "My sister Wilhelmina hides the blue notebook under the cellar stairs. Сестра прячет тетрадь.";
  const answered = "Then Leopold should never hear of that notebook.";
  const persona = "Explain with engines.";
  const secrets = /Wilhelmina|notebook|cellar|Сестра|тетрадь|u0441|Leopold|Explain with engines|sk-proj|aB3aB3/;

  const echoes: [name: string, message: (input: string) => string, kept: RegExp][] = [
    ["as JSON", (input) => `Invalid input: ${input} is not a list`, /Invalid/],
    [
      "as Python writes it",
      (input) => `2 validation errors:\n {'loc': ('body', 'input'), 'input': ${input.replaceAll('"', "'")}}`,
      /validation errors/,
    ],
    [
      "as pydantic shortens it",
      () =>
        `1 validation error for Item\ninput Input should be a list [type=list_type, ` +
        `input_value='My sister Wilhelmina hid...чет тетрадь.', input_type=str]`,
      /validation error for Item/,
    ],
    ["word for word", () => `Cannot parse: ${said}`, /Cannot parse/],
    ["as ASCII", (input) => `Invalid: ${input.replaceAll(/[^ -~]/g, escapeUnicode)}`, /Invalid/],
    ["the earlier answer", () => `Cannot parse: ${answered}`, /Cannot parse/],
    ["the instructions", () => `Cannot parse: ${persona}`, /Cannot parse/],
    ["the key", () => `Incorrect key ${key} provided`, /Incorrect key/],
    ["a shortened key", () => `Incorrect key ${key.slice(0, 30)}***** provided`, /Incorrect key/],
  ];
  const ways: [name: string, scriptOf: (message: string) => ModelScript][] = [
    ["as an HTTP error", (message) => ({ steps: [openaiError(422, { message, code: message })] })],
    ["in the stream", (message) => ({ steps: [{ event: { type: "error", code: message, message } }] })],
  ];
  for (const [name, messageOf, kept] of echoes) {
    for (const [way, scriptOf] of ways) {
      await t.step(`${name}, ${way}`, async () => {
        const tenant = await createTenant();
        service.model.script(tenant.modelName, { steps: [{ text: answered }] });
        const { threadId } = await recordTurn(service, tenant, { message: said });
        const { input } = service.model.requestsOf(tenant.modelName).at(-1)!.body;
        await service.clearLogs();
        service.model.script(tenant.modelName, scriptOf(messageOf(JSON.stringify(input))));
        for (const form of forms) {
          const { stored, line, lines, error } = await recordTurn(service, tenant, { message: said, threadId, form });
          assertMatch(String(stored.error), kept);
          assertMatch(String(line.reason), kept);
          assertNotMatch(JSON.stringify([stored.error, lines, error]), secrets);
        }
        assertNotMatch(JSON.stringify([await service.logs(), await service.printed()]), secrets);
      });
    }
  }
});

Deno.test("an image that a model does not describe", async (t) => {
  const noModel = { message: "The requested model does not exist.", param: "model", code: "model_not_found" };
  const innocent: [name: string, error: HttpError][] = [
    ["an unknown model, 400", openaiError(400, noModel)],
    ["an unknown model, 404", openaiError(404, noModel)],
    ["a model that was switched off", openaiError(400, { message: "The model `seer` has been deprecated." })],
    ["a wrong key", openaiError(401, { message: "Incorrect API key provided.", code: "invalid_api_key" })],
    ["a rate limit", openaiError(429, { message: "Slow down", code: "rate_limit_exceeded" }, { "retry-after": "20" })],
    ["a quota that is used up", openaiError(429, { message: "No credit left", code: "insufficient_quota" })],
    ["an unknown parameter", openaiError(400, { message: "Unknown parameter: 'odd'.", param: "odd" })],
    ["a server that fails", { status: 500 }],
  ];
  const guilty: [name: string, error: HttpError][] = [
    ["invalid_image", openaiError(400, { message: "You uploaded an unsupported image.", code: "invalid_image" })],
    ["image_parse_error", openaiError(400, { message: "Cannot read it.", code: "image_parse_error" })],
    [
      "a parameter that names it",
      openaiError(400, { message: "Invalid value.", param: "input[0].content[0].image_url", code: "invalid_value" }),
    ],
  ];
  await using service = await startService({ env: { OPENAI_VISION_MODEL: "seer" } });
  const rows = [
    ...innocent.map((row) => [...row, "queued"] as const),
    ...guilty.map((row) => [...row, "failed"] as const),
  ];
  for (const [name, error, expected] of rows) {
    await t.step(
      `${name} → ${expected === "queued" ? "the file is tried again" : "the file is at fault"}`,
      async () => {
        const tenant = await createTenant();
        service.model.script("seer", { steps: [error] });
        await uploadAndIndex(service, tenant, ["photo.png", sampleFiles.png]);
        const [[, status, reason] = []] = await statesAndReasons(tenant);
        assertEquals(status, expected, String(reason));
        assertMatch(String(reason), /seer/);
        await deleteRows(tenant.coachId);
      },
    );
  }

  for (
    const [name, refuse] of [
      ["a server that only speaks chat completions", "/responses"],
      ["an organisation that may not stream", "stream"],
    ] as const
  ) {
    await t.step(`${name} describes it all the same`, async () => {
      await using other = await startService({ env: { OPENAI_VISION_MODEL: "seer" } });
      const tenant = await createTenant();
      other.model.refuse("seer", ({ stream }, path) => {
        if (refuse === "/responses") return path === refuse ? { status: 404, body: { detail: "Not Found" } } : null;
        return stream ? openaiError(400, { message: "No.", param: "stream", code: "unsupported_value" }) : null;
      });
      other.model.script("seer", { steps: [{ text: "A lighthouse." }] });
      await uploadAndIndex(other, tenant, ["photo.png", sampleFiles.png]);
      assertEquals(await statesAndReasons(tenant), [["photo.png", "ready", null]]);
      await deleteRows(tenant.coachId);
    });
  }
});
