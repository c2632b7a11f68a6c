import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, generateText, type LanguageModel, type ModelMessage, Output, streamText } from "ai7";
import { assert, assertEquals, assertMatch, assertRejects } from "../../support/assert.ts";
import { eventually } from "../../support/eventually.ts";
import { openaiUrl } from "../../support/openai_clients.ts";
import { fetchHurriedly, holdModel, lastAnswer, storedMessages } from "../../support/openai_turns.ts";
import { createTenant, operator, type Tenant } from "../../support/project.ts";
import { sentenceOf } from "../../support/refusals.ts";
import { type Service, startService } from "../../support/service.ts";

/** A package that speaks to an API of OpenAI's, set up as its documentation says. */
type Package = (options: { baseURL: string; apiKey: string; fetch?: typeof fetch }) => (model: string) => LanguageModel;

const packages: Record<string, Package> = {
  "@ai-sdk/openai-compatible": (options) => createOpenAICompatible({ name: "coaches", includeUsage: true, ...options }),
  "@ai-sdk/openai": (options) => createOpenAI(options),
  "@ai-sdk/openai, chat()": (options) => createOpenAI(options).chat,
};

for (const [name, create] of Object.entries(packages)) {
  Deno.test(`the AI SDK talks to a coach by ${name}`, async (t) => {
    await using service = await startService({ timeouts: { leave: 1 } });
    const { tenant, model } = await start(service, create);
    const script = (...steps: Parameters<typeof holdModel>[3][]) => service.model.script(tenant.modelName, { steps });

    await t.step("generateText: text, tokens, the thread", async () => {
      const { text, finishReason, usage, finalStep } = await generateText({ model, prompt: "Hi" });
      assertEquals([text, finishReason], ["Hello world", "stop"]);
      assert(usage.inputTokens! > 0 && usage.outputTokens! > 0);
      const threadId = finalStep.response.headers!["x-thread-id"]!;
      const { data } = await operator.from("threads").select("title").eq("id", threadId).single().throwOnError();
      assertEquals(data.title, "Hi");
    });

    await t.step("streamText: pieces, tokens, the reason of the end", async () => {
      const { textStream, usage, finishReason } = streamText({ model, prompt: "Hi" });
      assertEquals(await Array.fromAsync(textStream), ["Hello", " world"]);
      assert((await usage).totalTokens! > 0);
      assertEquals(await finishReason, "stop");
    });

    await t.step("a second turn has what was said before", async () => {
      const messages: ModelMessage[] = [{ role: "user", content: "My name is Ada" }];
      const { finalStep } = await generateText({ model, messages });
      messages.push(...finalStep.response.messages, { role: "user", content: "Who am I?" });
      await generateText({ model, messages });
      const { body } = service.model.requestsOf(tenant.modelName).at(-1)!;
      assertMatch(JSON.stringify(body.input), /My name is Ada.*Hello world.*Who am I\?/);
    });

    await t.step("aborting stops the answer; its text is kept", async () => {
      const goOn = holdModel(service, tenant, "So far", { text: " and on" });
      const leaving = new AbortController();
      const { stream } = streamText({ model, prompt: "Leave", abortSignal: leaving.signal });
      const types: string[] = [];
      for await (const { type } of stream) {
        types.push(type);
        if (type === "text-delta") leaving.abort();
      }
      assertEquals(types.at(-1), "abort");
      await eventually(async () => (await lastAnswer(tenant)).status === "stopped", "the answer was stopped");
      goOn();
      await service.turns();
      assertEquals((await storedMessages(tenant)).slice(-2), ["user: Leave", "assistant: So far"]);
    });

    await t.step("a refusal is an error with its status and sentence", async () => {
      const { of } = await start(service, create);
      const error = await assertRejects(() => generateText({ model: of("gpt-4o"), prompt: "Hi" }), APICallError);
      assertEquals([error.statusCode, error.isRetryable], [404, false]);
      assertEquals(error.message, "The model does not exist, or this key may not use it");
      assertEquals(error.responseHeaders!["x-error-code"], "coach_not_found");
    });

    await t.step("a failure in the middle keeps what was said, and is an error", async () => {
      script({ text: "Half" }, { cut: true });
      const failures: unknown[] = [];
      const read: string[] = [];
      const { textStream } = streamText({ model, prompt: "Hi", onError: ({ error }) => void failures.push(error) });
      // The connection breaks after the error.
      await assertRejects(async () => {
        for await (const text of textStream) read.push(text);
      });
      assertEquals(read, ["Half"]);
      assert(failures.length > 0);
      for (const failure of failures) assertEquals((failure as Error).message, sentenceOf("model_unavailable"));
    });

    await t.step("a request that a 503 refused is sent again: one turn is stored", async () => {
      const { tenant, of } = await start(service, create);
      let times = 2;
      service.supabase.fault = (path) => path.endsWith("/begin_turn") && times-- > 0 ? "refuse" : "pass";
      const { text } = await generateText({ model: of(tenant.coachId), prompt: "Hi", maxRetries: 2 });
      assertEquals(text, "Hello world");
      assertEquals(await storedMessages(tenant), ["user: Hi", "assistant: Hello world"]);
    });

    await t.step("a JSON object is refused by the name of the parameter", async () => {
      const asking = generateText({ model, prompt: "Hi", output: Output.json() });
      const error = await assertRejects(() => asking, APICallError);
      assertMatch(error.responseBody!, /response_format|text\.format/);
      assertEquals(error.statusCode, 400);
    });
  });
}

