import { proxy } from "hono/proxy";
import { SignJWT } from "jose";
import { encodeBase64 } from "../../shared/libs/base/std/base64.ts";
import { freePort } from "../../supabase/platform/local_address.ts";
import { assert, assertEquals, fail } from "../support/assert.ts";
import { acceptOf, type Credentials, formOf, receive } from "../support/client.ts";
import { inventKey } from "../support/invent_key.ts";
import { addFile, clearQueue, deleteRows, rowsOf } from "../support/knowledge.ts";
import { envelope, revisions } from "../support/mcp.ts";
import { type ModelServer, startModelServer } from "../support/model_server.ts";
import { FunctionDidNotStart, startFunctionProcess } from "../support/function_process.ts";
import { createTenant, createUser, issueKey, operator, secretKey, type Tenant } from "../support/project.ts";
import { startRedisServer } from "../support/redis_server.ts";
import { sampleFiles } from "../support/sample_files.ts";
import { serve } from "../support/serve.ts";
import { projectVariable, type Service, startService } from "../support/service.ts";
import { slowStep, stepEach } from "../support/slow.ts";
import { storeAnswer } from "../support/turns.ts";

/** Secrets to look for, by their names. */
type Texts = Record<string, string>;

/**
 * Fails when a value holds one of the texts, or its first 24 characters: plain, URL-encoded or in base64. The failure
 * says which text and where.
 */
function assertHoldsNone(texts: Texts, value: unknown): void {
  const found = Object.entries(texts).flatMap(([name, text]) => {
    const beginning = text.slice(0, 24);
    const forms = [beginning, encodeURIComponent(beginning), encodeBase64(beginning).replace(/.{0,2}=+$/, "")];
    return placesOf(forms, value).map((place) => `${name} in ${place}`);
  });
  if (found.length > 0) fail(`${found.length} places: ${found.slice(0, 5).join("\n")}`);
}

function placesOf(forms: string[], value: unknown, place = ""): string[] {
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([name, part]) => [
      ...placesOf(forms, name, `${place}, a name`),
      ...placesOf(forms, part, `${place}.${name}`),
    ]);
  }
  const shown = String(value).toLowerCase();
  return forms.some((form) => shown.includes(form.toLowerCase())) ? [`${place}: ${value}`] : [];
}

/** A request to the service. */
type Request = {
  /** Method and path, as shown in a failure. */
  name: string;
  path: string;
  method?: string;
  /** The tenant's own by default. */
  credentials?: Credentials;
  headers?: Record<string, string>;
  body?: BodyInit;
  /** Names of the texts that a successful reply may show. */
  shows?: string[];
  /** Names of the texts that any reply may contain: they repeat the caller's input. */
  echoes?: string[];
};

/** A reply, up to its end or to the point where the connection broke. */
type Reply = Required<Pick<Request, "name" | "shows" | "echoes">> & {
  status: number;
  headers: Record<string, string>;
  text: string;
};

async function exchange(
  service: Pick<Service, "url">,
  { name, path, method = "POST", credentials = {}, headers, body, shows = [], echoes = [] }: Request,
): Promise<Reply> {
  const { status, headers: received, text } = await receive(service, method, path, credentials, body, { headers });
  return { name, status, headers: Object.fromEntries(received), text, shows, echoes };
}

