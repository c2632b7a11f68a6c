import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { ask, assertReply } from "../support/client.ts";
import { deleteRows, objectsOf, sweep, uploadAndIndex } from "../support/knowledge.ts";
import { eventually } from "../support/eventually.ts";
import { createTenant, operator, type Tenant } from "../support/project.ts";
import { type Service, startService } from "../support/service.ts";
import { storeAnswer } from "../support/turns.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook_receiver.ts";

const allowing = { env: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: "true" } };

/** Gives an account a webhook at a path of the receiver. */
async function setWebhook({ accountId }: Tenant, receiver: WebhookReceiver, path: string): Promise<void> {
  const { data } = await operator.rpc("set_webhook", { account_id: accountId, url: receiver.url + path })
    .throwOnError();
  receiver.secrets[path] = (data as { secret: string }).secret;
}

async function readWebhook({ accountId }: Tenant) {
  const { data } = await operator.rpc("read_webhook", { account_id: accountId }).throwOnError();
  return data as { waiting: number; last_error: string | null; last_delivered_at: string | null; is_active: boolean };
}

/** Sweeps until nothing of an account waits that may be sent: other tests may have work too. */
async function deliver(service: Service, receiver: WebhookReceiver, messages: number): Promise<void> {
  for (let sweeps = 0; receiver.received.length < messages && sweeps < 20; sweeps++) await sweep(service);
}

/** Has a user give an answer a thumbs-down. */
async function rateDown(service: Service, tenant: Tenant) {
  const { threadId, messageId } = await storeAnswer(tenant, { content: "Hidden words", status: "complete" });
  const path = `/threads/${threadId}/messages/${messageId}/feedback`;
  assertReply(await ask(service, "PUT", path, tenant, { rating: "down", comment: "Hidden comment" }), 200);
  return { threadId, messageId };
}

Deno.test("the webhook of an account is told what an expert should hear of", async (t) => {
  await using receiver = startWebhookReceiver();
  await using service = await startService(allowing);
  const tenant = await createTenant();
  const other = await createTenant();
  const without = await createTenant();
  await setWebhook(tenant, receiver, "/tenant");
  await setWebhook(other, receiver, "/other");

  await t.step("a thumbs-down: ids, signed, only to its account, and nothing of what was said", async () => {
    const { threadId, messageId } = await rateDown(service, tenant);
    await rateDown(service, without);
    await sweep(service);
    await deliver(service, receiver, 1);
    assertEquals(receiver.forged, 0);
    assert(receiver.received.length > 0);
    const down = receiver.received.find(({ type }) => type === "feedback.down")!;
    assertEquals(down.data, { coach_id: tenant.coachId, thread_id: threadId, message_id: messageId });
    assertEquals(new Set(receiver.received.map(({ path }) => path)), new Set(["/tenant"]));
    assert(!JSON.stringify(receiver.received).includes("Hidden"));
    // What the rating has opened, says how often it was asked.
    for (const { data } of receiver.received.filter(({ data }) => data.question_id !== undefined)) {
      assertMatch(data.question_id, /^[0-9a-f-]{36}$/);
      assertEquals([data.times, data.people], [1, 1]);
    }
    assertEquals((await readWebhook(tenant)).waiting, 0);
  });

  await t.step("a question that waits for the expert", async () => {
    receiver.received.length = 0;
    const { threadId } = await storeAnswer(other, { content: "Said", status: "complete" });
    await operator.from("threads").update({ taken_over_until: new Date(Date.now() + 60_000).toISOString() })
      .eq("id", threadId).throwOnError();
    await ask(service, "POST", "/chat", other, { message: "Is anybody there?", thread_id: threadId });
    await deliver(service, receiver, 1);
    assertEquals(receiver.received.map(({ type, path, data }) => [type, path, data.thread_id]), [
      ["thread.needs_expert", "/other", threadId],
    ]);
  });

  await t.step("a test message, as an operator asks for it", async () => {
    receiver.received.length = 0;
    const { data } = await operator.rpc("test_webhook", { account_id: tenant.accountId }).throwOnError();
    await deliver(service, receiver, 1);
    assertEquals(receiver.received.map(({ id, type, data }) => [id, type, data]), [
      [(data as { id: string }).id, "webhook.test", {}],
    ]);
  });

  await t.step("what fails stays, with the reason; neither the address nor the secret is in a log line", async () => {
    receiver.answer = () => new Response("Do not read this", { status: 500 });
    receiver.received.length = 0;
    await operator.rpc("test_webhook", { account_id: tenant.accountId }).throwOnError();
    await deliver(service, receiver, 1);
    const { waiting, last_error } = await readWebhook(tenant);
    assertEquals([waiting, last_error], [1, "It answered 500"]);
    const lines = JSON.stringify(await service.logs());
    assertMatch(lines, /webhooks_sent/);
    for (const secret of [receiver.secrets["/tenant"]!, "/tenant", "Do not read"]) assert(!lines.includes(secret));
  });

  await t.step("whatever else is due does not wait for a slow receiver", async () => {
    await uploadAndIndex(service, other, ["old.txt", "What was known."]);
    receiver.answer = async () => {
      await eventually(async () => (await objectsOf(other.accountId)).length === 0, "the object is removed", 8);
      return new Response(null, { status: 204 });
    };
    receiver.received.length = 0;
    await operator.rpc("test_webhook", { account_id: other.accountId }).throwOnError();
    await deleteRows(other.coachId);
    assertEquals((await objectsOf(other.accountId)).length, 1);
    await deliver(service, receiver, 1);
    assertEquals((await readWebhook(other)).waiting, 0);
  });

  await t.step("410 switches it off", async () => {
    receiver.answer = () => new Response(null, { status: 410 });
    await operator.rpc("test_webhook", { account_id: other.accountId }).throwOnError();
    receiver.received.length = 0;
    await deliver(service, receiver, 1);
    assertEquals((await readWebhook(other)).is_active, false);
    const { error } = await operator.rpc("test_webhook", { account_id: other.accountId });
    assertEquals(error?.code, "PT409");
  });
});

Deno.test("nothing is sent to private networks unless the operator allows it", async () => {
  await using receiver = startWebhookReceiver();
  await using service = await startService();
  const tenant = await createTenant();
  const reasons: Record<string, string> = {
    [receiver.url]: "The address must begin with https://",
    [receiver.url.replace("http:", "https:")]:
      "The address is not on the public internet, but in a private or special network",
    "https://169.254.169.254/latest/meta-data":
      "The address is not on the public internet, but in a private or special network",
  };
  for (const [url, reason] of Object.entries(reasons)) {
    await operator.rpc("set_webhook", { account_id: tenant.accountId, url }).throwOnError();
    await operator.rpc("test_webhook", { account_id: tenant.accountId }).throwOnError();
    await sweep(service);
    const { waiting, last_error } = await readWebhook(tenant);
    assertEquals([waiting, last_error], [1, reason], url);
    await operator.rpc("remove_webhook", { account_id: tenant.accountId }).throwOnError();
  }
  assertEquals([receiver.received, receiver.forged], [[], 0]);
});
