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

/** Runs one turn of a user; the model's backend keeps the response. */
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

/** Stores a thread with a question and an answer whose run showed its last sign of life that many seconds ago. */
export async function storeAnswer(
  { accountId, coachId }: Tenant,
  answer: { content: string; status: string; response_id?: string; user_id?: string },
  secondsOfSilence = 0,
): Promise<{ threadId: string; messageId: string }> {
  const { user_id = "u", ...fields } = answer;
  const { data: thread } = await operator.from("threads")
    .insert({ account_id: accountId, coach_id: coachId, user_id, title: "Left behind" }).select("id").single()
    .throwOnError();
  const messageId = crypto.randomUUID();
  await operator.from("messages").insert({ thread_id: thread.id, role: "user", content: "Talk" }).throwOnError();
  await operator.from("messages").insert({
    id: messageId,
    run_id: messageId,
    thread_id: thread.id,
    role: "assistant",
    updated_at: new Date(Date.now() - secondsOfSilence * 1_000).toISOString(),
    ...fields,
  }).throwOnError();
  return { threadId: thread.id, messageId };
}

/** Changes the row of an answer, as another process or an operator does. */
export async function changeAnswer(
  messageId: string,
  change: Database["public"]["Tables"]["messages"]["Update"],
): Promise<void> {
  await operator.from("messages").update(change).eq("id", messageId).throwOnError();
}

/** How an answer is stored. */
export async function storedAnswer(messageId: string) {
  return (await operator.from("messages").select("*").eq("id", messageId).single().throwOnError()).data;
}
