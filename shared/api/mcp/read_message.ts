import { isJSONRPCNotification, isJSONRPCRequest, isJSONRPCResponse } from "@modelcontextprotocol/server";
import { ApiError } from "../../infra/errors.ts";
import { drainBody, usualDrain } from "../../http/drain_body.ts";
import { isTooComplex } from "../../http/measure_json.ts";
import { readBodyText } from "../../http/read_input.ts";
import { maxBatch, maxBodyBytes } from "./limits.ts";
import { type Refusal, refusals, replyTypes } from "./refusals.ts";

/** The revision that has batches. It has no header yet that names it. */
const revisionOfBatches = "2025-03-26";

/** The JSON-RPC messages that a request carries, one but for a batch, or why it is refused. */
export async function readMessages(request: Request): Promise<{ messages: unknown[] } | { refusal: Refusal }> {
  let body: unknown;
  try {
    const text = await readBodyText(request, maxBodyBytes);
    if (isTooComplex(text)) return { refusal: refusals.tooManyValues };
    body = JSON.parse(text);
  } catch (error) {
    await drainBody(request, usualDrain);
    const isTooLarge = error instanceof ApiError && error.status === 413;
    return { refusal: isTooLarge ? refusals.tooLarge : refusals.notJson };
  }
  const revision = request.headers.get("MCP-Protocol-Version") ?? revisionOfBatches;
  const messages = Array.isArray(body) && revision === revisionOfBatches ? body : [body];
  const areMessages = messages.every((message) =>
    [isJSONRPCRequest, isJSONRPCNotification, isJSONRPCResponse].some((isMessage) => isMessage(message))
  );
  if (messages.length === 0 || messages.length > maxBatch || !areMessages) return { refusal: refusals.noMessage };
  // The SDK checks this for older revisions only.
  if (!acceptsReplies(request.headers.get("Accept") ?? "")) return { refusal: refusals.notAcceptable };
  return { messages: messages.map(leaveOutNull) };
}

function acceptsReplies(accept: string): boolean {
  const accepted = accept.split(",").map((range) => range.split(";")[0]!.trim().toLowerCase());
  return replyTypes.every((type) =>
    [type, type.replace(/\/.*/, "/*"), "*/*"].some((range) => accepted.includes(range))
  );
}

/** Some clients send null for the arguments of a tool that needs none. */
function leaveOutNull(message: unknown): unknown {
  if (!isJSONRPCRequest(message) || message.params?.arguments !== null) return message;
  const { arguments: _, ...params } = message.params;
  return { ...message, params };
}