/** Checks that a reply holds none of the texts but those that it may show. */
function assertReplyHoldsNone(texts: Texts, { name, status, headers, text, shows, echoes }: Reply): void {
  const isFailure = status >= 400 || /"error":\{|"isError":true|event: error/.test(text);
  const shown = isFailure ? echoes : [...shows, ...echoes];
  assertHoldsNone(texts, { name, status, headers });
  assertHoldsNone(Object.fromEntries(Object.entries(texts).filter(([name]) => !shown.includes(name))), {
    name,
    status,
    text,
  });
}

/** Checks that a reply's request id is in exactly one `request` log line. */
function assertLeadsToItsLine(logs: Record<string, unknown>[], { name, status, headers }: Reply): void {
  const lines = logs.filter(({ event, request_id }) => event === "request" && request_id === headers["x-request-id"]);
  assertEquals(lines.map((line) => line.status), [status], `${name} ${headers["x-request-id"]}`);
}

/** The rows of an account that operators see: errors, and the request IDs that lead to log lines. */
async function storedWords({ accountId, coachId }: Tenant) {
  const { data: threads } = await operator.from("threads").select("id").eq("account_id", accountId).throwOnError();
  const { data: messages } = await operator.from("messages").select("error, request_id")
    .in("thread_id", threads.map(({ id }) => id)).throwOnError();
  const files = (await rowsOf(coachId)).map(({ status, error }) => ({ status, error }));
  return { messages, files };
}

/** A proxy in front of a backend. While it is broken, each reply quotes the whole request, keys included. */
type QuotingProxy = AsyncDisposable & { url: string; isBroken: (path: string) => boolean };

function startQuotingProxy(target: string, answer: (path: string, quote: string) => Response): QuotingProxy {
  const server = serve(async (request) => {
    const { pathname, search } = new URL(request.url);
    if (!self.isBroken(pathname)) return await proxy(target + pathname + search, { raw: request });
    const headers = [...request.headers].map(([name, value]) => `${name}: ${value}`);
    return answer(pathname, [request.method, request.url, ...headers, await request.text()].join("; "));
  });
  const self: QuotingProxy = Object.assign(server, { isBroken: () => false });
  return self;
}

/** Refuses in the form of PostgREST or Storage. */
function refuseAsSupabase(path: string, quote: string): Response {
  return path.startsWith("/rest/")
    ? Response.json({ code: "23514", message: `new row violates: ${quote}`, details: quote, hint: quote }, {
      status: 400,
    })
    : Response.json({ statusCode: "400", error: quote, message: quote }, { status: 400 });
}

/** The stream of a model that fails in the middle of an answer. */
function failAsStream(event: Record<string, unknown>): Response {
  const delta = { type: "response.output_text.delta", delta: "Half an answer" };
  return new Response([delta, event].map((each) => `data: ${JSON.stringify(each)}\n\n`).join(""), {
    headers: { "Content-Type": "text/event-stream" },
  });
}

const modelKey = "sk-proj-Mod3lK3yOfTheProject-7788";

/** The ways in which a model fails, each quoting the request. */
const modelFailures: Record<string, (quote: string) => Response> = {
  "refuses the key, as OpenAI does": (quote) => {
    const message = `Incorrect API key provided: sk-proj-********************7788. You can find your API key at ` +
      `https://platform.openai.com/account/api-keys. ${quote} ${modelKey}`;
    const error = { message, type: "invalid_request_error", param: quote, code: "invalid_api_key" };
    return Response.json({ error }, { status: 401 });
  },
  "refuses the request, with the key as error code": (quote) =>
    Response.json({ error: { message: quote, type: quote, param: quote, code: modelKey } }, { status: 400 }),
  "ends its stream with an error event": (quote) =>
    failAsStream({ type: "error", code: "server_error", message: quote }),
  "ends its stream as failed, with the key as error code": (quote) =>
    failAsStream({ type: "response.failed", response: { error: { code: modelKey, message: quote } } }),
  "answers with something else": (quote) => new Response(quote, { headers: { "Content-Type": "text/event-stream" } }),
};

/** A user id as a client sends it. Clients may see it, but it does not belong in the log. */
const userIdOfOthers = "patient-4711-of-the-clinic";

const said: Texts = {
  message: "my secret diary says owls",
  note: "my secret note about gulls",
  content: "the harbour seal sleeps at noon",
  filename: "love-letters-of-1999",
  search: "whose harbour was searched",
  "user id": userIdOfOthers,
  instructions: "Explain with hidden engines.",
};

const models = { OPENAI_EMBEDDING_MODEL: "embedder", OPENAI_VISION_MODEL: "seer", OPENAI_TRANSCRIPTION_MODEL: "ear" };
const vector = Array.from({ length: 1536 }, (_, index) => Number(index === 0));

function prepareModels(model: ModelServer): void {
  model.scriptEmbeddings("embedder", () => vector);
  model.script("seer", { steps: [{ text: "A lamp" }] });
  model.scriptTranscription("ear", "A song");
}

/** Files of every kind, new ones each time: one that is damaged, and one that is refused. */
function filesOf(round: number): FormData {
  const content = `${said.content} ${round}`;
  const bytes = new TextEncoder().encode(content);
  const append = (file: Uint8Array) => new Uint8Array([...file, ...bytes]);
  return formOf(
    [`${said.filename}.md`, content],
    [`${said.filename}.png`, append(sampleFiles.png)],
    [`${said.filename}.mp4`, append(sampleFiles.mp4)],
    [`${said.filename}.pdf`, `%PDF-1.4\n${content}`],
    [`${said.filename}.docx`, append(sampleFiles.docx)],
    [`${said.filename}.exe`, content],
  );
}

type Scene = { tenant: Tenant; accessToken: string; badKeys: string[]; badTokens: string[] };

/** Each operation of the service once, and a request for each bad key and token. */
async function everyRequest({ tenant, accessToken, badKeys, badTokens }: Scene, round: number): Promise<Request[]> {
  const { coachId } = tenant;
  const json = { "Content-Type": "application/json" };
  const context = { coachId, userId: userIdOfOthers, mode: "reflect" };
  const body = JSON.stringify({ message: said.message, context });
  const { threadId, messageId } = await storeAnswer(tenant, { content: "Whole", status: "complete" });
  const abandoned = await storeAnswer(tenant, { content: "", status: "streaming", response_id: "resp_lost" }, 60);
  const [first, second] = [await addFile(tenant, "old.md", "Old"), await addFile(tenant, "older.md", "Older")];
  const asked = `coachId=${coachId}&search=${encodeURIComponent(said.search!)}`;
  const passages = ["content", "filename", "note"];

  const call = (tool: string, args: Record<string, unknown>, shows: string[] = []): Request[] =>
    revisions.map((revision) => {
      const params = { name: tool, arguments: args, _meta: { progressToken: 1 } };
      const { message, headers } = envelope(revision, "tools/call", params);
      return {
        name: `MCP ${tool}`,
        path: "/mcp",
        headers: { ...json, ...headers },
        body: JSON.stringify(message),
        shows,
      };
    });
  const requests: Request[] = [
    ...Object.entries(acceptOf).map(([form, Accept]) => ({
      name: `POST /chat ${form}`,
      path: "/chat",
      headers: { ...json, Accept },
      body,
      shows: form === "text" ? [] : passages,
    })),
    {
      name: "POST /chat create_knowledge",
      path: "/chat",
      credentials: { ...tenant, accessToken },
      headers: { ...json, "Idempotency-Key": `${said.message} ${round}` },
      body: JSON.stringify({ message: `${said.note} ${round}`, context: { coachId, mode: "create_knowledge" } }),
      shows: ["note"],
    },
    { name: "POST /chat stop", path: `/chat/${messageId}/stop` },
    { name: "GET /chat stream", method: "GET", path: `/chat/${messageId}/stream` },
    { name: "GET /chat stream of an abandoned answer", method: "GET", path: `/chat/${abandoned.messageId}/stream` },
    { name: "GET coaches", method: "GET", path: "/coaches" },
    { name: "GET a coach", method: "GET", path: `/coaches/${coachId}` },
    { name: "GET users", method: "GET", path: `/users/${userIdOfOthers}/threads`, shows: ["message", "user id"] },
    {
      name: "GET users, as another",
      method: "GET",
      path: `/users/${userIdOfOthers}/threads`,
      credentials: { ...tenant, accessToken },
    },
    { name: "GET messages", method: "GET", path: `/threads/${threadId}/messages`, shows: ["message"] },
    { name: "GET messages of an abandoned answer", method: "GET", path: `/threads/${abandoned.threadId}/messages` },
    { name: "POST files", path: `/knowledge-handler?coachId=${coachId}`, body: filesOf(round), shows: ["filename"] },
    { name: "GET files", method: "GET", path: `/knowledge-handler?${asked}`, shows: passages },
    { name: "DELETE file", method: "DELETE", path: `/knowledge-handler/${first}?coachId=${coachId}` },
    ...call("chat", { message: said.message, context }, passages),
    ...call("list-coaches", {}),
    ...call("get-user-threads", { userId: userIdOfOthers }, ["message", "user id"]),
    ...call("threads", { threadId }, ["message"]),
    ...call("search-knowledge", { coachId, search: said.search }, passages),
    ...call("upload-knowledge", {
      coachId,
      files: [{ filename: `${said.filename}.txt`, text: `${said.content} by MCP ${round}` }],
    }, ["filename"]),
    ...call("delete-knowledge", { coachId, fileId: second }),
    { name: "GET docs", method: "GET", path: "/docs/openapi.json" },
    { name: "POST /chat, no JSON", path: "/chat", headers: json, body: body.slice(0, -1) },
    { name: "POST /mcp, no JSON", path: "/mcp", headers: json, body: body.slice(0, -1) },
  ];
  const refused = ["/chat", "/mcp", "/knowledge-handler", "/users/u/threads", "/threads/t/messages"].flatMap((path) => [
    ...badKeys.map((apiKey) => ({ name: `a bad key at ${path}`, path, credentials: { apiKey }, headers: json, body })),
    ...badTokens.map((accessToken) => ({
      name: `a bad token at ${path}`,
      path,
      credentials: { ...tenant, accessToken },
      headers: json,
      body,
    })),
  ]);
  return [
    ...requests.map((request) => ({ credentials: { apiKey: tenant.apiKey }, ...request })),
    ...refused,
    { name: "POST /indexer", path: "/indexer", headers: { apikey: secretKey } },
    { name: "POST /fetcher", path: "/fetcher", headers: { apikey: secretKey } },
    { name: "POST /mailer", path: "/mailer", headers: { apikey: secretKey } },
    { name: "POST /mailer, bad key", path: "/mailer", headers: { apikey: badKeys[0]! } },
    { name: "POST /fetcher, bad key", path: "/fetcher", headers: { apikey: badKeys[0]! } },
    { name: "POST /indexer, bad key", path: "/indexer", headers: { apikey: badKeys[0]! } },
  ];
}

Deno.test("whatever fails, no log line, reply or stored error holds a key, a token or a message", async (t) => {
  await clearQueue();
  const jwtSecret = "Pa55w0rd-that-signs-all-old-tokens";
  await using model = await startModelServer();
  await using redis = await startRedisServer();
  let failure = (quote: string) => new Response(quote, { status: 500 });
  await using toModel = startQuotingProxy(new URL(model.baseUrl).origin, (_path, quote) => failure(quote));
  await using toSupabase = startQuotingProxy(projectVariable("SUPABASE_URL"), refuseAsSupabase);
  await using toRedis = startQuotingProxy(
    redis.url,
    (_path, quote) => Response.json({ error: `ERR ${quote}` }, { status: 400 }),
  );
  prepareModels(model);
  const env = {
    OPENAI_BASE_URL: `${toModel.url}/v1`,
    OPENAI_API_KEY: modelKey,
    SUPABASE_URL: toSupabase.url,
    UPSTASH_REDIS_REST_URL: toRedis.url,
    UPSTASH_REDIS_REST_TOKEN: redis.token,
    JWT_SECRET: jwtSecret,
    ...models,
  };
  const timeouts = { save: 500, stop: 500, poll: 50 };
  await using service = await startService({ env, timeouts });
  const address = `127.0.0.1:${freePort()}`;
  const withoutModel = {
    ...env,
    OPENAI_BASE_URL: `http://${address}/v1`,
    UPSTASH_REDIS_REST_URL: `http://default:${redis.token}@${address}`,
  };
  await using alone = await startService({ env: withoutModel, timeouts });
  await using lost = await startService({ env: { ...withoutModel, SUPABASE_URL: `http://${address}` }, timeouts });

  const user = await createUser();
  const tenant = await createTenant({ requests_per_minute: 10_000, requests_per_hour: 10_000 }, {
    owner_id: user.id,
    instructions: said.instructions,
  });
  const { apiKey: revokedKey, keyId } = await issueKey(tenant.accountId);
  await operator.rpc("revoke_api_key", { id: keyId }).throwOnError();
  const expiredToken = await new SignJWT({ sub: user.id, role: "authenticated", exp: 1 })
    .setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(jwtSecret));
  const keys = {
    "revoked key": revokedKey,
    "unknown key": inventKey(crypto.randomUUID().replaceAll("-", "")),
    "mistyped key": `${tenant.apiKey.slice(0, -7)}-${tenant.apiKey.slice(-6)}`,
  };
  const tokens = {
    "expired token": expiredToken,
    "garbage token": "garbage.of.tokens",
    "API key as token": revokedKey,
  };
  const scene = {
    tenant,
    accessToken: user.accessToken,
    badKeys: Object.values(keys),
    badTokens: Object.values(tokens),
  };
  const texts: Texts = {
    "API key": tenant.apiKey,
    ...keys,
    "access token": user.accessToken,
    ...tokens,
    "secret key of the project": secretKey,
    "key of the model": modelKey,
    "masked key of the model": "sk-proj-****",
    "token of Upstash": redis.token,
    "secret of tokens": jwtSecret,
    ...said,
  };

  /** The faults while all requests are sent. */
  type Outage = { at?: Service; model?: typeof failure; supabase?: (path: string) => boolean; redis?: boolean };
  const rpc = (...names: string[]) => (path: string) => names.some((name) => path.endsWith(`/rpc/${name}`));
  const outages: Record<string, Outage> = {
    nothing: {},
    ...Object.fromEntries(Object.entries(modelFailures).map(([name, model]) => [`the model ${name}`, { model }])),
    "Postgres refuses all but the key": { supabase: (path) => path.includes("/rpc/") && !rpc("admit_request")(path) },
    "Postgres refuses to store": {
      supabase: rpc("save_turns", "end_upload", "save_indexing", "postpone_indexing"),
    },
    "Postgres refuses everything": { supabase: (path) => path.startsWith("/rest/") },
    "Storage fails": { supabase: (path) => path.startsWith("/storage/") },
    "the indexer cannot be called": { supabase: (path) => path.startsWith("/functions/") },
    "Upstash fails": { redis: true },
    "neither model nor Upstash can be reached": { at: alone },
    "nothing can be reached": { at: lost },
  };
  const events = new Set<unknown>();
  let round = 0;
  await stepEach(t, Object.entries(outages), {
    quick: [
      "nothing",
      "the model refuses the key, as OpenAI does",
      "Postgres refuses everything",
      "nothing can be reached",
    ],
    async run({ at = service, model, supabase, redis }) {
      const requests = await everyRequest(scene, round++);
      await at.clearLogs();
      failure = model ?? failure;
      toModel.isBroken = () => model !== undefined;
      toSupabase.isBroken = supabase ?? (() => false);
      toRedis.isBroken = () => redis ?? false;
      const replies = await Promise.all(requests.map((request) => exchange(at, request)));
      await at.turns();
      // Files that an earlier round has postponed are due as well.
      await operator.from("knowledge_files").update({ due_at: new Date(0).toISOString() })
        .eq("coach_id", tenant.coachId).in("status", ["queued", "indexing"]).throwOnError();
      await exchange(at, { name: "POST /indexer", path: "/indexer", headers: { apikey: secretKey } });
      await at.turns();

      const logs = await at.logs();
      for (const reply of replies) {
        assertReplyHoldsNone(texts, reply);
        assertLeadsToItsLine(logs, reply);
      }
      assertHoldsNone(texts, { logs, printed: await at.printed(), stored: await storedWords(tenant) });
      for (const { event } of logs) events.add(event);
    },
  });

  // It takes all outages together to see all these events.
  await slowStep(t, "the outages above were logged and stored", async () => {
    const expected = [
      "indexing_postponed",
      "limiter_unavailable",
      "query_not_embedded",
      "recovery_failed",
      "request",
      "sweep_failed",
      "tool_call",
      "turn",
      "upload_not_ended",
    ];
    assertEquals(expected.filter((event) => !events.has(event)), []);
    const { messages, files } = await storedWords(tenant);
    const reasons = (rows: { error: string | null }[]) => new Set(rows.map(({ error }) => error));
    assert(reasons(messages).size > 3 && reasons(files).size > 3, JSON.stringify({ messages, files }));
  });
  await deleteRows(tenant.coachId);
});

