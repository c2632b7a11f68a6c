import { assert, assertEquals } from "../../support/assert.ts";
import { ask, assertReply, type Credentials, readTypedEvents, receive, send } from "../../support/client.ts";
import { eventually } from "../../support/eventually.ts";
import { heardBy } from "../../support/openai_clients.ts";
import { holdModel, storedMessages } from "../../support/openai_turns.ts";
import { allScopes, createTenant, createUser, issueKey } from "../../support/project.ts";
import { describeResponse } from "../../support/response_events.ts";
import { startService } from "../../support/service.ts";

const path = "/openai/v1/responses";
const said = (text: string, role = "user") => ({ role, content: text });
const part = (type: string, text: string) => ({ type, text });

/** Inputs that are answered, and what the model hears of them. */
const inputs: Record<string, { input: unknown; more?: object; heard: string[]; application?: string }> = {
  "a text": { input: "Hi", heard: ["Hi"] },
  "a list of messages": {
    input: [said("Hi"), said("Hello", "assistant"), said("And?")],
    heard: ["Hi", "Hello", "And?"],
  },
  "messages with their type, in parts": {
    input: [
      { type: "message", role: "user", content: [part("input_text", "Hi"), part("input_text", "Ada")] },
      { type: "message", role: "assistant", content: [part("output_text", "Hello")] },
      { type: "message", role: "user", content: [part("input_text", "And?")] },
    ],
    heard: ["Hi\nAda", "Hello", "And?"],
  },
  "calls of tools and their results (Agents SDK)": {
    input: [
      said("Hi"),
      { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
      { type: "function_call_output", call_id: "c", output: "x" },
      { type: "web_search_call", id: "ws_1", status: "completed" },
    ],
    heard: ["Hi"],
  },
  "output items that are fed back, with all their fields": {
    input: [
      said("Hi"),
      { id: "rs_1", type: "reasoning", summary: [], encrypted_content: "x" },
      {
        id: "msg_1",
        type: "message",
        status: "completed",
        role: "assistant",
        content: [{ ...part("output_text", "Hello"), annotations: [], logprobs: [] }],
      },
      { id: "msg_2", type: "message", role: "assistant", content: [{ type: "refusal", refusal: "I will not." }] },
      said("And?"),
    ],
    heard: ["Hi", "Hello", "I will not.", "And?"],
  },
  "instructions, and messages of the application": {
    input: [said("Be brief.", "system"), said("Use verse.", "developer"), said("Hi")],
    more: { instructions: "You are a helpful assistant." },
    heard: ["Hi"],
    application: "You are a helpful assistant.\n\nBe brief.\n\nUse verse.",
  },
  "what clients send by habit (AI SDK, LangChain, n8n, Home Assistant)": {
    input: "Hi",
    more: {
      temperature: 0,
      top_p: 1,
      tools: [{ type: "function", name: "f", parameters: {} }, { type: "web_search" }],
      tool_choice: "auto",
      parallel_tool_calls: false,
      max_tool_calls: 3,
      include: ["reasoning.encrypted_content"],
      reasoning: { effort: "low", summary: "auto" },
      text: { format: { type: "text" }, verbosity: "low" },
      truncation: "auto",
      service_tier: "auto",
      prompt_cache_key: "k",
      top_logprobs: 2,
      background: false,
      metadata: { thread_id: 5 },
      max_output_tokens: Number.MAX_SAFE_INTEGER,
      unheard_of: {},
    },
    heard: ["Hi"],
  },
  "null for what is not given (Python)": {
    input: "Hi",
    more: {
      instructions: null,
      previous_response_id: null,
      conversation: null,
      store: null,
      stream: null,
      max_output_tokens: null,
      background: null,
      text: null,
      prompt: null,
      metadata: null,
      tool_choice: null,
    },
    heard: ["Hi"],
  },
};

const file = { role: "user", content: [{ type: "input_file", file_id: "f" }] };
const image = { role: "user", content: [{ type: "input_image", image_url: "https://example.com/a.png" }] };

/** Fields that are refused by their names. */
const refused: Record<string, { body: object; param: string }> = {
  "background": { body: { background: true }, param: "background" },
  "a tool that must be called": { body: { tool_choice: "required" }, param: "tool_choice" },
  "some of the tools": { body: { tool_choice: { type: "allowed_tools", mode: "auto" } }, param: "tool_choice" },
  "a JSON object": { body: { text: { format: { type: "json_object" } } }, param: "text.format" },
  "a schema": { body: { text: { format: { type: "json_schema", name: "a", schema: {} } } }, param: "text.format" },
  "a stored prompt": { body: { prompt: { id: "p" } }, param: "prompt" },
  "a stored prompt in place of the input": { body: { prompt: { id: "p" }, input: undefined }, param: "prompt" },
  "an image": { body: { input: [image] }, param: "input.0.content.0" },
  "a file": { body: { input: [file] }, param: "input.0.content.0" },
  "a list of tools": { body: { input: [said("Hi"), { type: "mcp_list_tools", tools: [] }] }, param: "input.1.type" },
  "an item that is not its own": {
    body: { input: [{ type: "item_reference", id: "msg_1" }, said("Hi")] },
    param: "input.0.id",
  },
  "another role": { body: { input: [said("Hi", "tool")] }, param: "input.0.role" },
  "an answer to go on with": { body: { input: [said("Hi"), said("Well,", "assistant")] }, param: "input" },
  "nothing": { body: { input: [] }, param: "input" },
  "a blank": { body: { input: " " }, param: "input" },
  "no input": { body: { input: undefined }, param: "input" },
  "too long a question": { body: { input: "x".repeat(32_001) }, param: "input" },
  "no limit at all": { body: { max_output_tokens: 0 }, param: "max_output_tokens" },
  "two conversations": {
    body: { previous_response_id: `resp_${crypto.randomUUID()}`, conversation: "c", user: "u" },
    param: "conversation",
  },
  "a previous response that is none": { body: { previous_response_id: "chatcmpl-1" }, param: "previous_response_id" },
};

Deno.test("the input of a response", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const respond = (body: object) => ask(service, "POST", path, tenant, { model: tenant.coachId, input: "Hi", ...body });

  for (const [name, { input, more = {}, heard, application }] of Object.entries(inputs)) {
    await t.step(`${name} is answered`, async () => {
      const reply = await respond({ input, ...more });
      assertReply(reply, 200);
      assertEquals(reply.json.output[0].content, [{
        ...part("output_text", "Hello world"),
        annotations: [],
        logprobs: [],
      }]);
      assertEquals(heardBy(service, tenant), heard);
      const { instructions, tools } = service.model.requestsOf(tenant.modelName).at(-1)!.body;
      assertEquals(tools?.length, 1);
      assert(application === undefined || String(instructions).includes(JSON.stringify(application)));
    });
  }

  const asked = service.model.requestsOf(tenant.modelName).length;
  const stored = (await storedMessages(tenant)).length;
  for (const [name, { body, param }] of Object.entries(refused)) {
    await t.step(`${name}: refused by its name`, async () => {
      const { status, json, text } = await respond(body);
      assertEquals([status, json.error.param, json.error.type], [400, param, "invalid_request_error"], text);
    });
  }

  await t.step("nothing of what is refused is stored", async () => {
    assertEquals(service.model.requestsOf(tenant.modelName).length, asked);
    assertEquals((await storedMessages(tenant)).length, stored);
  });
});

