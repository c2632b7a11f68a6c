import { SdkHttpError } from "@modelcontextprotocol/client";
import { assert, assertEquals, assertMatch, assertRejects } from "../support/assert.ts";
import { ask, assertRefused, assertReply, chat, type Credentials, send } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { addFile, rowsOf } from "../support/knowledge.ts";
import { callTool, connect, envelope, post, refusedCall, revisions } from "../support/mcp.ts";
import { createTenant, createUser, issueKey, operator, type Tenant } from "../support/project.ts";
import { failureOf, type Refusal, sentenceOf } from "../support/refusals.ts";
import { type Service, startService } from "../support/service.ts";

const [revision] = revisions;

Deno.test("MCP: who may call what", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const other = await createTenant({ requests_per_minute: 1_000 });
  const { coachId } = tenant;

  for (const revision of revisions) {
    await t.step(`${revision}: without a valid key → 401 with the remedy`, async () => {
      const told = async (credentials: Credentials) => {
        const { message, data } = await assertRejects(() => connect(service, credentials, { revision }), SdkHttpError);
        assertEquals(data.status, 401);
        return JSON.stringify([message, data]);
      };
      assertMatch(await told({}), /set the header X-API-Key to a key of this service/);
      assertMatch(await told({ apiKey: "x" }), /mistyped, expired or revoked/);
      assertMatch(await told({ ...tenant, accessToken: "bad" }), /Sign in again and send the new access token/);
    });

    await t.step(`${revision}: a key that is revoked between two calls → the next one says so`, async () => {
      const { apiKey, keyId } = await issueKey(tenant.accountId);
      await using client = await connect(service, { apiKey }, { revision });
      await callTool(client, "get-user-threads", { userId: "u" });
      await operator.rpc("revoke_api_key", { id: keyId }).throwOnError();
      await assertRejects(
        () => callTool(client, "get-user-threads", { userId: "u" }),
        Error,
        sentenceOf("invalid_api_key"),
      );
    });

    await t.step(`${revision}: 429 passes through, and each message spends one unit`, async () => {
      const { apiKey } = await issueKey(tenant.accountId, { requests_per_minute: 3 });
      const { message, headers } = envelope(revision, "tools/list");
      for (const remaining of ["2", "1"]) {
        const reply = await post(service, { apiKey }, message, headers);
        assertEquals([reply.status, reply.headers.get("X-RateLimit-Remaining")], [200, remaining]);
      }
      assertEquals((await post(service, { apiKey }, "{", headers)).headers.get("X-RateLimit-Remaining"), "0");
      const reply = await post(service, { apiKey }, message, headers);
      assertRefused(reply, "rate_limit_exceeded");
    });
  }

  const calls: [tool: string, scope: string, args: Record<string, unknown>][] = [
    ["chat", "chat", { message: "Hi", context: { coachId } }],
    ["list-coaches", "chat", {}],
    ["get-user-threads", "threads:read", { userId: "u" }],
    ["threads", "threads:read", { threadId: crypto.randomUUID() }],
    ["search-knowledge", "knowledge:read", { coachId }],
    ["upload-knowledge", "knowledge:write", { coachId, files: [{ filename: "a.exe", text: "x" }] }],
    ["add-source", "knowledge:write", { coachId, url: "https://example.com/", kind: "book", refresh: "never" }],
    ["delete-knowledge", "knowledge:write", { coachId, fileId: crypto.randomUUID() }],
    ["list-questions", "expert", { coachId }],
    ["answer-question", "expert", { coachId, questionId: crypto.randomUUID(), answer: "Yes." }],
  ];
  for (const [tool, scope, args] of calls) {
    await t.step(`${tool} needs the scope ${scope}, and no other`, async () => {
      const scopes = ["chat", "threads:read", "threads:write", "knowledge:read", "knowledge:write", "expert"];
      const without = await issueKey(tenant.accountId, { scopes: scopes.filter((each) => each !== scope) });
      await using refusing = await connect(service, without);
      const refused = refusedCall("missing_scope", scope);
      assertEquals(await callTool(refusing, tool, args), refused);
      assertEquals(await callTool(refusing, tool, {}), refused);
      await using client = await connect(service, await issueKey(tenant.accountId, { scopes: [scope] }));
      assertEquals((await callTool(client, tool, args)).text.includes("scope"), false);
    });
  }

  await t.step("another account's coach, threads and files do not exist", async () => {
    const { threadId } = await chat(service, tenant, { message: "Mine", context: { coachId, userId: "u" } });
    const fileId = await addFile(tenant, "mine.md", "Only mine");
    await using stranger = await connect(service, other);
    const call = (tool: string, args: Record<string, unknown>) => callTool(stranger, tool, args);
    const refusedCoach = refusedCall("coach_not_found");
    assertEquals((await call("list-coaches", {})).json.data.map(({ id }: { id: string }) => id), [other.coachId]);
    assertEquals(await call("chat", { message: "Hi", context: { coachId } }), refusedCoach);
    assertEquals(await call("chat", { message: "Hi", thread_id: threadId }), refusedCall("thread_not_found"));
    assertEquals(await call("threads", { threadId }), refusedCall("thread_not_found"));
    assertEquals((await call("get-user-threads", { userId: "u" })).json, { data: [], count: 0 });
    assertEquals(await call("search-knowledge", { coachId, search: "mine" }), refusedCoach);
    assertEquals(await call("upload-knowledge", { coachId, files: [{ filename: "a.md", text: "x" }] }), refusedCoach);
    assertEquals(await call("delete-knowledge", { coachId, fileId }), refusedCoach);
    assertEquals(
      await call("delete-knowledge", { coachId: other.coachId, fileId }),
      refusedCall("file_not_found"),
    );
    assertEquals((await rowsOf(coachId)).length, 1);
  });

  await t.step("with a bearer token only the user's own threads exist", async () => {
    const [ada, ben] = [await createUser(), await createUser()];
    await using ofAda = await connect(service, { ...tenant, accessToken: ada.accessToken });
    await using ofBen = await connect(service, { ...tenant, accessToken: ben.accessToken });
    const message = { message: "Dear diary", context: { coachId, isAuthenticated: true } };
    const { json: { thread_id: threadId } } = await callTool(ofAda, "chat", message);
    assertEquals((await callTool(ofAda, "get-user-threads", { userId: ada.id })).json.data[0].id, threadId);
    assertEquals((await callTool(ofAda, "get-user-threads", {})).json.data[0].id, threadId);
    assertEquals((await callTool(ofBen, "get-user-threads", {})).json.data, []);
    assertEquals((await callTool(ofAda, "threads", { threadId })).json.count, 2);
    const mismatch = refusedCall("user_mismatch");
    assertEquals(await callTool(ofBen, "get-user-threads", { userId: ada.id }), mismatch);
    assertEquals(await callTool(ofBen, "chat", { message: "Hi", context: { coachId, userId: ada.id } }), mismatch);
    assertEquals(await callTool(ofBen, "threads", { threadId }), refusedCall("thread_not_found"));
    assertEquals(
      await callTool(ofBen, "chat", { message: "Hi", thread_id: threadId }),
      refusedCall("thread_not_found"),
    );
    await using anonymous = await connect(service, tenant);
    assertEquals(await callTool(anonymous, "chat", message), refusedCall("invalid_access_token"));
  });

  await t.step("with a bearer token only the coach may write", async () => {
    const [owner, user] = [await createUser(), await createUser()];
    await operator.from("coach_profiles").update({ owner_id: owner.id }).eq("id", coachId).throwOnError();
    const files = [{ filename: "a.md", text: "By the coach" }];
    const notTheCoach = refusedCall("not_the_coach");
    await using ofUser = await connect(service, { ...tenant, accessToken: user.accessToken });
    assertEquals(await callTool(ofUser, "upload-knowledge", { coachId, files }), notTheCoach);
    assertEquals(await callTool(ofUser, "delete-knowledge", { coachId, fileId: crypto.randomUUID() }), notTheCoach);
    await using ofOwner = await connect(service, { ...tenant, accessToken: owner.accessToken });
    assertEquals((await callTool(ofOwner, "upload-knowledge", { coachId, files })).json.totalUploaded, 1);
    await service.turns();
  });
});

