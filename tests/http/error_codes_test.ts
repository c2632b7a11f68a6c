import type { CallToolResult } from "@modelcontextprotocol/client";
import { type ErrorCode, errorCodes } from "../../shared/base/errors.ts";
import type { AnyRoute } from "../../shared/http/route.ts";
import { tools } from "../../shared/api/mcp/tools.ts";
import type { AnyOperation } from "../../shared/core/operation.ts";
import { routes } from "../../shared/api/routes.ts";
import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { acceptOf, ask, formOf, functionOf, type Reply } from "../support/client.ts";
import { mailEnv } from "../support/mail_server.ts";
import { connect, envelope, post, revisions } from "../support/mcp.ts";
import { allScopes, createTenant, createUser, issueKey, type User } from "../support/project.ts";
import { samplePictures } from "../support/sample_pictures.ts";
import { startService } from "../support/service.ts";
import { firstOfEachKind } from "../support/slow.ts";

const id = crypto.randomUUID();

/** A mail server that nobody calls: some requests need one. */
const closed = { url: "smtp://127.0.0.1:9" };

/** A request of a signed-in caller that gets an error of its operation. */
type Refused = {
  path: string;
  body?: unknown;
  code: ErrorCode;
  /** The path of a request that is fine; left out where Postgres refuses the other one. */
  sound?: string;
  /** True: the request that is fine needs a user's token. */
  needsUser?: boolean;
  /** The same over MCP; left out where models have no such tool. */
  args?: Record<string, unknown>;
};

