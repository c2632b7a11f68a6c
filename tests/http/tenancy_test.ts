import { assertEquals } from "../support/assert.ts";
import { ask, type Credentials, formOf } from "../support/client.ts";
import { startLogin } from "../support/login.ts";
import {
  allScopes,
  createAppClient,
  createTenant,
  createUser,
  issueKey,
  issuePublishableKey,
  operator,
} from "../support/project.ts";
import { startService } from "../support/service.ts";
import { storeAnswer, storeAnswers } from "../support/turns.ts";

/** The owner of the requested thing. A thing of another account belongs to a user with the same ID there. */
const whose = ["own", "another user's", "another account's"] as const;

/** A thread with one turn. */
type Thing = { userId: string; coachId: string; threadId: string; questionId: string; messageId: string };

type Statuses = readonly [own: number, otherUser: number, otherAccount: number];

/** An endpoint, and what each kind of caller gets. */
type Row = {
  method: string;
  path: (thing: Thing) => string;
  body?: (thing: Thing) => unknown;
  /** Of a secret key that acts alone: the application knows whose requests it passes on. */
  key: Statuses;
  /** Of a user with a secret key. */
  user: Statuses;
  /** The statuses for a user with a publishable key, if they differ. */
  page?: Statuses;
  /** True if the request changes the thing when it is admitted; `own` if only the caller's own. */
  isChange?: true | "own";
};

/** Of what only the expert behind a coach may do: no user of these tests is one. */
const ofExperts = { key: [200, 200, 404], user: [403, 403, 404] } as const;
const ofThreads = { key: [200, 200, 404], user: [200, 404, 404] } as const;
const threadPath = ({ threadId }: Thing) => `/threads/${threadId}`;
const knowledgePath = ({ coachId }: Thing) => `/knowledge-handler?coachId=${coachId}`;

