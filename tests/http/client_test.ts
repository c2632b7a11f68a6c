import { type Client } from "../../shared/clients/client/client.ts";
import { generateFiles } from "../../shared/api/docs/generate.ts";
import { ServiceError } from "../../shared/clients/client/service_error.ts";
import type { Session } from "../../shared/clients/client/session.ts";
import { assert, assertEquals, assertRejects } from "../support/assert.ts";
import { clientOf, gatewayOf } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { finishIndexing } from "../support/knowledge.ts";
import { createTenant, createUser, publishableKey } from "../support/project.ts";
import { type Refusal, told } from "../support/refusals.ts";
import { startService } from "../support/service.ts";
import { startTurn } from "../support/turns.ts";

async function assertServiceError(call: () => Promise<unknown>, status: number, error: string): Promise<ServiceError> {
  const failure = await assertRejects(call, ServiceError);
  assertEquals([failure.status, failure.message], [status, error]);
  return failure;
}

/** Checks that a call is refused by the service. */
async function assertRefused(call: () => Promise<unknown>, refusal: Refusal, what?: string): Promise<ServiceError> {
  const { status, code, error } = told(refusal, what);
  const failure = await assertServiceError(call, status, error);
  assertEquals([failure.code, failure.body.error], [code, error]);
  return failure;
}

type Send = (request: Request) => Promise<Response>;

/** A network on which each of the next streams breaks after a number of texts; null: the request fails immediately. */
function breakStreams(url: string, afterTexts: (number | null)[]): Send {
  const gateway = gatewayOf(url);
  const next = [...afterTexts];
  return async (request) => {
    const after = next.shift();
    if (after === null) throw new TypeError("The network is away");
    const response = await gateway(request);
    if (after === undefined || response.body === null) return response;
    let texts = 0;
    // Event by event: how many arrive with one read depends on the network.
    const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(
      new TransformStream<string, string>({
        transform(part, controller) {
          for (const piece of part.split(/(?<=\n\n)/)) {
            if (piece.startsWith("event: delta") && texts++ === after) throw new TypeError("The connection broke");
            controller.enqueue(piece);
          }
        },
      }),
    );
    return new Response(events.pipeThrough(new TextEncoderStream()), response);
  };
}

Deno.test("the document that is served and the types of the client are those of the operations: npm run client", async () => {
  const read = (path: string) => Deno.readTextFile(new URL(`../../shared/${path}`, import.meta.url));
  for (const [path, text] of await generateFiles()) assertEquals(await read(path), text);
});

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService());
  const tenant = await createTenant();
  const client = clientOf(service, tenant);
  const context = { coachId: tenant.coachId, userId: "u" };
  return handOver(stack, { service, tenant, client, context });
}

