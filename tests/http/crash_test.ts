import { deadline } from "../../shared/libs/base/std/async.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { eventually } from "../support/eventually.ts";
import { type FunctionProcess, startFunctionProcess } from "../support/function_process.ts";
import {
  acceptOf,
  ask,
  assertReply,
  chat,
  readEvents,
  readTypedText,
  type ReplyForm,
  send,
} from "../support/client.ts";
import { type ModelScript, type ModelServer, startModelServer, type Step } from "../support/model_server.ts";
import { createCoach, createTenant, operator, type Tenant } from "../support/project.ts";
import { sentenceOf } from "../support/refusals.ts";
import { serve } from "../support/serve.ts";
import { type Service, startService } from "../support/service.ts";
import { slow } from "../support/slow.ts";

/** Turns of one kind; `group` says what happens to them after the crash. */
type Kind = {
  group: "lost" | "kept" | "attached" | "retried" | "retried kept" | "raced" | "resumed" | "resumed kept";
  count: number;
  form?: ReplyForm;
  /** True if the thread already had a turn. */
  isContinued?: true;
  /** Two turns at the same time on each thread. */
  inPairs?: true;
  hasKey?: true;
  /** `begun`: the model has begun its response without any text; `mute`: it has not replied at all. */
  silence?: "begun" | "mute";
};

const kinds: Kind[] = [
  { group: "lost", count: 5 },
  { group: "lost", count: 3, form: "events" },
  { group: "lost", count: 3, form: "object" },
  { group: "lost", count: 5, isContinued: true },
  { group: "lost", count: 4, isContinued: true, inPairs: true },
  { group: "lost", count: 2, silence: "begun" },
  { group: "lost", count: 1, silence: "begun", form: "object" },
  { group: "lost", count: 2, silence: "mute" },
  { group: "kept", count: 3 },
  { group: "kept", count: 1, form: "object" },
  { group: "kept", count: 2, isContinued: true },
  { group: "kept", count: 2, isContinued: true, inPairs: true },
  { group: "kept", count: 1, silence: "begun" },
  { group: "attached", count: 2, hasKey: true },
  { group: "attached", count: 1, hasKey: true, form: "object" },
  { group: "attached", count: 1, hasKey: true, silence: "begun" },
  { group: "retried", count: 2, hasKey: true },
  { group: "retried", count: 1, hasKey: true, form: "events" },
  { group: "retried", count: 1, hasKey: true, form: "object" },
  { group: "retried", count: 1, hasKey: true, isContinued: true },
  { group: "retried", count: 1, hasKey: true, silence: "mute" },
  { group: "retried kept", count: 1, hasKey: true },
  { group: "raced", count: 1, hasKey: true },
  { group: "resumed", count: 2 },
  { group: "resumed", count: 1, silence: "begun" },
  { group: "resumed kept", count: 1 },
];

/** A question, and what the test knows of its answer. */
type Turn = Kind & {
  tenant: Tenant;
  /** Unique to the thread, so that the thread can be found without its id. */
  userId: string;
  body: { message: string; thread_id?: string; context: Record<string, string> };
  init: { headers: Record<string, string> };
  responseId: string;
  client?: Listener;
  threadId: string;
  messageId: string;
  /** The stored text of the answer; an empty answer is not listed. */
  answer: string;
};

/** The time that the test waits for an expected event, in milliseconds. */
const patience = 30_000;
const waves = 4;
const wordsInWave = 5;
const never = new Promise<never>(() => {});

/** The model's text for a turn, up to the end of a wave. */
function spoken({ silence, body }: Turn, wave: number): string {
  if (silence) return "";
  return Array.from({ length: wave * wordsInWave }, (_, index) => `${body.message} ${index}, `).join("");
}

/** Sends the words of each wave one by one when its gate opens, and never ends. */
function scriptOf(turn: Turn, gates: Promise<void>[]): ModelScript {
  const { responseId, silence } = turn;
  if (silence === "mute") return { steps: [{ hang: true }] };
  const say = (wave: number): Step[] => {
    const words = spoken(turn, wave).slice(spoken(turn, wave - 1).length).match(/[^,]+, /g) ?? [];
    return words.map((text) => ({ text }));
  };
  const steps = gates.flatMap((gate, index) => [{ waitFor: gate }, ...silence ? [] : say(index + 1)]);
  return { responseId, steps: [...steps, { waitFor: never }] };
}