const rows: Record<string, Row> = {
  "go on with a thread": {
    method: "POST",
    path: () => "/chat",
    body: ({ threadId }) => ({ message: "Hi", thread_id: threadId }),
    isChange: true,
    ...ofThreads,
  },
  "start a thread under an id that is taken": {
    method: "POST",
    path: () => "/chat",
    body: ({ threadId, coachId }) => ({ message: "Hi", new_thread_id: threadId, context: { coachId } }),
    isChange: true,
    ...ofThreads,
  },
  "ask in the place of a question": {
    method: "POST",
    path: () => "/chat",
    body: ({ questionId }) => ({ message: "Hi", replaces: questionId }),
    isChange: true,
    ...ofThreads,
  },
  "talk as a user": {
    method: "POST",
    path: () => "/chat",
    body: ({ coachId, userId }) => ({ message: "Hi", context: { coachId, userId } }),
    // Each coach belongs to the account that the request is about.
    key: [200, 200, 404],
    user: [200, 403, 404],
  },
  "stop an answer": { method: "POST", path: ({ messageId }) => `/chat/${messageId}/stop`, ...ofThreads },
  "run an answer again": {
    method: "POST",
    path: ({ messageId }) => `/chat/${messageId}/retry`,
    isChange: true,
    ...ofThreads,
  },
  "follow an answer": { method: "GET", path: ({ messageId }) => `/chat/${messageId}/stream`, ...ofThreads },
  "list a user's threads": {
    method: "GET",
    path: ({ userId }) => `/users/${encodeURIComponent(userId)}/threads`,
    // The users of another account have no threads in this one.
    key: [200, 200, 200],
    user: [200, 403, 200],
  },
  "erase a user": {
    method: "DELETE",
    path: ({ userId }) => `/users/${encodeURIComponent(userId)}`,
    isChange: "own",
    key: [401, 401, 401],
    // Of another account's user with the same ID nothing is erased.
    user: [200, 403, 200],
  },
  "read a thread": { method: "GET", path: threadPath, ...ofThreads },
  "rename a thread": {
    method: "PATCH",
    path: threadPath,
    body: () => ({ title: "Renamed" }),
    isChange: true,
    ...ofThreads,
  },
  "delete a thread": { method: "DELETE", path: threadPath, isChange: true, ...ofThreads },
  "read messages": { method: "GET", path: (thing) => `${threadPath(thing)}/messages?include=status`, ...ofThreads },
  "rate an answer": {
    method: "PUT",
    path: (thing) => `${threadPath(thing)}/messages/${thing.messageId}/feedback`,
    body: () => ({ rating: "down" }),
    isChange: true,
    ...ofThreads,
  },
  "take a thread over": {
    method: "POST",
    path: (thing) => `${threadPath(thing)}/takeover`,
    isChange: true,
    ...ofExperts,
  },
  "release a thread": { method: "POST", path: (thing) => `${threadPath(thing)}/release`, ...ofExperts },
  "say something as the expert": {
    method: "POST",
    path: (thing) => `${threadPath(thing)}/messages`,
    body: () => ({ content: "Here I am" }),
    isChange: true,
    ...ofExperts,
  },
  "correct an answer": {
    method: "POST",
    path: (thing) => `${threadPath(thing)}/messages/${thing.messageId}/revise`,
    body: ({ messageId }) => ({ answer: "No.", question: `Is it ${messageId}?`, notify: true }),
    isChange: true,
    ...ofExperts,
  },
  "see a coach": {
    method: "GET",
    path: ({ coachId }) => `/coaches/${coachId}`,
    key: [200, 200, 404],
    user: [200, 200, 404],
  },
  "see pinned answers": {
    method: "GET",
    path: ({ coachId }) => `/coaches/${coachId}/answers`,
    key: [200, 200, 404],
    user: [403, 403, 404],
  },
  "pin an answer": {
    method: "POST",
    path: ({ coachId }) => `/coaches/${coachId}/answers`,
    body: () => ({ question: `Which one, ${crypto.randomUUID()}?`, answer: "This one." }),
    key: [200, 200, 404],
    user: [403, 403, 404],
  },
  "import answers": {
    method: "POST",
    path: ({ coachId }) => `/coaches/${coachId}/answers/import`,
    body: () => ({ csv: `question,answer\nWhich sheet is ${crypto.randomUUID()}?,This one.` }),
    key: [200, 200, 404],
    user: [403, 403, 404],
  },
  "export answers": {
    method: "GET",
    path: ({ coachId }) => `/coaches/${coachId}/answers/export`,
    key: [200, 200, 404],
    user: [403, 403, 404],
  },
  // There is no such pinned answer: only who may have it is asked.
  ...Object.fromEntries(
    ["GET", "PATCH", "DELETE"].map((method) => [`${method} of a pinned answer`, {
      method,
      path: ({ coachId }: Thing) => `/coaches/${coachId}/answers/${crypto.randomUUID()}`,
      body: method === "PATCH" ? () => ({ is_active: false }) : undefined,
      key: [404, 404, 404],
      user: [403, 403, 404],
    }]),
  ),
  "see barred passages": {
    method: "GET",
    path: ({ coachId }) => `/coaches/${coachId}/barred-passages`,
    key: [200, 200, 404],
    user: [403, 403, 404],
  },
  "bar a passage": {
    method: "PUT",
    path: ({ coachId }) => `/coaches/${coachId}/barred-passages/${"0".repeat(32)}`,
    key: [200, 200, 404],
    user: [403, 403, 404],
  },
  "unbar a passage": {
    method: "DELETE",
    path: ({ coachId }) => `/coaches/${coachId}/barred-passages/${"1".repeat(32)}`,
    key: [404, 404, 404],
    user: [403, 403, 404],
  },
  "see the usage of a coach": {
    method: "GET",
    path: ({ coachId }) => `/coaches/${coachId}/usage`,
    key: [200, 200, 404],
    user: [403, 403, 404],
  },
  "see the conversations with a coach": {
    method: "GET",
    path: ({ coachId }) => `/coaches/${coachId}/threads`,
    key: [200, 200, 404],
    user: [403, 403, 404],
  },
  "try a question": {
    method: "POST",
    path: ({ coachId }) => `/coaches/${coachId}/try`,
    body: () => ({ question: "Hi", answer: true }),
    key: [200, 200, 404],
    user: [403, 403, 404],
  },
  "see what a coach could not answer": {
    method: "GET",
    path: ({ coachId }) => `/coaches/${coachId}/questions`,
    key: [200, 200, 404],
    user: [403, 403, 404],
  },
  ...Object.fromEntries(["dismiss", "reopen", "answer"].map((act): [string, Row] => [`${act} a question`, {
    method: "POST",
    path: ({ coachId }) => `/coaches/${coachId}/questions/${crypto.randomUUID()}/${act}`,
    body: () => ({ answer: "Yes." }),
    // There is no such question: only the right to decide about it is checked.
    key: [404, 404, 404],
    user: [403, 403, 404],
  }])),
  "search files": {
    method: "GET",
    path: knowledgePath,
    key: [200, 200, 404],
    user: [200, 200, 404],
    page: [403, 403, 404],
  },
  ...Object.fromEntries(
    ["", "/content", `/passages/${"0".repeat(32)}`].map((part): [string, Row] => [`read a file${part}`, {
      method: "GET",
      path: ({ coachId }) => `/knowledge-handler/${crypto.randomUUID()}${part}?coachId=${coachId}`,
      // There is no such file, and the sources of the coaches are not open.
      key: [404, 404, 404],
      user: [404, 404, 404],
      page: [403, 403, 404],
    }]),
  ),
  "upload a file": {
    method: "POST",
    path: knowledgePath,
    body: () => formOf(["a.md", "Ships rest in the harbour."]),
    key: [200, 200, 404],
    user: [403, 403, 404],
  },
  "list sources": {
    method: "GET",
    path: ({ coachId }) => `/knowledge-handler/sources?coachId=${coachId}`,
    key: [200, 200, 404],
    user: [200, 200, 404],
    page: [403, 403, 404],
  },
  "refresh a source": {
    method: "POST",
    path: ({ coachId }) => `/knowledge-handler/sources/${crypto.randomUUID()}/refresh?coachId=${coachId}`,
    // There is no such source: only who may refresh it is asked.
    key: [404, 404, 404],
    user: [403, 403, 404],
  },
  "delete a file": {
    method: "DELETE",
    path: ({ coachId }) => `/knowledge-handler/${crypto.randomUUID()}?coachId=${coachId}`,
    // There is no such file: only who may delete it is asked.
    key: [404, 404, 404],
    user: [403, 403, 404],
  },
};

