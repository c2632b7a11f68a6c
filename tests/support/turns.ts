import { assertEquals } from "deno-std/assert/mod.js";
import type { Database } from "../../shared/db/database_types.ts";
import { ask, chat, send } from "./client.ts";
import type { Step } from "./model_server.ts";
import { operator, type Tenant } from "./project.ts";
import type { Service } from "./service.ts";

/** A turn whose answer has begun. */
export type RunningTurn = {
  threadId: string;
  messageId: string;
  /** The whole reply; rejects where the stream was broken off. */
  reply: Promise<string>;
  /** Lets the model say the rest and end. */
  goOn: () => void;
};

/** Starts a turn, reads what is said first, and lets the model wait then. */
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
  // A test may look at it late, or never.
  reply.catch(() => {});
  return {
    threadId: response.headers.get("X-Thread-Id")!,
    messageId: response.headers.get("X-Message-Id")!,
    reply,
    goOn: resolve,
  };
}

/** One turn of a user, whose response the model's backend keeps. */
export async function talk(service: Service, tenant: Tenant, userId: string, said = "Well.") {
  const responseId = `resp_${crypto.randomUUID()}`;
  service.model.script(tenant.modelName, { responseId, steps: [{ text: said }] });
  service.model.keep(responseId, { status: "completed", text: said });
  const reply = await chat(service, tenant, { message: "Hi", context: { coachId: tenant.coachId, userId } });
  return { ...reply, responseId };
}

/** How many threads a user has, as a client is told. */
export async function countThreads(service: Pick<Service, "url">, tenant: Tenant, userId: string): Promise<number> {
  return (await ask(service, "GET", `/users/${userId}/threads`, tenant)).json.count;
}

/** A thread with a question and an answer as some other process has left it, whose last sign of life is so old. */
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