/** A client that reads a reply as it arrives. */
type Listener = {
  response?: Response;
  /** The text that has arrived so far. */
  body: string;
  /** The ending of the reply; `broken`: any HTTP client sees that it is incomplete. Rejects if it does not end. */
  end: Promise<"clean" | "broken">;
};

function listen(sent: Promise<Response>): Listener {
  async function readAll() {
    try {
      self.response = await sent;
      for await (const text of self.response.body!.pipeThrough(new TextDecoderStream())) self.body += text;
      return "clean" as const;
    } catch {
      return "broken" as const;
    }
  }
  const self: Listener = { body: "", end: Promise.resolve("clean") };
  self.end = deadline(readAll(), 2 * patience);
  return self;
}

/** The text of an answer in any form, as far as it has arrived. */
function heard({ body }: Listener, form: Kind["form"]): string {
  if (form === "object") return body && JSON.parse(body).message.content;
  return form === "events" ? readTypedText(body) : readEvents(body);
}

/** All messages of the turns' threads, thread by thread, oldest first. */
async function readThreads(turns: Turn[]) {
  const accounts = [...new Set(turns.map(({ tenant }) => tenant.accountId))];
  const { data: threads } = await operator.from("threads").select("id, user_id").in("account_id", accounts)
    .throwOnError();
  const { data: messages } = await operator.from("messages").select("*").in("thread_id", threads.map(({ id }) => id))
    .order("created_at").order("sequence").throwOnError();
  return Map.groupBy(messages, ({ thread_id }) => threads.find(({ id }) => id === thread_id)!.user_id);
}

/** The stored answers in the order of the turns: the message directly after each question. */
async function readAnswers(turns: Turn[]) {
  const threads = await readThreads(turns);
  return turns.map(({ userId, body }) => {
    const messages = threads.get(userId) ?? [];
    const places = messages.flatMap(({ content, role }, place) =>
      content === body.message && role === "user" ? [place] : []
    );
    assertEquals(places.length, 1, `${body.message} is stored ${places.length} times`);
    const answer = messages[places[0]! + 1];
    if (answer?.role !== "assistant") throw new Error(`${body.message} has no answer`);
    return answer;
  });
}

/** Makes accounts, coaches and earlier turns, one thread for every turn or pair. */
async function plan(service: Service): Promise<Turn[]> {
  const tenants = [
    await createTenant({ requests_per_minute: 1_000 }),
    await createTenant({ requests_per_minute: 1_000 }),
  ];
  const places = kinds.flatMap((kind, number) =>
    Array.from({ length: kind.count }, (_, index) => ({
      kind,
      userId: `user ${number}.${kind.inPairs ? index >> 1 : index}`,
      message: `Question ${number}.${index}`,
    }))
  );
  const threads = new Map<string, Promise<{ tenant: Tenant; threadId: string }>>();
  async function createThread(userId: string, { isContinued }: Kind) {
    const account = tenants[threads.size % 2]!;
    const modelName = crypto.randomUUID();
    const { id: coachId } = await createCoach(account.accountId, { model: modelName });
    const tenant = { ...account, coachId, modelName };
    const opening = { message: "Good morning", context: { coachId, userId } };
    return { tenant, threadId: isContinued ? (await chat(service, tenant, opening)).threadId : "" };
  }
  return await Promise.all(places.map(async ({ kind, userId, message }) => {
    if (!threads.has(userId)) threads.set(userId, createThread(userId, kind));
    const { tenant, threadId } = await threads.get(userId)!;
    const key: Record<string, string> = kind.hasKey ? { "Idempotency-Key": crypto.randomUUID() } : {};
    return {
      ...kind,
      tenant,
      userId,
      body: {
        message,
        ...threadId ? { thread_id: threadId } : {},
        context: { coachId: tenant.coachId, userId },
      },
      init: { headers: { Accept: acceptOf[kind.form ?? "text"], ...key } },
      responseId: `resp_${crypto.randomUUID()}`,
      threadId,
      messageId: "",
      answer: "",
    };
  }));
}