const toUnknownCoach = { message: "Hi", context: { coachId: "nobody" } };
const refused: Record<string, Refused> = {
  chat: { path: "/chat", body: toUnknownCoach, code: "coach_not_found", args: toUnknownCoach },
  // Nothing but bad input is an error of it.
  listCoaches: { path: "/coaches?limit=0", sound: "/coaches", code: "invalid_input", args: { limit: 0 } },
  getCoach: { path: "/coaches/nobody", code: "coach_not_found" },
  stopAnswer: { path: `/chat/${id}/stop`, code: "message_not_found" },
  retryAnswer: { path: `/chat/${id}/retry`, code: "message_not_found" },
  followAnswer: { path: `/chat/${id}/stream`, code: "message_not_found" },
  listThreads: { path: "/users/u/threads", code: "user_mismatch", args: { userId: "u" } },
  eraseUser: { path: "/users/u", sound: "/users/me", needsUser: true, code: "user_mismatch" },
  getUserMail: { path: "/users/u/mail", sound: "/users/me/mail", needsUser: true, code: "user_mismatch" },
  saveUserMail: {
    path: "/users/u/mail",
    sound: "/users/me/mail",
    body: { email: "a@example.com" },
    needsUser: true,
    code: "user_mismatch",
  },
  deleteUserMail: { path: "/users/u/mail", sound: "/users/me/mail", needsUser: true, code: "user_mismatch" },
  getExpertMail: { path: "/coaches/nobody/experts/me/mail", needsUser: true, code: "coach_not_found" },
  saveExpertMail: { path: "/coaches/nobody/experts/me/mail", body: {}, needsUser: true, code: "coach_not_found" },
  getBudget: { path: "/users/u/budget", code: "user_mismatch" },
  getThread: { path: `/threads/${id}`, code: "thread_not_found" },
  updateThread: { path: `/threads/${id}`, body: { title: "T" }, code: "thread_not_found" },
  markThreadRead: { path: `/threads/${id}/read`, code: "thread_not_found" },
  deleteThread: { path: `/threads/${id}`, code: "thread_not_found" },
  listMessages: { path: `/threads/${id}/messages`, code: "thread_not_found", args: { threadId: id } },
  rateAnswer: { path: `/threads/${id}/messages/${id}/feedback`, body: { rating: "up" }, code: "thread_not_found" },
  watchThread: { path: `/threads/${id}/events`, code: "thread_not_found" },
  watchCoach: { path: "/coaches/nobody/events", code: "coach_not_found" },
  listPinnedAnswers: { path: "/coaches/nobody/answers", code: "coach_not_found" },
  createPinnedAnswer: {
    path: "/coaches/nobody/answers",
    body: { question: "Why?", answer: "Because." },
    code: "coach_not_found",
  },
  importPinnedAnswers: {
    path: "/coaches/nobody/answers/import",
    body: { csv: "question,answer\nWhy?,Because." },
    code: "coach_not_found",
  },
  exportPinnedAnswers: { path: "/coaches/nobody/answers/export", code: "coach_not_found" },
  getPinnedAnswer: { path: `/coaches/nobody/answers/${id}`, code: "coach_not_found" },
  updatePinnedAnswer: { path: `/coaches/nobody/answers/${id}`, body: { answer: "So." }, code: "coach_not_found" },
  deletePinnedAnswer: { path: `/coaches/nobody/answers/${id}`, code: "coach_not_found" },
  listBarredPassages: { path: "/coaches/nobody/barred-passages", code: "coach_not_found" },
  barPassage: { path: `/coaches/nobody/barred-passages/${"0".repeat(32)}`, code: "coach_not_found" },
  unbarPassage: { path: `/coaches/nobody/barred-passages/${"0".repeat(32)}`, code: "coach_not_found" },
  getDraft: { path: "/coaches/nobody/draft", code: "coach_not_found" },
  saveDraft: { path: "/coaches/nobody/draft", body: { title: "Teacher" }, code: "coach_not_found" },
  deleteDraft: { path: "/coaches/nobody/draft", code: "coach_not_found" },
  setPicture: { path: "/coaches/nobody/picture", body: samplePictures.png, code: "coach_not_found" },
  removePicture: { path: "/coaches/nobody/picture", code: "coach_not_found" },
  publish: { path: "/coaches/nobody/publish", body: { if_version: 1 }, code: "coach_not_found" },
  listVersions: { path: "/coaches/nobody/versions", code: "coach_not_found" },
  getVersion: { path: "/coaches/nobody/versions/1", code: "coach_not_found" },
  restoreVersion: { path: "/coaches/nobody/versions/1/restore", body: {}, code: "coach_not_found" },
  listTests: { path: "/coaches/nobody/tests", code: "coach_not_found" },
  createTest: { path: "/coaches/nobody/tests", body: { question: "Why?" }, code: "coach_not_found" },
  updateTest: { path: `/coaches/nobody/tests/${id}`, body: { question: "Why?" }, code: "coach_not_found" },
  deleteTest: { path: `/coaches/nobody/tests/${id}`, code: "coach_not_found" },
  startTestRun: { path: "/coaches/nobody/test-runs", body: {}, code: "coach_not_found" },
  listTestRuns: { path: "/coaches/nobody/test-runs", code: "coach_not_found" },
  getTestRun: { path: `/coaches/nobody/test-runs/${id}`, code: "coach_not_found" },
  stopTestRun: { path: `/coaches/nobody/test-runs/${id}/stop`, code: "coach_not_found" },
  getUsage: { path: "/coaches/nobody/usage", code: "coach_not_found" },
  listQuestions: {
    path: "/coaches/nobody/questions",
    code: "coach_not_found",
    args: { coachId: "nobody" },
  },
  dismissQuestion: { path: `/coaches/nobody/questions/${id}/dismiss`, code: "coach_not_found" },
  dismissQuestions: { path: "/coaches/nobody/questions/dismiss", body: { thread_id: id }, code: "coach_not_found" },
  reopenQuestion: { path: `/coaches/nobody/questions/${id}/reopen`, code: "coach_not_found" },
  answerQuestion: {
    path: `/coaches/nobody/questions/${id}/answer`,
    body: { answer: "Yes." },
    code: "coach_not_found",
    args: { coachId: "nobody", questionId: id, answer: "Yes." },
  },
  getOverview: { path: "/coaches/nobody/overview", code: "coach_not_found" },
  listExperts: { path: "/coaches/nobody/experts", code: "coach_not_found" },
  updateExpert: { path: `/coaches/nobody/experts/${id}`, body: { role: "owner" }, code: "coach_not_found" },
  removeExpert: { path: `/coaches/nobody/experts/${id}`, code: "coach_not_found" },
  createInvitation: { path: "/coaches/nobody/invitations", body: { role: "owner" }, code: "coach_not_found" },
  listInvitations: { path: "/coaches/nobody/invitations", code: "coach_not_found" },
  deleteInvitation: { path: `/coaches/nobody/invitations/${id}`, code: "coach_not_found" },
  previewInvitation: { path: "/coaches/invitations/preview", body: { token: "x" }, code: "invitation_not_found" },
  acceptInvitation: {
    path: "/coaches/invitations/accept",
    needsUser: true,
    body: { token: "x" },
    code: "invitation_not_found",
  },
  listOwnCoaches: { path: "/users/u/coaches", sound: "/users/me/coaches", needsUser: true, code: "user_mismatch" },
  listConversations: { path: "/coaches/nobody/threads", code: "coach_not_found" },
  takeOver: { path: `/threads/${id}/takeover`, code: "thread_not_found" },
  releaseThread: { path: `/threads/${id}/release`, code: "thread_not_found" },
  reviseAnswer: {
    path: `/threads/${id}/messages/${id}/revise`,
    body: { answer: "No.", question: "Is it?" },
    code: "thread_not_found",
    args: { threadId: id, messageId: id, answer: "No.", question: "Is it?" },
  },
  sayAsExpert: { path: `/threads/${id}/messages`, body: { content: "Here I am" }, code: "thread_not_found" },
  tryQuestion: { path: "/coaches/nobody/try", body: { question: "Hi" }, code: "coach_not_found" },
  uploadFiles: {
    path: "/knowledge-handler?coachId=nobody",
    body: formOf(["a.md", "Text"]),
    code: "coach_not_found",
    args: { coachId: "nobody", files: [{ filename: "a.md", text: "Text" }] },
  },
  searchFiles: {
    path: "/knowledge-handler?coachId=nobody",
    code: "coach_not_found",
    args: { coachId: "nobody" },
  },
  getFile: { path: `/knowledge-handler/${id}?coachId=nobody`, code: "coach_not_found" },
  getOriginal: { path: `/knowledge-handler/${id}/content?coachId=nobody`, code: "coach_not_found" },
  readSource: {
    path: `/knowledge-handler/${id}?coachId=nobody`,
    code: "coach_not_found",
    args: { coachId: "nobody", fileId: id },
  },
  getPassage: {
    path: `/knowledge-handler/${id}/passages/${"0".repeat(32)}?coachId=nobody`,
    code: "coach_not_found",
  },
  listSources: { path: "/knowledge-handler/sources?coachId=nobody", code: "coach_not_found" },
  addSource: {
    path: "/knowledge-handler/sources?coachId=nobody",
    body: { url: "https://example.com/", kind: "page", refresh: "never" },
    code: "coach_not_found",
    args: { coachId: "nobody", url: "https://example.com/", kind: "page", refresh: "never" },
  },
  getSource: { path: `/knowledge-handler/sources/${id}?coachId=nobody`, code: "coach_not_found" },
  updateSource: {
    path: `/knowledge-handler/sources/${id}?coachId=nobody`,
    body: { refresh: "daily" },
    code: "coach_not_found",
  },
  deleteSource: { path: `/knowledge-handler/sources/${id}?coachId=nobody`, code: "coach_not_found" },
  refreshSource: { path: `/knowledge-handler/sources/${id}/refresh?coachId=nobody`, code: "coach_not_found" },
  deleteFile: {
    path: `/knowledge-handler/${id}?coachId=nobody`,
    code: "coach_not_found",
    args: { coachId: "nobody", fileId: id },
  },
};