/** Checks that a reply is a JSON-RPC error that carries the headers of every reply. */
function assertRpcError(
  reply: Awaited<ReturnType<typeof post>>,
  status: number,
  code: number,
  message: string | RegExp,
) {
  assertReply(reply, status);
  const { jsonrpc, error } = reply.json;
  assertEquals([jsonrpc, error.code], ["2.0", code], reply.text);
  if (typeof message === "string") assertEquals(error.message, message);
  else assertMatch(error.message, message);
  assertEquals(reply.headers.get("Access-Control-Allow-Origin"), "*");
  for (const name of ["X-Request-Id", "X-RateLimit-Remaining"]) assert(reply.headers.has(name), name);
}

for (const revision of revisions) {
  Deno.test(`MCP ${revision}: messages that are not calls`, async (t) => {
    await using service = await startService();
    const tenant = await createTenant({ requests_per_minute: 1_000 });
    const { message: list, headers } = envelope(revision, "tools/list");
    const ofTool = (params: Record<string, unknown>) => {
      const { message, headers } = envelope(revision, "tools/call", params);
      return post(service, tenant, message, headers);
    };

    const notJson = [["half an object", "{"], ["nothing", ""], [
      "bytes that are not UTF-8",
      Uint8Array.of(0x22, 0xff, 0x22),
    ]] as const;
    for (const [name, body] of notJson) {
      await t.step(`${name} → 400, parse error`, async () => {
        const reply = await post(service, tenant, body, { ...headers, "Content-Type": "application/json" });
        assertRpcError(reply, 400, -32_700, sentenceOf("invalid_json"));
        assertEquals(reply.json.id, null);
      });
    }

    const notMessages: [string, unknown][] = [
      ["a batch", [list, list]],
      ["an empty batch", []],
      ["an object of another kind", { hello: "world" }],
      ["JSON-RPC 1", { ...list, jsonrpc: "1.0" }],
      ["a method that is a number", { ...list, method: 5 }],
      ["an id that is an object", { ...list, id: {} }],
      ["params that are a list", { ...list, params: [] }],
      ["a number", 5],
      ["null", null],
    ];
    for (const [name, body] of notMessages) {
      await t.step(`${name} → 400, invalid request`, async () => {
        const reply = await post(service, tenant, body, headers);
        assertRpcError(reply, 400, -32_600, "The request body must be one JSON-RPC 2.0 message");
        assertEquals(reply.json.id, null);
      });
    }

    await t.step("an unknown method → method not found", async () => {
      const { message, headers } = envelope(revision, "no/such");
      const reply = await post(service, tenant, message, headers);
      assertRpcError(reply, revision === "2025-11-25" ? 200 : 404, -32_601, "Method not found");
      assertEquals(reply.json.id, 1);
    });

    for (const name of ["no-such-tool", "__proto__", "constructor", "toString"]) {
      await t.step(`the unknown tool ${name} → invalid params that name it`, async () => {
        const reply = await ofTool({ name, arguments: {} });
        assertRpcError(reply, 200, -32_602, `There is no tool "${name}"`);
      });
    }

    await t.step("a call without a tool, or with arguments that are no object → invalid params", async () => {
      for (const params of [{}, { name: 5 }, { name: "chat", arguments: [] }, { name: "chat", arguments: "Hi" }]) {
        assertRpcError(await ofTool(params), 200, -32_602, /^Invalid tools\/call request/);
      }
    });

    await t.step("an Accept with both types in any case and order, or of any type, is accepted", async () => {
      for (
        const Accept of ["Text/Event-Stream;q=0.5, APPLICATION/JSON; charset=utf-8", "*/*", "text/*, application/*"]
      ) {
        assertReply(await post(service, tenant, list, { ...headers, Accept }), 200);
      }
    });

    await t.step("null for the arguments of a tool → none", async () => {
      const reply = await ofTool({ name: "list-coaches", arguments: null });
      assertEquals(reply.messages.at(-1).result.structuredContent.data[0].id, tenant.coachId);
    });

    await t.step("an overlong progressToken, which every report would repeat → invalid params", async () => {
      const params = { name: "chat", arguments: { message: "Hi" }, _meta: { progressToken: "t".repeat(257) } };
      assertRpcError(await ofTool(params), 200, -32_602, /at most 256 characters/);
    });

    await t.step("an Accept without both types → 406", async () => {
      for (const Accept of ["application/json", "text/event-stream", "text/html", "text/*"]) {
        assertRpcError(await post(service, tenant, list, { ...headers, Accept }), 406, -32_000, /Accept/);
      }
    });

    await t.step("a Content-Type that is not JSON → 415", async () => {
      for (const type of ["text/plain", "multipart/form-data; boundary=b"]) {
        const reply = await post(service, tenant, JSON.stringify(list), { ...headers, "Content-Type": type });
        assertRpcError(reply, 415, -32_000, /Content-Type/);
      }
    });

    await t.step("an unknown revision → 400", async () => {
      const written = JSON.stringify(list).replace(revision, "1999-01-01");
      const reply = await post(service, tenant, written, { ...headers, "MCP-Protocol-Version": "1999-01-01" });
      assertRpcError(reply, 400, revision === "2025-11-25" ? -32_000 : -32_022, /[Uu]nsupported protocol version/);
    });

    await t.step("a body over 4 MB → 413, at once or in pieces; one of 4 MB is read", async () => {
      const limit = 4 * 1024 * 1024;
      const padded = (size: number) => JSON.stringify(list).padEnd(size);
      const sentence = "The message is larger than 4 MB; upload larger files over HTTP";
      assertRpcError(await post(service, tenant, padded(limit + 1), headers), 413, -32_000, sentence);
      const pieces = ReadableStream.from(Array.from({ length: 20 }, () => new Uint8Array(1024 * 1024).fill(32)));
      const json = { ...headers, "Content-Type": "application/json" };
      assertRpcError(await post(service, tenant, pieces, json), 413, -32_000, sentence);
      assertReply(await post(service, tenant, padded(limit), headers), 200);
    });

    await t.step("GET and DELETE → 405 with Allow", async () => {
      for (const method of ["GET", "DELETE", "PUT"]) {
        const reply = await ask(service, method, "/mcp", tenant, undefined, { headers });
        assertRefused(reply, "method_not_allowed");
        assertEquals(reply.headers.get("Allow"), "POST, OPTIONS");
      }
    });

    await t.step("notifications are accepted and get no result", async () => {
      const { message: { id: _, ...message }, headers } = envelope(revision, "notifications/cancelled", {
        requestId: 7,
      });
      const reply = await post(service, tenant, message, headers);
      assertReply(reply, 202);
      assertEquals(reply.text, "");
    });
  });
}