Deno.test("the events of a response", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const stream = async (body: object = {}) => {
    const request = { model: tenant.coachId, input: "Hi", stream: true, ...body };
    const reply = await receive(service, "POST", path, tenant, request);
    const events = readTypedEvents(reply.text);
    for (const [place, { event, data }] of events.entries()) {
      assertEquals([event, place], [data.type, data.sequence_number], "each has its name and its number");
    }
    return { ...reply, events: events.map(({ data }) => data) };
  };

  await t.step("refer to one message, whose parts make up the whole", async () => {
    const { events } = await stream({
      metadata: { a: "b" },
      instructions: "Be brief",
      user: "u",
      max_output_tokens: 9,
    });
    const { response } = events.at(-1)!;
    assertEquals([events.at(-1)!.type, response.status], ["response.completed", "completed"]);
    assertEquals([response.metadata, response.instructions, response.user, response.max_output_tokens], [
      { a: "b" },
      "Be brief",
      "u",
      9,
    ]);
    const real = describeResponse({ model: "m" }, { id: "resp_1", status: "completed", output: [] });
    const missing = Object.keys(real).filter((field) => !(field in response));
    assertEquals(missing, ["access_programs"], "clients with strict schemas insist on each");
    assert(response.completed_at >= response.created_at);
    const { input_tokens, output_tokens, total_tokens, input_tokens_details, output_tokens_details } = response.usage;
    assert(input_tokens > 0 && output_tokens > 0 && total_tokens === input_tokens + output_tokens);
    assertEquals([input_tokens_details, output_tokens_details], [
      { cached_tokens: 0, cache_write_tokens: 0 },
      { reasoning_tokens: 0 },
    ]);
    for (const type of ["response.created", "response.in_progress"]) {
      const { response: begun } = events.find((event) => event.type === type)!;
      const { id, status, output, usage, completed_at } = begun;
      assertEquals([id, status, output, usage, completed_at], [response.id, "in_progress", [], null, null]);
    }
    const [item] = response.output;
    const added = events.find(({ type }) => type === "response.output_item.added")!;
    assertEquals(added.item, { ...item, status: "in_progress", content: [] });
    assertEquals(events.find(({ type }) => type === "response.output_item.done")!.item, item);
    const deltas = events.filter(({ type }) => type === "response.output_text.delta");
    for (const event of events.filter(({ item_id }) => item_id !== undefined)) {
      assertEquals([event.item_id, event.output_index, event.content_index], [item.id, 0, 0]);
    }
    assertEquals(deltas.map(({ delta }) => delta).join(""), item.content[0].text);
    assertEquals(events.find(({ type }) => type === "response.output_text.done")!.text, item.content[0].text);
    assertEquals(events.find(({ type }) => type === "response.content_part.done")!.part, item.content[0]);
    const { json } = await ask(service, "GET", `${path}/${response.id}`, tenant);
    assertEquals([json.output, json.usage, json.status], [response.output, response.usage, "completed"]);
  });

  await t.step("end with incomplete where the tokens are used up, or the model declines", async () => {
    const cut = { incomplete_details: { reason: "max_output_tokens" } };
    service.model.script(tenant.modelName, {
      steps: [{ text: "Half" }, { event: { type: "response.incomplete", response: { ...cut } } }],
    });
    const { events, isBroken } = await stream();
    const { type, response } = events.at(-1)!;
    assertEquals([type, response.status, response.incomplete_details, isBroken], [
      "response.incomplete",
      "incomplete",
      { reason: "max_output_tokens" },
      false,
    ]);
    assertEquals([response.output[0].status, response.output[0].content[0].text], ["incomplete", "Half"]);
  });

  await t.step("end with failed and error where it fails in the middle, and the connection breaks", async () => {
    service.model.script(tenant.modelName, { steps: [{ text: "Half" }, { cut: true }] });
    const { events, isBroken } = await stream();
    const [failed, error] = events.slice(-2);
    assertEquals([isBroken, failed!.type, error!.type], [true, "response.failed", "error"]);
    assertEquals([failed!.response.status, failed!.response.error.code], ["failed", "model_unavailable"]);
    assertEquals([error!.code, error!.error.code, error!.param], ["model_unavailable", "model_unavailable", null]);
    assert(error!.message !== "");
    const { json } = await ask(service, "GET", `${path}/${failed!.response.id}`, tenant);
    assertEquals([json.status, json.error.code, json.output[0].content[0].text], [
      "failed",
      "model_unavailable",
      "Half",
    ]);
  });
});