Deno.test("the client, as an application uses it", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, client, context } = prepared;

  await t.step("chats: the answer arrives piece by piece, and the thread can be continued", async () => {
    const more = Promise.withResolvers<void>();
    const steps = [{ text: "One" }, { waitFor: more.promise }, { text: "\ntwo" }];
    service.model.script(tenant.modelName, { steps }, { steps: [{ text: "Three" }] });
    const answer = await client.chat({ message: "Count", context });
    const pieces = answer[Symbol.asyncIterator]();
    assertEquals((await pieces.next()).value, "One");
    assertEquals(answer.ending, null);
    more.resolve();
    assertEquals((await pieces.next()).value, "\ntwo");
    assertEquals((await pieces.next()).done, true);
    const { status, sources, usage } = answer.ending!;
    assertEquals([status, sources, typeof usage?.output_tokens], ["complete", [], "number"]);

    const next = await client.chat({ message: "Again", thread_id: answer.threadId });
    assertEquals((await Array.fromAsync(next)).join(""), "Three");
    assertEquals(next.threadId, answer.threadId);
    const { data, count } = await client.listMessages(answer.threadId);
    assertEquals([count, data[1]?.id, data[1]?.content], [4, answer.messageId, "One\ntwo"]);
  });

  await t.step("lists threads, whole and page by page", async () => {
    await Array.fromAsync(await client.chat({ message: "Another", context }));
    const { data } = await client.listThreads("u");
    assertEquals(data.map(({ title }) => title), ["Another", "Count"]);
    const first = await client.listThreads("u", { limit: 1 });
    const second = await client.listThreads("u", { limit: 1, cursor: first.next_cursor! });
    assertEquals([first, second].flatMap(({ data }) => data.map(({ title }) => title)), ["Another", "Count"]);
    assertEquals((await client.listThreads("a user/with?odd#signs", { coachId: tenant.coachId })).data, []);
  });

  await t.step("uploads, searches and deletes files", async () => {
    const files = [new File(["Foxes sleep by day."], "foxes.md"), new File([""], "empty.txt")];
    const { uploadedFiles, failedFiles } = await client.uploadFiles(tenant.coachId, files);
    assertEquals(failedFiles.map(({ filename }) => filename), ["empty.txt"]);
    await finishIndexing(service, tenant.coachId);
    const { data, total } = await client.searchFiles({ coachId: tenant.coachId, search: "foxes" });
    assertEquals([total, data[0]?.fileId, data[0]?.status], [1, uploadedFiles[0]?.fileId, "ready"]);
    assertEquals((await client.deleteFile(tenant.coachId, data[0]!.fileId)).fileId, data[0]!.fileId);
    await assertRefused(() => client.deleteFile(tenant.coachId, data[0]!.fileId), "file_not_found");
  });

  await t.step("uploads and chats with the same key are done once", async () => {
    const files = () => [new File(["Once."], "once.md")];
    const [first, second] = [
      await client.uploadFiles(tenant.coachId, files(), { idempotencyKey: "upload" }),
      await client.uploadFiles(tenant.coachId, files(), { idempotencyKey: "upload" }),
    ];
    assertEquals(second, first);
    const ids = [];
    for (let count = 0; count < 2; count++) {
      const answer = await client.chat({ message: "Once", context }, { idempotencyKey: "chat" });
      await Array.fromAsync(answer);
      ids.push(answer.messageId);
    }
    assertEquals(ids[0], ids[1]);
  });

  await t.step("stops an answer that another request has begun", async () => {
    const turn = await startTurn(service, tenant, { said: ["So far"] });
    const { message } = await client.stopAnswer(turn.messageId);
    assertEquals([message.id, message.content], [turn.messageId, "So far"]);
    turn.goOn();
  });

  await t.step("follows an answer that another request has begun", async () => {
    const turn = await startTurn(service, tenant, { said: ["From afar"], rest: [{ text: ", all of it" }] });
    turn.goOn();
    const answer = await client.followAnswer(turn.messageId);
    assertEquals((await Array.fromAsync(answer)).join(""), "From afar, all of it");
    assertEquals(answer.ending?.status, "complete");
    const rest = await client.followAnswer(turn.messageId, { lastEventId: "9" });
    assertEquals((await Array.fromAsync(rest)).join(""), ", all of it");
  });
});

Deno.test("the client, when connections break", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, context } = prepared;

  await t.step("continues over a new connection when one breaks, and no text is lost", async () => {
    const breaks: [afterReads: (number | null)[], waits: number[]][] = [
      [[0], [500]],
      [[1], [500]],
      // Reconnects without end as long as each connection brings text.
      [[1, 1, 2, 1, 2, 1], [500, 500, 500, 500, 500, 500]],
      [[1, null, null], [500, 1_000, 2_000]],
    ];
    for (const [afterReads, expected] of breaks) {
      const steps = [{ text: "Never " }, { text: "lose " }, { text: "a word 😀" }];
      service.model.script(tenant.modelName, { steps });
      const waits: number[] = [];
      const answer = await clientOf(service, tenant, {
        send: breakStreams(service.url, afterReads),
        backOff: { sleep: (milliseconds) => Promise.resolve(void waits.push(milliseconds)) },
      }).chat({ message: "Promise?", context });
      assertEquals((await Array.fromAsync(answer)).join(""), "Never lose a word 😀", `after ${afterReads}`);
      assertEquals(answer.ending?.status, "complete");
      // How many reads the text takes depends on the network, so not every break has to happen.
      assertEquals(waits.filter((wait) => !expected.includes(wait)), []);
    }
  });

  await t.step("gives up after half a minute without text, with a sentence; at once when it is refused", async () => {
    let waited = 0;
    const sleep = (milliseconds: number) => Promise.resolve(void (waited += milliseconds));
    service.model.script(tenant.modelName, { steps: [{ text: "Half" }, { text: " whole" }] });
    const send = breakStreams(service.url, [0, ...Array(10).fill(null)]);
    const lost = await clientOf(service, tenant, { send, backOff: { sleep } }).chat({ message: "Promise?", context });
    const failure = await assertRejects(() => Array.fromAsync(lost), TypeError, "The service cannot be reached.");
    assertEquals([(failure.cause as Error).message, waited], ["The network is away", 31_500]);
    await service.turns();

    const gateway = breakStreams(service.url, [0]);
    let requests = 0;
    const refused = await clientOf(service, tenant, {
      send: (request) => {
        if (++requests > 1) request.headers.set("X-API-Key", "x");
        return gateway(request);
      },
      backOff: { sleep },
    }).chat({ message: "Promise?", context });
    await assertRefused(() => Array.fromAsync(refused), "invalid_api_key");
    assertEquals(requests, 2);
  });

  await t.step("a 503 while resuming is retried", async () => {
    service.model.script(tenant.modelName, { steps: [{ text: "Worth" }, { text: " waiting for" }] });
    const gateway = breakStreams(service.url, [0]);
    let requests = 0;
    const answer = await clientOf(service, tenant, {
      send: (request) =>
        ++requests === 2
          ? Promise.resolve(Response.json({ error: "The service is starting" }, { status: 503 }))
          : gateway(request),
      backOff: { sleep: () => Promise.resolve() },
    }).chat({ message: "Promise?", context });
    assertEquals((await Array.fromAsync(answer)).join(""), "Worth waiting for");
  });

  await t.step("aborting while an answer is being resumed takes effect at once", async () => {
    const controller = new AbortController();
    const answer = await clientOf(service, tenant, { send: breakStreams(service.url, [0]) })
      .chat({ message: "Promise?", context }, { signal: controller.signal });
    const rest = Array.fromAsync(answer);
    controller.abort(new DOMException("Enough", "AbortError"));
    await assertRejects(() => rest, DOMException, "Enough");
  });
});

