import { createConfig, lintFromString } from "@redocly/openapi-core";
import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { ask, assertRefused, assertReply } from "../support/client.ts";
import { resolveIn } from "../support/contract.ts";
import { endpoints } from "../support/interface.ts";
import { type ServiceOptions, startService } from "../support/service.ts";
import { eventually } from "../support/eventually.ts";
import { clearQueue, sweep } from "../support/knowledge.ts";
import { operator } from "../support/project.ts";

/** What the document describes besides the operations of the interface. */
const others = [
  "get /functions/v1/mailer/answer",
  "get /functions/v1/mailer/confirm",
  "post /functions/v1/mailer/confirm",
  "get /functions/v1/mailer/unsubscribe",
  "post /functions/v1/mailer/unsubscribe",
  "post /functions/v1/mcp",
  "post /functions/v1/mcp/{key}",
  "get /functions/v1/mcp/{key}/.well-known/oauth-protected-resource",
  "get /functions/v1/openai/v1/models",
  "get /functions/v1/openai/v1/models/{model}",
  "post /functions/v1/openai/v1/chat/completions",
  "post /functions/v1/openai/v1/responses",
  "get /functions/v1/openai/v1/responses/{responseId}",
  "delete /functions/v1/openai/v1/responses/{responseId}",
  "post /functions/v1/openai/v1/responses/{responseId}/cancel",
  "get /functions/v1/docs/health",
  "post /auth/v1/token",
];

/** The operations of the interface, as the document names them. */
const described = Object.entries(endpoints).map(([name, { method, path, scope }]) => ({
  name,
  method: method.toLowerCase(),
  path: `/functions/v1${path.replace(/\?.*/, "")}`,
  scopes: [scope].flat(),
}));

