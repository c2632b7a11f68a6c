import { join } from "node:path";
import { createClient } from "../../shared/clients/client/client.ts";
import { projectRoot } from "../../supabase/platform/state.ts";
import { assert, assertEquals, assertNotEquals } from "../support/assert.ts";
import { ask, gatewayOf } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { createTenant } from "../support/project.ts";
import { sentenceOf } from "../support/refusals.ts";
import { serve } from "../support/serve.ts";
import { startService } from "../support/service.ts";
import { startTurn, storedAnswer, talk } from "../support/turns.ts";

type Proxies = {
  leakyProxy: (request: Request) => Promise<Response>;
  proxy: (request: Request, userId: string | null) => Promise<Response>;
};

/** The proxies of the page, as they are printed there, for a service and a key. */
async function readProxies(baseUrl: string, apiKey: string): Promise<Proxies> {
  const page = await Deno.readTextFile(join(projectRoot, "supabase/docs/proxy.md"));
  const blocks = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code);
  const code = blocks.filter((code) => code?.includes("process.env.API_KEY")).join("\n");
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  await Deno.writeTextFile(file, code);
  Deno.env.set("BASE_URL", baseUrl);
  Deno.env.set("API_KEY", apiKey);
  return await import(`file://${file}`);
}

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService());
  const gateway = stack.use(serve(gatewayOf(service.url)));
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const { leakyProxy, proxy } = await readProxies(gateway.url, tenant.apiKey);
  const ofOther = await talk(service, tenant, "v", "A secret of v");
  const messages = (await ask(service, "GET", `/threads/${ofOther.threadId}/messages`, tenant)).json.data;
  const questionId = messages[0].id;
  const own = await talk(service, tenant, "u", "For u");
  const context = { coachId: tenant.coachId };

  /** A page's request to its own address; tests never read more of it than this. */
  async function send(
    through: (request: Request) => Promise<Response>,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; text: string; headers: Headers }> {
    const reply = await through(
      new Request(`https://my.app/api/functions/v1${path}`, {
        method,
        headers: { Cookie: "session=mine", Authorization: "Bearer hi_live_guess", "X-API-Key": "hi_live_guess" },
        body: body === undefined ? undefined : JSON.stringify(body),
      }),
    );
    return { status: reply.status, text: await reply.text(), headers: reply.headers };
  }
  const asUser = (request: Request) => proxy(request, "u");
  return handOver(stack, {
    service,
    tenant,
    leakyProxy,
    proxy,
    ofOther,
    messages,
    questionId,
    own,
    context,
    send,
    asUser,
  });
}

Deno.test("the proxies of the page on proxies", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, leakyProxy, ofOther, messages, questionId, own, context, send, asUser } = prepared;

  await t.step("the first one shows everybody's threads to everybody", async () => {
    const threads = await send(leakyProxy, "GET", "/users/v/threads");
    assertEquals([threads.status, JSON.parse(threads.text).data[0].id], [200, ofOther.threadId]);
    const read = await send(leakyProxy, "GET", `/threads/${ofOther.threadId}/messages`);
    assert(read.text.includes("A secret of v"));
    assert((await send(leakyProxy, "GET", `/chat/${ofOther.messageId}/stream`)).text.includes("A secret of v"));
    const said = await send(leakyProxy, "POST", "/chat", { message: "As v", context: { ...context, userId: "v" } });
    assertEquals(said.status, 200);
  });

  await t.step("the second one lets a user read and write what is theirs", async () => {
    const said = await send(asUser, "POST", "/chat", { message: "Hi", context });
    const threadId = said.headers.get("X-Thread-Id")!;
    assertEquals([said.status, said.headers.get("Content-Type")], [200, "text/event-stream; charset=utf-8"]);
    const threads = JSON.parse((await send(asUser, "GET", "/users/me/threads?limit=1")).text);
    assertEquals(threads.data.map(({ id, user_id }: Record<string, string>) => [id, user_id]), [[threadId, "u"]]);
    assert((await send(asUser, "GET", `/threads/${own.threadId}/messages`)).text.includes("For u"));
    assertEquals((await send(asUser, "GET", `/threads/${own.threadId}`)).status, 200);
    assert((await send(asUser, "GET", `/chat/${own.messageId}/stream`)).text.includes("For u"));
    assertEquals((await send(asUser, "GET", "/coaches")).status, 200);
    assertEquals((await send(asUser, "GET", `/coaches/${tenant.coachId}`)).status, 200);
    const feedback = await send(asUser, "PUT", `/threads/${own.threadId}/messages/${own.messageId}/feedback`, {
      rating: "up",
    });
    assertEquals(feedback.status, 200, feedback.text);
    const renamed = await send(asUser, "PATCH", `/threads/${threadId}`, { title: "Renamed" });
    assertEquals([renamed.status, JSON.parse(renamed.text).title], [200, "Renamed"]);
    assertEquals((await send(asUser, "DELETE", `/threads/${threadId}`)).status, 200);
  });

  await t.step("nothing of another user can be read, changed or gone on with, whatever the page says", async () => {
    const running = await startTurn(service, tenant, {
      said: ["Secret so far"],
      body: { context: { ...context, userId: "v" } },
    });
    const { threadId, messageId } = ofOther;
    const message = "Let me in";
    const mine = { ...context, userId: "v", isAuthenticated: true };
    const calls: [method: string, path: string, body?: unknown][] = [
      ["GET", "/users/v/threads"],
      ["GET", `/threads/${threadId}`],
      ["GET", `/threads/${threadId}/messages`],
      ["GET", `/threads/${own.threadId}/../${threadId}/messages`],
      ["GET", `/threads/${own.threadId}%2f..%2f${threadId}/messages`],
      ["GET", `/threads//${threadId}/messages`],
      ["PATCH", `/threads/${threadId}`, { title: "Mine now" }],
      ["DELETE", `/threads/${threadId}`],
      ["PUT", `/threads/${threadId}/messages/${messageId}/feedback`, { rating: "down" }],
      ["PUT", `/threads/${own.threadId}/messages/${messageId}/feedback`, { rating: "down" }],
      ["POST", "/chat", { message, thread_id: threadId, context: mine }],
      ["POST", "/chat", { message, new_thread_id: threadId, context: mine }],
      ["POST", "/chat", { message, thread_id: own.threadId, replaces: questionId, context: mine }],
      ["GET", `/chat/${messageId}/stream`],
      ["GET", `/chat/${running.messageId}/stream`],
      ["POST", `/chat/${running.messageId}/stop`],
      ["POST", `/chat/${messageId}/retry`],
      ["GET", `/knowledge-handler?coachId=${tenant.coachId}`],
      ["POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" }],
      ["GET", `/coaches/${tenant.coachId}/threads`],
      ["GET", "/docs/openapi.json"],
    ];
    for (const [method, path, body] of calls) {
      const { status, text } = await send(asUser, method, path, body);
      assertEquals(status, 404, `${method} ${path} ${text}`);
      assert(!/secret/i.test(text), `${method} ${path} ${text}`);
    }
    assertEquals((await storedAnswer(running.messageId)).status, "streaming");
    running.goOn();
    await service.turns();
    const { json } = await ask(service, "GET", `/threads/${threadId}/messages`, tenant);
    assertEquals(json.data, messages);
  });
});