Deno.test("everything belongs to somebody", async (t) => {
  await using service = await startService();
  await using login = await startLogin();
  const tenant = await createTenant({ requests_per_minute: 10_000, scopes: allScopes });
  const foreign = await createTenant();
  await login.join(tenant);
  const page = await issuePublishableKey(tenant.accountId, { requests_per_minute: 1_000 });

  const anonymous = (await createAppClient().auth.signInAnonymously()).data.session!;
  const signedIn = await createUser();
  const [ofLogin, sub] = [await login.sign("ada"), "acme:ada"];
  const other = (await createUser()).id;
  const callers: { name: string; column: "key" | "user" | "page"; userId: string; credentials: Credentials }[] = [
    { name: "a secret key", column: "key", userId: "u", credentials: tenant },
    ...([
      ["a user", signedIn.id, signedIn.accessToken],
      ["an anonymous user", anonymous.user.id, anonymous.access_token],
      ["a user of the application's own login", sub, ofLogin],
    ] as const).flatMap(([name, userId, accessToken]) => [
      { name: `${name} with a secret key`, column: "user" as const, userId, credentials: { ...tenant, accessToken } },
      {
        name: `${name} with a publishable key`,
        column: "page" as const,
        userId,
        credentials: { ...page, accessToken },
      },
    ]),
  ];

  /** For each caller a thing of their own, another user's, and another account's. */
  async function createThings(): Promise<Thing[][]> {
    const owners = callers.map(({ userId }) => [
      { userId, tenant },
      { userId: other, tenant },
      { userId, tenant: foreign },
    ]);
    const turns = await storeAnswers(
      owners.flat().map(({ userId, tenant: { accountId, coachId } }) => (
        { accountId, coachId, content: "Said", status: "complete", user_id: userId }
      )),
    );
    return owners.map((three) =>
      three.map(({ userId, tenant }) => ({ userId, coachId: tenant.coachId, ...turns.shift()! }))
    );
  }

  /** All that is stored of things, by their thread. */
  async function statesOf(things: Thing[]): Promise<Map<string, string>> {
    const { data } = await operator.from("threads")
      .select("id, title, taken_over_until, messages (content, feedback (rating))")
      .in("id", things.map(({ threadId }) => threadId))
      // Otherwise, their order may be another after a change of other threads.
      .order("sequence", { referencedTable: "messages" }).throwOnError();
    return new Map(data.map((thread) => [thread.id, JSON.stringify(thread)]));
  }

  for (const [name, row] of Object.entries(rows)) {
    await t.step(name, async () => {
      const things = await createThings();
      const before = await statesOf(things.flat());
      /** The threads that a request may change. */
      const mayChange = new Map<string, string>();
      for (const [caller, { name, column, credentials }] of callers.entries()) {
        const expected = row[column] ?? row.user;
        for (const [index, thing] of things[caller]!.entries()) {
          const reply = await ask(service, row.method, row.path(thing), credentials, row.body?.(thing));
          assertEquals(reply.status, expected[index], `${name}: ${whose[index]}\n${reply.text}`);
          const mayBe = row.isChange === true || row.isChange === "own" && index === 0;
          if (mayBe && reply.status === 200) mayChange.set(thing.threadId, `${name}: ${whose[index]}`);
        }
      }
      const after = await statesOf(things.flat());
      const changed = [...before.keys()].filter((id) => after.get(id) !== before.get(id));
      const surprising = changed.filter((id) => !mayChange.has(id)).map((id) => `${before.get(id)}\n${after.get(id)}`);
      assertEquals(
        new Set(changed),
        new Set(mayChange.keys()),
        [JSON.stringify([...mayChange]), ...surprising].join("\n"),
      );
      await service.turns();
    });
  }

  await t.step("no list shows more than that", async () => {
    for (const { name: caller, column, userId, credentials } of callers) {
      const threads = await ask(service, "GET", `/users/${encodeURIComponent(userId)}/threads`, credentials);
      for (const { user_id, coach_id } of threads.json.data) {
        assertEquals([user_id, coach_id], [userId, tenant.coachId], caller);
      }
      const coaches = await ask(service, "GET", "/coaches", credentials);
      assertEquals(coaches.json.data.map(({ id }: { id: string }) => id), [tenant.coachId], caller);
      if (column !== "key") {
        const mine = await ask(service, "GET", "/users/me/threads", credentials);
        assertEquals(mine.json, threads.json, caller);
      }
    }
  });

  await t.step("AI clients use secret keys", async () => {
    for (const { name: caller, column, credentials } of callers) {
      const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
      const init = { headers: { Accept: "application/json, text/event-stream", "Content-Type": "application/json" } };
      const reply = await ask(service, "POST", "/mcp", credentials, JSON.stringify(message), init);
      assertEquals(reply.status, column === "page" ? 401 : 200, caller);
    }
  });
});