function refusedOf({ name }: AnyOperation): Refused {
  const found = refused[name];
  if (found === undefined) throw new Error(`This test has no request for ${name}`);
  return found;
}

/** Checks the code of a refusal, and that browsers may read it. */
function assertCode({ status, headers, text }: Reply, expected: number, code: ErrorCode) {
  assertEquals([status, headers.get("X-Error-Code")], [expected, code], text);
  const exposed = headers.get("Access-Control-Expose-Headers")?.split(", ") ?? [];
  assert(exposed.includes("X-Error-Code"));
}

Deno.test("codes are unique, and all have the same form", () => {
  assertEquals(new Set(errorCodes).size, errorCodes.length);
  for (const code of errorCodes) assertMatch(code, /^[a-z]+(?:_[a-z]+)*$/);
});

Deno.test("every operation has exactly one route", async () => {
  const features = new URL("../../shared/features/", import.meta.url);
  const operations: AnyOperation[] = [];
  const ofFeatures: AnyRoute[] = [];
  for await (const { name, isDirectory } of Deno.readDir(features)) {
    if (!isDirectory) continue;
    for await (const file of Deno.readDir(new URL(`${name}/`, features))) {
      if (!["operations.ts", "app.ts"].includes(file.name)) continue;
      const room: Record<string, unknown> = await import(new URL(`${name}/${file.name}`, features).href);
      if (file.name === "operations.ts") operations.push(...Object.values(room) as AnyOperation[]);
      else {
        const lists = Object.entries(room).filter(([name]) => name.endsWith("Routes"));
        ofFeatures.push(...lists.flatMap(([, routes]) => routes as AnyRoute[]));
      }
    }
  }
  const names = (some: AnyOperation[]) => some.map(({ name }) => name).toSorted();
  // Over HTTP, models' readSource is two operations.
  const overHttp = operations.filter(({ name }) => name !== "readSource");
  assertEquals(names(routes.map(({ operation }) => operation)), names(overHttp));
  assertEquals(new Set(routes), new Set(ofFeatures));
  assertEquals(Object.keys(refused).toSorted(), names(operations));
});

/** A user without threads and coaches, the same for all routes. */
let someone: Promise<User> | undefined;

const optionsOf = firstOfEachKind();

