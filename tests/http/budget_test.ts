import { assert, assertEquals } from "../support/assert.ts";
import { ask, send, upload } from "../support/client.ts";
import { inventKey } from "../support/invent_key.ts";
import { addFile } from "../support/knowledge.ts";
import { envelope, post, revisions } from "../support/mcp.ts";
import type { Step } from "../support/model_server.ts";
import { allScopes, createTenant, issueKey, type Tenant } from "../support/project.ts";
import { startRedisServer } from "../support/redis_server.ts";
import { type Service, startService } from "../support/service.ts";
import { stepEach } from "../support/slow.ts";
import { storeAnswer, storedAnswer } from "../support/turns.ts";

/** The names of the SQL functions that were called, and `storage` for what went to Storage. */
function callsTo(service: Service): string[] {
  return service.supabase.requests.splice(0)
    .map((path) => path.startsWith("/storage/") ? "storage" : path.replace("/rest/v1/rpc/", ""))
    // After the reply to a deletion, a call for each part of what the search index still has.
    .filter((name) => name !== "unindex_passages")
    // On a slow machine an answer is also saved while it grows.
    .filter((name, index, { length }) => name !== "save_turns" || index === length - 1);
}

Deno.test("chat: one call of Postgres before the first chunk, one at the end, none for each chunk", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  const more = Promise.withResolvers<void>();
  const words = Array.from({ length: 50 }, (_, index) => ({ text: `${index} ` }));
  service.model.script(tenant.modelName, { steps: [{ text: "first " }, { waitFor: more.promise }, ...words] });
  const response = await send(service, "POST", "/chat", tenant, {
    message: "Hi",
    context: { coachId: tenant.coachId, userId: "u" },
  });
  const reader = response.body!.getReader();
  await reader.read();
  assertEquals(callsTo(service), ["begin_turn"]);
  more.resolve();
  while (!(await reader.read()).done) { /* to the end */ }
  assertEquals(callsTo(service), ["save_turns"]);
});

/** The forms of requests. */
type Asked = { tenant: Tenant; messageId: string; threadId: string; fileId: string };

/** A request, and the calls that it makes. */
type Kind = {
  ask: (service: Service, asked: Asked) => Promise<unknown>;
  calls: string[];
  /** The call with which SQL tells the service the language of the coach, once for each process. */
  tells?: string;
};

