import { createParser } from "eventsource-parser";
import { type Client, type ClientKey, type ClientOptions, createClient } from "../../shared/clients/client/client.ts";
import { createGateway, forwardTo } from "../../supabase/platform/gateway.ts";
import { listFunctions } from "../../supabase/platform/list_functions.ts";
import { assert, assertEquals } from "./assert.ts";
import { assertDocumented } from "./contract.ts";
import { pageOrigin } from "./page_origin.ts";
import { type Refusal, told } from "./refusals.ts";
import { projectVariable, type Service } from "./service.ts";

/** The sender of a request. */
export type Credentials = {
  apiKey?: string;
  accessToken?: string;
  /** Shown by a page, of {@link pageOrigin} unless it says another, or null for none. */
  publishableKey?: string;
  origin?: string | null;
};

/** The headers of a sender's credentials. */
export function headersOf(
  { apiKey, accessToken, publishableKey, origin = publishableKey === undefined ? null : pageOrigin }: Credentials,
): Record<string, string> {
  return {
    ...(publishableKey === undefined ? {} : { apikey: publishableKey }),
    ...(origin === null ? {} : { Origin: origin }),
    ...(apiKey === undefined ? {} : { "X-API-Key": apiKey }),
    ...(accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` }),
  };
}

/** The name of the function that serves a path. */
export function functionOf(path: string): string {
  return path.match(/^\/([^/?]+)/)![1]!;
}

/** A reply that was read to its end. */
export type Reply = {
  status: number;
  headers: Headers;
  text: string;
  // deno-lint-ignore no-explicit-any
  json: any;
};

/**
 * Sends a request; text, bytes, a form or a stream are sent as they are, anything else as JSON. Checks that the OpenAPI
 * document describes the reply.
 */
export async function send(
  service: Pick<Service, "url">,
  method: string,
  path: string,
  credentials: Credentials,
  body?: unknown,
  init: RequestInit = {},
): Promise<Response> {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(headersOf(credentials))) headers.set(name, value);
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

/** A reply, up to its end or to the point where the connection broke. */
export type Received = Omit<Reply, "json"> & { isBroken: boolean };

/** Sends a request and reads the reply, even if the connection breaks. */
export async function receive(...args: Parameters<typeof send>): Promise<Received> {
  const response = await send(...args);
  const received: Received = { status: response.status, headers: response.headers, text: "", isBroken: false };
  try {
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) received.text += text;
  } catch {
    args[5]?.signal?.throwIfAborted();
    received.isBroken = true;
  }
  if (!received.isBroken) assertDocumented(args[1], response, received.text);
  return received;
}

/** The text of a chat reply, as a standard parser of server-sent events reads it. */
export function readEvents(stream: string): string {
  let text = "";
  const parser = createParser({ onEvent: ({ data }) => text += data });
  parser.feed(stream);
  return text;
}

/** The forms of a chat's reply, and the `Accept` header for each. */
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

/**
 * The project's own client, as applications use it. Its replies, except streams, are checked against the OpenAPI
 * document; refused requests are not tried again, unless a test says so.
 */
export function clientOf(
  { url }: Pick<Service, "url">,
  { apiKey = "", accessToken }: Credentials,
  options: Partial<Omit<ClientOptions, keyof ClientKey>> = {},
): Client {
  const gateway = gatewayOf(url);
  return createClient({
    baseUrl: url,
    apiKey,
    session: accessToken === undefined
      ? null
      : { accessToken, refreshToken: "", expiresAt: Infinity, renewAt: Infinity, userId: "" },
    backOff: { retries: 0 },
    async send(request) {
      const response = await gateway(request);
      const { status, headers } = response;
      const isJson = headers.get("Content-Type")?.startsWith("application/json");
      const text = isJson ? await response.clone().text() : undefined;
      assertDocumented(request.method, { url: request.url, status, headers }, text);
      return response;
    },
    ...options,
  });
}

/** Functions and Auth at one address, as in a Supabase project. With pages, as with `npm start`. */
export function gatewayOf(
  url: string,
  pages?: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  const gateway = createGateway({
    pages,
    functions: Object.fromEntries(listFunctions().map((name) => [name, forwardTo(url)])),
    backend: projectVariable("SUPABASE_URL"),
  });
  return async (request) => {
    const response = await gateway(request);
    // Throws as `fetch` does, since the gateway would reply otherwise.
    request.signal.throwIfAborted();
    return response;
  };
}

/** Sends a chat message and reads the whole answer; fails if there is none. */
export async function chat(
  service: Pick<Service, "url">,
  credentials: Credentials,
  body: Parameters<Client["chat"]>[0],
): Promise<{ answer: string; threadId: string; messageId: string }> {
  const answer = await clientOf(service, credentials).chat(body);
  const { threadId, messageId } = answer;
  return { answer: (await Array.fromAsync(answer)).join(""), threadId, messageId };
}

/** Checks the status and, if given, the JSON body; a failure shows the whole reply. */
export function assertReply(reply: Reply, status: number, body?: unknown): void {
  const shown = `${reply.status} ${JSON.stringify([...reply.headers])}\n${reply.text}`;
  assertEquals(reply.status, status, shown);
  if (body !== undefined) assertEquals(reply.json, body, shown);
}

/**
 * Checks that a reply is the refusal, with its status, its code and its whole body.
 *
 * @param what takes the place of `{}` in the sentence of the refusal
 * @param more further fields of the body, or other values of them
 */
export function assertRefused(
  reply: Reply,
  refusal: Refusal,
  what?: string,
  more: Record<string, unknown> = {},
): void {
  const { status, code, error, fields, waits } = told(refusal, what);
  const retryAfter = waits ? { retryAfter: Number(reply.headers.get("Retry-After")) } : {};
  const shown = `${reply.status} ${JSON.stringify([...reply.headers])}\n${reply.text}`;
  assertEquals([reply.status, reply.headers.get("X-Error-Code")], [status, code], shown);
  assert(!waits || reply.headers.has("Retry-After"), shown);
  assertEquals(reply.json, { error, ...fields, ...retryAfter, ...more }, shown);
}

/** Checks that a reply refuses the input, with the sentence. */
export function assertInvalid(reply: Reply, sentence: string): void {
  assertRefused(reply, "invalid_input", sentence);
}

/** A file to upload: its name, and text or bytes. */
export type NewFile = [name: string, content: string | Uint8Array<ArrayBuffer>];

/** A form with files, as a browser sends it. */
export function formOf(...files: NewFile[]): FormData {
  return formWith("files", ...files);
}

/** The same, in fields of another name: "file" for the new version of a file. */
export function formWith(field: string, ...files: NewFile[]): FormData {
  const form = new FormData();
  for (const [name, content] of files) form.append(field, new File([content], name));
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
