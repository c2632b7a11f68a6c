import { type Client, type ClientOptions, createClient } from "../../shared/clients/client/client.ts";
import { ServiceError } from "../../shared/clients/client/service_error.ts";
import type { Session } from "../../shared/clients/client/session.ts";
import { assertEquals, assertRejects } from "../support/assert.ts";
import { sentenceOf } from "../support/refusals.ts";

const session: Session = { accessToken: "t", refreshToken: "r", expiresAt: Infinity, renewAt: Infinity, userId: "u" };
const list = { data: [], count: 0 };

/** A client whose requests are kept, each as its method, path and the headers that say who asks. */
function start(options: Partial<ClientOptions>, reply: () => Response = () => Response.json(list)) {
  const sent: Record<string, string>[] = [];
  const client = createClient({
    baseUrl: "https://project.test/",
    async send({ method, url, headers, body }) {
      await body?.cancel();
      const shown = ["X-API-Key", "apikey", "Authorization"].filter((name) => headers.has(name))
        .map((name) => [name, headers.get(name)]);
      sent.push({ request: `${method} ${new URL(url).pathname}`, ...Object.fromEntries(shown) });
      return reply();
    },
    ...options,
  } as ClientOptions);
  return { client, sent };
}

Deno.test("createClient: each key travels in its header, and only to whom it is for", async (t) => {
  const request = "GET /functions/v1/users/u/threads";
  const rows: [string, Partial<ClientOptions>, Record<string, string>][] = [
    ["a secret key", { apiKey: "hi_live_1" }, { "X-API-Key": "hi_live_1" }],
    ["a publishable key", { publishableKey: "hi_pub_1", session }, { apikey: "hi_pub_1", Authorization: "Bearer t" }],
    ["the project's key is for signing in alone", { apiKey: "hi_live_1", supabaseKey: "sb_1" }, {
      "X-API-Key": "hi_live_1",
    }],
    ["no key, where a server in between has it", { session }, { Authorization: "Bearer t" }],
    ["a session of the application", { publishableKey: "hi_pub_1", accessToken: () => Promise.resolve("own") }, {
      apikey: "hi_pub_1",
      Authorization: "Bearer own",
    }],
    ["a session of the application, with nobody signed in", { session, accessToken: () => Promise.resolve(null) }, {}],
  ];
  for (const [name, options, headers] of rows) {
    await t.step(name, async () => {
      const { client, sent } = start(options);
      await client.listThreads("u");
      assertEquals(sent, [{ request, ...headers }]);
    });
  }
});

Deno.test("createClient: arguments are sent in the path, the query or the body, as each operation has them", async (t) => {
  const rows: [call: (client: Client) => Promise<unknown>, request: string, body?: unknown][] = [
    [(client) => client.getVersion("a/b", 2), "GET coaches/a%2Fb/versions/2"],
    [(client) => client.restoreVersion("c", 2), "POST coaches/c/versions/2/restore", {}],
    [(client) => client.listCoaches(), "GET coaches"],
    [(client) => client.listCoaches({ limit: 5 }), "GET coaches?limit=5"],
    [(client) => client.deleteSource("c", "s"), "DELETE knowledge-handler/sources/s?coachId=c"],
    [
      (client) => client.getPassage("c", "f", "p", { after: 1 }),
      "GET knowledge-handler/f/passages/p?after=1&coachId=c",
    ],
    [(client) => client.updateSource("c", "s", { limit: 9 }), "PATCH knowledge-handler/sources/s?coachId=c", {
      limit: 9,
    }],
    [(client) => client.sayAsExpert("t", { content: "Yes" }), "POST threads/t/messages", { content: "Yes" }],
    [
      (client) => client.sayAsExpert("t", { content: "Yes", idempotency_key: "b" }, { idempotencyKey: "o" }),
      "POST threads/t/messages",
      { content: "Yes", idempotency_key: "o" },
    ],
    [
      (client) => client.askExpert("t", { question: "Why?", idempotency_key: "b" }),
      "POST threads/t/ask-expert",
      { question: "Why?", idempotency_key: "b" },
    ],
  ];
  for (const [call, request, body] of rows) {
    await t.step(request, async () => {
      const sent: unknown[] = [];
      const send = async (request: Request) => {
        const text = await request.text();
        sent.push(`${request.method} ${request.url.split("/functions/v1/")[1]}`, text ? JSON.parse(text) : undefined);
        return Response.json(list);
      };
      await call(createClient({ baseUrl: "https://project.test", apiKey: "hi_live_1", send }));
      assertEquals(sent, [request, body]);
    });
  }
});

Deno.test("createClient: a session that the application cannot read fails the call, and nothing is sent", async () => {
  const { client, sent } = start({ accessToken: () => Promise.reject(new Error("The session store is away")) });
  await assertRejects(() => client.listThreads("u"), Error, "The session store is away");
  assertEquals(sent, []);
});