Deno.test("GET /docs/openapi.json", async (t) => {
  await using service = await startService();
  const reply = await ask(service, "GET", "/docs/openapi.json", {});
  const document = reply.json;

  await t.step("needs no key and no backend, and any web page may read it", () => {
    assertReply(reply, 200);
    assertEquals(service.supabase.requests, []);
    assertEquals(reply.headers.get("Access-Control-Allow-Origin"), "*");
    assertEquals(reply.headers.has("X-RateLimit-Limit"), false);
    assertMatch(reply.headers.get("Cache-Control") ?? "", /max-age/);
  });

  await t.step("is OpenAPI 3.1 without linter findings", async () => {
    assertMatch(document.openapi, /^3\.1\.\d$/);
    // `sources` is no ID of a file; links in mails only redirect; `/docs/health` refuses nobody.
    const rules = {
      "no-ambiguous-paths": "off",
      "operation-2xx-response": "off",
      "operation-4xx-response": "off",
    } as const;
    const config = await createConfig({ extends: ["recommended-strict"], rules });
    const problems = await lintFromString({ source: reply.text, absoluteRef: "/openapi.json", config });
    assertEquals(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]), []);
  });

  await t.step("has every path of the interface, and no other", () => {
    const found = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`)
    );
    assertEquals(found.toSorted(), [...others, ...described.map(({ method, path }) => `${method} ${path}`)].toSorted());
  });

  for (const { name, method, path, scopes } of described) {
    await t.step(`${name} names its scope, its errors with an example of each, and its headers`, () => {
      const { description, operationId, responses: replies } = document.paths[path][method];
      const responses = Object.fromEntries(
        Object.entries(replies).map(([status, reply]) => [status, resolveIn(document, reply)]),
      );
      assertEquals(operationId, name);
      const needed = `scope ${scopes.map((scope) => `\`${scope}\``).join(" or ")}`;
      assert(description.includes(needed), description);
      for (const status of [401, 403, 429, 500, 503]) assert(responses[status], String(status));
      for (const [status, { content, headers }] of Object.entries<Record<string, object>>(responses)) {
        const names = Object.keys(headers ?? {});
        assert(names.includes("X-Request-Id"), status);
        assertEquals(names.includes("X-Error-Code"), Number(status) >= 400, status);
        if (Number(status) < 400) continue;
        // deno-lint-ignore no-explicit-any
        const { examples } = (content as any)["application/json"];
        // deno-lint-ignore no-explicit-any
        const codes: string[] = (headers as any)["X-Error-Code"].schema.enum;
        const shown = Object.keys(examples).map((name) => name.replace(/_\d+$/, ""));
        assertEquals([...new Set(shown)], codes, status);
        for (const code of codes) assert(document.components.schemas.ErrorCode.enum.includes(code), code);
      }
      const { rate_limit_exceeded } = responses[429].content["application/json"].examples;
      assertEquals(Object.keys(resolveIn(document, rate_limit_exceeded).value), ["error", "message", "retryAfter"]);
      assert("Retry-After" in responses[429].headers && "X-RateLimit-Reset" in responses[429].headers);
      assert("Retry-After" in responses[503].headers);
    });
  }

  await t.step("has the bounds of parameters and bodies", () => {
    const { parameters } = document.paths["/functions/v1/knowledge-handler"].get;
    const limit = parameters.find(({ name }: { name: string }) => name === "limit");
    assertEquals([limit.schema.minimum, limit.schema.maximum, limit.schema.default, limit.required ?? false], [
      1,
      100,
      20,
      false,
    ]);
    const { ChatBody } = document.components.schemas;
    assertEquals([ChatBody.properties.message.maxLength, ChatBody.required], [32_000, ["message"]]);
  });

  await t.step("has both ways to authenticate, and Supabase Auth's own", () => {
    assertEquals(document.security, [{ apiKey: [] }, { apiKey: [], bearer: [] }, { publishableKey: [], bearer: [] }]);
    const { apiKey, bearer } = document.components.securitySchemes;
    assertEquals([apiKey.name, bearer.scheme], ["X-API-Key", "bearer"]);
    assertEquals(document.paths["/auth/v1/token"].post.security, [{ projectKey: [] }]);
  });

  await t.step("has the streamed reply in its forms", () => {
    const { content } = document.paths["/functions/v1/chat"].post.responses[200];
    assertEquals(Object.keys(content), ["text/event-stream", "application/json"]);
    assertEquals(Object.keys(content["text/event-stream"].examples), ["text", "events"]);
  });

  await t.step("another method → 405; another path → 404; preflight → 204", async () => {
    const wrong = await ask(service, "POST", "/docs/openapi.json", {});
    assertRefused(wrong, "method_not_allowed");
    assertEquals(wrong.headers.get("Allow"), "GET, OPTIONS");
    assertRefused(await ask(service, "GET", "/docs", {}), "not_found");
    assertReply(await ask(service, "OPTIONS", "/docs/openapi.json", {}), 204);
  });
});

/** A service that works: the clock has run, the model's server answers, and nothing waits. */
async function startHealthy(options: ServiceOptions = {}) {
  const service = await startService(options);
  await clearQueue();
  await setModel(null);
  await sweep(service);
  service.supabase.requests.length = 0;
  const health = () => ask(service, "GET", "/docs/health", {});
  return { service, health, calls: service.supabase.requests };
}

async function setModel(failed_at: Date | null) {
  await operator.from("model_checks").update({ failed_at: failed_at?.toISOString() ?? null }).eq("is_only", true)
    .throwOnError();
}

/** It says nothing but that. */
const unhealthy = { error: "The service is temporarily unavailable", details: "A part of the service does not work" };

const call = "/rest/v1/rpc/read_status";

Deno.test("GET /docs/health", async (t) => {
  await t.step("needs no key; a hundred requests at once, and those after them, are one call of Postgres", async () => {
    const { service, health, calls } = await startHealthy();
    await using _ = service;
    const replies = await Promise.all(Array.from({ length: 100 }, health));
    for (const reply of [...replies, await health()]) {
      assertReply(reply, 200, { status: "ok" });
      assertEquals(reply.headers.get("Cache-Control"), "no-store");
    }
    assertEquals((await fetch(`${service.url}/docs/health`, { method: "HEAD" })).status, 200);
    assertEquals(calls, [call]);
  });

  await t.step("503 while the model's server does not answer, without saying so; the log says it", async () => {
    const { service, health } = await startHealthy({ timeouts: { healthKept: 0 } });
    await using _ = service;
    await setModel(new Date());
    const reply = await health();
    assertReply(reply, 503, unhealthy);
    assertEquals(reply.headers.get("Cache-Control"), "no-store");
    const warnings = (await service.logs()).filter(({ event }) => event === "unhealthy");
    assertEquals(warnings.map(({ troubles }) => troubles), ["model"]);
    await setModel(null);
    assertReply(await health(), 200);
  });

  await t.step("503 while Postgres is down", async () => {
    const { service, health } = await startHealthy({ timeouts: { healthKept: 0 } });
    await using _ = service;
    service.supabase.fault = "refuse";
    assertReply(await health(), 503, unhealthy);
    service.supabase.recover();
    assertReply(await health(), 200);
  });

  await t.step("while Postgres does not answer, 503 after a time, and nobody makes a second call", async () => {
    const { service, health, calls } = await startHealthy({ timeouts: { health: 50, healthKept: 0 } });
    await using _ = service;
    service.supabase.fault = "hang";
    for (const reply of await Promise.all(Array.from({ length: 20 }, health))) assertReply(reply, 503, unhealthy);
    assertReply(await health(), 503, unhealthy);
    assertEquals(calls, [call]);
    service.supabase.recover();
    await eventually(async () => (await health()).status === 200, "it is well again");
  });
});