const requests: Record<string, Kind> = {
  "a message": {
    ask: (service, { tenant }) =>
      ask(service, "POST", "/chat", tenant, { message: "Hi", context: { coachId: tenant.coachId } }),
    calls: ["begin_turn", "save_turns"],
  },
  "a retry": {
    ask: (service, { tenant, messageId }) => ask(service, "POST", `/chat/${messageId}/retry`, tenant),
    calls: ["begin_turn", "save_turns"],
  },
  "an answer's stream": {
    ask: (service, { tenant, messageId }) => ask(service, "GET", `/chat/${messageId}/stream`, tenant),
    calls: ["read_answer"],
  },
  "a stop": {
    ask: (service, { tenant, messageId }) => ask(service, "POST", `/chat/${messageId}/stop`, tenant),
    calls: ["stop_turn"],
  },
  "coaches": { ask: (service, { tenant }) => ask(service, "GET", "/coaches", tenant), calls: ["list_coaches"] },
  "a coach": {
    ask: (service, { tenant }) => ask(service, "GET", `/coaches/${tenant.coachId}`, tenant),
    calls: ["get_coach"],
  },
  "threads": { ask: (service, { tenant }) => ask(service, "GET", "/users/u/threads", tenant), calls: ["list_threads"] },
  "a search of threads": {
    ask: (service, { tenant }) => ask(service, "GET", "/users/u/threads?search=talk", tenant),
    calls: ["search_threads"],
  },
  "a thread": {
    ask: (service, { tenant, threadId }) => ask(service, "GET", `/threads/${threadId}`, tenant),
    calls: ["read_thread"],
  },
  "a new title": {
    ask: (service, { tenant, threadId }) => ask(service, "PATCH", `/threads/${threadId}`, tenant, { title: "New" }),
    calls: ["update_thread"],
  },
  "the end of a thread": {
    ask: (service, { tenant, threadId }) => ask(service, "DELETE", `/threads/${threadId}`, tenant),
    calls: ["delete_thread"],
  },
  "messages": {
    ask: (service, { tenant, threadId }) => ask(service, "GET", `/threads/${threadId}/messages`, tenant),
    calls: ["list_messages"],
  },
  "a rating": {
    ask: (service, { tenant, threadId, messageId }) =>
      ask(service, "PUT", `/threads/${threadId}/messages/${messageId}/feedback`, tenant, { rating: "up" }),
    calls: ["rate_answer"],
  },
  "events of a thread": {
    ask: async (service, { tenant, threadId }) =>
      await (await send(service, "GET", `/threads/${threadId}/events`, tenant)).body?.cancel(),
    calls: ["watch_thread"],
  },
  "events of a coach": {
    ask: async (service, { tenant }) =>
      await (await send(service, "GET", `/coaches/${tenant.coachId}/events`, tenant)).body?.cancel(),
    calls: ["watch_coach"],
  },
  "pinned answers": {
    ask: (service, { tenant }) => ask(service, "GET", `/coaches/${tenant.coachId}/answers?search=x`, tenant),
    calls: ["list_pinned_answers"],
  },
  "a new pinned answer": {
    ask: (service, { tenant }) =>
      ask(service, "POST", `/coaches/${tenant.coachId}/answers`, tenant, { question: "Why?", answer: "So." }),
    calls: ["create_pinned_answer"],
    tells: "create_pinned_answer",
  },
  "a sheet of pinned answers": {
    ask: (service, { tenant }) =>
      ask(service, "POST", `/coaches/${tenant.coachId}/answers/import`, tenant, {
        csv: `question,answer\n${crypto.randomUUID()}?,So.`,
      }),
    // Admitted before it waits for its turn.
    calls: ["admit_request", "compare_pinned_answers", "import_pinned_answers"],
    tells: "compare_pinned_answers",
  },
  "the sheet of all pinned answers": {
    ask: (service, { tenant }) => ask(service, "GET", `/coaches/${tenant.coachId}/answers/export`, tenant),
    calls: ["admit_request", "list_pinned_answers"],
  },
  "a pinned answer": {
    ask: (service, { tenant, messageId }) =>
      ask(service, "GET", `/coaches/${tenant.coachId}/answers/${messageId}`, tenant),
    calls: ["get_pinned_answer"],
  },
  "a change of a pinned answer": {
    ask: (service, { tenant, messageId }) =>
      ask(service, "PATCH", `/coaches/${tenant.coachId}/answers/${messageId}`, tenant, { answer: "So." }),
    calls: ["update_pinned_answer"],
  },
  "the end of a pinned answer": {
    ask: (service, { tenant, messageId }) =>
      ask(service, "DELETE", `/coaches/${tenant.coachId}/answers/${messageId}`, tenant),
    calls: ["delete_pinned_answer"],
  },
  "barred passages": {
    ask: (service, { tenant }) => ask(service, "GET", `/coaches/${tenant.coachId}/barred-passages`, tenant),
    calls: ["list_barred_passages"],
  },
  "a barred passage": {
    ask: (service, { tenant }) =>
      ask(service, "PUT", `/coaches/${tenant.coachId}/barred-passages/${"0".repeat(32)}`, tenant),
    calls: ["set_passage_barred"],
  },
  "a passage that is barred no more": {
    ask: (service, { tenant }) =>
      ask(service, "DELETE", `/coaches/${tenant.coachId}/barred-passages/${"0".repeat(32)}`, tenant),
    calls: ["set_passage_barred"],
  },
  "a question that is tried": {
    ask: (service, { tenant }) =>
      ask(service, "POST", `/coaches/${tenant.coachId}/try`, tenant, { question: "Boats?" }),
    calls: ["try_question"],
  },
  "a question that is tried to its answer": {
    ask: (service, { tenant }) =>
      ask(service, "POST", `/coaches/${tenant.coachId}/try`, tenant, { question: "Boats?", answer: true }),
    calls: ["try_question"],
  },
  "open questions": {
    ask: (service, { tenant }) => ask(service, "GET", `/coaches/${tenant.coachId}/questions`, tenant),
    calls: ["list_questions"],
  },
  ...Object.fromEntries(
    ["dismiss", "reopen", "answer"].map((act): [string, typeof requests[string]] => [`to ${act} a question`, {
      ask: (service, { tenant }) =>
        ask(service, "POST", `/coaches/${tenant.coachId}/questions/${crypto.randomUUID()}/${act}`, tenant, {
          answer: "Yes.",
        }),
      calls: [act === "answer" ? "answer_question" : "decide_question"],
    }]),
  ),
  "conversations": {
    ask: (service, { tenant }) => ask(service, "GET", `/coaches/${tenant.coachId}/threads`, tenant),
    calls: ["list_conversations"],
  },
  "the usage of a coach": {
    ask: (service, { tenant }) => ask(service, "GET", `/coaches/${tenant.coachId}/usage`, tenant),
    calls: ["read_coach_usage"],
  },
  "a search of conversations": {
    ask: (service, { tenant }) => ask(service, "GET", `/coaches/${tenant.coachId}/threads?search=talk`, tenant),
    calls: ["list_conversations"],
  },
  "a draft of a reply": {
    ask: (service, { tenant, threadId }) => ask(service, "POST", `/threads/${threadId}/draft-reply`, tenant, {}),
    calls: ["draft_reply"],
  },
  "a takeover": {
    ask: (service, { tenant, threadId }) => ask(service, "POST", `/threads/${threadId}/takeover`, tenant),
    calls: ["take_over"],
  },
  "a release": {
    ask: (service, { tenant, threadId }) => ask(service, "POST", `/threads/${threadId}/release`, tenant),
    calls: ["release_thread"],
  },
  "a message of the expert": {
    ask: (service, { tenant, threadId }) =>
      ask(service, "POST", `/threads/${threadId}/messages`, tenant, { content: "Here I am" }),
    calls: ["say_as_expert"],
  },
  "a correction": {
    ask: (service, { tenant, threadId, messageId }) =>
      ask(service, "POST", `/threads/${threadId}/messages/${messageId}/revise`, tenant, {
        answer: "No.",
        question: "Is it?",
      }),
    calls: ["revise_answer"],
  },
  "a search": {
    ask: (service, { tenant }) => ask(service, "GET", `/knowledge-handler?coachId=${tenant.coachId}&search=x`, tenant),
    calls: ["search_knowledge"],
  },
  "an upload": {
    ask: (service, { tenant }) => upload(service, tenant, tenant.coachId, [["a.txt", "x"]]),
    calls: ["begin_upload", "storage", "end_upload"],
  },
  "a deletion": {
    ask: (service, { tenant, fileId }) =>
      ask(service, "DELETE", `/knowledge-handler/${fileId}?coachId=${tenant.coachId}`, tenant),
    calls: ["delete_knowledge_file", "storage"],
  },
  "the tool chat": ofTool("chat", ({ tenant }) => ({ message: "Hi", context: { coachId: tenant.coachId } }), [
    "begin_turn",
    "save_turns",
  ]),
  "the tool list-coaches": ofTool("list-coaches", () => ({}), ["list_coaches"]),
  "the tool get-user-threads": ofTool("get-user-threads", () => ({ userId: "u" }), ["list_threads"]),
  "the tool threads": ofTool("threads", ({ threadId }) => ({ threadId }), ["list_messages"]),
  "the tool search-knowledge": ofTool("search-knowledge", ({ tenant }) => ({ coachId: tenant.coachId, search: "x" }), [
    "search_knowledge",
  ]),
  "the tool upload-knowledge": ofTool(
    "upload-knowledge",
    ({ tenant }) => ({ coachId: tenant.coachId, files: [{ filename: "a.txt", text: "x" }] }),
    ["begin_upload", "storage", "end_upload"],
  ),
  "the tool add-source": ofTool(
    "add-source",
    ({ tenant }) => ({ coachId: tenant.coachId, url: "https://example.com/", kind: "page", refresh: "never" }),
    ["save_source"],
  ),
  "the tool delete-knowledge": ofTool(
    "delete-knowledge",
    ({ tenant, fileId }) => ({ coachId: tenant.coachId, fileId }),
    [
      "delete_knowledge_file",
      "storage",
    ],
  ),
  "the tool list-questions": ofTool("list-questions", ({ tenant }) => ({ coachId: tenant.coachId }), [
    "list_questions",
  ]),
  "the tool answer-question": ofTool(
    "answer-question",
    ({ tenant }) => ({ coachId: tenant.coachId, questionId: crypto.randomUUID(), answer: "Yes." }),
    ["answer_question"],
  ),
  "the list of tools": {
    async ask(service, { tenant }) {
      const { message, headers } = envelope(revisions[0], "tools/list");
      return await post(service, tenant, message, headers);
    },
    calls: ["get_standing"],
  },
  // Nothing to do for these: only the refusal has to be found.
  "input that does not fit": {
    ask: (service, { tenant }) => ask(service, "POST", "/chat", tenant, {}),
    calls: ["admit_request"],
  },
  "a path that does not exist": {
    ask: (service, { tenant }) => ask(service, "GET", "/threads/x/y", tenant),
    calls: ["admit_request"],
  },
  "a bad token": {
    ask: (service, { tenant }) => ask(service, "GET", "/users/u/threads", { ...tenant, accessToken: "bad" }),
    calls: ["admit_request"],
  },
};

