import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { ask, assertReply, formOf, receive, send } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { deleteRows, finishIndexing } from "../support/knowledge.ts";
import { openaiUrl } from "../support/openai_clients.ts";
import { createTenant, type Tenant } from "../support/project.ts";
import { type Service, startService } from "../support/service.ts";
import { type ReceivedSpan, startTraceCollector, type TraceCollector } from "../support/trace_collector.ts";

const [server, client] = [2, 3];

/** A `traceparent` of a caller, and its parts. */
function newCaller(flags = "01") {
  const traceId = crypto.randomUUID().replaceAll("-", "");
  const spanId = traceId.slice(8, 24);
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } };
}

/** A service whose spans go to a collector. */
const startTraced = ({ url }: Pick<TraceCollector, "url">, env: Record<string, string> = {}) =>
  startService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, ...env }, timeouts: { gather: 50 } });

const say = (tenant: Tenant, message = "Hi") => ({ message, context: { coachId: tenant.coachId, userId: "ada@home" } });

const isOfServer = ({ kind }: ReceivedSpan) => kind === server;

Deno.test("log lines have the trace of their request", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const traceOf = async (traceparent?: string) => {
    const headers: Record<string, string> = traceparent === undefined ? {} : { traceparent };
    const reply = await ask(service, "POST", "/chat", tenant, say(tenant), { headers });
    assertReply(reply, 200);
    const requestId = reply.headers.get("X-Request-Id");
    const lines = (await service.logs()).filter(({ request_id }) => request_id === requestId);
    assertEquals(lines.map(({ event }) => event).toSorted(), ["request", "turn"]);
    assertEquals(new Set(lines.map(({ trace_id }) => trace_id)).size, 1);
    return String(lines[0]?.trace_id);
  };

  await t.step("that of the caller", async () => {
    const { traceId, headers } = newCaller();
    assertEquals(await traceOf(headers.traceparent), traceId);
  });

  await t.step("or a new one, also for a header that says something else", async () => {
    const seen = [await traceOf(), await traceOf(), await traceOf("00-my-secret-diary-01")];
    for (const traceId of seen) assertMatch(traceId, /^[0-9a-f]{32}$/);
    assertEquals(new Set(seen).size, 3);
    assert(!JSON.stringify(await service.logs()).includes("diary"));
  });

  await t.step("nobody else hears of it", () => {
    assertEquals(service.supabase.traceparents.filter((traceparent) => traceparent !== null), []);
  });
});

Deno.test("spans of a chat", async (t) => {
  await using collector = startTraceCollector();
  await using service = await startTraced(collector, {
    OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=a%20key, x-team=coaches",
    OTEL_SERVICE_NAME: "our-coaches",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test,region=eu%2Cwest",
  });
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const { traceId, spanId, headers } = newCaller();
  const reply = await ask(service, "POST", "/chat?note=my-query", tenant, say(tenant, "My secret diary"), { headers });
  assertReply(reply, 200);
  await service.turns();
  const spans = await collector.traceWith(traceId, isOfServer);
  const [request] = spans.filter(isOfServer);
  const ofModel = spans.filter(({ name }) => name.startsWith("chat "));
  const ofPostgres = spans.filter(({ name }) => name.startsWith("CALL "));

  await t.step("one for the request, one for the model, one for each call of Postgres", () => {
    assertEquals(spans.filter(isOfServer).length, 1);
    assertEquals(ofModel.length, 1);
    const calls = service.supabase.traceparents.filter((traceparent) => traceparent?.includes(traceId));
    assertEquals(ofPostgres.length, calls.length);
    assert(ofPostgres.some(({ name }) => name === "CALL begin_turn"), JSON.stringify(spans));
    assertEquals(spans.length, 2 + ofPostgres.length);
  });

  await t.step("parents and children", () => {
    assertEquals(request?.parentSpanId, spanId);
    for (const { parentSpanId, kind } of [...ofModel, ...ofPostgres]) {
      assertEquals([parentSpanId, kind], [request?.spanId, client]);
    }
    assertEquals(new Set(spans.map(({ spanId }) => spanId)).size, spans.length);
    for (const { startedAt, endedAt } of spans) {
      assert(endedAt >= startedAt && Math.abs(startedAt - Date.now()) < 600_000);
    }
  });

  await t.step("the request, after OpenTelemetry's conventions", () => {
    assertEquals(request?.name, "POST /chat");
    assertEquals(request?.status, 0);
    assertEquals(request?.attributes, {
      "faas.name": "chat",
      "http.request.method": "POST",
      "http.response.status_code": 200,
      "http.response.stream_end": "complete",
      "http.route": "/chat",
      "request.id": reply.headers.get("X-Request-Id"),
      "url.scheme": "http",
    });
    assertEquals(request?.resource, {
      "service.name": "our-coaches",
      "service.version": "1.0.0",
      "deployment.environment.name": "test",
      "region": "eu,west",
    });
  });

  await t.step("the model with its tokens", () => {
    const { attributes, name } = ofModel[0]!;
    assertEquals(name, `chat ${tenant.modelName}`);
    assertEquals(attributes["gen_ai.operation.name"], "chat");
    assertEquals(attributes["gen_ai.request.model"], tenant.modelName);
    for (const kind of ["input", "output"]) assert(Number(attributes[`gen_ai.usage.${kind}_tokens`]) > 0);
    assertEquals(attributes["error.type"], undefined);
  });

  await t.step("Postgres is told its span, the model nothing", () => {
    const told = service.supabase.traceparents.filter((traceparent) => traceparent?.includes(traceId));
    assertEquals(told.toSorted(), ofPostgres.map(({ spanId }) => `00-${traceId}-${spanId}-01`).toSorted());
    const asked = service.model.requestsOf(tenant.modelName);
    assertEquals(asked.map(({ headers }) => headers.traceparent), [undefined]);
  });

  await t.step("the collector gets its headers, and neither keys, users, texts nor queries", () => {
    for (const { path, headers } of collector.requests) {
      assertEquals(path, "/v1/traces");
      assertEquals(headers.get("Content-Type"), "application/json");
      assertEquals([headers.get("x-collector-key"), headers.get("x-team")], ["a key", "coaches"]);
    }
    const sent = collector.requests.map(({ body }) => body).join("\n");
    for (const secret of [tenant.apiKey, "ada@home", "diary", "my-query", reply.text.slice(6, 30), "a key"]) {
      assert(!sent.includes(secret), secret);
    }
  });
});

