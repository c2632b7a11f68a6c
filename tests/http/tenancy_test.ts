import { assertEquals } from "../support/assert.ts";
import { ask, type Credentials, formOf, functionOf, send } from "../support/client.ts";
import { type Endpoint, endpoints, inventPassageId, nothing, pathOf, type Thing } from "../support/interface.ts";
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
import { firstOfEachKind } from "../support/slow.ts";
import { storeAnswer, storeAnswers } from "../support/turns.ts";

/** The owner of the requested thing. A thing of another account belongs to a user with the same ID there. */
const whose = ["own", "another user's", "another account's"] as const;

/** A thread with one turn: `askedId` is its question, `messageId` the answer. */
type Owned = Thing & { askedId: string };

type Statuses = readonly [own: number, otherUser: number, otherAccount: number];

/** A request, and what each kind of caller gets. */
type Row = {
  endpoint: Endpoint;
  body?: (thing: Owned) => unknown;
  /** Of a secret key that acts alone: the application knows whose requests it passes on. */
  key: Statuses;
  /** Of a user with a secret key. */
  user: Statuses;
  /** The statuses for a user with a publishable key, if they differ. */
  page?: Statuses;
  /** True if the request changes the thing when it is admitted; `own` if only the caller's own. */
  isChange?: true | "own";
};

const ofThreads = { key: [200, 200, 404], user: [200, 404, 404] } as const;

/** The statuses for most operations on a coach or a conversation; undefined for the others. */
function statusesOf({ path, scope, role, needsUser, status = 200 }: Endpoint): Omit<Row, "endpoint"> | undefined {
  // The coaches have nothing but conversations: of all else, only who may have it is asked.
  const found = /\{(?:questionId|answerId|fileId|requestId)\}/.test(path) ? 404 : status;
  const ofCoach = [found, found, 404] as const;
  // No user of these tests is an expert.
  if (role !== undefined || scope === "knowledge:write") {
    return { key: needsUser ? [401, 401, 401] : ofCoach, user: [403, 403, 404] };
  }
  if (path.startsWith("/knowledge-handler")) return { key: ofCoach, user: ofCoach, page: [403, 403, 404] };
  if (path === "/coaches/{coachId}") return { key: ofCoach, user: ofCoach };
  return /\{(?:threadId|messageId)\}/.test(path) ? { key: ofCoach, user: [found, 404, 404] } : undefined;
}

/** Operations that change a conversation. */
const changes = [
  "retryAnswer",
  "rateAnswer",
  "updateThread",
  "deleteThread",
  "takeOver",
  "sayAsExpert",
  "reviseAnswer",
];

const chat = { endpoint: endpoints.chat!, isChange: true } as const;
const rows: Record<string, Row> = {
  "go on with a thread": { ...chat, ...ofThreads, body: ({ threadId }) => ({ message: "Hi", thread_id: threadId }) },
  "start a thread under an id that is taken": {
    ...{ ...chat, ...ofThreads },
    body: ({ threadId, coachId }) => ({ message: "Hi", new_thread_id: threadId, context: { coachId } }),
  },
  "ask in the place of a question": {
    ...{ ...chat, ...ofThreads },
    body: ({ askedId }) => ({ message: "Hi", replaces: askedId }),
  },
  "talk as a user": {
    endpoint: endpoints.chat!,
    body: ({ coachId, userId }) => ({ message: "Hi", context: { coachId, userId } }),
    // Each coach belongs to the account that the request is about.
    ...{ key: [200, 200, 404], user: [200, 403, 404] },
  },
  // The users of another account have no threads in this one, and nothing of them is erased.
  listThreads: { endpoint: endpoints.listThreads!, key: [200, 200, 200], user: [200, 403, 200] },
  eraseUser: { endpoint: endpoints.eraseUser!, isChange: "own", key: [401, 401, 401], user: [200, 403, 200] },
};
for (const [name, endpoint] of Object.entries(endpoints)) {
  const statuses = statusesOf(endpoint);
  if (statuses === undefined) continue;
  rows[name] = { endpoint, isChange: changes.includes(name) || undefined, ...statuses };
}

Deno.test("every operation on a coach or a conversation has a row", () => {
  const without = Object.keys(endpoints).filter((name) => name !== "chat" && !(name in rows));
  const ofUsers = ["getBudget", "getUserMail", "saveUserMail", "deleteUserMail", "listOwnCoaches"];
  assertEquals(
    without.toSorted(),
    [...ofUsers, "acceptInvitation", "createCoach", "listCoaches", "previewInvitation"].toSorted(),
  );
});

Deno.test("everything belongs to somebody", async (t) => {
  await using service = await startService();
  await using login = await startLogin();
  const tenant = await createTenant({ requests_per_minute: 10_000, requests_per_hour: 10_000, scopes: allScopes });
  const foreign = await createTenant();
  await login.join(tenant);
  const page = await issuePublishableKey(tenant.accountId, { requests_per_minute: 1_000, requests_per_hour: 10_000 });

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
  async function createThings(): Promise<Owned[][]> {
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
      three.map(({ userId, tenant }) => {
        const { questionId: askedId, ...turn } = turns.shift()!;
        return { ...nothing, userId, coachId: tenant.coachId, passageId: inventPassageId(), askedId, ...turn };
      })
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

  const optionsOf = firstOfEachKind();
  for (const [name, row] of Object.entries(rows)) {
    const { endpoint: { method, path }, isChange } = row;
    const kind = isChange === undefined ? [method, functionOf(path), row.key, row.user, row.page] : [name];
    const fn = async () => {
      const things = await createThings();
      const before = await statesOf(things.flat());
      /** The threads that a request may change. */
      const mayChange = new Map<string, string>();
      for (const [caller, { name, column, credentials }] of callers.entries()) {
        const expected = row[column] ?? row.user;
        for (const [index, thing] of things[caller]!.entries()) {
          const body = (row.body ?? row.endpoint.body)?.(thing);
          const reply = await send(service, method, pathOf(row.endpoint, thing), credentials, body);
          // A stream of events does not end.
          const text = path.endsWith("/events") ? await reply.body?.cancel() : await reply.text();
          assertEquals(reply.status, expected[index], `${name}: ${whose[index]}\n${text}`);
          const mayBe = isChange === true || isChange === "own" && index === 0;
          if (mayBe && reply.status < 300) mayChange.set(thing.threadId, `${name}: ${whose[index]}`);
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
    };
    await t.step({ name, ...optionsOf(JSON.stringify(kind)), fn });
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
