import type { CallToolResult } from "@modelcontextprotocol/client";
import type { ErrorCode } from "../../shared/infra/errors.ts";
import { tools } from "../../shared/api/mcp/tools.ts";
import { findEndpoints } from "../../shared/api/docs/find_endpoints.ts";
import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { acceptOf, ask, type Reply } from "../support/client.ts";
import { type Endpoint, endpoints, nothing } from "../support/interface.ts";
import { mailEnv } from "../support/mail_server.ts";
import { connect, envelope, post, revisions } from "../support/mcp.ts";
import { allScopes, createTenant, createUser, issueKey } from "../support/project.ts";
import { startService } from "../support/service.ts";
import { firstOfEachKind } from "../support/slow.ts";

/** A mail server that nobody calls: some requests need one. */
const closed = { url: "smtp://127.0.0.1:9" };

/** Checks the code of a refusal, and that browsers may read it. */
function assertCode({ status, headers, text }: Reply, expected: number, code: string) {
  assertEquals([status, headers.get("X-Error-Code")], [expected, code], text);
  const exposed = headers.get("Access-Control-Expose-Headers")?.split(", ") ?? [];
  assert(exposed.includes("X-Error-Code"));
}

Deno.test("every endpoint is one of the interface, and the other way round", async () => {
  const { endpoints: found } = await findEndpoints();
  const shown = found.filter(({ module }) => module.startsWith("features/")).map((
    { endpoint: { name, method, path, scope } },
  ) => [name, method, path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, "{$1}"), scope]);
  const expected = Object.entries(endpoints).map((
    [name, { method, path, scope }],
  ) => [name, method, path.replace(/\?.*/, ""), scope]);
  assertEquals(sortByName(shown), sortByName(expected));
});

function sortByName(rows: unknown[][]): unknown[][] {
  return rows.toSorted(([one], [other]) => String(one).localeCompare(String(other)));
}

/** The arguments of a call of the tool of an endpoint that is refused. */
function argumentsOf({ path, body, args }: Endpoint): Record<string, unknown> {
  const fields = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, nothing[name as keyof typeof nothing]]);
  return args ?? { ...Object.fromEntries(fields), ...body?.(nothing) as object };
}

Deno.test("over MCP, a tool result with an error that the caller can correct has the code", async (t) => {
  await using service = await startService({ env: mailEnv(closed) });
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const { accessToken } = await createUser();
  const codeOf = async (
    apiKey: string,
    name: string,
    args: Record<string, unknown>,
    user: { accessToken?: string } = { accessToken },
  ) => {
    await using client = await connect(service, { apiKey, ...user });
    const { isError, _meta } = await client.callTool({ name, arguments: args }) as CallToolResult;
    assertEquals(isError, true);
    return _meta?.error_code;
  };

  const withTool = Object.values(endpoints).filter(({ tool }) => tool !== undefined);
  assertEquals(tools.map(({ name }) => name).toSorted(), withTool.map(({ tool }) => tool!).toSorted());

  const optionsOf = firstOfEachKind();
  for (const endpoint of withTool) {
    const { tool = "", scope, refused: [code], refusedPath } = endpoint;
    const scopes = [scope].flat();
    const fn = async () => {
      const args = argumentsOf(endpoint);
      const { apiKey } = await issueKey(tenant.accountId, {
        scopes: allScopes.filter((each) => !scopes.includes(each)),
      });
      // Who is signed in may be the expert, who needs no scope.
      const user = scope === "expert" ? {} : { accessToken };
      assertEquals(await codeOf(apiKey, tool, args, user), "missing_scope");
      const only = await issueKey(tenant.accountId, { scopes: scopes.slice(0, 1) });
      assertEquals(await codeOf(only.apiKey, tool, args), code);
      // The threads are those of whoever is signed in.
      const nobody = tool === "get-user-threads" ? {} : user;
      if (refusedPath === undefined) assertEquals(await codeOf(only.apiKey, tool, {}, nobody), "invalid_input");
    };
    await t.step({
      name: `${tool}, with every scope but its own and with no other`,
      ...optionsOf(`tool ${scope}`),
      fn,
    });
  }

  await t.step("the log line of the call has the code too", async () => {
    await service.clearLogs();
    await codeOf(tenant.apiKey, "threads", { threadId: crypto.randomUUID() });
    const [line] = (await service.logs()).filter(({ event }) => event === "tool_call");
    assertEquals([line?.status, line?.code], [404, "thread_not_found"]);
  });
});

for (const revision of revisions) {
  Deno.test(`MCP ${revision}: an error that is not the result of a call has the code`, async (t) => {
    await using service = await startService({ env: mailEnv(closed) });
    const tenant = await createTenant({ requests_per_minute: 1_000 });
    const { message, headers } = envelope(revision, "tools/list");
    const sendMessage = (body: unknown, more: Record<string, string> = {}) =>
      post(service, tenant, body, { ...headers, ...more });
    const call = (params: Record<string, unknown>) => {
      const { message, headers } = envelope(revision, "tools/call", params);
      return post(service, tenant, message, headers);
    };

    await t.step("of the message, as header and as data", async () => {
      const replies: [reply: Reply, status: number, code: ErrorCode][] = [
        [await sendMessage("{"), 400, "invalid_json"],
        [await sendMessage([message]), 400, "invalid_message"],
        [await sendMessage(message, { Accept: "text/html" }), 406, "not_acceptable"],
        [await sendMessage(" ".repeat(4 * 1024 * 1024 + 1)), 413, "body_too_large"],
        [await sendMessage(`[${"0,".repeat(100_001)}0]`), 413, "too_many_values"],
      ];
      for (const [reply, status, code] of replies) {
        assertCode(reply, status, code);
        assertEquals(reply.json.error.data, { status, code });
      }
    });

    await t.step("of what the SDK refuses, as header", async () => {
      const asText = await sendMessage(JSON.stringify(message), { "Content-Type": "text/plain" });
      assertCode(asText, 415, "unsupported_media_type");
      const old = JSON.stringify(message).replace(revision, "1999-01-01");
      assertCode(await sendMessage(old, { "MCP-Protocol-Version": "1999-01-01" }), 400, "invalid_message");
      if (revision === "2025-11-25") return;
      const unknown = envelope(revision, "no/such");
      assertCode(await post(service, tenant, unknown.message, unknown.headers), 404, "unknown_method");
    });

    await t.step("of a call, as data", async () => {
      const { json } = await call({ name: "no-such-tool", arguments: {} });
      assertEquals(json.error.data, { status: 400, code: "unknown_tool" });
      const long = await call({ name: "chat", arguments: {}, _meta: { progressToken: "t".repeat(257) } });
      assertEquals(long.json.error.data, { status: 400, code: "invalid_input" });
    });
  });
}

Deno.test("an answer that fails has the code in its event and in the log", async () => {
  await using service = await startService({ env: mailEnv(closed) });
  const tenant = await createTenant();
  service.model.script(tenant.modelName, { steps: [{ text: "Half" }, { cut: true }] });
  const body = { message: "Hi", context: { coachId: tenant.coachId } };
  const reply = await ask(service, "POST", "/chat", tenant, body, { headers: { Accept: acceptOf.events } });
  assertEquals([reply.status, reply.headers.has("X-Error-Code")], [200, false]);
  assertMatch(reply.text, /event: error\nid: 4\ndata: \{"status":502,"code":"model_unavailable",/);
  const line = (await service.logs()).find(({ event }) => event === "turn");
  assertEquals(line?.code, "model_unavailable");
});