/** Every place of a request in which a caller may put a key by mistake. */
function everyWrongPlace(key: string, { coachId, apiKey }: Tenant): Request[] {
  const json = { "Content-Type": "application/json" };
  const credentials = { apiKey };
  const functions = [
    "/chat",
    "/coaches",
    "/mcp",
    "/knowledge-handler",
    "/users",
    "/threads",
    "/indexer",
    "/fetcher",
    "/mailer",
    "/docs",
    "/openai/v1",
  ];
  const context = { coachId, userId: "u" };
  const files = `/knowledge-handler?coachId=${coachId}`;
  const chat = (name: string, body: unknown, headers = {}): Request => ({
    name: `chat, ${name}`,
    path: "/chat",
    credentials,
    headers: { ...json, ...headers },
    body: JSON.stringify(body),
  });
  const openai = (name: string, path: string, body: object, headers = {}): Request => ({
    name: `openai, ${name}`,
    path: `/openai/v1${path}`,
    credentials,
    headers: { ...json, ...headers },
    body: JSON.stringify({ model: coachId, user: "u", ...body }),
  });
  const messages = [{ role: "user", content: "Hi" }];
  const ofOpenai: Request[] = [
    ...["X-Thread-Id", "X-Chat-Id", "X-OpenWebUI-User-Id", "X-OpenWebUI-Task", "X-Stainless-Retry-Count"].map((
      header,
    ) => openai(`in ${header}`, "/chat/completions", { messages }, { [header]: key })),
    ...Object.entries({
      model: key,
      user: key,
      tool_choice: key,
      response_format: { type: key },
      metadata: { thread_id: key, task: "" },
      messages: [{ role: key, content: "Hi" }],
      apiKey: key,
    }).map(([name, value]) => openai(`as ${name}`, "/chat/completions", { messages, [name]: value })),
    openai("as a kind of content", "/chat/completions", { messages: [{ role: "user", content: [{ type: key }] }] }),
    openai("as a previous response", "/responses", { input: "Hi", previous_response_id: key }),
    openai("as a conversation", "/responses", { input: "Hi", conversation: key }),
    openai("as an item", "/responses", { input: [{ type: "item_reference", id: key }] }),
    openai("as a kind of item", "/responses", { input: [{ type: key }] }),
    { name: "openai, as a response", path: `/openai/v1/responses/resp_${key}`, method: "GET", credentials },
  ];
  const inHeader = (headers: Record<string, string>, credentials?: Credentials): Request[] => {
    const name = `header ${JSON.stringify(headers).replaceAll(key, "…")}`;
    return [
      { name, path: "/users/u/threads", method: "GET", credentials, headers },
      { name, path: "/docs/openapi.json", method: "GET", credentials, headers },
      { name, path: "/indexer", credentials, headers },
      { ...chat(name, { message: "Hi", context }), credentials, headers: { ...json, ...headers } },
      { name, path: files, credentials, headers, body: formOf(["a.md", `Hi ${key.length}`]) },
    ];
  };
  const mcp = revisions.flatMap((revision): Request[] => {
    const { message, headers } = envelope(revision, "tools/call", {
      name: "threads",
      arguments: { threadId: key, apiKey: key },
    });
    const listing = { name: "get-user-threads", arguments: { userId: "u", cursor: key } };
    const messages: Record<string, unknown> = {
      "in the arguments": message,
      "as a tool": envelope(revision, "tools/call", { name: key, arguments: {} }).message,
      "as a method": envelope(revision, key).message,
      "beside the message": { ...message, apiKey: key },
      "as a cursor": envelope(revision, "tools/call", listing).message,
      "instead of a message": key,
      "as an id": { ...message, id: key },
    };
    return Object.entries(messages).flatMap(([name, body]) =>
      [headers, { ...headers, "Mcp-Name": key }, { ...headers, "MCP-Protocol-Version": key }].map((headers) => ({
        name: `MCP ${revision}, ${name}`,
        path: "/mcp",
        credentials,
        headers: { ...json, ...headers },
        body: JSON.stringify(body),
        // JSON-RPC repeats the id, and the SDK's error repeats an unknown name.
        echoes: ["key"],
      }))
    );
  });
  return [
    ...ofOpenai,
    ...inHeader({ Authorization: `Bearer ${key}` }, credentials),
    ...inHeader({ Authorization: `Bearer ${key}` }),
    ...inHeader({ Authorization: key }, credentials),
    ...inHeader({ "X-Request-Id": key }, credentials),
    ...inHeader({ "X-Request-Id": key }),
    ...inHeader({ "X-Request-Id": `request-${key}` }, credentials),
    ...inHeader({ "X-Request-Id": `key=${key}` }, credentials),
    ...inHeader({ "Idempotency-Key": key }, credentials),
    ...inHeader({ "Content-Type": key }, credentials),
    ...inHeader({ Accept: key }, credentials),
    ...inHeader({ Cookie: `key=${key}`, "User-Agent": key, Origin: key, Referer: key, Traceparent: key }, credentials),
    ...inHeader({ "Last-Event-ID": key }, credentials),
    ...inHeader({ apikey: key, "X-Api-Token": key, [key]: key }, credentials),
    ...functions.flatMap((path) =>
      [`${path}?apiKey=${key}`, `${path}/${key}`, `${path}/${key}/${key}`].flatMap((path) =>
        ["GET", "POST", "DELETE", "PATCH"].map((method) => ({ name: `${method} path`, path, method, credentials }))
      )
    ),
    // Another of these requests starts a thread under this user id.
    { name: "as user", path: `/users/${key}/threads?apiKey=${key}`, method: "GET", credentials, shows: ["key"] },
    { name: "as method", path: "/users/u/threads", method: key, credentials },
    { name: "as thread", path: `/threads/${key}/messages`, method: "GET", credentials },
    { name: "as answer to stop", path: `/chat/${key}/stop`, credentials },
    { name: "as answer to follow", path: `/chat/${key}/stream`, method: "GET", credentials },
    { name: "as cursor", path: `/users/u/threads?limit=1&cursor=${key}`, method: "GET", credentials },
    { name: "as limit", path: `/users/u/threads?limit=${key}`, method: "GET", credentials },
    { name: "as coach", path: `/knowledge-handler?coachId=${key}`, method: "GET", credentials },
    { name: "as category", path: `${files}&category=${key}`, method: "GET", credentials },
    { name: "as search", path: `${files}&search=${key}`, method: "GET", credentials, shows: ["key"] },
    { name: "as file to delete", path: `/knowledge-handler/${key}?coachId=${coachId}`, method: "DELETE", credentials },
    // The reply names the files.
    { name: "as file", path: files, credentials, shows: ["key"], body: formOf([`${key}.md`, key], [key, key]) },
    {
      name: "as part",
      path: files,
      credentials,
      headers: { "Content-Type": `multipart/form-data; boundary=${key}` },
      body: key,
    },
    chat("beside the message", { message: "Hi", context, apiKey: key }),
    chat("in the context", { message: "Hi", context: { ...context, apiKey: key, mode: key } }),
    chat("as user", { message: "Hi", context: { ...context, userId: key } }),
    chat("as thread", { message: "Hi", thread_id: key }),
    chat("as coach", { message: "Hi", context: { coachId: key } }),
    chat("as message", { message: key, context: { coachId } }),
    chat("instead of a body", key),
    chat("instead of fields", { message: { apiKey: key }, context: key }),
    { ...chat("instead of JSON", null), body: key },
    ...mcp,
  ];
}