Deno.test("the client, when something fails", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, client, context } = prepared;

  await t.step("a failed answer throws where it is read, after the text that arrived before", async () => {
    service.model.script(tenant.modelName, { steps: [{ text: "Half" }, { cut: true }] });
    const requestIds: (string | null)[] = [];
    const gateway = gatewayOf(service.url);
    const answer = await clientOf(service, tenant, {
      async send(request) {
        const response = await gateway(request);
        requestIds.push(response.headers.get("X-Request-Id"));
        return response;
      },
    }).chat({ message: "Fail", context });
    const read: string[] = [];
    const failure = await assertRefused(async () => {
      for await (const text of answer) read.push(text);
    }, "model_unavailable");
    assertEquals([failure.code, failure.body], ["model_unavailable", { error: failure.message }]);
    assertEquals(requestIds, [failure.requestId]);
    assertEquals([read, answer.ending], [["Half"], null]);
  });

  await t.step("a caller may stop reading, and abort any call", async () => {
    const turn = Promise.withResolvers<void>();
    service.model.script(tenant.modelName, { steps: [{ text: "First" }, { waitFor: turn.promise }, { text: "rest" }] });
    const answer = await client.chat({ message: "Long", context });
    for await (const text of answer) {
      assertEquals(text, "First");
      break;
    }
    turn.resolve();
    const signal = AbortSignal.abort(new DOMException("No more", "AbortError"));
    const calls = [
      () => client.chat({ message: "Hi", context }, { signal }),
      () => client.followAnswer(answer.messageId, { signal }),
      () => client.stopAnswer(answer.messageId, { signal }),
      () => client.listCoaches({}, { signal }),
      () => client.getCoach(tenant.coachId, { signal }),
      () => client.listThreads("u", {}, { signal }),
      () => client.listMessages(answer.threadId, {}, { signal }),
      () => client.uploadFiles(tenant.coachId, [new File(["x"], "x.md")], { signal }),
      () => client.searchFiles({ coachId: tenant.coachId }, { signal }),
      () => client.deleteFile(tenant.coachId, "x", { signal }),
    ];
    for (const call of calls) await assertRejects(call, DOMException, "No more");
  });

  await t.step("every refusal is a ServiceError with the service's code, message and request id", async () => {
    const calls: [() => Promise<unknown>, Refusal, what?: string][] = [
      [() => client.chat({ message: " ", context }), "invalid_input", "message must not be blank"],
      [() => client.chat({ message: "Hi", context: { coachId: "nobody" } }), "coach_not_found"],
      [() => client.getCoach("nobody"), "coach_not_found"],
      [() => client.listMessages(crypto.randomUUID()), "thread_not_found"],
      [() => client.searchFiles({ coachId: "nobody" }), "coach_not_found"],
      [() => client.uploadFiles(tenant.coachId, []), "invalid_input", "files is required"],
      [() => client.stopAnswer(crypto.randomUUID()), "message_not_found"],
      [() => client.followAnswer(crypto.randomUUID()), "message_not_found"],
      [() => clientOf(service, { apiKey: "x" }).listThreads("u"), "invalid_api_key"],
    ];
    for (const [call, ...refusal] of calls) {
      const { requestId } = await assertRefused(call, ...refusal);
      assert(requestId, refusal[0]);
    }
  });

  await t.step("a reply that does not come from the service is an error, whatever its status", async () => {
    const replies: [Response, number, string][] = [
      [
        new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "Content-Type": "text/html" } }),
        502,
        "text/html",
      ],
      [new Response(null, { status: 502, headers: { "Content-Length": "0" } }), 502, "no body"],
      [new Response("<h1>Hello</h1>", { headers: { "Content-Type": "text/html" } }), 200, "text/html"],
    ];
    for (const [response, status, type] of replies) {
      let requests = 0;
      const client = clientOf(service, tenant, {
        send: () => Promise.resolve(response.clone()).finally(() => requests++),
      });
      const calls = [
        () => client.listThreads("u"),
        () => client.chat({ message: "Hi", context }),
        () => client.followAnswer(crypto.randomUUID()),
      ];
      const error = `The service answered with status ${status} and ${type}`;
      for (const call of calls) assertEquals((await assertServiceError(call, status, error)).code, null);
      assertEquals(requests, calls.length);
    }
    const gatewayWords = Response.json({ message: "No API key found in request", hint: "…" }, { status: 401 });
    const client = clientOf(service, tenant, { supabaseKey: "sb_1", send: () => Promise.resolve(gatewayWords) });
    await assertServiceError(() => client.signIn("a@example.com", "p"), 401, "No API key found in request");
  });

  await t.step("accepts an address that ends in a slash", async () => {
    const client = clientOf(service, tenant, { baseUrl: `${service.url}///` });
    assertEquals((await client.listThreads("nobody")).count, 0);
  });
});

