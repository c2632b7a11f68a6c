import { assert, assertEquals, assertMatch } from "../../support/assert.ts";
import { ask, receive } from "../../support/client.ts";
import { chatOf, complete, heardBy, openaiUrl, type Said } from "../../support/openai_clients.ts";
import { setBudget } from "../../support/budgets.ts";
import { createTenant, issueKey, issuePublishableKey, operator } from "../../support/project.ts";
import { startService } from "../../support/service.ts";
import { addFile, uploadAndIndex } from "../../support/knowledge.ts";

const question: Said[] = [{ role: "user", content: "Hi" }];
const image = { type: "image_url", image_url: { url: "https://example.com/a.png" } };

/** Requests that are answered: what clients send, and where that was seen. `heard`: what the model gets of it. */
const answered: Record<string, { messages?: Said[]; body?: Record<string, unknown>; heard?: string[] }> = {
  "a list of parts as content (AI SDK)": {
    messages: [{ role: "user", content: [{ type: "text", text: "Hi" }, { type: "text", text: "Ada" }] }],
    heard: ["Hi\nAda"],
  },
  "an assistant without content, with calls of tools (LangChain)": {
    messages: [
      ...question,
      { role: "assistant", content: null, tool_calls: [{ id: "1", type: "function", function: { name: "f" } }] },
      { role: "tool", tool_call_id: "1", content: "42" },
      { role: "user", content: "And?" },
    ],
    heard: ["Hi", "And?"],
  },
  "messages without text among others (LibreChat)": {
    messages: [{ role: "system", content: "" }, ...chatOf("Hi", ""), { role: "user", content: "Hi?" }],
    heard: ["Hi", "Hi?"],
  },
  "tools by habit (n8n, Jan)": {
    body: { tools: [{ type: "function", function: { name: "f", parameters: {} } }], tool_choice: "auto" },
  },
  "functions, as older clients send them": { body: { functions: [{ name: "f" }], function_call: "auto" } },
  "tool_choice none": { body: { tool_choice: "none", parallel_tool_calls: false } },
  "settings of the model (promptfoo, LibreChat)": {
    body: {
      temperature: 0,
      top_p: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
      seed: 1,
      stop: ["\n"],
      logprobs: true,
      top_logprobs: 2,
      logit_bias: {},
    },
  },
  "n of 1 and text alone (older LangChain)": {
    body: { n: 1, modalities: ["text"], response_format: { type: "text" } },
  },
  "null for what is not given (Python)": {
    body: {
      stream: null,
      n: null,
      tool_choice: null,
      response_format: null,
      max_tokens: null,
      metadata: null,
      audio: null,
    },
  },
  "fields of other servers (LiteLLM, Open WebUI)": {
    body: {
      store: true,
      service_tier: "auto",
      prompt_cache_key: "k",
      verbosity: "low",
      chat_id: "x",
      reasoning_effort: "low",
    },
  },
  "a limit beyond any (older clients)": { body: { max_tokens: Number.MAX_SAFE_INTEGER } },
  "a user that is no text (pipelines of Open WebUI)": { body: { user: { id: "u", name: "U" } } },
  "metadata of any kind": { body: { metadata: { thread_id: 5, other: { deep: true } } } },
};

/** Requests that are refused by name: the parameter, and the status if it is not 400. */
const refused: Record<string, { body: Record<string, unknown>; param: string | null; status?: number }> = {
  "several answers": { body: { n: 2 }, param: "n" },
  "a tool that must be called": { body: { tool_choice: "required" }, param: "tool_choice" },
  "a certain tool": { body: { tool_choice: { type: "function", function: { name: "f" } } }, param: "tool_choice" },
  "a certain function, as older clients ask for it": { body: { function_call: { name: "f" } }, param: "function_call" },
  "JSON": { body: { response_format: { type: "json_object" } }, param: "response_format" },
  "a schema": { body: { response_format: { type: "json_schema", json_schema: {} } }, param: "response_format" },
  "speech": { body: { modalities: ["text", "audio"] }, param: "modalities" },
  "a voice": { body: { audio: { voice: "alloy" } }, param: "audio" },
  "an image": { body: { messages: [{ role: "user", content: [image] }] }, param: "messages.0.content.0" },
  "an image in what was said before": {
    body: { messages: [{ role: "user", content: [image] }, ...chatOf("Hi")] },
    param: "messages.0.content.0",
  },
  "sound": {
    body: { messages: [{ role: "user", content: [{ type: "input_audio" }] }] },
    param: "messages.0.content.0",
  },
  "a file": { body: { messages: [{ role: "user", content: [{ type: "file" }] }] }, param: "messages.0.content.0" },
  "another role": { body: { messages: [{ role: "ipython", content: "Hi" }] }, param: "messages.0.role" },
  "no messages": { body: { messages: [] }, param: "messages" },
  "an answer to go on with": { body: { messages: chatOf("Hi", "Well,") }, param: "messages" },
  "nothing said": { body: { messages: [{ role: "user", content: " " }] }, param: "messages" },
  "too long a question": { body: { messages: chatOf("x".repeat(32_001)) }, param: "messages" },
  "no limit at all": { body: { max_tokens: 0 }, param: "max_tokens" },
  "half a token": { body: { max_completion_tokens: 1.5 }, param: "max_completion_tokens" },
  "no answer": { body: { n: 0 }, param: "n" },
  "a stream of another kind": { body: { stream: "yes" }, param: "stream" },
  "too long a user": { body: { user: "u".repeat(256) }, param: "user" },
  "an unknown model": { body: { model: "gpt-4o" }, param: "model", status: 404 },
  "no model": { body: { model: undefined }, param: "model" },
};

