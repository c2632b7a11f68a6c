import OpenAI from "openai";
import { assert, assertEquals, assertRejects } from "../../support/assert.ts";
import { ask, type Credentials } from "../../support/client.ts";
import { openaiOf, openaiUrl } from "../../support/openai_clients.ts";
import { storedMessages } from "../../support/openai_turns.ts";
import { pageOrigin } from "../../support/page_origin.ts";
import { createTenant, createUser, issuePublishableKey } from "../../support/project.ts";
import { startService } from "../../support/service.ts";

/** The headers of traces, which every preflight of these functions allows. */
const traces = ", traceparent, tracestate, baggage";

const responseId = `resp_${crypto.randomUUID()}`;

/** All paths, with the methods of each. */
const paths: [path: string, methods: string][] = [
  ["/models", "GET, OPTIONS"],
  ["/models/c", "GET, OPTIONS"],
  ["/chat/completions", "POST, OPTIONS"],
  ["/responses", "POST, OPTIONS"],
  [`/responses/${responseId}`, "GET, DELETE, OPTIONS"],
  [`/responses/${responseId}/cancel`, "POST, OPTIONS"],
];

/** Fails unless any page may read the reply, without its cookies. */
function assertReadable({ headers }: Pick<Response, "headers">) {
  assertEquals(headers.get("Access-Control-Allow-Origin"), "*");
  assertEquals(headers.get("Access-Control-Allow-Credentials"), null);
  const exposed = headers.get("Access-Control-Expose-Headers")!.split(", ");
  for (const name of ["X-Thread-Id", "X-Message-Id", "X-Request-Id", "X-Error-Code", "Retry-After"]) {
    assert(exposed.includes(name), name);
  }
}

Deno.test("clients in browsers", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const { coachId: model } = tenant;
  const preflight = (url: string, method: string, names?: string) =>
    fetch(url, {
      method: "OPTIONS",
      headers: {
        Origin: pageOrigin,
        "Access-Control-Request-Method": method,
        ...(names === undefined ? {} : { "Access-Control-Request-Headers": names }),
      },
    });

  await t.step("a preflight allows what the official client sends in a page, and readers of traces", async () => {
    const sent: Request[] = [];
    const openai = openaiOf(service, tenant, {
      dangerouslyAllowBrowser: true,
      defaultHeaders: { "X-Conversation-Id": "c", traceparent: "00", tracestate: "a=b", baggage: "a=b" },
      fetch: (input, init) => (sent.push(new Request(input, init)), fetch(input, init)),
    });
    await openai.chat.completions.stream({ model, messages: [{ role: "user", content: "Hi" }] }).finalContent();
    await openai.models.list();
    for (const { url, method, headers } of sent) {
      const names = [...headers.keys()];
      assert(names.includes("x-stainless-lang") && names.includes("authorization"), names.join());
      const reply = await preflight(url, method, names.join(","));
      assertEquals([reply.status, await reply.text()], [204, ""]);
      assertReadable(reply);
      assertEquals(reply.headers.get("Access-Control-Allow-Headers")!.split(/, */), names);
      assert(reply.headers.get("Access-Control-Allow-Methods")!.split(", ").includes(method));
    }
  });

  for (const [path, methods] of paths) {
    await t.step(
      `${path.replace(responseId, "{id}")}: preflights without a key, refusals that pages can read`,
      async () => {
        for (const end of ["", "/"]) {
          const url = openaiUrl(service) + path + end;
          const reply = await preflight(url, "POST");
          assertEquals(reply.status, 204);
          assertReadable(reply);
          assertEquals(reply.headers.get("Access-Control-Allow-Methods"), methods);
          assertEquals(reply.headers.get("Access-Control-Allow-Headers"), `authorization, content-type${traces}`);
          assertEquals(reply.headers.get("Access-Control-Max-Age"), "7200");
          const refusal = await fetch(url, { method: methods.split(",")[0], headers: { Origin: pageOrigin } });
          assertEquals([refusal.status, (await refusal.json()).error.code], [401, "invalid_api_key"]);
          assertReadable(refusal);
        }
      },
    );
  }

  await t.step("the official client in a page sees that another try cannot help", async () => {
    const statuses: number[] = [];
    const openai = openaiOf(service, tenant, {
      maxRetries: 2,
      async fetch(input, init) {
        const { body, status, headers } = await fetch(input, init);
        statuses.push(status);
        // A browser shows a page these alone.
        const shown = ["Content-Type", ...headers.get("Access-Control-Expose-Headers")!.split(", ")];
        const visible = shown.flatMap((name) => headers.has(name) ? [[name, headers.get(name)!]] : []);
        return new Response(body, { status, headers: Object.fromEntries(visible) });
      },
    });
    const first = await openai.responses.create({ model, input: "Hi" });
    await openai.responses.create({ model, input: "And then?", previous_response_id: first.id });
    await assertRejects(() => openai.responses.delete(first.id), OpenAI.ConflictError);
    assertEquals(statuses, [200, 200, 409]);
  });

  await t.step("caches keep preflights for other headers apart", async () => {
    const reply = await preflight(`${openaiUrl(service)}/models`, "GET", "x-stainless-lang");
    assertEquals(reply.headers.get("Vary"), "Access-Control-Request-Headers");
  });

  await t.step("other functions allow no more than before", async () => {
    const reply = await preflight(`${service.url}/chat`, "POST", "x-stainless-lang");
    assertEquals(
      reply.headers.get("Access-Control-Allow-Headers"),
      "authorization, x-client-info, apikey, content-type",
    );
  });
});

Deno.test("publishable keys are of no use to OpenAI's clients", async (t) => {
  await using service = await startService();
  const tenant = await createTenant();
  const { publishableKey } = await issuePublishableKey(tenant.accountId, { allows_no_origin: true });
  const { accessToken } = await createUser();
  const { coachId: model } = tenant;
  const messages = [{ role: "user" as const, content: "Hi" }];

  await t.step("as the key of the official client", async () => {
    const openai = openaiOf(service, { apiKey: publishableKey }, { defaultHeaders: { Origin: pageOrigin } });
    const error = await assertRejects(
      () => openai.chat.completions.create({ model, messages }),
      OpenAI.AuthenticationError,
    );
    assertEquals([error.code, error.headers!.get("X-Error-Code")], ["invalid_api_key", "misplaced_api_key"]);
    assert(error.message.includes("needs a secret API key"), error.message);
  });

  const inHeaders: [string, Credentials][] = [
    ["in X-API-Key, with a signed-in user", { apiKey: publishableKey, accessToken }],
    ["in apikey, where pages send it", { publishableKey, accessToken }],
    ["in apikey, without a user", { publishableKey }],
  ];
  for (const [name, credentials] of inHeaders) {
    await t.step(name, async () => {
      const reply = await ask(service, "POST", "/openai/v1/chat/completions", credentials, { model, messages });
      assertEquals([reply.status, reply.json.error.code], [401, "invalid_api_key"], reply.text);
    });
  }

  assertEquals(await storedMessages(tenant), []);
});