Deno.test("MCP: subscriptions are refused at once, since no event would ever be sent", async () => {
  await using service = await startService();
  const { message, headers } = envelope(revision, "subscriptions/listen", {
    notifications: { toolsListChanged: true },
  });
  const reply = await post(service, await createTenant(), message, headers);
  assertRpcError(reply, 200, -32_603, "Subscription limit reached");
});

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService());
  const tenant = await createTenant({
    requests_per_minute: 1_000,
    scopes: ["chat", "threads:read", "threads:write", "knowledge:read", "knowledge:write", "expert"],
  });
  const { coachId } = tenant;
  const client = stack.use(await connect(service, tenant));
  const file = { filename: "a.md", text: "x" };
  return handOver(stack, { service, tenant, coachId, client, file });
}

Deno.test("MCP: input that does not fit", async (t) => {
  await using prepared = await prepare();
  const { coachId, client, file } = prepared;

  const invalid: [tool: string, args: Record<string, unknown>, sentence: string][] = [
    ["chat", {}, "message is required"],
    ["chat", { message: " " }, "message must not be blank"],
    ["chat", { message: 5 }, "message must be a string"],
    ["chat", { message: "x".repeat(32_001) }, "message must be at most 32,000 characters long"],
    ["chat", { message: "a\0b" }, "message must not contain NUL characters or unpaired surrogates"],
    ["chat", { message: "Hi" }, "context.coachId is required to start a thread"],
    ["chat", { message: "Hi", thread_id: "x" }, "thread_id must be a UUID"],
    ["chat", { message: "Hi", context: [] }, "context must be an object"],
    ["list-coaches", { limit: 0 }, "limit must be a whole number from 1 to 100"],
    ["list-coaches", { cursor: "x" }, "cursor must be a next_cursor of this list"],
    ["get-user-threads", {}, "userId is required"],
    ["get-user-threads", { userId: " " }, "userId is required"],
    ["get-user-threads", { userId: 5 }, "userId is required"],
    ["get-user-threads", { userId: "u", coachId: 5 }, "coachId must be a string"],
    ["get-user-threads", { userId: "u", limit: 0 }, "limit must be a whole number from 1 to 100"],
    ["get-user-threads", { userId: "u", limit: "5" }, "limit must be a whole number from 1 to 100"],
    ["get-user-threads", { userId: "u", cursor: "x" }, "cursor must be a next_cursor of this list"],
    ["get-user-threads", { userId: "u", cursor: 5 }, "cursor must be a next_cursor of this list"],
    ["threads", {}, "threadId is required"],
    ["threads", { threadId: "" }, "threadId is required"],
    ["search-knowledge", {}, "coachId is required"],
    ["search-knowledge", { coachId, search: 5 }, "search must be a string"],
    ["search-knowledge", { coachId, search: "a\0b" }, "search must not contain NUL characters"],
    ["search-knowledge", { coachId, category: "music" }, "category must be documents, images or videos"],
    ["search-knowledge", { coachId, page: 0 }, "page must be a whole number, 1 or higher"],
    ["search-knowledge", { coachId, limit: 101 }, "limit must be a whole number from 1 to 100"],
    ["read-source", { coachId }, "fileId is required"],
    ["read-source", { coachId, fileId: "x", after: 21 }, "after must be a whole number from 0 to 20"],
    ["add-source", { url: "https://example.com/" }, "coachId is required"],
    ["add-source", { coachId, kind: "page", refresh: "never" }, "url is required"],
    ["delete-knowledge", {}, "coachId is required"],
    ["delete-knowledge", { coachId }, "fileId is required"],
    ["delete-knowledge", { fileId: "x" }, "coachId is required"],
    ["list-questions", {}, "coachId is required"],
    ["list-questions", { coachId, status: "closed" }, "status must be open, answered or dismissed"],
    ["answer-question", { coachId, answer: "Yes." }, "questionId is required"],
    ["answer-question", { coachId, questionId: "x" }, "answer must be a string"],
    ["upload-knowledge", { coachId }, "files is required"],
    ["upload-knowledge", { coachId, files: [] }, "files is required"],
    ["upload-knowledge", { coachId, files: file }, "files must be a list"],
    ["upload-knowledge", { coachId, files: ["a.md"] }, "Every file must be an object"],
    ["upload-knowledge", { coachId, files: [{ text: "x" }] }, "Every file needs a filename"],
    [
      "upload-knowledge",
      { coachId, files: [file, { filename: "b.md" }] },
      "Every file needs either text or base64 as its content",
    ],
    [
      "upload-knowledge",
      { coachId, files: [file, { ...file, base64: "eA==" }] },
      "Every file needs either text or base64 as its content",
    ],
    [
      "upload-knowledge",
      { coachId, files: [file, { filename: 'b".md', base64: "#" }] },
      'The base64 of "b\\".md" is not valid',
    ],
    ["upload-knowledge", { coachId: "", files: [{ filename: "b.md", base64: "#" }] }, "coachId is required"],
    [
      "upload-knowledge",
      { coachId, files: Array.from({ length: 21 }, () => file) },
      "At most 20 files can be uploaded at once",
    ],
  ];
  const cases: [tool: string, args: Record<string, unknown>, Refusal, what?: string][] = [
    ["chat", { message: "Hi", context: { coachId: "nobody" } }, "coach_not_found"],
    ["threads", { threadId: "../threads" }, "thread_not_found"],
    ["threads", { threadId: "a\0b" }, "thread_not_found"],
    ["threads", { threadId: crypto.randomUUID() }, "thread_not_found"],
    ["read-source", { coachId, fileId: "x" }, "file_not_found"],
    ["delete-knowledge", { coachId, fileId: "../../etc/passwd" }, "file_not_found"],
    ["answer-question", { coachId, questionId: "x", answer: "Yes." }, "question_not_found"],
    ["upload-knowledge", { coachId: "nobody", files: [file] }, "coach_not_found"],
  ];
  cases.push(...invalid.map(([tool, args, what]) => [tool, args, "invalid_input", what] as typeof cases[number]));
  for (const [tool, args, ...refusal] of cases) {
    const shown = JSON.stringify(args);
    await t.step(`${tool} with ${shown.slice(0, 60)} → ${refusal.join(": ")}`, async () => {
      assertEquals(await callTool(client, tool, args), refusedCall(...refusal));
    });
  }

  await t.step("none of these calls stored anything", async () => {
    assertEquals(await rowsOf(coachId), []);
    const { data } = await operator.from("threads").select("id").eq("coach_id", coachId).throwOnError();
    assertEquals(data, []);
  });
});