Deno.test("a key that is bound to a coach knows no other", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  const second = await createTenant();
  await operator.from("coach_profiles").update({ account_id: tenant.accountId }).eq("id", second.coachId)
    .throwOnError();
  const user = await createUser();
  const bound = { coach_ids: [tenant.coachId] };
  const credentials: Credentials[] = [
    { ...await issuePublishableKey(tenant.accountId, bound), accessToken: user.accessToken },
  ];
  credentials.push(await issueKey(tenant.accountId, { ...bound, scopes: allScopes }));
  const answer = { content: "Said", status: "complete", user_id: user.id };
  for (const each of credentials) {
    for (const [coachId, found] of [[tenant.coachId, 200], [second.coachId, 404]] as const) {
      const { threadId, messageId } = await storeAnswer({ ...tenant, coachId }, answer);
      const requests: [method: string, path: string, body?: unknown][] = [
        ["POST", "/chat", { message: "Hi", context: { coachId } }],
        ["POST", "/chat", { message: "Hi", thread_id: threadId }],
        ["POST", `/chat/${messageId}/stop`],
        ["GET", `/chat/${messageId}/stream`],
        ["GET", `/threads/${threadId}`],
        ["GET", `/threads/${threadId}/messages`],
        ["PUT", `/threads/${threadId}/messages/${messageId}/feedback`, { rating: "up" }],
        ["PATCH", `/threads/${threadId}`, { is_pinned: true }],
        ["DELETE", `/threads/${threadId}`],
        ["GET", `/coaches/${coachId}`],
      ];
      if (each.apiKey !== undefined) {
        requests.unshift(
          ["POST", `/threads/${threadId}/messages`, { content: "Here I am" }],
          ["POST", `/threads/${threadId}/takeover`],
          ["POST", `/threads/${threadId}/release`],
        );
        requests.push(
          ["GET", `/knowledge-handler?coachId=${coachId}`],
          ["POST", `/knowledge-handler?coachId=${coachId}`, formOf(["a.md", "Ships rest in the harbour."])],
        );
      }
      for (const [method, path, body] of requests) {
        const reply = await ask(service, method, path, each, body);
        assertEquals(reply.status, found, `${method} ${path}\n${reply.text}`);
      }
    }
    await storeAnswer({ ...tenant, coachId: second.coachId }, answer);
    const threads = await ask(service, "GET", `/users/${user.id}/threads`, each);
    assertEquals(threads.json.data.every(({ coach_id }: { coach_id: string }) => coach_id === tenant.coachId), true);
    const coaches = await ask(service, "GET", "/coaches", each);
    assertEquals(coaches.json.data.map(({ id }: { id: string }) => id), [tenant.coachId]);
  }
  await service.turns();
});
