import { addresses } from "../../../shared/api/endpoints/openai.gen.ts";
import type { ErrorCode } from "../../../shared/infra/errors.ts";
import { assert, assertEquals } from "../../support/assert.ts";
import { ask, type Credentials, type Reply } from "../../support/client.ts";
import { chatOf } from "../../support/openai_clients.ts";
import { storedMessages } from "../../support/openai_turns.ts";
import { allScopes, createTenant, createUser, issueKey } from "../../support/project.ts";
import { startService } from "../../support/service.ts";

const unknown = `resp_${crypto.randomUUID()}`;

/** The routes, each with a body that is fine. `{model}` stands for the coach. */
const bodies: Record<string, Record<string, unknown>> = {
  createChatCompletion: { messages: chatOf("Hi") },
  createResponse: { input: "Hi" },
};

/** Fails unless a reply is an error in OpenAI's form, which no official client repeats unless `isRetryable`. */
function assertRefused(
  { status, headers, json, text }: Reply,
  expected: { status: number; code: string; header: ErrorCode; type?: string; param?: string | null },
  { isRetryable = false } = {},
) {
  const { type = "invalid_request_error", param = null } = expected;
  assertEquals([status, headers.get("X-Error-Code")], [expected.status, expected.header], text);
  const { message, ...error } = json.error;
  assert(typeof message === "string" && message !== "", text);
  assertEquals(error, { type, param, code: expected.code });
  assertEquals(headers.get("x-should-retry"), isRetryable ? null : "false");
  assertEquals(headers.get("Access-Control-Allow-Origin"), "*");
  assert(headers.get("Access-Control-Expose-Headers")!.split(", ").includes("X-Error-Code"));
}

const noKey = { status: 401, code: "invalid_api_key", header: "missing_api_key" } as const;
const badKey = { status: 401, code: "invalid_api_key", header: "invalid_api_key" } as const;
const misplaced = { status: 401, code: "invalid_api_key", header: "misplaced_api_key" } as const;

for (const { load, method, path: pattern } of addresses) {
  Deno.test(`${method} ${pattern}: every refusal is one of OpenAI's`, async (t) => {
    await using service = await startService();
    const tenant = await createTenant({ requests_per_minute: 1_000, scopes: allScopes });
    const { accessToken } = await createUser();
    const path = pattern.replace(/\{.*?\}/, "").replace(":model", tenant.coachId).replace(":responseId", unknown);
    const { operation } = await load();
    const body = bodies[operation.name] && { model: tenant.coachId, ...bodies[operation.name] };
    const request = (
      credentials: Credentials,
      { headers, at = path, as = method as string, send = body as unknown }: {
        headers?: Record<string, string>;
        at?: string;
        as?: string;
        send?: unknown;
      } = {},
    ) => ask(service, as, at, credentials, send, { headers });

    await t.step("no key, an invalid one, a publishable one, in either place", async () => {
      assertRefused(await request({}), noKey);
      for (const key of ["sk-1", "hi_live_x"]) {
        assertRefused(await request({ apiKey: key }), badKey);
        assertRefused(await request({}, { headers: { Authorization: `Bearer ${key}` } }), badKey);
      }
      const key = `hi_pub_${"x".repeat(38)}`;
      assertRefused(await request({ apiKey: key }), misplaced);
      assertRefused(await request({}, { headers: { Authorization: `Bearer ${key}` } }), misplaced);
      // No other function takes a key there.
      assertRefused(await request({}, { headers: { apikey: tenant.apiKey } }), noKey);
    });

    await t.step("a user's token that is not valid, beside a key that is", async () => {
      const refusal = { status: 401, code: "invalid_access_token", header: "invalid_access_token" } as const;
      for (const token of ["x", accessToken.slice(0, -4) + "AAAA", (await createTenant()).apiKey]) {
        assertRefused(await request({ ...tenant, accessToken: token }), refusal);
      }
    });

    await t.step("a limit: to be tried again soon; after a long wait, not", async () => {
      const refusal = {
        status: 429,
        code: "rate_limit_exceeded",
        header: "rate_limit_exceeded",
        type: "requests",
      } as const;
      for (const [limit, isRetryable] of [["requests_per_minute", true], ["requests_per_day", false]] as const) {
        const { apiKey } = await issueKey(tenant.accountId, { scopes: allScopes, [limit]: 1 });
        await ask(service, "GET", "/openai/v1/models", { apiKey });
        const reply = await request({ apiKey });
        const wait = Number(reply.headers.get("Retry-After"));
        assert(wait >= 1, "it says how long to wait");
        assertRefused(reply, refusal, { isRetryable: isRetryable || wait <= 60 });
      }
    });

    await t.step("another path, another method", async () => {
      const notFound = { status: 404, code: "not_found", header: "not_found" } as const;
      for (const at of ["/openai/v1/embeddings", "/openai/v1", "/openai/models", `${path}/no/more`]) {
        assertRefused(await request(tenant, { at }), notFound);
      }
      const reply = await request(tenant, { as: "PATCH", send: {} });
      assertRefused(reply, { status: 405, code: "method_not_allowed", header: "method_not_allowed" });
      assert(reply.headers.get("Allow")!.includes(method));
    });

    await t.step("a key without the scope", async () => {
      const { apiKey } = await issueKey(tenant.accountId, {
        scopes: allScopes.filter((scope) => scope !== operation.scope),
      });
      assertRefused(await request({ apiKey }), { status: 403, code: "missing_scope", header: "missing_scope" });
    });

    await t.step("Postgres that is away: another try may help", async () => {
      service.supabase.fault = "refuse";
      const refusal = { status: 503, code: "unavailable", header: "unavailable", type: "server_error" } as const;
      assertRefused(await request(tenant), refusal, { isRetryable: true });
      service.supabase.fault = "pass";
    });

    if (body === undefined) return;
    await t.step("a body that is no JSON, no object, or too large", async () => {
      for (const send of ["{", "", "\xff"]) {
        assertRefused(await request(tenant, { send }), { status: 400, code: "invalid_json", header: "invalid_json" });
      }
      for (const send of ["[]", "1", "null"]) {
        assertRefused(await request(tenant, { send }), { status: 400, code: "invalid_input", header: "invalid_input" });
      }
      const large = { ...body, metadata: { a: "x".repeat(4 * 1024 * 1024) } };
      assertRefused(await request(tenant, { send: large }), {
        status: 413,
        code: "body_too_large",
        header: "body_too_large",
      });
    });

    await t.step("nothing of it is stored", async () => {
      assertEquals(await storedMessages(tenant), []);
      assertEquals(service.model.requestsOf(tenant.modelName), []);
    });
  });
}
