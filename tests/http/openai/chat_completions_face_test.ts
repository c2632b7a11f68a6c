import OpenAI from "openai";
import { assert, assertEquals, assertMatch, assertRejects } from "../../support/assert.ts";
import { ask } from "../../support/client.ts";
import { openaiOf } from "../../support/openai_clients.ts";
import { createCoach, createTenant, issueKey, operator } from "../../support/project.ts";
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
    const { data: account } = await operator.from("accounts").select("name").eq("id", tenant.accountId).single()
      .throwOnError();
    const { data: coach } = await operator.from("coach_profiles").select("name, title, slug").eq("id", model).single()
      .throwOnError();
    const { created, ...described } = data[0]! as unknown as
      & OpenAI.Model
      & Record<"name" | "description" | "slug", string | null>;
    assertEquals(data.length, 1);
    assertEquals(described, {
      id: model,
      object: "model",
      owned_by: account.name,
      name: coach.name,
      description: coach.title,
      slug: coach.slug,
    });
    assert(Number.isInteger(created));
    assertEquals(await openai.models.retrieve(model), data[0]);
  });

  await t.step("lists no coach that the key may not reach, and none that is inactive", async () => {
    const others = {
      "of nobody": "nobody",
      "of another account": (await createTenant()).coachId,
      "inactive": (await createCoach(tenant.accountId, { is_active: false })).id,
    };
    const bound = (await createCoach(tenant.accountId)).id;
    const { apiKey } = await issueKey(tenant.accountId, { coach_ids: [bound] });
    const ofBound = openaiOf(service, { apiKey });
    assertEquals((await ofBound.models.list()).data.map(({ id }) => id), [bound]);
    assertEquals((await openai.models.list()).data.map(({ id }) => id).toSorted(), [bound, model].toSorted());
    for (const [name, id] of Object.entries(others)) {
      await assertRejects(() => openai.models.retrieve(id), OpenAI.NotFoundError, undefined, name);
      await assertRejects(() => openai.chat.completions.create({ model: id, messages }), OpenAI.NotFoundError);
    }
    await assertRejects(() => ofBound.models.retrieve(model), OpenAI.NotFoundError);
    const refused = await assertRejects(
      () => ofBound.chat.completions.create({ model, messages }),
      OpenAI.NotFoundError,
    );
    assertEquals([refused.code, refused.param], ["model_not_found", "model"]);
  });

  await t.step("gets a whole completion", async () => {
    const { data, response } = await openai.chat.completions.create({ model, messages }).withResponse();
    assertEquals(data.choices[0]!.message.content, "Hello world");
    assertEquals([data.object, data.model, data.choices[0]!.finish_reason], ["chat.completion", model, "stop"]);
    assertEquals([data.service_tier, data.system_fingerprint as string | null], ["default", null]);
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
    const last = chunks.pop()!;
    assertEquals(chunks.map(({ choices }) => [choices[0]!.delta, choices[0]!.finish_reason]), [
      [{ role: "assistant", content: "" }, null],
      [{ content: "Hello" }, null],
      [{ content: " world" }, null],
      [{}, "stop"],
    ]);
    assertEquals(new Set(chunks.map(({ usage }) => usage)), new Set([null]));
    assertEquals(last.choices, []);
    assert(last.usage!.total_tokens > 0);
  });

  await t.step("gets the parts of the tokens that the model's server reports, streamed or not", async () => {
    const usage = { input_tokens: 100, output_tokens: 20, cached: 40, reasoning: 5 };
    const script = () => service.model.script(tenant.modelName, { steps: [{ text: "Hi" }, { end: true, usage }] });
    script();
    const whole = await openai.chat.completions.create({ model, messages });
    script();
    const body = { model, messages, stream: true, stream_options: { include_usage: true } } as const;
    const chunks = await Array.fromAsync(await openai.chat.completions.create(body));
    for (const counted of [whole.usage, chunks.at(-1)!.usage]) {
      assertEquals(counted, {
        prompt_tokens: 100,
        prompt_tokens_details: { cached_tokens: 40 },
        completion_tokens: 20,
        completion_tokens_details: { reasoning_tokens: 5 },
        total_tokens: 120,
      });
    }
  });

  await t.step("without include_usage, no chunk has any", async () => {
    const chunks = await Array.fromAsync(await openai.chat.completions.create({ model, messages, stream: true }));
    for (const { choices, usage } of chunks) assertEquals([choices.length, usage], [1, undefined]);
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