Deno.test("spans of other requests", async (t) => {
  await using collector = startTraceCollector();
  await using service = await startTraced(collector);
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const follow = async (method: string, path: string, credentials: { apiKey?: string }, body?: unknown) => {
    const { traceId, headers } = newCaller();
    await ask(service, method, path, credentials, body, { headers });
    return { traceId, spans: await collector.traceWith(traceId, isOfServer) };
  };

  await t.step("a path with ids: its pattern", async () => {
    const { spans } = await follow("GET", "/users/ada@home/threads?search=diary", tenant);
    const [request] = spans.filter(isOfServer);
    assertEquals([request?.name, request?.attributes["http.route"]], [
      "GET /users/:userId/threads",
      "/users/:userId/threads",
    ]);
  });

  await t.step("a refusal has its code, and is no failure of the service", async () => {
    const { spans } = await follow("GET", "/users/u/threads", {});
    assertEquals(spans.length, 1);
    const [{ name, status, attributes } = fail()] = spans;
    assertEquals([name, status], ["GET /users/:userId/threads", 0]);
    assertEquals(attributes["http.response.status_code"], 401);
    assertEquals(attributes["http.response.header.x-error-code"], ["missing_api_key"]);
  });

  await t.step("a path that is none: no route, and nothing of it", async () => {
    const { spans } = await follow("GET", "/users/ada@home/secret-diary", tenant);
    const [request] = spans.filter(isOfServer);
    assertEquals([request?.name, request?.attributes["http.route"]], ["GET", undefined]);
    assert(!collector.requests.some(({ body }) => body.includes("secret-diary")));
  });

  await t.step("Postgres fails: so do its span and the request's", async () => {
    service.supabase.fault = "refuse";
    const { spans } = await follow("GET", "/users/u/threads", tenant);
    service.supabase.recover();
    assertEquals(spans.map(({ status }) => status), spans.map(() => 2));
    const call = spans.find(({ kind }) => kind === client);
    assertEquals(call?.attributes["error.type"], "PGRST000");
    assertEquals(call?.attributes["db.response.status_code"], "PGRST000");
  });

  await t.step("the model fails: its span says why", async () => {
    service.model.script(tenant.modelName, { steps: [{ status: 401, code: "my_diary" }] });
    const { traceId, spans } = await follow("POST", "/chat", tenant, say(tenant));
    const ofModel = spans.find(({ name }) => name.startsWith("chat "));
    assertEquals(ofModel?.status, 2);
    assertMatch(String(ofModel?.attributes["error.type"]), /^[a-z_]+$/);
    assert(collector.spans().some((span) => span.traceId === traceId));
    assert(!collector.requests.some(({ body }) => body.includes("my_diary")));
    service.model.script(tenant.modelName, { steps: [{ text: "Hello" }] });
  });

  await t.step("the OpenAI-compatible face", async () => {
    const { traceId, headers } = newCaller();
    const response = await fetch(`${openaiUrl(service)}/models`, {
      headers: { ...headers, Authorization: `Bearer ${tenant.apiKey}` },
    });
    await response.body?.cancel();
    const [request] = (await collector.traceWith(traceId, isOfServer)).filter(isOfServer);
    assertEquals(request?.attributes["faas.name"], "openai");
  });

  await t.step("a function that another one calls belongs to the same trace", async () => {
    const { traceId, headers } = newCaller();
    const path = `/knowledge-handler?coachId=${tenant.coachId}`;
    assertReply(await ask(service, "POST", path, tenant, formOf(["a.txt", "Owls hunt."]), { headers }), 200);
    await finishIndexing(service, tenant.coachId);
    const spans = await collector.traceWith(traceId, ({ name }) => name === "POST /indexer");
    const [call] = spans.filter(({ name }) => name === "POST indexer");
    const [work] = spans.filter(({ name }) => name === "POST /indexer");
    assertEquals(work?.parentSpanId, call?.spanId);
    await deleteRows(tenant.coachId);
  });

  await t.step("a preflight has none, nor has a request that its caller does not record", async () => {
    const [preflight, silent] = [newCaller(), newCaller("00")];
    await ask(service, "OPTIONS", "/chat", {}, undefined, preflight);
    assertReply(await ask(service, "POST", "/chat", tenant, say(tenant), silent), 200);
    const told = service.supabase.traceparents.filter((traceparent) => traceparent?.includes(silent.traceId));
    assert(told.length > 0 && told.every((traceparent) => traceparent?.endsWith("-00")), told.join());
    await service.turns();
    // What ended later has arrived.
    await follow("GET", "/users/u/threads", tenant);
    const traces = collector.spans().map(({ traceId }) => traceId);
    assertEquals([preflight, silent].filter(({ traceId }) => traces.includes(traceId)), []);
  });
});