Deno.test("signInAnonymously: a new user's session is kept, shown to the application and used from then on", async () => {
  const kept: (Session | null)[] = [];
  const reply = { access_token: "a", token_type: "bearer", expires_in: 3_600, refresh_token: "r", user: { id: "u1" } };
  const replies = [Response.json(reply), Response.json(list)];
  const { client, sent } = start({
    publishableKey: "hi_pub_1",
    supabaseKey: "sb_1",
    now: () => 0,
    onSession: (session) => kept.push(session),
  }, () => replies.shift()!);
  const signedIn = await client.signInAnonymously();
  assertEquals([signedIn.userId, signedIn.expiresAt], ["u1", 3_600_000]);
  assertEquals(kept, [signedIn]);
  await client.listThreads("u1");
  assertEquals(sent, [
    { request: "POST /auth/v1/signup", apikey: "sb_1" },
    { request: "GET /functions/v1/users/u1/threads", apikey: "hi_pub_1", Authorization: "Bearer a" },
  ]);
});

Deno.test("signInAnonymously: what the login service refuses is said in its words", async () => {
  const { client } = start(
    { supabaseKey: "sb_1" },
    () => Response.json({ code: 422, msg: "Anonymous sign-ins are disabled" }, { status: 422 }),
  );
  await assertRejects(() => client.signInAnonymously(), ServiceError, "Anonymous sign-ins are disabled");
});

Deno.test("becomePermanent: an anonymous user gets an address, and signs in with it once it is confirmed", async () => {
  const reply = { access_token: "b", token_type: "bearer", expires_in: 3_600, refresh_token: "s", user: { id: "u1" } };
  const replies = [Response.json({ is_anonymous: true }), Response.json({ is_anonymous: false }), Response.json(reply)];
  const { client, sent } = start({ supabaseKey: "sb_1", session }, () => replies.shift()!);
  assertEquals(await client.becomePermanent("ada@example.com", "secret"), false);
  assertEquals(await client.becomePermanent("ada@example.com", "secret"), true);
  assertEquals(sent.map(({ request }) => request), [
    "PUT /auth/v1/user",
    "PUT /auth/v1/user",
    "POST /auth/v1/token",
  ]);
  assertEquals(sent[0]!.Authorization, `Bearer ${session.accessToken}`);
});

Deno.test("signUp: a user is signed in, unless the address has to be confirmed first", async () => {
  const reply = { access_token: "b", token_type: "bearer", expires_in: 3_600, refresh_token: "s", user: { id: "u1" } };
  const replies = [Response.json({ id: "u1", email: "ada@example.com" }), Response.json(reply)];
  const stored: unknown[] = [];
  const { client, sent } = start(
    { supabaseKey: "sb_1", onSession: (session) => stored.push(session?.userId) },
    () => replies.shift()!,
  );
  assertEquals(await client.signUp("ada@example.com", "secret", "https://site.test/"), false);
  assertEquals(stored, []);
  assertEquals(await client.signUp("ada@example.com", "secret", "https://site.test/"), true);
  assertEquals(stored, ["u1"]);
  assertEquals(sent[0], { request: "POST /auth/v1/signup", apikey: "sb_1" });
});

Deno.test("readSignInOptions: only what the project lets people do with an address", async () => {
  const cases = [[false, true, true, true], [true, true, false, true], [false, false, false, false]] as const;
  for (const [disable_signup, email, signUp, newPassword] of cases) {
    const { client } = start({ supabaseKey: "sb_1" }, () => Response.json({ disable_signup, external: { email } }));
    assertEquals(await client.readSignInOptions(), { signUp, newPassword });
  }
});

Deno.test("sendPasswordLink: the same for an address that has just got a link, which only users can have", async () => {
  const limited = { code: 429, error_code: "over_email_send_rate_limit", msg: "After 59 seconds" };
  const replies = [Response.json({}), Response.json(limited, { status: 429 }), Response.json({}, { status: 500 })];
  const { client, sent } = start({ supabaseKey: "sb_1", backOff: { retries: 0 } }, () => replies.shift()!);
  await client.sendPasswordLink("ada@example.com", "https://site.test/");
  await client.sendPasswordLink("ada@example.com", "https://site.test/");
  await assertRejects(() => client.sendPasswordLink("ada@example.com", "https://site.test/"), ServiceError);
  assertEquals(sent[0], { request: "POST /auth/v1/recover", apikey: "sb_1" });
});

Deno.test("setPassword: the user of the link is signed in, but only with the new password", async () => {
  const stored: unknown[] = [];
  const replies = [Response.json({ msg: "expired" }, { status: 403 }), Response.json({ id: "u2" })];
  const { client, sent } = start(
    { supabaseKey: "sb_1", session, onSession: (session) => stored.push(session?.userId) },
    () => replies.shift()!,
  );
  const tokens = { access_token: "b", refresh_token: "s", expires_in: 3_600 };
  await assertRejects(() => client.setPassword("secret", tokens), ServiceError, "expired");
  assertEquals(stored, []);
  assertEquals((await client.setPassword("secret", tokens)).userId, "u2");
  assertEquals(stored, ["u2"]);
  assertEquals(sent.map(({ request, Authorization }) => [request, Authorization]), [
    ["PUT /auth/v1/user", "Bearer b"],
    ["PUT /auth/v1/user", "Bearer b"],
  ]);
});