Deno.test("what clients send by habit is answered", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  for (const [name, { messages = question, body = {}, heard = ["Hi"] }] of Object.entries(answered)) {
    await t.step(name, async () => {
      const reply = await complete(service, tenant, messages, body);
      assertEquals([reply.status, reply.json.choices?.[0].message.content], [200, "Hello world"], reply.text);
      assertEquals(heardBy(service, tenant), heard);
      const { temperature, top_p, tools } = service.model.requestsOf(tenant.modelName).at(-1)!.body;
      assertEquals([temperature, top_p], [undefined, undefined]);
      assertEquals(tools?.map((tool) => "name" in tool && tool.name), ["ask_expert"]);
    });
  }

  await t.step("such a limit of a budget's turn", async () => {
    const budgeted = await createTenant();
    await setBudget(budgeted, { amount: 1_000_000_000 });
    const reply = await complete(service, budgeted, question, { max_completion_tokens: Number.MAX_SAFE_INTEGER });
    assertEquals(reply.status, 200, reply.text);
  });

  await t.step("slashes at the end", async () => {
    const headers = { "X-API-Key": tenant.apiKey, "Content-Type": "application/json" };
    const body = JSON.stringify({ model: tenant.coachId, messages: question });
    for (
      const [path, init] of [["/models/", {}], [`/models/${tenant.coachId}/`, {}], ["/chat/completions/", {
        method: "POST",
        body,
      }]] as const
    ) {
      const reply = await fetch(openaiUrl(service) + path, { ...init, headers });
      await reply.body?.cancel();
      assertEquals(reply.status, 200, path);
    }
  });

  await t.step("what is said beyond 256 KB, up to 4 MB, though not in the question", async () => {
    const long = Array.from({ length: 40 }, (_, place) => `${place} ${"x".repeat(20_000)}`);
    assertEquals((await complete(service, tenant, chatOf(...long, "Hi"))).status, 200);
    const tooLong = await complete(service, tenant, chatOf(...Array(220).fill("x".repeat(20_000)), "Hi"));
    assertEquals([tooLong.status, tooLong.json.error.code], [413, "body_too_large"]);
  });
});

Deno.test("what would change the reply is refused by its name", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  for (const [name, { body, param, status = 400 }] of Object.entries(refused)) {
    await t.step(name, async () => {
      const reply = await complete(service, tenant, question, body);
      assertEquals([reply.status, reply.json.error.param], [status, param], reply.text);
      assertEquals(reply.json.error.type, "invalid_request_error");
      assertEquals(service.model.requestsOf(tenant.modelName).length, 0);
    });
  }
  await t.step("nothing of it is stored", async () => {
    const { data } = await operator.from("threads").select("id").eq("account_id", tenant.accountId).throwOnError();
    assertEquals(data, []);
  });
});