Deno.test("the AI SDK keeps its conversations in threads", async (t) => {
  await using service = await startService();
  const messages: ModelMessage[] = [{ role: "user", content: "My name is Ada" }];

  await t.step("@ai-sdk/openai-compatible, by headers", async () => {
    const { tenant, model } = await start(service, packages["@ai-sdk/openai-compatible"]!);
    const headers = { "X-Conversation-Id": "chat-1", "X-OpenWebUI-User-Id": "ada" };
    for (const prompt of ["One", "Two"]) await generateText({ model, prompt, headers });
    assertEquals(await threadsOf(tenant), [["ada", false]]);
    const { body } = service.model.requestsOf(tenant.modelName).at(-1)!;
    assertMatch(JSON.stringify(body.input), /One.*Hello world.*Two/);
  });

  await t.step("@ai-sdk/openai, by references to its items: in the thread of the first answer", async () => {
    const { tenant, model } = await start(service, packages["@ai-sdk/openai"]!);
    const { finalStep } = await generateText({ model, messages });
    const bodies: string[] = [];
    const second = await generateText({
      model: packages["@ai-sdk/openai"]!({
        baseURL: openaiUrl(service),
        apiKey: tenant.apiKey,
        fetch: (input, init) => (bodies.push(String(init?.body)), fetch(input, init)),
      })(tenant.coachId),
      messages: [...messages, ...finalStep.response.messages, { role: "user", content: "Who am I?" }],
    });
    assertMatch(bodies[0]!, /item_reference/);
    assertEquals(
      second.finalStep.response.headers!["x-thread-id"],
      finalStep.response.headers!["x-thread-id"],
    );
    assertEquals((await threadsOf(tenant)).length, 1);
  });

  await t.step("@ai-sdk/openai, by conversation, by previousResponseId, and not at all", async () => {
    const { tenant, model } = await start(service, packages["@ai-sdk/openai"]!);
    const ask = async (openai: Record<string, string | boolean>) =>
      (await generateText({ model, prompt: "Hi", providerOptions: { openai } })).finalStep;
    const conversation = crypto.randomUUID();
    const [one, two] = [await ask({ conversation }), await ask({ conversation })];
    assertEquals(one.response.headers!["x-thread-id"], two.response.headers!["x-thread-id"]);
    const previousResponseId = two.providerMetadata!.openai!.responseId as string;
    const three = await ask({ previousResponseId });
    assertEquals(three.response.headers!["x-thread-id"], one.response.headers!["x-thread-id"]);
    assertEquals((await storedMessages(tenant)).length, 6);
    await ask({ store: false });
    await service.turns();
    assertEquals((await storedMessages(tenant)).length, 6);
  });
});

/** An account, and its coach as a model of a package. */
async function start(service: Service, create: Package) {
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const of = create({ baseURL: openaiUrl(service), apiKey: tenant.apiKey, fetch: fetchHurriedly });
  return { tenant, of, model: of(tenant.coachId) };
}

async function threadsOf({ accountId }: Tenant): Promise<[string, boolean][]> {
  const { data } = await operator.from("threads").select("user_id, is_standalone").eq("account_id", accountId)
    .throwOnError();
  return data.map(({ user_id, is_standalone }) => [user_id, is_standalone]);
}
