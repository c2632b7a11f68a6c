import OpenAI from "openai";
import { ask, type Credentials, type Reply } from "./client.ts";
import type { Tenant } from "./project.ts";
import type { Service } from "./service.ts";

/** The base URL of the OpenAI-compatible API of a service. */
export function openaiUrl({ url }: Pick<Service, "url">): string {
  return `${url}/openai/v1`;
}

/** The official client, as applications use it. It does not repeat requests unless a test says so. */
export function openaiOf(
  service: Pick<Service, "url">,
  { apiKey }: Credentials,
  options: Partial<ConstructorParameters<typeof OpenAI>[0]> = {},
): OpenAI {
  return new OpenAI({ baseURL: openaiUrl(service), apiKey, maxRetries: 0, ...options });
}

/** A message of a chat, as clients send it. */
export type Said = { role: string; content: unknown; [field: string]: unknown };

/** A chat in turns, the user first. */
export function chatOf(...texts: string[]): Said[] {
  return texts.map((content, place) => ({ role: place % 2 === 0 ? "user" : "assistant", content }));
}

/** Asks for a completion, as any HTTP client does. */
export function complete(
  service: Pick<Service, "url">,
  tenant: Pick<Tenant, "apiKey" | "coachId">,
  messages: Said[],
  { headers = {}, ...body }: { headers?: Record<string, string>; [field: string]: unknown } = {},
): Promise<Reply> {
  const request = { model: tenant.coachId, messages, ...body };
  const authorization = { Authorization: `Bearer ${tenant.apiKey}` };
  return ask(service, "POST", "/openai/v1/chat/completions", {}, request, {
    headers: { ...authorization, ...headers },
  });
}

/** The texts of a thread, in order. */
export async function textsOf(service: Pick<Service, "url">, tenant: Tenant, threadId: string): Promise<string[]> {
  const { json } = await ask(service, "GET", `/threads/${threadId}/messages`, tenant);
  return json.data.map(({ content }: { content: string }) => content);
}

/** The conversation that the model was given at its last request: the texts, without the material that is quoted. */
export function heardBy({ model }: Pick<Service, "model">, { modelName }: Pick<Tenant, "modelName">): string[] {
  const input = model.requestsOf(modelName).at(-1)!.body.input as { content: string }[];
  return input.map(({ content }) => content);
}
