import { ChatOpenAI, type ChatOpenAIFields } from "@langchain/openai";
import { assert, assertEquals, assertMatch, assertRejects } from "../../support/assert.ts";
import { eventually } from "../../support/eventually.ts";
import { openaiUrl } from "../../support/openai_clients.ts";
import { fetchHurriedly, holdModel, lastAnswer, storedMessages } from "../../support/openai_turns.ts";
import { createTenant, issueKey } from "../../support/project.ts";
import { type Service, startService } from "../../support/service.ts";

/** An account, and its coach as LangChain sees it. */
async function start(service: Service, fields: ChatOpenAIFields) {
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const open = (more: ChatOpenAIFields = {}) =>
    new ChatOpenAI({
      model: tenant.coachId,
      apiKey: tenant.apiKey,
      configuration: { baseURL: openaiUrl(service), fetch: fetchHurriedly },
      maxRetries: 0,
      ...fields,
      ...more,
    });
  return { tenant, open, chat: open() };
}

for (const useResponsesApi of [false, true]) {
  const face = useResponsesApi ? "responses" : "chat completions";
  Deno.test(`LangChain talks to a coach by ${face}`, async (t) => {
    await using service = await startService({ timeouts: { leave: 1 } });
    const { tenant, chat, open } = await start(service, { useResponsesApi });

    await t.step("invoke: text and tokens", async () => {
      const { text, usage_metadata: usage } = await chat.invoke("Hi");
      assertEquals(text, "Hello world");
      assert(usage!.input_tokens > 0 && usage!.output_tokens > 0);
      assertEquals(usage!.total_tokens, usage!.input_tokens + usage!.output_tokens);
    });

    await t.step("stream: pieces, tokens, the reason of the end", async () => {
      const chunks = await Array.fromAsync(await chat.stream("Hi"));
      assertEquals(chunks.map(({ text }) => text).filter((text) => text !== ""), ["Hello", " world"]);
      const [whole] = [chunks.reduce((all, chunk) => all.concat(chunk))];
      assert(whole!.usage_metadata!.total_tokens > 0);
      if (!useResponsesApi) assertEquals(whole!.response_metadata.finish_reason, "stop");
    });

    await t.step("a second turn has what was said before, and what the application says", async () => {
      const first = await chat.invoke([["system", "Be brief"], ["human", "My name is Ada"]]);
      const { text } = await chat.invoke([["system", "Be brief"], ["human", "My name is Ada"], first, [
        "human",
        "Who am I?",
      ]]);
      assertEquals(text, "Hello world");
      const { body } = service.model.requestsOf(tenant.modelName).at(-1)!;
      assertMatch(JSON.stringify(body), /Be brief/);
      assertMatch(JSON.stringify(body.input), /My name is Ada.*Hello world.*Who am I\?/);
    });

    await t.step("aborting stops the answer; its text is kept", async () => {
      const goOn = holdModel(service, tenant, "So far", { text: " and on" });
      const leaving = new AbortController();
      await assertRejects(async () => {
        for await (const { text } of await chat.stream("Leave", { signal: leaving.signal })) {
          if (text !== "") leaving.abort();
        }
      });
      await eventually(async () => (await lastAnswer(tenant)).status === "stopped", "the answer was stopped");
      goOn();
      await service.turns();
      assertEquals((await storedMessages(tenant)).slice(-2), ["user: Leave", "assistant: So far"]);
    });

    await t.step("refusals are its own errors", async () => {
      const codeOf = async (asking: Promise<unknown>) => {
        const { lc_error_code, status } = await assertRejects(() => asking, Error) as unknown as Record<
          string,
          unknown
        >;
        return [lc_error_code, status];
      };
      assertEquals(await codeOf(open({ model: "gpt-4o" }).invoke("Hi")), ["MODEL_NOT_FOUND", 404]);
      assertEquals(await codeOf(open({ apiKey: "hi_live_nobody" }).invoke("Hi")), ["MODEL_AUTHENTICATION", 401]);
      const { apiKey } = await issueKey(tenant.accountId, { requests_per_minute: 1 });
      await open({ apiKey }).invoke("Hi");
      assertEquals(await codeOf(open({ apiKey }).invoke("Hi")), ["MODEL_RATE_LIMIT", 429]);
      service.model.script(tenant.modelName, { steps: [{ status: 400, code: "context_length_exceeded" }] });
      const error = await assertRejects(() => chat.invoke("Hi"), Error);
      assertEquals(error.name, "ContextOverflowError");
    });

    await t.step("a failure in the middle is an error", async () => {
      service.model.script(tenant.modelName, { steps: [{ text: "Half" }, { cut: true }] });
      const read: string[] = [];
      const error = await assertRejects(async () => {
        for await (const { text } of await chat.stream("Hi")) read.push(text);
      }, Error);
      assertMatch(error.message, /language model is unavailable/);
      assertEquals(read.join(""), "Half");
    });

    await t.step("structured output is refused by the name of the parameter", async () => {
      const schema = { title: "title", type: "object", properties: { title: { type: "string" } } };
      const asking = () => chat.withStructuredOutput(schema).invoke("Hi");
      const error = await assertRejects(asking, Error);
      assertMatch(error.message, useResponsesApi ? /text\.format must be text/ : /response_format must be text/);
    });

    await t.step("a request that a 503 refused is sent again: one turn is stored", async () => {
      const { tenant, open } = await start(service, { useResponsesApi });
      let times = 1;
      service.supabase.fault = (path) => path.endsWith("/begin_turn") && times-- > 0 ? "refuse" : "pass";
      assertEquals((await open({ maxRetries: 2 }).invoke("Hi")).text, "Hello world");
      assertEquals(await storedMessages(tenant), ["user: Hi", "assistant: Hello world"]);
    });
  });
}