Deno.test("a key in a wrong place is not logged, stored or sent back", async (t) => {
  await using service = await startService({ env: { OPENAI_API_KEY: modelKey } });
  const tenant = await createTenant({ requests_per_minute: 10_000, requests_per_hour: 10_000 });
  const { accessToken } = await createUser();
  const keys = {
    "the API key": tenant.apiKey,
    "an API key that was never issued": inventKey("Nobody".padEnd(32, "0")),
    "an API key without its beginning": tenant.apiKey.slice("hi_live_".length),
    "the secret key of the project": secretKey,
    "the key of the model": modelKey,
    "an access token": accessToken,
    "the head of an access token": accessToken.slice(0, accessToken.indexOf(".")),
  };
  await stepEach(t, Object.entries(keys), {
    quick: ["the API key", "an access token"],
    async run(key) {
      await service.clearLogs();
      const replies = await Promise.all(everyWrongPlace(key, tenant).map((request) => exchange(service, request)));
      await service.turns();
      const logs = await service.logs();
      for (const reply of replies) {
        assertReplyHoldsNone({ key }, reply);
        assertLeadsToItsLine(logs, reply);
      }
      assertHoldsNone({ key }, {
        logs,
        printed: await service.printed(),
        stored: await storedWords(tenant),
      });
    },
  });
  await deleteRows(tenant.coachId);
});

