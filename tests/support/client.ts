import { assertEquals } from "deno-std/assert/mod.js";
import { createParser } from "eventsource-parser";
import { assertDocumented } from "./contract.ts";
import type { Service } from "./service.ts";

/** Who sends a request. */
export type Credentials = { apiKey?: string; accessToken?: string };

/** A reply that was read to its end. */
export type Reply = {
  status: number;
  headers: Headers;
  text: string;
  // deno-lint-ignore no-explicit-any
  json: any;
};

/**
 * Sends a request; text, bytes, a form or a stream go as they are, anything else as JSON. The reply must be one that
 * the document of the interface has.
 */
export async function send(
  service: Pick<Service, "url">,
  method: string,
  path: string,
  { apiKey, accessToken }: Credentials,
  body?: unknown,
  init: RequestInit = {},
): Promise<Response> {
  const headers = new Headers(init.headers);
  if (apiKey !== undefined) headers.set("X-API-Key", apiKey);
  if (accessToken !== undefined) headers.set("Authorization", `Bearer ${accessToken}`);
  const isRaw = [FormData, ReadableStream, Uint8Array].some((type) => body instanceof type);
  const isJson = body !== undefined && !(body instanceof FormData) && !headers.has("Content-Type");
  if (isJson) headers.set("Content-Type", "application/json");
  const response = await fetch(service.url + path, {
    ...init,
    method,
    headers,
    body: isRaw || typeof body === "string" ? body as BodyInit : JSON.stringify(body),
  });
  assertDocumented(method, response);
  return response;
}

/** Sends a request and reads the reply. */
export async function ask(...args: Parameters<typeof send>): Promise<Reply> {
  const response = await send(...args);
  const text = await response.text();
  assertDocumented(args[1], response, text);
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
}

/** The text of a chat reply, as a standard parser of server-sent events rebuilds it. */
export function readEvents(stream: string): string {
  let text = "";
  const parser = createParser({ onEvent: ({ data }) => text += data });
  parser.feed(stream);
  return text;
}

/** The forms of a reply to a chat, and the `Accept` header that asks for each. */
export const acceptOf = { text: "*/*", events: 'text/event-stream; profile="events"', object: "application/json" };

export type ReplyForm = keyof typeof acceptOf;

/** An event of a typed stream, its data parsed. */
// deno-lint-ignore no-explicit-any
export type TypedEvent = { event: string | undefined; id: string | undefined; data: any };

/** The events of a typed stream, as a standard parser reads them. */
export function readTypedEvents(stream: string): TypedEvent[] {
  const events: TypedEvent[] = [];
  createParser({ onEvent: ({ event, id, data }) => events.push({ event, id, data: JSON.parse(data) }) }).feed(stream);
  return events;
}

/** The text of a typed stream. */
export function readTypedText(stream: string): string {
  return readTypedEvents(stream).filter(({ event }) => event === "delta").map(({ data }) => data.text).join("");
}

/** Sends a chat message and reads the whole answer, which must be one. */
export async function chat(
  service: Pick<Service, "url">,
  credentials: Credentials,
  body: unknown,
): Promise<Reply & { answer: string; threadId: string }> {
  const reply = await ask(service, "POST", "/chat", credentials, body);
  assertReply(reply, 200);
  return { ...reply, answer: readEvents(reply.text), threadId: reply.headers.get("X-Thread-Id") ?? "" };
}

/** Checks status and, where given, the JSON body; a failure shows the whole reply. */
export function assertReply(reply: Reply, status: number, body?: unknown): void {
  const shown = `${reply.status} ${JSON.stringify([...reply.headers])}\n${reply.text}`;
  assertEquals(reply.status, status, shown);
  if (body !== undefined) assertEquals(reply.json, body, shown);
}

/** A file to upload: its name, and text or bytes. */
export type NewFile = [name: string, content: string | Uint8Array<ArrayBuffer>];

/** A form with files, as a browser sends it. */
export function formOf(...files: NewFile[]): FormData {
  const form = new FormData();
  for (const [name, content] of files) form.append("files", new File([content], name));
  return form;
}

/** Uploads files for a coach and reads the reply. */
export function upload(
  service: Pick<Service, "url">,
  credentials: Credentials,
  coachId: string,
  files: NewFile[],
): Promise<Reply> {
  return ask(service, "POST", `/knowledge-handler?coachId=${coachId}`, credentials, formOf(...files));
}