Deno.test("a client that exceeds its limit waits as long as Retry-After says, and then succeeds", async () => {
  await using service = await startService();
  const [spent, fresh] = [await createTenant({ requests_per_minute: 1 }), await createTenant()];
  let { apiKey } = spent;
  const delays: number[] = [];
  const gateway = gatewayOf(service.url);
  const client = clientOf(service, spent, {
    send(request) {
      request.headers.set("X-API-Key", apiKey);
      return gateway(request);
    },
    backOff: {
      random: () => 0,
      sleep(milliseconds) {
        delays.push(milliseconds);
        // A fresh key has the effect of the next minute.
        apiKey = fresh.apiKey;
        return Promise.resolve();
      },
    },
  });
  await client.listThreads("u");
  assertEquals((await client.listThreads("u")).count, 0);
  assertEquals(delays.length, 1);
  assert(delays[0]! >= 1_000 && delays[0]! <= 60_000 && delays[0]! % 1_000 === 0, String(delays));

  const impatient = await createTenant({ requests_per_minute: 1 });
  const refused = clientOf(service, impatient, { backOff: { retries: 0 } });
  await refused.listThreads("u");
  const { body } = await assertRefused(() => refused.listThreads("u"), "rate_limit_exceeded");
  assert(body.retryAfter! >= 1);
});

Deno.test("a client that signs a user in", async (t) => {
  await using service = await startService();
  const tenant = await createTenant();
  const user = await createUser();
  const clock = { ahead: 0 };
  const sessions: (Session | null)[] = [];
  const create = (session: Session | null): Client =>
    clientOf(service, tenant, {
      supabaseKey: publishableKey,
      session,
      onSession: (session) => sessions.push(session),
      now: () => Date.now() + clock.ahead,
    });
  const client = create(null);

  await t.step("acts as that user from then on", async () => {
    assertEquals((await client.signIn(user.email, user.password)).userId, user.id);
    const answer = await client.chat({ message: "It is me", context: { coachId: tenant.coachId } });
    await Array.fromAsync(answer);
    assertEquals((await client.listThreads(user.id)).data.map(({ user_id }) => user_id), [user.id]);
    await assertRefused(() => client.listThreads("u"), "user_mismatch");
  });

  await t.step("renews the token five minutes before it expires", async () => {
    assertEquals(sessions.length, 1);
    clock.ahead = 54 * 60_000;
    await client.listThreads(user.id);
    assertEquals(sessions.length, 1);
    clock.ahead = 56 * 60_000;
    await Promise.all(Array.from({ length: 5 }, () => client.listThreads(user.id)));
    assertEquals(sessions.length, 2);
    assert(sessions[1]?.refreshToken !== sessions[0]?.refreshToken);
  });

  await t.step("continues a stored session", async () => {
    const again = create(sessions.at(-1)!);
    assertEquals((await again.listThreads(user.id)).count, 1);
  });

  await t.step("acts for the key alone after signing out", async () => {
    client.signOut();
    assertEquals(sessions.at(-1), null);
    assertEquals((await client.listThreads("u")).count, 0);
  });

  await t.step("a wrong password is refused in the words of the login service", async () => {
    await assertServiceError(() => client.signIn(user.email, "wrong"), 400, "Invalid login credentials");
  });
});