/** Runs a function from its entry point, as it is deployed, during `use`, and returns its output. */
async function printedBy(
  name: string,
  env: Record<string, string>,
  use: (url: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<string> {
  try {
    await using process = await startFunctionProcess(name, env);
    await use(process.url);
    return await process.kill("SIGKILL");
  } catch (error) {
    if (error instanceof FunctionDidNotStart) return error.message;
    throw error;
  }
}

Deno.test("a function that cannot start names the variable and prints no value", async (t) => {
  const texts = { key: "sb_secret_0fTheProject", password: "Pa55w0rd-of-the-database" };
  const token = {
    UPSTASH_REDIS_REST_URL: `https://default:${texts.password}@redis.example`,
    UPSTASH_REDIS_REST_TOKEN: "",
  };
  const wrong: Record<string, [name: string, env: Record<string, string>]> = {
    "secret keys that are no JSON": ["SUPABASE_SECRET_KEYS", { SUPABASE_SECRET_KEYS: texts.key }],
    "secret keys that break off": ["SUPABASE_SECRET_KEYS", { SUPABASE_SECRET_KEYS: `{"default":"${texts.key}` }],
    "secret keys as a list": ["SUPABASE_SECRET_KEYS", { SUPABASE_SECRET_KEYS: JSON.stringify([texts.key]) }],
    "an invalid key set": ["SUPABASE_JWKS", { SUPABASE_JWKS: JSON.stringify({ keys: [texts.key] }) }],
    "an Upstash without its token": ["UPSTASH_REDIS_REST_TOKEN", token],
  };
  for (const [what, [name, env]] of Object.entries(wrong)) {
    await t.step(what, async () => {
      const printed = await printedBy("users", env);
      assert(printed.includes(`Cannot start: environment variable ${name}`), printed);
      assertHoldsNone(texts, printed);
    });
  }
});

Deno.test("a function with unusable settings prints none of their values", async (t) => {
  await using model = await startModelServer();
  prepareModels(model);
  const user = await createUser();
  const tenant = await createTenant({}, { owner_id: user.id, instructions: said.instructions });
  const texts: Texts = {
    key: "0f-the-pr0ject-and-n0-other",
    password: "Pa55w0rd-of-the-database",
    "API key": tenant.apiKey,
    "access token": user.accessToken,
    ...said,
  };
  const address = `://postgres:${texts.password}@db.example:5432/postgres`;
  const wrong: Record<string, Record<string, string>> = {
    "a key of the model in two lines": { OPENAI_API_KEY: `sk-${texts.key}\n${texts.key}` },
    "an address of the model that is no URL for HTTP": { OPENAI_BASE_URL: `postgres${address}` },
    "a model address with a password": { OPENAI_BASE_URL: `http://model:${texts.password}@127.0.0.1:${freePort()}/v1` },
    "a secret key in two lines": { SUPABASE_SECRET_KEYS: JSON.stringify({ default: `sb_secret_\n${texts.key}` }) },
    "the address of the database": { SUPABASE_URL: `postgresql${address}` },
    "no address at all": { SUPABASE_URL: texts.password! },
    "the address of a Redis": { UPSTASH_REDIS_REST_URL: `rediss${address}`, UPSTASH_REDIS_REST_TOKEN: texts.key! },
    "a token of Upstash in two lines": {
      UPSTASH_REDIS_REST_URL: `http://127.0.0.1:${freePort()}`,
      UPSTASH_REDIS_REST_TOKEN: `${texts.key}\n${texts.key}`,
    },
    "a key set with a secret": {
      SUPABASE_JWKS: JSON.stringify({ keys: [{ kty: "EC", crv: texts.key, d: texts.key }] }),
    },
  };
  await stepEach(t, Object.entries(wrong), {
    quick: ["a key of the model in two lines", "the address of the database"],
    async run(env) {
      const settings = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: "sk-1", ...models, ...env };
      let replies: Reply[] = [];
      const printed = await printedBy("chat", settings, async (url) => {
        const context = { coachId: tenant.coachId };
        const requests = [undefined, user.accessToken].flatMap((accessToken) =>
          Object.values(acceptOf).map((Accept) => ({
            name: "POST /chat",
            path: "/chat",
            credentials: { apiKey: tenant.apiKey, accessToken },
            headers: { "Content-Type": "application/json", Accept },
            body: JSON.stringify({ message: said.message, context }),
          }))
        );
        replies = await Promise.all(requests.map((request) => exchange({ url }, request)));
      });
      assertHoldsNone(texts, { printed, replies });
      // The clients of the backends word their own errors for an unusable address.
      const lines = printed.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
      const requests = lines.filter(({ event }) => event === "request").map(({ request_id }) => request_id);
      assertEquals(replies.map(({ headers }) => headers["x-request-id"]).filter((id) => !requests.includes(id)), []);
    },
  });
});
