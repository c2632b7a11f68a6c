import {
  type CallToolResult,
  Client,
  type Progress,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { createParser } from "eventsource-parser";
import { ask, assertRefused, type Credentials, headersOf, type Reply } from "./client.ts";
import { type Refusal, remedyOf, sentenceWithRemedy, told } from "./refusals.ts";
import type { Service } from "./service.ts";

/** The current revision of the protocol, and the one before it. */
export const revisions = ["2026-07-28", "2025-11-25"] as const;
export type Revision = typeof revisions[number];

/** Options of {@link connect}. */
export type ConnectOptions = {
  revision?: Revision;
  /** Replaces the client's `fetch`. */
  fetch?: typeof fetch;
};

/** The official client, connected to the MCP server. */
export async function connect(
  service: Pick<Service, "url">,
  credentials: Credentials,
  { revision = revisions[0], fetch }: ConnectOptions = {},
): Promise<Client & AsyncDisposable> {
  const client = new Client(
    { name: "test", version: "1" },
    revision === "2025-11-25" ? {} : { versionNegotiation: { mode: { pin: revision } } },
  );
  const headers = headersOf(credentials);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers }, fetch }),
  );
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

/** The result of a tool call: its structured content, or the sentence of a refusal. */
export type ToolReply = {
  // deno-lint-ignore no-explicit-any
  json: any;
  /** The text block. */
  text: string;
  isError: boolean;
  /** The code of a refusal. */
  code?: string;
};

/** The reply to a call that is refused. `what` takes the place of `{}` in the sentence. */
export function refusedCall(refusal: Refusal, what?: string): ToolReply {
  return { json: undefined, text: sentenceWithRemedy(refusal, what), isError: true, code: told(refusal, what).code };
}

/** Calls a tool with the official client. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown>,
  onprogress?: (progress: Progress) => void,
): Promise<ToolReply> {
  const result = await client.callTool({ name, arguments: args }, { onprogress }) as CallToolResult;
  const [block] = result.content;
  const code = result._meta?.error_code as string | undefined;
  return {
    json: result.structuredContent,
    text: block?.type === "text" ? block.text : "",
    isError: result.isError ?? false,
    ...(code === undefined ? {} : { code }),
  };
}

/** Checks that the MCP server refuses a request before it reads the message. People read the remedy in their client. */
export function assertNotAdmitted(reply: Reply, refusal: Refusal, what?: string): void {
  assertRefused(reply, refusal, what, { message: remedyOf(refusal) });
}

/** A message in the form of a revision, and its headers. */
export function envelope(
  revision: Revision,
  method: string,
  params: Record<string, unknown> = {},
): { message: Record<string, unknown>; headers: Record<string, string> } {
  const accept = { Accept: "application/json, text/event-stream", "MCP-Protocol-Version": revision };
  if (revision === "2025-11-25") return { message: { jsonrpc: "2.0", id: 1, method, params }, headers: accept };
  const { _meta, ...rest } = params;
  const meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
    ..._meta as Record<string, unknown>,
  };
  const name = typeof params.name === "string" ? { "Mcp-Name": params.name } : undefined;
  return {
    message: { jsonrpc: "2.0", id: 1, method, params: { ...rest, _meta: meta } },
    headers: { ...accept, "Mcp-Method": method, ...name },
  };
}

/** Posts a body as it is and reads the reply: the messages of a stream, or the one of a JSON reply. */
export async function post(
  service: Pick<Service, "url">,
  credentials: Credentials,
  body: unknown,
  headers: Record<string, string>,
  // deno-lint-ignore no-explicit-any
): Promise<Reply & { messages: any[] }> {
  const reply = await ask(service, "POST", "/mcp", credentials, body, { headers });
  const messages: unknown[] = reply.json === undefined ? [] : [reply.json];
  if (reply.headers.get("Content-Type")?.startsWith("text/event-stream")) {
    createParser({ onEvent: ({ data }) => messages.push(JSON.parse(data)) }).feed(reply.text);
  }
  return { ...reply, json: messages.at(-1), messages };
}