for (const route of routes) {
  const { operation, method } = route;
  const { path, body, code, sound = path, needsUser = false } = refusedOf(operation);
  const functionName = functionOf(path);

  Deno.test(`${operation.name}: the code of every refusal`, optionsOf(`${method} of ${functionName}`), async (t) => {
    await using service = await startService({ env: mailEnv(closed) });
    const tenant = await createTenant({ requests_per_minute: 1_000, scopes: allScopes });
    const { accessToken } = await (someone ??= createUser());
    const request = (credentials: Parameters<typeof ask>[3]) => ask(service, method, path, credentials, body);

    await t.step("without a key, with a wrong one, with a bad token, beyond a limit", async () => {
      assertCode(await request({}), 401, "missing_api_key");
      assertCode(await request({ apiKey: "x" }), 401, "invalid_api_key");
      assertCode(await request({ ...tenant, accessToken: "x" }), 401, "invalid_access_token");
      const { apiKey } = await issueKey(tenant.accountId, { requests_per_minute: 1 });
      await request({ apiKey });
      assertCode(await request({ apiKey }), 429, "rate_limit_exceeded");
    });

    await t.step("at another path, with another method", async () => {
      assertCode(await ask(service, method, `/${functionName}/no/such/route`, tenant), 404, "not_found");
      const taken = routes.filter((other) => other.path === route.path).map(({ method }) => method);
      const free = (["PUT", "POST", "PATCH"] as const).find((method) => !taken.includes(method))!;
      assertCode(await ask(service, free, path, tenant), 405, "method_not_allowed");
    });

    await t.step("with every scope but its own, and with no other", async () => {
      const scopes = allScopes.filter((scope) => !([operation.scope].flat() as string[]).includes(scope));
      const without = await issueKey(tenant.accountId, { scopes });
      // A signed-in user may be the expert behind the coach, who needs no scope for it.
      const withToken = operation.scope === "expert" ? {} : { accessToken };
      assertCode(await request({ ...without, ...withToken }), 403, "missing_scope");
      const only = await issueKey(tenant.accountId, { scopes: [[operation.scope].flat()[0]!] });
      const reply = await request({ ...only, accessToken });
      assertCode(reply, reply.status, code);
    });

    await t.step("when a backend is unreachable or fails", async () => {
      service.supabase.fault = "refuse";
      assertCode(await request(tenant), 503, "unavailable");
      service.supabase.fault = (path) => path.endsWith("/admit_request") ? "pass" : "refuse";
      const reply = await ask(service, method, sound, { ...tenant, ...(needsUser && { accessToken }) }, body);
      assertCode(reply, 500, "internal_error");
      assertEquals(reply.json.error, operation.failure);
      service.supabase.fault = "pass";
    });

    await t.step("the log line has the code too; that of a success has none", async () => {
      await service.clearLogs();
      const reply = await request({ ...tenant, accessToken });
      await ask(service, "GET", "/users/u/threads", tenant);
      const lines = (await service.logs()).filter(({ event }) => event === "request");
      assertEquals(lines.map(({ status, code }) => [status, code]), [[reply.status, code], [200, undefined]]);
    });

    await t.step("a preflight lets browsers read it", async () => {
      const { headers } = await ask(service, "OPTIONS", path, {});
      assertMatch(headers.get("Access-Control-Expose-Headers") ?? "", /\bX-Error-Code\b/);
    });
  });
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

  const withTool = Object.entries(refused).filter(([, { args }]) => args !== undefined).map(([name]) => name);
  assertEquals(tools.map(({ operation }) => operation.name).toSorted(), withTool.toSorted());

  for (const { name, operation } of tools) {
    const { code, args = {}, sound } = refusedOf(operation);
    const fn = async () => {
      const scopes = allScopes.filter((scope) => !([operation.scope].flat() as string[]).includes(scope));
      const { apiKey } = await issueKey(tenant.accountId, { scopes });
      // As above: who is signed in may be the expert.
      const user = operation.scope === "expert" ? {} : { accessToken };
      assertEquals(await codeOf(apiKey, name, args, user), "missing_scope");
      const only = await issueKey(tenant.accountId, { scopes: [[operation.scope].flat()[0]!] });
      assertEquals(await codeOf(only.apiKey, name, args), code);
      if (sound === undefined) assertEquals(await codeOf(only.apiKey, name, {}), "invalid_input");
    };
    const options = optionsOf(`tool ${operation.scope}`);
    await t.step({ name: `${name}, with every scope but its own and with no other`, ...options, fn });
  }

  await t.step("the log line of the call has the code too", async () => {
    await service.clearLogs();
    await codeOf(tenant.apiKey, "threads", { threadId: id });
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
