import OpenAI from "openai";
import { assert, assertEquals, assertMatch, assertRejects } from "../../support/assert.ts";
import { ask } from "../../support/client.ts";
import { openaiOf } from "../../support/openai_clients.ts";
import { createTenant } from "../../support/project.ts";
import { startService } from "../../support/service.ts";
import { storedAnswer } from "../../support/turns.ts";

Deno.test("the official client talks to a coach", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const openai = openaiOf(service, tenant);
  const messages = [{ role: "user" as const, content: "What do engines need?" }];
  const { coachId: model } = tenant;

  await t.step("lists the coaches as models", async () => {
    const { data } = await openai.models.list();
    assertEquals(data.map(({ id, object }) => [id, object]), [[model, "model"]]);
    assertEquals(await openai.models.retrieve(model), data[0]);
    await assertRejects(() => openai.models.retrieve("nobody"), OpenAI.NotFoundError);
  });

  await t.step("gets a whole completion", async () => {
    const { data, response } = await openai.chat.completions.create({ model, messages }).withResponse();
    assertEquals(data.choices[0]!.message.content, "Hello world");
    assertEquals([data.object, data.model, data.choices[0]!.finish_reason], ["chat.completion", model, "stop"]);
    const messageId = response.headers.get("X-Message-Id")!;
    assertEquals(data.id, `chatcmpl-${messageId}`);
    const { content, input_tokens, output_tokens } = await storedAnswer(messageId);
    assertEquals(content, "Hello world");
    assertEquals([data.usage!.prompt_tokens, data.usage!.completion_tokens], [input_tokens!, output_tokens!]);
  });

  await t.step("gets a stream", async () => {
    const stream = await openai.chat.completions.create({
      model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await Array.fromAsync(stream);
    assertEquals(new Set(chunks.map(({ id }) => id)).size, 1);
    assertEquals(chunks[0]!.choices[0]!.delta.role, "assistant");
    assertEquals(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join(""), "Hello world");
    assertEquals(chunks.at(-2)!.choices[0]!.finish_reason, "stop");
    assertEquals(chunks.at(-1)!.choices, []);
    assert(chunks.at(-1)!.usage!.total_tokens > 0);
  });

  await t.step("a turn that stands alone is in no list unless asked for", async () => {
    const { response } = await openai.chat.completions.create({ model, messages, user: "alone" }).withResponse();
    const threadId = response.headers.get("X-Thread-Id")!;
    assertMatch(threadId, /^[0-9a-f-]{36}$/);
    assertEquals((await ask(service, "GET", "/users/alone/threads", tenant)).json.count, 0);
    const { json } = await ask(service, "GET", "/users/alone/threads?standalone=true", tenant);
    assertEquals(json.data.map(({ id }: { id: string }) => id), [threadId]);
  });
});