/** The calls of the first request of its kind about a coach. */
function callsOfFirst({ calls, tells }: Kind): string[] {
  return calls.flatMap((call) => call === tells ? [call, call] : [call]);
}

function ofTool(name: string, args: (asked: Asked) => object, calls: string[]): typeof requests[string] {
  return {
    async ask(service, asked) {
      const { message, headers } = envelope(revisions[0], "tools/call", { name, arguments: args(asked) });
      return await post(service, asked.tenant, message, headers);
    },
    calls,
  };
}

async function prepare(service: Service, tenant?: Tenant): Promise<Asked> {
  tenant ??= await createTenant({ requests_per_minute: 1_000, scopes: allScopes });
  service.model.script(tenant.modelName, ...Array(4).fill({ steps: [{ text: "Hello" }] }));
  const { threadId, messageId } = await storeAnswer(tenant, { content: "Said", status: "complete" });
  const fileId = await addFile(tenant, "b.txt", "Boats");
  return { tenant, threadId, messageId, fileId };
}

Deno.test("each request: admission and work in one call of Postgres", async (t) => {
  await using service = await startService({ isIndexerAsleep: true });
  for (const [name, kind] of Object.entries(requests)) {
    await t.step(`${name}: ${kind.calls.join(", ")}`, async () => {
      const asked = await prepare(service);
      callsTo(service);
      await kind.ask(service, asked);
      assertEquals(callsTo(service), callsOfFirst(kind));
    });
  }

  await t.step("an unknown key: one, and what it asked for is not done", async () => {
    const asked = await prepare(service);
    const tenant = { ...asked.tenant, apiKey: inventKey("0".repeat(32)) };
    for (const { ask, calls } of Object.values(requests)) {
      callsTo(service);
      await ask(service, { ...asked, tenant });
      assertEquals(callsTo(service), calls.slice(0, 1));
    }
  });

  await t.step("a key over its limit: one", async () => {
    const asked = await prepare(service);
    const exhausted = await issueKey(asked.tenant.accountId, { requests_per_minute: 1 });
    const tenant = { ...asked.tenant, ...exhausted };
    await ask(service, "GET", "/users/u/threads", tenant);
    for (const { ask, calls } of Object.values(requests)) {
      callsTo(service);
      await ask(service, { ...asked, tenant });
      assertEquals(callsTo(service), calls.slice(0, 1));
    }
  });
});