Deno.test("the application's instructions stand below the persona", async (t) => {
  await using service = await startService();
  const tenant = await createTenant();
  const instructions = () => service.model.requestsOf(tenant.modelName).at(-1)!.body.instructions as string;

  await t.step("system and developer messages, wherever they stand", async () => {
    await complete(service, tenant, [
      { role: "system", content: "You are a helpful assistant." },
      ...chatOf("Hi", "Hello"),
      { role: "developer", content: 'Answer in "verse".' },
      { role: "user", content: "And?" },
    ]);
    const said = JSON.stringify('You are a helpful assistant.\n\nAnswer in "verse".');
    assert(instructions().includes(said), instructions());
    assert(instructions().indexOf("You are Ada Byron") < instructions().indexOf(said));
    assertEquals(heardBy(service, tenant), ["Hi", "Hello", "And?"]);
  });

  await t.step("limits only lower that of the coach", async () => {
    await operator.from("coach_profiles").update({ max_output_tokens: 500 }).eq("id", tenant.coachId).throwOnError();
    for (
      const [body, limit] of [
        [{ max_tokens: 100 }, 100],
        [{ max_completion_tokens: 200, max_tokens: 100 }, 200],
        [{ max_tokens: 9_000 }, 500],
        [{}, 500],
      ] as const
    ) {
      await complete(service, tenant, question, body);
      assertEquals(service.model.requestsOf(tenant.modelName).at(-1)!.body.max_output_tokens, limit);
    }
  });
});

Deno.test("the key and the headers of a page", async (t) => {
  await using service = await startService();
  const tenant = await createTenant();
  const list = (headers: Record<string, string>) =>
    ask(service, "GET", "/openai/v1/models", {}, undefined, { headers });

  await t.step("as bearer, in X-API-Key, or in both (Jan)", async () => {
    const { apiKey } = tenant;
    for (
      const headers of [
        { Authorization: `Bearer ${apiKey}` },
        { Authorization: `bearer  ${apiKey}` },
        { "X-API-Key": apiKey },
        { "X-API-Key": apiKey, Authorization: `Bearer ${apiKey}` },
      ]
    ) assertEquals((await list(headers as Record<string, string>)).status, 200);
  });

  await t.step("none, an invalid one, and a publishable one are 401", async () => {
    const { publishableKey } = await issuePublishableKey(tenant.accountId);
    const { apiKey } = await issueKey(tenant.accountId);
    for (
      const headers of [{}, { Authorization: "Bearer sk-1" }, { Authorization: `Bearer ${apiKey.slice(0, -1)}x` }, {
        Authorization: `Bearer ${publishableKey}`,
      }, { apikey: publishableKey }]
    ) {
      const reply = await list(headers as Record<string, string>);
      assertEquals([reply.status, reply.json.error.code], [401, "invalid_api_key"]);
    }
  });

  await t.step("a key without the scope is 403", async () => {
    const { apiKey } = await issueKey(tenant.accountId, { scopes: ["knowledge:read"] });
    const reply = await list({ Authorization: `Bearer ${apiKey}` });
    assertEquals([reply.status, reply.headers.get("X-Error-Code")], [403, "missing_scope"]);
  });

  await t.step("a preflight may ask for any header; cookies are never allowed", async () => {
    const asked = "authorization, content-type, x-stainless-lang, x-stainless-retry-count";
    const reply = await fetch(`${openaiUrl(service)}/chat/completions`, {
      method: "OPTIONS",
      headers: { Origin: "https://chat.example.com", "Access-Control-Request-Headers": asked },
    });
    await reply.body?.cancel();
    assertEquals(reply.headers.get("Access-Control-Allow-Headers"), `${asked}, traceparent, tracestate, baggage`);
    assertEquals(reply.headers.get("Access-Control-Allow-Origin"), "*");
    assertEquals(reply.headers.get("Access-Control-Allow-Credentials"), null);
    assertMatch(reply.headers.get("Access-Control-Allow-Methods")!, /POST/);
  });
});