Deno.test("MCP: input that is odd", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, coachId, client } = prepared;

  await t.step("names that look like paths are names", async () => {
    const filename = "../../../functions/mcp/index.md";
    const { json } = await callTool(client, "upload-knowledge", { coachId, files: [{ filename, text: "x" }] });
    assertEquals(json.uploadedFiles[0].filename, filename);
    const { json: nul } = await callTool(client, "upload-knowledge", {
      coachId,
      files: [{ filename: "a\0.md", text: "x" }, { filename: "b.md", text: "a\0b" }],
    });
    assertEquals(nul.failedFiles.map(({ error }: { error: string }) => error), [
      "The file name must not contain NUL characters",
      "The content is not that of a MD file",
    ]);
    await service.turns();
  });

  const { headers } = envelope(revision, "tools/call", { name: "chat" });
  const meta = JSON.stringify((envelope(revision, "tools/call").message.params as { _meta: unknown })._meta);
  const sendArguments = (name: string, written: string) =>
    post(
      service,
      tenant,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${written},"_meta":${meta}}}`,
      { ...headers, "Mcp-Name": name },
    );

  await t.step("names like __proto__ are ordinary names", async () => {
    const written = `{"__proto__":{"message":"Hi"},"constructor":{"prototype":{"message":"Hi"}},"hasOwnProperty":1}`;
    assertEquals((await sendArguments("chat", written)).json.result.content[0].text, "message is required");
    assertEquals(({} as Record<string, unknown>).message, undefined);
  });

  await t.step("objects and lists 10,000 levels deep are refused before they are parsed", async () => {
    const objects = `${`{"a":`.repeat(10_000)}1${"}".repeat(10_000)}`;
    const lists = "[".repeat(10_000) + "]".repeat(10_000);
    for (const deep of [objects, lists]) {
      const reply = await sendArguments("chat", `{"message":${deep}}`);
      assertRpcError(reply, 413, -32_000, "The message has more than 100,000 values, or is nested too deeply");
    }
  });

  await t.step("objects and lists 150 levels deep are refused as a wrong type", async () => {
    const objects = `${`{"a":`.repeat(150)}1${"}".repeat(150)}`;
    const lists = "[".repeat(150) + "]".repeat(150);
    for (const deep of [objects, lists]) {
      const { json } = await sendArguments("chat", `{"message":${deep}}`);
      assertEquals(json.result.content[0].text, "message must be a string");
      const { json: extra } = await sendArguments("chat", `{"message":" ","more":${deep}}`);
      assertEquals(extra.result.content[0].text, "message must not be blank");
      const reply = await post(
        service,
        tenant,
        `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"a":${deep}}}}`,
        headers,
      );
      assert(reply.status < 500, reply.text);
    }
  });

  await t.step("a list of 40,000 files is refused as too long, one of a million before it is parsed", async () => {
    const list = (length: number) => `{"coachId":"x","files":[${"{},".repeat(length - 1)}{}]}`;
    const { json } = await sendArguments("upload-knowledge", list(40_000));
    assertEquals(json.result.content[0].text, sentenceOf("too_many_files", "20"));
    const reply = await sendArguments("upload-knowledge", list(1_000_000));
    assertRpcError(reply, 413, -32_000, "The message has more than 100,000 values, or is nested too deeply");
  });

  await t.step("a text of any punctuation is one value", async () => {
    const message = `{["\\",`.repeat(6_000).slice(0, 32_000);
    const { json } = await callTool(client, "chat", { message, context: { coachId } });
    const thread = await ask(service, "GET", `/threads/${json.thread_id}/messages`, tenant);
    assertEquals(thread.json.data[0].content, message);
    const text = `{["\\",`.repeat(100_000);
    const { json: uploaded } = await callTool(client, "upload-knowledge", {
      coachId,
      files: [{ filename: "a.txt", text }],
    });
    assertEquals(uploaded.uploadedFiles[0].size, text.length);
    await service.turns();
  });

  await t.step("no call failed with 500, and no log line holds a key or what was sent", async () => {
    assertEquals((await service.logs()).filter(({ level, status }) => level === "error" || Number(status) >= 500), []);
    const text = JSON.stringify(await service.logs());
    for (const secret of [tenant.apiKey, "etc/passwd", "index.md", "nobody"]) {
      assertEquals(text.includes(secret), false);
    }
  });
});

/** The log lines of a request. */
async function logsOf(service: Service, requestId: string): Promise<Record<string, unknown>[]> {
  return (await service.logs()).filter(({ request_id }) => request_id === requestId);
}

for (const revision of revisions) {
  Deno.test(`MCP ${revision}: failures that the caller cannot correct`, async (t) => {
    await using service = await startService();
    const tenant = await createTenant({ requests_per_minute: 1_000 });
    const ofTool = (name: string, args: Record<string, unknown>, requestId: string) => {
      const { message, headers } = envelope(revision, "tools/call", { name, arguments: args });
      return post(service, tenant, message, { ...headers, "X-Request-Id": requestId });
    };

    await t.step("a failing model → an error with its status and the thread of the question", async () => {
      service.model.script(tenant.modelName, { steps: [{ status: 400, code: "my secret diary" }] });
      const args = { message: "my secret diary", context: { coachId: tenant.coachId, userId: "u" } };
      const reply = await ofTool("chat", args, `model-${revision}`);
      assertRpcError(reply, 200, -32_603, sentenceOf("model_unavailable"));
      const { thread_id, ...data } = reply.json.error.data;
      assertEquals(data, failureOf("model_unavailable"));
      assertEquals((await ask(service, "GET", `/threads/${thread_id}/messages`, tenant)).json.count, 1);
    });

    await t.step("a model that fails half-way → progress so far, then an error; the text stays", async () => {
      service.model.script(tenant.modelName, { steps: [{ text: "Half" }, { cut: true }] });
      const { message, headers } = envelope(revision, "tools/call", {
        name: "chat",
        arguments: { message: "Hi", context: { coachId: tenant.coachId } },
        _meta: { progressToken: "p" },
      });
      const { messages } = await post(service, tenant, message, headers);
      assertEquals(messages.map(({ params, error }) => params?.message ?? error?.code), [undefined, "Half", -32_603]);
      const { thread_id } = messages.at(-1).error.data;
      const { json } = await ask(service, "GET", `/threads/${thread_id}/messages`, tenant);
      assertEquals(json.data[1].content, "Half");
    });

    await t.step("a failing database → the same error as over HTTP, without its cause, logged once", async () => {
      service.supabase.fault = (path) => path.endsWith("/admit_request") ? "pass" : "refuse";
      const failures: [string, Record<string, unknown>, string][] = [
        ["chat", { message: "my secret diary", context: { coachId: "c" } }, "Failed to answer the message"],
        ["get-user-threads", { userId: "my secret diary" }, "Failed to fetch threads"],
        ["threads", { threadId: crypto.randomUUID() }, "Failed to fetch messages"],
        ["search-knowledge", { coachId: "my secret diary" }, "Failed to search files"],
        ["upload-knowledge", { coachId: "c", files: [{ filename: "a.md", text: "x" }] }, "Failed to upload files"],
        ["delete-knowledge", { coachId: "c", fileId: "my secret diary" }, "Failed to delete file"],
      ];
      for (const [tool, args, error] of failures) {
        const requestId = `${tool}-${revision}`;
        const reply = await ofTool(tool, args, requestId);
        assertRpcError(reply, 200, -32_603, error);
        assertEquals(reply.json.error.data, {
          status: 500,
          code: "internal_error",
          error,
          details: "A backend did not answer as expected",
        });
        const lines = (await logsOf(service, requestId)).filter(({ level }) => level === "error");
        assertEquals(lines.map(({ event, tool, status, code, reason }) => ({ event, tool, status, code, reason })), [
          {
            event: "tool_call",
            tool,
            status: 500,
            code: "internal_error",
            reason: "ApiError internal_error 500 < DatabaseError PGRST000",
          },
        ]);
      }
      service.supabase.fault = "pass";
    });

    await t.step("no line holds a key, a question or an argument", async () => {
      const text = JSON.stringify(await service.logs());
      for (const secret of [tenant.apiKey, "secret diary", "Explain with engines"]) {
        assert(!text.includes(secret), secret);
      }
    });
  });
}

Deno.test("MCP: a long thread arrives whole, and in pages", async () => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const threadId = await storeLongThread(tenant, 2_500);
  await using client = await connect(service, tenant);
  const whole = await callTool(client, "threads", { threadId });
  assertEquals([whole.json.data.length, whole.json.count], [2_500, 2_500]);
  assertEquals(JSON.parse(whole.text), whole.json);
  const page = await callTool(client, "threads", { threadId, limit: 100 });
  assertEquals([page.json.data, page.json.count], [whole.json.data.slice(0, 100), 2_500]);
});

async function storeLongThread({ accountId, coachId }: Tenant, length: number): Promise<string> {
  const { data: thread } = await operator.from("threads")
    .insert({ account_id: accountId, coach_id: coachId, user_id: "u", title: "Long" }).select("id").single()
    .throwOnError();
  const rows = Array.from({ length }, (_, index) => ({
    thread_id: thread.id,
    role: "user",
    content: `${index} ${"word ".repeat(100)}`,
  }));
  await operator.from("messages").insert(rows).throwOnError();
  return thread.id;
}

Deno.test("MCP: when a client disconnects before the first text, its answer is still stored", async () => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  for (const revision of revisions) {
    const { promise, resolve } = Promise.withResolvers<void>();
    service.model.script(tenant.modelName, { steps: [{ waitFor: promise }, { text: "Too late?" }] });
    const userId = crypto.randomUUID();
    const { message, headers } = envelope(revision, "tools/call", {
      name: "chat",
      arguments: { message: "Hi", context: { coachId: tenant.coachId, userId } },
    });
    const response = await send(service, "POST", "/mcp", tenant, message, { headers });
    // The platform may end the worker once the reply is over and nothing keeps it alive.
    assert((await service.keptAlive()).pending > 0);
    await response.body!.cancel();
    resolve();
    await service.turns();
    const { data: [thread] } = (await ask(service, "GET", `/users/${userId}/threads`, tenant)).json;
    const { data } = (await ask(service, "GET", `/threads/${thread.id}/messages`, tenant)).json;
    assertEquals(data[1].content, "Too late?");
  }
});

Deno.test("MCP 2025-03-26: batches", async (t) => {
  await using service = await startService();
  const { coachId, ...tenant } = await createTenant({ requests_per_minute: 1_000 });
  const headers = { Accept: "application/json, text/event-stream" };
  const request = (id: number, method: string, params = {}) => ({ jsonrpc: "2.0", id, method, params });
  const coaches = (id: number) => request(id, "tools/call", { name: "list-coaches", arguments: {} });
  const notification = { jsonrpc: "2.0", method: "notifications/initialized" };

  for (const named of [{}, { "MCP-Protocol-Version": "2025-03-26" }] as Record<string, string>[]) {
    const how = "MCP-Protocol-Version" in named ? "with" : "without";
    await t.step(`each message is answered, ${how} the header`, async () => {
      const batch = [request(1, "tools/list"), notification, coaches(2), request(3, "no/such")];
      const reply = await post(service, tenant, batch, { ...headers, ...named });
      assertReply(reply, 200);
      assertEquals(reply.messages.map(({ id }) => id), [1, 2, 3]);
      const [list, call, unknown] = reply.messages;
      assert(list.result.tools.length > 0);
      assertEquals(call.result.structuredContent.data[0].id, coachId);
      assertEquals(unknown.error.code, -32_601);
    });
  }

  await t.step("notifications alone get no result", async () => {
    assertReply(await post(service, tenant, [notification, notification], headers), 202);
  });

  await t.step("each message spends a unit, and those over the limit are refused one by one", async () => {
    const { apiKey } = await issueKey(tenant.accountId, { requests_per_minute: 2 });
    const reply = await post(service, { apiKey }, [coaches(1), coaches(2), coaches(3)], headers);
    assertEquals(reply.messages.map(({ id, error }) => [id, error?.data.code]), [
      [1, undefined],
      [2, undefined],
      [3, "rate_limit_exceeded"],
    ]);
    assertRefused(await post(service, { apiKey }, [coaches(1), coaches(2)], headers), "rate_limit_exceeded");
  });

  await t.step("nothing, too much, or anything that is no message → invalid request", async () => {
    for (const batch of [[], Array(51).fill(notification), [notification, 5], [[notification]]]) {
      assertRpcError(await post(service, tenant, batch, headers), 400, -32_600, /one JSON-RPC 2.0 message/);
    }
  });
});
