import type { Step } from "./model_server.ts";
import { operator, type Tenant } from "./project.ts";
import type { Service } from "./service.ts";

/** `fetch` for clients that wait as long as a reply says: every reply asks them to wait for a millisecond. */
export async function fetchHurriedly(...args: Parameters<typeof fetch>): Promise<Response> {
  const { body, status, headers } = await fetch(...args);
  const hurried = new Headers(headers);
  hurried.set("Retry-After-Ms", "1");
  return new Response(body, { status, headers: hurried });
}

/** The messages that are stored for a tenant, oldest first, as `role: content`. */
export async function storedMessages({ accountId }: Pick<Tenant, "accountId">): Promise<string[]> {
  const { data } = await operator.from("messages").select("role, content, threads!inner(account_id)")
    .eq("threads.account_id", accountId).order("created_at").order("sequence").throwOnError();
  return data.map(({ role, content }) => `${role}: ${content}`);
}

/** The answer that was stored last for a tenant. */
export async function lastAnswer({ accountId }: Pick<Tenant, "accountId">) {
  const { data } = await operator.from("messages").select("*, threads!inner(account_id)").eq("role", "assistant")
    .eq("threads.account_id", accountId).order("created_at", { ascending: false }).limit(1).single().throwOnError();
  return data;
}

/** Has the model say something and wait. The function that is returned lets it go on. */
export function holdModel(
  { model }: Pick<Service, "model">,
  { modelName }: Pick<Tenant, "modelName">,
  said: string,
  ...rest: Step[]
): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  model.script(modelName, { steps: [{ text: said }, { waitFor: promise }, ...rest, { end: true }] });
  return resolve;
}
