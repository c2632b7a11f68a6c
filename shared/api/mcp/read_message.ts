import { isJSONRPCNotification, isJSONRPCRequest, isJSONRPCResponse } from "@modelcontextprotocol/server";
import { ApiError } from "../../base/errors.ts";
import { drainBody, usualDrain } from "../../http/drain_body.ts";
import { readBodyText } from "../../http/read_input.ts";
import { countValues } from "./count_values.ts";
import { maxBodyBytes, maxValues } from "./limits.ts";
import { type Refusal, refusals, replyTypes } from "./refusals.ts";

/** The JSON-RPC message that a request carries, or why it is refused. */
export async function readMessage(request: Request): Promise<{ message: unknown } | { refusal: Refusal }> {
  let message: unknown;
  try {
    const text = await readBodyText(request, maxBodyBytes);
    if (countValues(text) > maxValues) return { refusal: refusals.tooManyValues };
    message = JSON.parse(text);
  } catch (error) {
    await drainBody(request, usualDrain);
    const isTooLarge = error instanceof ApiError && error.status === 413;
    return { refusal: isTooLarge ? refusals.tooLarge : refusals.notJson };
  }
  // No batches: newer revisions do not know them, and one unit of the limits would pay for many calls.
  const isOne = [isJSONRPCRequest, isJSONRPCNotification, isJSONRPCResponse].some((isMessage) => isMessage(message));
  if (!isOne) return { refusal: refusals.noMessage };
  // The SDK checks this for older revisions only.
  const accepted = request.headers.get("Accept")?.toLowerCase() ?? "";
  if (!replyTypes.every((type) => accepted.includes(type))) return { refusal: refusals.notAcceptable };
  return { message };
}