Deno.test("the forms of a reply", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000, options: ["footnotes"] });
  const { modelName } = tenant;
  const stream = (body: object = {}) =>
    receive(service, "POST", "/openai/v1/chat/completions", tenant, {
      model: tenant.coachId,
      messages: question,
      stream: true,
      ...body,
    });

  await t.step("an answer that has used up its tokens ends with length", async () => {
    service.model.script(modelName, {
      steps: [{ text: "Half" }, {
        event: { type: "response.incomplete", response: { incomplete_details: { reason: "max_output_tokens" } } },
      }],
    });
    assertEquals((await complete(service, tenant, question)).json.choices[0].finish_reason, "length");
  });

  await t.step("a failure in mid-stream is an error, and a connection that breaks", async () => {
    service.model.script(modelName, { steps: [{ text: "Half" }, { cut: true }] });
    const { status, text, isBroken } = await stream();
    assertEquals([status, isBroken], [200, true]);
    const last = JSON.parse(text.trim().split("\n\n").at(-1)!.slice("data: ".length));
    assertEquals(last.error.type, "server_error");
    assert(!text.includes("[DONE]"));
  });

  for (const [api, body] of [["chat/completions", { messages: question }], ["responses", { input: "Hi" }]] as const) {
    await t.step(`${api}: a failure before the first text, after the headers, is an error of the stream`, async () => {
      await using hasty = await startService({ timeouts: { quiet: 1, firstChunk: 300 } });
      hasty.model.script(modelName, { steps: [{ hang: true }] });
      const request = { model: tenant.coachId, stream: true, ...body };
      const { status, text, isBroken } = await receive(hasty, "POST", `/openai/v1/${api}`, tenant, request);
      assertEquals([status, isBroken], [200, true], text);
      assertMatch(text, /^: ping\n\n/);
      const last = JSON.parse(text.trim().split("data: ").at(-1)!);
      assertEquals([last.error.type, last.error.code], ["server_error", "model_timed_out"]);
      assert(!text.includes("[DONE]"));
    });
  }

  await t.step("a failure before the first text is a status", async () => {
    service.model.script(modelName, { steps: [{ status: 429, headers: { "Retry-After": "7" } }] });
    const { status, headers, text } = await stream();
    assertEquals([status, headers.get("Retry-After"), JSON.parse(text).error.code], [503, "7", "model_busy"]);
  });

  await t.step("sources stand below the text, and are not taken for what was said", async () => {
    await uploadAndIndex(service, tenant, ["engines.md", "# Care\n\nEngines need rest and oil."]);
    service.model.script(modelName, { steps: [{ text: "Rest and oil [1]." }] });
    const options = { headers: { "X-Chat-Id": "f" }, user: "u" };
    const reply = await complete(service, tenant, chatOf("What do engines need?"), options);
    const { content } = reply.json.choices[0].message;
    assertMatch(content, /^Rest and oil.*\n\n\[1\] engines\.md, Care$/s);
    await complete(service, tenant, chatOf("What do engines need?", content, "Thanks"), options);
    assertEquals(heardBy(service, tenant).filter((text) => text.includes("engines.md, Care")), []);
  });

  await t.step("they have the numbers of the text, whatever the model called them; without sources, none", async () => {
    const owls = await createTenant({ options: ["footnotes"] });
    for (const [file, text] of [["barn.md", "Owls sleep in barns."], ["wood.md", "Owls sleep in woods."]] as const) {
      await addFile(owls, file, text);
    }
    service.model.script(owls.modelName, { steps: [{ text: "In one [2], or the other [1]." }] });
    const asking = complete(service, owls, chatOf("Where do owls sleep?"));
    const { input } = await asking.then(() => service.model.requestsOf(owls.modelName).at(-1)!.body);
    const [, first, second] = (input as { content: string }[]).at(-2)!.content.split("\n").map((line, place) =>
      place === 0 ? "" : JSON.parse(line).source
    );
    const { content } = (await asking).json.choices[0].message;
    assertEquals(content, `In one [1], or the other [2].\n\n[1] ${second}\n[2] ${first}`);
    service.model.script(owls.modelName, { steps: [{ text: "Hello." }] });
    assertEquals((await complete(service, owls, chatOf("Hi"))).json.choices[0].message.content, "Hello.");
  });

  await t.step("a pinned answer is given word for word, and costs nothing", async () => {
    const pinned = { question: "When should I rest?", answer: "On Sundays." };
    const { apiKey } = await issueKey(tenant.accountId, { scopes: ["expert"] });
    await ask(service, "POST", `/coaches/${tenant.coachId}/answers`, { apiKey }, pinned);
    const before = service.model.requestsOf(modelName).length;
    const reply = await complete(service, tenant, chatOf(pinned.question));
    assertMatch(reply.json.choices[0].message.content, /^On Sundays\./);
    assertEquals(reply.json.usage, {
      prompt_tokens: 0,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens: 0,
      completion_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 0,
    });
    assertEquals(service.model.requestsOf(modelName).length, before);
  });

  await t.step("tokens that the model's server does not report are estimated", async () => {
    service.model.script(modelName, { steps: [{ text: "Hello" }, { end: true, usage: undefined }] });
    const { usage } = (await complete(service, tenant, question)).json;
    assert(usage.prompt_tokens > 0 && usage.completion_tokens > 0);
  });
});
