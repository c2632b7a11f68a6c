import { delay } from "../../shared/libs/base/std/async.ts";
import { assertEquals, assertRejects } from "../support/assert.ts";
import { ask, assertRefused, assertReply, chat, send } from "../support/client.ts";
import type { Step } from "../support/model_server.ts";
import { createTenant } from "../support/project.ts";
import { startService } from "../support/service.ts";

/** Short enough for a quick test, long enough for a busy machine. */
const impatient = { firstChunk: 400, betweenChunks: 400, turn: 3_000 };

Deno.test("when the model is slow, headers are sent before the text, then comments until it comes", async () => {
  await using service = await startService({ timeouts: { quiet: 50 } });
  const tenant = await createTenant();
  const thought = Promise.withResolvers<void>();
  service.model.script(tenant.modelName, { steps: [{ waitFor: thought.promise }, { text: "At last" }] });
  const response = await send(service, "POST", "/chat", tenant, {
    message: "Think",
    context: { coachId: tenant.coachId },
  });
  assertEquals(response.status, 200);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  assertEquals((await reader.read()).value, ": ping\n\n");
  assertEquals((await reader.read()).value, ": ping\n\n");
  thought.resolve();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) rest += part.value;
  assertEquals(rest.replaceAll(": ping\n\n", ""), "data: At last\n\n");
});

Deno.test("a response of the model that sends only comments times out", async () => {
  await using service = await startService({ timeouts: { ...impatient, betweenChunks: 300 } });
  const tenant = await createTenant();
  const comments: Step[] = Array.from({ length: 20 }, (_, index) => [
    { waitFor: delay(50 * index) },
    { bytes: ": keep-alive\n\n" },
  ]).flat();
  service.model.script(tenant.modelName, { steps: [{ text: "One" }, ...comments, { text: " two" }] });
  const response = await send(service, "POST", "/chat", tenant, {
    message: "Go",
    context: { coachId: tenant.coachId },
  });
  await assertRejects(() => response.text());
});

Deno.test("ids and token counts that Postgres cannot store do not fail the answer", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  service.model.script(tenant.modelName, {
    responseId: "resp_\0\ud800",
    steps: [{ text: "Whole" }, { end: true, usage: { input_tokens: 1.5, output_tokens: 3e9 } }],
  });
  const { answer } = await chat(service, tenant, { message: "Go", context: { coachId: tenant.coachId } });
  assertEquals(answer, "Whole");
});

Deno.test("without a key for the model, lists work and chat says that the model is not set up", async () => {
  await using service = await startService({ env: { OPENAI_BASE_URL: "", OPENAI_API_KEY: "" } });
  const tenant = await createTenant();
  assertReply(await ask(service, "GET", "/users/u/threads", tenant), 200, { data: [], count: 0 });
  const reply = await ask(service, "POST", "/chat", tenant, { message: "Hi", context: { coachId: tenant.coachId } });
  assertRefused(reply, "model_misconfigured");
});