/** Opens all streams, waits until two waves of the model's text are stored, and ends the process in the fourth. */
async function crash(process: FunctionProcess, model: ModelServer, turns: Turn[], signal: Deno.Signal) {
  const gates = Array.from({ length: waves }, () => Promise.withResolvers<void>());
  const gatePromises = gates.map(({ promise }) => promise);
  const byModel = Map.groupBy(turns, ({ tenant }) => tenant.modelName);
  await Promise.all([...byModel].map(async ([modelName, ofThread]) => {
    model.script(modelName, ...ofThread.map((turn) => scriptOf(turn, gatePromises)));
    for (const [index, turn] of ofThread.entries()) {
      turn.client = listen(send(process, "POST", "/chat", turn.tenant, turn.body, turn.init));
      await eventually(() => model.requestsOf(modelName).length > index, `the call for ${turn.body.message}`);
    }
  }));
  for (const wave of [1, 2]) {
    gates[wave - 1]!.resolve();
    await eventually(async () => {
      const answers = await readAnswers(turns);
      return turns.every((turn, index) =>
        answers[index]!.content === spoken(turn, wave) &&
        answers[index]!.response_id === (turn.silence === "mute" ? null : turn.responseId)
      );
    }, `wave ${wave} is in the rows`);
  }
  gates[2]!.resolve();
  await eventually(
    () =>
      turns.every((turn) =>
        turn.form === "object" || turn.silence || heard(turn.client!, turn.form) === spoken(turn, 3)
      ),
    "wave 3 is at the clients",
  );
  gates[3]!.resolve();
  return await process.kill(signal);
}

/** Messages in the form that is sent to the model. */
const inputOf = (said: string[][]): unknown =>
  said.map(([role, content]) => ({ ...(role === "assistant" ? { type: "message" } : {}), role, content }));

/** Changes answers so that their runs appear to have been silent for some seconds. */
async function setLastSign(turns: Turn[], seconds: number) {
  const ids = turns.map(({ messageId }) => messageId);
  const updatedAt = new Date(Date.now() - seconds * 1_000).toISOString();
  await operator.from("messages").update({ updated_at: updatedAt }).in("id", ids).throwOnError();
}

/** More than the 30 s after which an answer counts as abandoned. */
const abandon = (turns: Turn[]) => setLastSign(turns, 60);