Deno.test("a stored response", async (t) => {
  await using service = await startService({ timeouts: { flush: 20 } });
  const tenant = await createTenant({ requests_per_minute: 1_000, scopes: allScopes });
  const { id: user, accessToken } = await createUser();
  const { accessToken: strangersToken } = await createUser();
  const { apiKey } = tenant;
  const at = (id: string, credentials: Credentials = { apiKey }) => ask(service, "GET", `${path}/${id}`, credentials);
  const textOf = (json: { output: { content: { text: string }[] }[] }) => json.output[0]?.content[0]?.text;

  await t.step("is in progress while it is written, and has what there is of its text", async () => {
    const goOn = holdModel(service, tenant, "Half", { text: " and half" });
    const request = { model: tenant.coachId, input: "Talk", stream: true, user };
    const reply = await send(service, "POST", path, { apiKey }, request);
    const id = `resp_${reply.headers.get("X-Message-Id")}`;
    await eventually(async () => textOf((await at(id)).json) === "Half", "the half is stored");
    const { json } = await at(id);
    assertEquals([json.id, json.status, json.model, json.usage], [id, "in_progress", tenant.coachId, null]);
    assertEquals(json.output[0].status, "in_progress");
    goOn();
    await reply.text();
    const { json: ended } = await at(id);
    assertEquals([ended.status, textOf(ended), ended.output[0].status], ["completed", "Half and half", "completed"]);
    assert(ended.usage.total_tokens > 0);
  });

  await t.step("is not stopped when it has ended, and is refused to be streamed again", async () => {
    const { json } = await ask(service, "POST", path, { apiKey }, { model: tenant.coachId, input: "Hi", user });
    const cancelled = await ask(service, "POST", `${path}/${json.id}/cancel`, { apiKey });
    assertEquals([cancelled.status, cancelled.json.status], [200, "completed"]);
    const streamed = await at(`${json.id}?stream=true`);
    assertEquals([streamed.status, streamed.json.error.param], [400, "stream"]);
    assertEquals((await at(`${json.id}?stream=false&include[]=x`)).status, 200);
  });

  await t.step("does not exist for another user or account, nor under another ID", async () => {
    const { json: { id } } = await ask(service, "POST", path, { apiKey }, { model: tenant.coachId, input: "Hi", user });
    assertEquals((await at(id, { apiKey, accessToken })).status, 200);
    const callers: Credentials[] = [{ apiKey, accessToken: strangersToken }, await createTenant({ scopes: allScopes })];
    for (const credentials of callers) {
      for (const [method, end] of [["GET", ""], ["DELETE", ""], ["POST", "/cancel"]] as const) {
        const { status, json } = await ask(service, method, `${path}/${id}${end}`, credentials);
        assertEquals([status, json.error.code], [404, "response_not_found"], method);
      }
    }
    for (
      const other of ["resp_x", id.replace("resp_", ""), id.replace("resp_", "msg_"), `resp_${crypto.randomUUID()}`]
    ) {
      assertEquals((await at(other)).status, 404, other);
    }
    assertEquals((await at(id)).status, 200);
  });

  await t.step("is deleted for the key that asked alone, and needs its scope", async () => {
    const { json: { id } } = await ask(service, "POST", path, { apiKey }, { model: tenant.coachId, input: "Hi", user });
    const remove = (credentials: Credentials) => ask(service, "DELETE", `${path}/${id}`, credentials);
    assertEquals((await remove(await issueKey(tenant.accountId, { scopes: allScopes }))).status, 404);
    assertEquals((await remove(await issueKey(tenant.accountId, { scopes: ["chat"] }))).status, 403);
    assertReply(await remove({ apiKey }), 200, { id, object: "response", deleted: true });
    assertEquals((await at(id)).status, 404);
  });
});