Deno.test("each request where Upstash counts: one call of it before that of Postgres, and one more once a minute", async (t) => {
  await using redis = await startRedisServer();
  await using service = await startService({
    env: { UPSTASH_REDIS_REST_URL: redis.url, UPSTASH_REDIS_REST_TOKEN: redis.token },
    isIndexerAsleep: true,
  });
  await stepEach(t, Object.entries(requests), {
    quick: ["a message", "a search of threads", "a new pinned answer", "an upload"],
    async run(kind) {
      const { ask, calls } = kind;
      // The limiter sends its scripts once, with the first request.
      await ask(service, await prepare(service));
      const { tenant, ...first } = await prepare(service);
      for (const isSeen of [false, true]) {
        const asked = isSeen ? await prepare(service, tenant) : { ...first, tenant };
        callsTo(service);
        const before = redis.requests;
        await ask(service, asked);
        assertEquals(callsTo(service), isSeen ? calls : ["find_api_key", ...callsOfFirst(kind)]);
        assertEquals(redis.requests - before, 1);
      }
    },
  });
});

Deno.test("a long answer is sent to the backend once, in pieces, whatever gets lost on the way", async () => {
  await using service = await startService({ losesReplies: true, timeouts: { flush: 10 } });
  const tenant = await createTenant();
  // 50,000 bytes each; as many characters would be cut wrongly where units were counted for them.
  const pieces = Array.from({ length: 10 }, (_, index) => `${index}😀é文`.repeat(5_000));
  const text = pieces.join("");
  const bytes = new TextEncoder().encode(text).length;
  const saves = pieces.map(() => Promise.withResolvers<void>());
  const steps = pieces.flatMap((text, index): Step[] => [{ text }, { waitFor: saves[index]!.promise }]);
  service.model.script(tenant.modelName, { steps: [...steps, { end: true }] });
  let sent = 0;
  let pieceSaves = 0;
  service.supabase.fault = (path, size) => {
    if (!path.endsWith("/save_turns")) return "pass";
    sent += size;
    if (size < 50_000) return "pass";
    // The next piece comes while this one is being saved, or after that has failed.
    saves[pieceSaves++]?.resolve();
    return pieceSaves === 3 ? "lose" : pieceSaves === 6 ? "refuse" : "pass";
  };
  const response = await send(service, "POST", "/chat", tenant, {
    message: "Hi",
    context: { coachId: tenant.coachId, userId: "u" },
  });
  await response.text();
  service.supabase.fault = "pass";
  const { content, status } = await storedAnswer(response.headers.get("X-Message-Id")!);
  assert(content === text, `${content.length} units are stored, not ${text.length}`);
  assertEquals(status, "complete");
  assert(pieceSaves >= 10, `only ${pieceSaves} saves had a piece`);
  assert(sent < 1.5 * bytes, `${sent} bytes were sent for an answer of ${bytes}`);
});