Deno.test("the proxies of the page on proxies: what a user may do", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, proxy, ofOther, own, context, send, asUser } = prepared;

  await t.step("a new conversation belongs to the user of the session, whoever the page names", async () => {
    const said = await send(asUser, "POST", "/chat", { message: "Hi", context: { ...context, userId: "v" } });
    const { json } = await ask(service, "GET", `/threads/${said.headers.get("X-Thread-Id")}`, tenant);
    assertEquals(json.user_id, "u");
  });

  await t.step("a user may stop their own answer", async () => {
    const running = await startTurn(service, tenant, { said: ["So far"] });
    assertEquals((await send(asUser, "POST", `/chat/${running.messageId}/stop`)).status, 200);
    assertEquals((await storedAnswer(running.messageId)).status, "stopped");
    running.goOn();
  });

  await t.step("a user may have their own answer written again, one that failed as well", async () => {
    service.model.script(tenant.modelName, { steps: [{ cut: true }] });
    const failed = await send(asUser, "POST", "/chat", { message: "Hi", context });
    assertEquals(failed.status, 502);
    service.model.script(tenant.modelName, { steps: [{ text: "Now it works" }] });
    const again = await send(asUser, "POST", `/chat/${failed.headers.get("X-Message-Id")}/retry`);
    assertEquals([again.status, again.text.includes("Now it works")], [200, true]);
  });

  await t.step("without a session nothing is sent on", async () => {
    for (const path of ["/coaches", "/users/me/threads", `/threads/${own.threadId}`]) {
      const { status, text } = await send((request) => proxy(request, null), "GET", path);
      assertEquals([status, JSON.parse(text)], [401, { error: sentenceOf("sign_in_first") }]);
    }
  });

  await t.step("bodies that are no messages are refused by the service", async () => {
    for (const body of [null, "text", [], { message: 1 }]) {
      assertEquals((await send(asUser, "POST", "/chat", body)).status, 400);
    }
    const reply = await proxy(
      new Request("https://my.app/functions/v1/chat", { method: "POST", body: "no JSON" }),
      "u",
    );
    assertEquals(reply.status, 400);
    await reply.body?.cancel();
  });

  await t.step("the answer is passed on while it is written, to the typed client as well", async () => {
    await using backend = serve((request) => proxy(request, "u"));
    const more = Promise.withResolvers<void>();
    const steps = [{ text: "One" }, { waitFor: more.promise }, { text: " two" }];
    service.model.script(tenant.modelName, { steps });
    const client = createClient({ baseUrl: `${backend.url}/api` });
    const answer = await client.chat({ message: "Count", context });
    const pieces = answer[Symbol.asyncIterator]();
    assertEquals((await pieces.next()).value, "One");
    more.resolve();
    assertEquals((await pieces.next()).value, " two");
    await pieces.next();
    assertEquals(answer.ending?.status, "complete");
    assertNotEquals((await client.listThreads("me")).count, 0);
    const error = await client.getThread(ofOther.threadId).catch((error) => error);
    assertEquals([error.status, error.message], [404, "Not found"]);
  });
});
