import OpenAI from "openai";
import type { Credentials } from "./client.ts";
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