Deno.test("no call of a chat page has a header that browsers refuse to send to another origin", async () => {
  // Those of the interface's CORS line, and what every page may send.
  const allowed = ["authorization", "x-client-info", "apikey", "content-type", "accept"];
  const sent: Request[] = [];
  const client = createClient({
    baseUrl: "https://project.test",
    publishableKey: "hi_pub_1",
    session,
    send(request) {
      sent.push(request);
      return Promise.resolve(Response.json({ error: "Refused" }, { status: 400 }));
    },
  });
  const message = { message: "Hi", idempotency_key: "first" };
  await assertRejects(() => client.chat(message, { idempotencyKey: "second" }), ServiceError);
  await assertRejects(() => client.chat(message), ServiceError);
  await assertRejects(() => client.followAnswer("m", { lastEventId: "9-0a1b2c3d" }), ServiceError);
  await assertRejects(() => client.stopAnswer("m"), ServiceError);
  for (const { headers } of sent) assertEquals([...headers.keys()].filter((name) => !allowed.includes(name)), []);
  assertEquals((await sent[0]!.json()).idempotency_key, "second");
  assertEquals((await sent[1]!.json()).idempotency_key, "first");
  assertEquals(new URL(sent[2]!.url).search, "?after=9-0a1b2c3d");
});

Deno.test("createClient: signing in without the project's key says so at once, and nothing is sent", async () => {
  for (const options of [{}, { publishableKey: "hi_pub_1" }, { supabaseKey: "" }]) {
    const { client, sent } = start(options);
    await assertRejects(() => client.signIn("a@example.com", "p"), Error, "supabaseKey is missing");
    await assertRejects(() => client.signInAnonymously(), Error, "supabaseKey is missing");
    assertEquals(sent, []);
  }
});

Deno.test("createClient: a page waits for a rate limit for seconds, a server for minutes", async (t) => {
  const rows: [string, Partial<ClientOptions>, retryAfter: string, waits: number[]][] = [
    ["a page throws a limit of a minute at once", { publishableKey: "hi_pub_1", session }, "42", []],
    ["a page waits twice at most", { publishableKey: "hi_pub_1", session }, "2", [2_000, 2_000]],
    ["so does a page with a server in between", { session }, "2", [2_000, 2_000]],
    ["a server waits four times", { apiKey: "hi_live_1" }, "42", [42_000, 42_000, 42_000, 42_000]],
    ["what the application says counts", { publishableKey: "hi_pub_1", session, backOff: { retries: 1 } }, "1", [
      1_000,
    ]],
  ];
  for (const [name, { backOff, ...options }, retryAfter, expected] of rows) {
    await t.step(name, async () => {
      const waits: number[] = [];
      const { client } = start({
        ...options,
        backOff: { random: () => 0, sleep: (wait) => Promise.resolve(void waits.push(wait)), ...backOff },
      }, () =>
        Response.json({ error: sentenceOf("rate_limit_exceeded"), retryAfter: Number(retryAfter) }, {
          status: 429,
          headers: { "Retry-After": retryAfter },
        }));
      const error = await assertRejects(() => client.listThreads("u"), ServiceError, sentenceOf("rate_limit_exceeded"));
      assertEquals([error.body.retryAfter, waits], [Number(retryAfter), expected]);
    });
  }
});

Deno.test("createClient: a lost network reads as a sentence, with its cause; other errors stay as they are", async () => {
  const away = new TypeError("Failed to fetch");
  const { client } = start({ send: () => Promise.reject(away) });
  const error = await assertRejects(() => client.listThreads("u"), TypeError, "The service cannot be reached.");
  assertEquals(error.cause, away);
  const { client: broken } = start({ send: () => Promise.reject(new RangeError("A fault of its own")) });
  await assertRejects(() => broken.listThreads("u"), RangeError, "A fault of its own");
  const { client: stopped } = start({ send: ({ signal }) => Promise.reject(signal.reason) });
  const signal = AbortSignal.abort(new TypeError("Enough"));
  await assertRejects(() => stopped.listThreads("u", {}, { signal }), TypeError, "Enough");
});

Deno.test("loadSession: calls go on with the session that is stored, and signing in anonymously does", async () => {
  let stored: Session | null = null;
  const { client, sent } = start({ publishableKey: "hi_pub_1", supabaseKey: "sb_1", loadSession: () => stored });
  await client.listThreads("u");
  stored = session;
  await client.listThreads("u");
  assertEquals(sent.map(({ Authorization }) => Authorization), [undefined, "Bearer t"]);
  assertEquals(await client.signInAnonymously(), session);
  assertEquals(sent.length, 2);
});