Deno.test("spans of streams end with them", async (t) => {
  await using collector = startTraceCollector();
  await using service = await startTraced(collector);
  const tenant = await createTenant({ requests_per_minute: 1_000 });

  await t.step("the last piece ends the span", async () => {
    const { traceId, headers } = newCaller();
    const gate = Promise.withResolvers<void>();
    service.model.script(tenant.modelName, { steps: [{ text: "One" }, { waitFor: gate.promise }, { text: " two" }] });
    const response = await send(service, "POST", "/chat", tenant, say(tenant), { headers });
    // The calls before the first piece have arrived, so that the request's span would have, too.
    await collector.traceWith(traceId, ({ name }) => name === "CALL begin_turn");
    const before = Date.now();
    gate.resolve();
    await response.text();
    const [request] = (await collector.traceWith(traceId, isOfServer)).filter(isOfServer);
    assert(request!.endedAt >= before, `${request!.endedAt} ${before}`);
    assertEquals(request?.attributes["http.response.stream_end"], "complete");
  });

  await t.step("one that breaks off has failed", async () => {
    const { traceId, headers } = newCaller();
    service.model.script(tenant.modelName, { steps: [{ text: "Half" }, { cut: true }] });
    const reply = await receive(service, "POST", "/chat", tenant, say(tenant), { headers });
    assert(reply.isBroken);
    const [request] = (await collector.traceWith(traceId, isOfServer)).filter(isOfServer);
    assertEquals(request?.status, 2);
    assertEquals(request?.attributes["http.response.stream_end"], "broken");
    assertEquals(request?.attributes["error.type"], "stream_broken");
  });

  await t.step("one whose reader leaves says so; the answer goes on in the same trace", async () => {
    const { traceId, headers } = newCaller();
    const gate = Promise.withResolvers<void>();
    service.model.script(tenant.modelName, { steps: [{ text: "Half" }, { waitFor: gate.promise }, { text: " full" }] });
    const response = await send(service, "POST", "/chat", tenant, say(tenant), { headers });
    await response.body!.cancel();
    const [request] = (await collector.traceWith(traceId, isOfServer)).filter(isOfServer);
    assertEquals([request?.status, request?.attributes["http.response.stream_end"]], [0, "left"]);
    gate.resolve();
    const spans = await collector.traceWith(traceId, ({ name }) => name.startsWith("chat "));
    const ofModel = spans.find(({ name }) => name.startsWith("chat "));
    assertEquals([ofModel?.status, ofModel?.parentSpanId], [0, request?.spanId]);
  });
});

Deno.test("a collector that does not work costs one log line", async (t) => {
  const refused = async (service: Service) =>
    (await service.logs()).filter(({ event }) => event === "traces_not_exported");

  await t.step("one that refuses", async () => {
    await using collector = startTraceCollector();
    collector.status = 503;
    await using service = await startTraced(collector);
    const tenant = await createTenant({ requests_per_minute: 1_000 });
    assertReply(await ask(service, "POST", "/chat", tenant, say(tenant)), 200);
    await service.turns();
    await eventually(async () => (await refused(service)).length > 0, "the failure is logged");
    for (let times = 0; times < 3; times++) {
      assertReply(await ask(service, "POST", "/chat", tenant, say(tenant)), 200);
    }
    await service.turns();
    const [line, ...others] = await refused(service);
    assertEquals([line?.level, line?.reason, others], ["warn", "CollectorError 503", []]);
    // After the failure, nothing more is sent for a while.
    assertEquals(collector.requests.length, 1);
  });

  await t.step("one that is not there, and one that never answers", async () => {
    using silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    for (const port of [9, silent.addr.port]) {
      await using service = await startService({
        env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` },
        timeouts: { gather: 0, traces: 300 },
      });
      const tenant = await createTenant();
      assertReply(await ask(service, "POST", "/chat", tenant, say(tenant)), 200);
      await service.turns();
      assertEquals((await refused(service)).length, 1);
      assertEquals((await service.logs()).filter(({ level }) => level === "error"), []);
    }
  });
});

/** Fails: there is no such span. */
function fail(): never {
  throw new Error("There is no span");
}
