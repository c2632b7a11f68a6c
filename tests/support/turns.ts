import type { Database } from "../../shared/infra/db/database_types.ts";
import { assertEquals } from "./assert.ts";
import { ask, chat, send } from "./client.ts";
import type { Step } from "./model_server.ts";
import { operator, type Tenant } from "./project.ts";
import type { Service } from "./service.ts";

/** A turn whose answer has begun. */
export type RunningTurn = {
  threadId: string;
  messageId: string;
  /** The whole reply; rejects when the stream breaks. */
  reply: Promise<string>;
  /** Lets the model send the rest and end. */
  goOn: () => void;
};

/** Starts a turn, reads its first text, and leaves the model waiting. */
export async function startTurn(
  service: Pick<Service, "url" | "model">,
  tenant: Tenant,
  { said, rest = [], responseId, body = {}, headers = {} }: {
    said: string[];
    rest?: Step[];
    responseId?: string;
    body?: Record<string, unknown>;
    headers?: Record<string, string>;
  },
): Promise<RunningTurn> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const steps: Step[] = [...said.map((text) => ({ text })), { waitFor: promise }, ...rest];
  if (rest.length === 0) steps.push({ end: true });
  service.model.script(tenant.modelName, { responseId, steps }, { steps: [{ text: "Hello world" }] });
  const message = { message: "Talk", context: { coachId: tenant.coachId, userId: "u" }, ...body };
  const response = await send(service, "POST", "/chat", tenant, message, { headers });
  assertEquals(response.status, 200);
  const [shown, kept] = response.body!.tee();
  const reader = shown.pipeThrough(new TextDecoderStream()).getReader();
  for (let events = 0; events < said.length;) events += (await reader.read()).value!.split("\n\n").length - 1;
  reader.cancel();
  const reply = new Response(kept).text();
  // A test may await the reply late or never; this keeps a rejection from ending the process.
  reply.catch(() => {});
  return {
    threadId: response.headers.get("X-Thread-Id")!,
    messageId: response.headers.get("X-Message-Id")!,
    reply,
    goOn: resolve,
  };
}

/** Runs one turn of a user; the model's server stores the response. */
export async function talk(service: Service, tenant: Tenant, userId: string, said = "Well.") {
  const responseId = `resp_${crypto.randomUUID()}`;
  service.model.script(tenant.modelName, { responseId, steps: [{ text: said }] });
  service.model.keep(responseId, { status: "completed", text: said });
  const reply = await chat(service, tenant, { message: "Hi", context: { coachId: tenant.coachId, userId } });
  return { ...reply, responseId };
}

/** The number of a user's threads in the reply to a client. */
export async function countThreads(service: Pick<Service, "url">, tenant: Tenant, userId: string): Promise<number> {
  return (await ask(service, "GET", `/users/${userId}/threads`, tenant)).json.count;
}

/** An answer to store. */
export type AnswerRow = { content: string; status: string; response_id?: string; user_id?: string };

/** A stored thread with its question and its answer. */
export type StoredTurn = { threadId: string; questionId: string; messageId: string };

/**
 * Stores threads with a question and an answer each, whose runs showed their last sign of life that many seconds ago.
 * Three requests, however many there are.
 */
export async function storeAnswers(
  answers: (Pick<Tenant, "accountId" | "coachId"> & AnswerRow)[],
  secondsOfSilence = 0,
): Promise<StoredTurn[]> {
  const updatedAt = new Date(Date.now() - secondsOfSilence * 1_000).toISOString();
  const turns = answers.map((answer) => ({
    answer,
    threadId: crypto.randomUUID(),
    questionId: crypto.randomUUID(),
    messageId: crypto.randomUUID(),
  }));
  await operator.from("threads").insert(turns.map(({ answer, threadId }) => {
    const { accountId, coachId, user_id = "u" } = answer;
    return { id: threadId, account_id: accountId, coach_id: coachId, user_id, title: "Left behind" };
  })).throwOnError();
  await operator.from("messages").insert(turns.map(({ threadId, questionId }) => (
    { id: questionId, thread_id: threadId, role: "user", content: "Talk" }
  ))).throwOnError();
  await operator.from("messages").insert(turns.map(({ answer, threadId, messageId }) => {
    const { content, status, response_id = null } = answer;
    const run = { id: messageId, run_id: messageId, thread_id: threadId, role: "assistant", updated_at: updatedAt };
    return { ...run, content, status, response_id };
  })).throwOnError();
  return turns.map(({ threadId, questionId, messageId }) => ({ threadId, questionId, messageId }));
}

/** Stores one such thread; see {@link storeAnswers}. */
export async function storeAnswer(tenant: Tenant, answer: AnswerRow, secondsOfSilence = 0): Promise<StoredTurn> {
  return (await storeAnswers([{ ...tenant, ...answer }], secondsOfSilence))[0]!;
}

/** Changes the row of an answer, as another process or an operator does. */
export async function changeAnswer(
  messageId: string,
  change: Database["public"]["Tables"]["messages"]["Update"],
): Promise<void> {
  await operator.from("messages").update(change).eq("id", messageId).throwOnError();
}

/** Has the process of a run die, as others see it: nothing that it saves from now on arrives, and its lease has ended. */
export async function fallSilent({ supabase }: Pick<Service, "supabase">, messageId: string): Promise<void> {
  supabase.fault = (path) => path.endsWith("/save_turns") ? "refuse" : "pass";
  // What was under way would be a new sign of life.
  await supabase.idle();
  await changeAnswer(messageId, { updated_at: new Date(0).toISOString() });
}

/** The stored row of an answer. */
export async function storedAnswer(messageId: string) {
  return (await operator.from("messages").select("*").eq("id", messageId).single().throwOnError()).data;
}

/** Everything that trials, tests of a persona and drafts must not leave behind. */
export async function readTraces({ accountId, coachId, keyId }: Tenant) {
  const owned = { account_id: accountId, coach_id: coachId };
  const messages = operator.from("messages").select("id,threads!inner(account_id)");
  const [threads, questions, pinned, events, said] = await Promise.all([
    operator.from("threads").select("id").eq("account_id", accountId).order("id").throwOnError(),
    operator.from("open_questions").select("id").eq("coach_id", coachId).order("id").throwOnError(),
    operator.from("pinned_answers").select("*").eq("coach_id", coachId).order("id").throwOnError(),
    operator.rpc("read_events", { readers: [{ ...owned, api_key_id: keyId }], since: 0 }).throwOnError(),
    messages.eq("threads.account_id", accountId).order("id").throwOnError(),
  ]);
  return {
    threads: threads.data,
    questions: questions.data,
    pinned: pinned.data,
    events: (events.data as { events: unknown[] }).events,
    messages: said.data,
  };
}