for (const signal of ["SIGKILL", "SIGTERM"] as const) {
  // Which signal ends the process makes no difference to what is stored.
  const options = signal === "SIGTERM" ? slow : {};
  Deno.test(`the process of fifty streams is ended by ${signal} in the middle of the answers`, options, async (t) => {
    const limits = { timeouts: { poll: 20, recovery: 300 } };
    await using model = await startModelServer();
    // Its model replies, which may take a busy machine longer.
    await using service = await startService({ timeouts: { ...limits.timeouts, recovery: 5_000 } });
    // A backend that accepts connections and never replies.
    using silence = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    await using withSilentBackend = await startService({
      ...limits,
      env: { OPENAI_BASE_URL: `http://127.0.0.1:${silence.addr.port}/v1` },
    });
    await using broken = serve(() => new Response(null, { status: 500 }));
    await using withBrokenBackend = await startService({
      ...limits,
      env: { OPENAI_BASE_URL: `${broken.url}/v1` },
    });

    const turns = await plan(service);
    const inGroup = (...groups: Kind["group"][]) => turns.filter(({ group }) => groups.includes(group));
    const wholeOf = (turn: Turn) => `${spoken(turn, waves)}and that is all.`;
    for (const turn of inGroup("kept", "retried kept", "resumed kept")) {
      service.model.keep(turn.responseId, { status: "completed", text: wholeOf(turn) });
    }
    {
      await using process = await startFunctionProcess("chat", {
        OPENAI_BASE_URL: model.baseUrl,
        OPENAI_API_KEY: "sk-1",
      });
      await crash(process, model, turns, signal);
    }

    /** The expected messages of a thread: its turns in order, without answers that have no text. */
    function expectedOf({ userId }: Turn) {
      const ofThread = turns.filter((turn) => turn.userId === userId);
      return [
        ...ofThread[0]!.isContinued ? [["user", "Good morning"], ["assistant", "Hello world"]] : [],
        ...ofThread.flatMap(({ body, answer }) => [
          ["user", body.message],
          ...answer === "" ? [] : [["assistant", answer]],
        ]),
      ];
    }
    async function assertReads(at: Service, read: Turn[]) {
      await Promise.all(read.map(async (turn) => {
        const asked = ask(at, "GET", `/threads/${turn.threadId}/messages`, turn.tenant);
        const reply = await deadline(asked, patience);
        assertReply(reply, 200);
        const listed = reply.json.data.map(({ role, content }: Record<string, string>) => [role, content]);
        assertEquals(listed, expectedOf(turn));
        assertEquals(reply.json.count, listed.length);
      }));
    }
    async function assertStates(stored: Turn[], status: string) {
      for (const [index, answer] of (await readAnswers(stored)).entries()) {
        assertEquals([answer.status, answer.content], [status, stored[index]!.answer], answer.error ?? "");
      }
    }
    const retry = (turn: Turn, at = service) => listen(send(at, "POST", "/chat", turn.tenant, turn.body, turn.init));
    const resume = (turn: Turn, at = service, after = 0) =>
      listen(send(at, "GET", `/chat/${turn.messageId}/stream`, turn.tenant, undefined, {
        headers: after > 0 ? { "Last-Event-ID": String(after) } : {},
      }));
    function assertSameTurn({ response }: Listener, { threadId, messageId }: Turn) {
      assertEquals([response!.headers.get("X-Thread-Id"), response!.headers.get("X-Message-Id")], [
        threadId,
        messageId,
      ]);
    }
    const callsFor = ({ tenant }: Turn) => service.model.requestsOf(tenant.modelName);

    await t.step("every client sees that its answer is incomplete", async () => {
      for (const { client, form, body } of turns) {
        assertEquals(await client!.end, "broken", body.message);
        if (form === "events") assert(!client!.body.includes("event: done"), client!.body);
      }
    });

    await t.step("every question is stored once, with its answer so far directly after it", async () => {
      assertEquals(turns.length, 50);
      for (const [index, { id, thread_id, content, status }] of (await readAnswers(turns)).entries()) {
        const turn = turns[index]!;
        assertEquals(status, "streaming");
        assert(content.startsWith(spoken(turn, 2)), `What was stored is lost: ${content}`);
        assert(spoken(turn, 4).startsWith(content), `The model did not say ${content}`);
        Object.assign(turn, { messageId: id, threadId: thread_id, answer: content });
        if (turn.client!.response) assertSameTurn(turn.client!, turn);
      }
      // The steps above may have taken any time, so set it again.
      await setLastSign(turns, 0);
    });

    await t.step("the next read shows every question, and what is stored of its answer", async () => {
      await assertReads(service, turns);
      await assertStates(turns, "streaming");
    });

    await t.step("a client that retries at once follows the answer until it is abandoned; then it breaks", async () => {
      const attached = inGroup("attached");
      await setLastSign(attached, 0);
      // One after the other, so that each lookup belongs to this client.
      for (const turn of attached) {
        const lookedUp = service.supabase.requests.length;
        const client = retry(turn);
        await eventually(
          () => service.supabase.requests.slice(lookedUp).some((path) => path.endsWith("/read_answers")),
          "the answer is looked up",
        );
        await abandon([turn]);
        const isRefused = turn.form === "object" || turn.answer === "";
        assertEquals([await client.end, client.response?.status], isRefused ? ["clean", 502] : ["broken", 200]);
        if (isRefused) assertEquals(JSON.parse(client.body), { error: sentenceOf("answer_failed") });
        else assertEquals(heard(client, turn.form), turn.answer);
        assertSameTurn(client, turn);
        assertEquals(callsFor(turn).length, 0);
      }
      await assertStates(attached, "failed");
    });

    await t.step("while the backend is silent, a retry does not wait for ever, and no text is lost", async () => {
      const [turn] = inGroup("retried") as [Turn];
      await abandon([turn]);
      const client = retry(turn, withSilentBackend);
      assertEquals(await client.end, "broken");
      assertEquals(heard(client, turn.form), turn.answer);
      await assertStates([turn], "streaming");
    });

    await t.step("a client that retries an abandoned answer gets a new one in its place", async () => {
      const retried = inGroup("attached", "retried");
      await abandon(inGroup("retried"));
      await Promise.all(retried.map(async (turn) => {
        service.model.script(turn.tenant.modelName, { steps: [{ text: "Said " }, { text: "again" }] });
        turn.answer = "Said again";
        const client = retry(turn);
        assertEquals([await client.end, client.response?.status], ["clean", 200]);
        assertSameTurn(client, turn);
        assertEquals(heard(client, turn.form), turn.answer);
        assertEquals<unknown>(callsFor(turn).at(-1)!.body.input, inputOf(expectedOf(turn).slice(0, -1)));
      }));
      await assertStates(retried, "complete");
      await assertReads(service, retried);
    });

    await t.step("of two clients that retry at once, one starts a new run and the other follows it", async () => {
      const [turn] = inGroup("raced") as [Turn];
      await abandon([turn]);
      turn.answer = "Hello world";
      for (const client of [retry(turn), retry(turn)]) {
        assertEquals(await client.end, "clean");
        assertSameTurn(client, turn);
        assertEquals(heard(client, turn.form), turn.answer);
      }
      assertEquals(callsFor(turn).length, 1);
      await assertStates([turn], "complete");
    });

    await t.step("if the backend has kept the response, a retry gets all of it without another call", async () => {
      const [turn] = inGroup("retried kept") as [Turn];
      await abandon([turn]);
      turn.answer = wholeOf(turn);
      const client = retry(turn);
      assertEquals(await client.end, "clean");
      assertSameTurn(client, turn);
      assertEquals(heard(client, turn.form), turn.answer);
      assertEquals(callsFor(turn).length, 0);
      await assertStates([turn], "complete");
    });

    await t.step("resuming an abandoned answer sends its stored text, and shows that it is incomplete", async () => {
      const [alive, abandoned, silent] = inGroup("resumed") as [Turn, Turn, Turn];
      await setLastSign([alive], 0);
      const client = resume(alive);
      await eventually(() => heard(client, "text") === alive.answer, "what is stored");
      await abandon([alive, abandoned, silent]);
      assertEquals([await client.end, heard(client, "text")], ["broken", alive.answer]);
      await assertStates([alive], "failed");

      const withSilence = resume(abandoned, withSilentBackend);
      assertEquals([await withSilence.end, heard(withSilence, "text")], ["broken", abandoned.answer]);
      await assertStates([abandoned], "streaming");

      const withoutText = resume(silent);
      assertEquals([await withoutText.end, withoutText.response?.status], ["clean", 502]);
      await assertStates([silent], "failed");
    });

    await t.step("when the backend has kept the response, resuming sends the rest of it", async () => {
      const [turn] = inGroup("resumed kept") as [Turn];
      const had = heard(turn.client!, turn.form);
      assert(had.length >= spoken(turn, 3).length, had);
      const client = resume(turn, service, had.length);
      await abandon([turn]);
      turn.answer = wholeOf(turn);
      assertEquals([await client.end, had + heard(client, "text")], ["clean", turn.answer]);
      await assertStates([turn], "complete");
    });

    await t.step("while the backend fails or is silent, every thread is listed as it is stored", async () => {
      const left = inGroup("lost", "kept");
      await abandon(left);
      for (const at of [withBrokenBackend, withSilentBackend]) await assertReads(at, left);
      const isMute = ({ silence }: Turn) => silence === "mute";
      await assertStates(left.filter((turn) => !isMute(turn)), "streaming");
      // These have no response id, so there is nothing to wait for.
      await assertStates(left.filter(isMute), "failed");
    });

    await t.step("answers that the backend has kept are listed whole, and stored", async () => {
      const kept = inGroup("kept");
      for (const turn of kept) turn.answer = wholeOf(turn);
      await assertReads(service, kept);
      await assertStates(kept, "complete");
    });

    await t.step("answers that the backend has lost are failed, with the stored text", async () => {
      const lost = inGroup("lost");
      await assertReads(service, lost);
      await assertStates(lost, "failed");
    });

    await t.step("every thread can be continued, and the model is sent the whole history", async () => {
      const threads = [...Map.groupBy(turns, ({ threadId }) => threadId).values()].map(([turn]) => turn!);
      await Promise.all(threads.map(async (turn) => {
        const { tenant, threadId } = turn;
        service.model.script(tenant.modelName, { steps: [{ text: "On we go" }] });
        const { answer } = await chat(service, tenant, { message: "And now?", thread_id: threadId });
        assertEquals(answer, "On we go");
        assertEquals<unknown>(callsFor(turn).at(-1)!.body.input, inputOf([...expectedOf(turn), ["user", "And now?"]]));
      }));
      const stored = await readThreads(turns);
      for (const turn of threads) {
        const said = stored.get(turn.userId)!.filter(({ content }) => content !== "");
        assertEquals(said.map(({ role, content }) => [role, content]), [
          ...expectedOf(turn),
          ["user", "And now?"],
          ["assistant", "On we go"],
        ]);
      }
    });
  });
}
