import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { ApiError, errors } from "../errors.ts";
import { drainBody } from "../http/drain_body.ts";
import { readBodyText } from "../http/read_json_body.ts";
import { countValues } from "./count_values.ts";
import { maxBodyBytes, maxValues } from "./limits.ts";

/** Why a request is not handled: an HTTP status and a JSON-RPC error. */
export type Refusal = { status: 400 | 406 | 413; code: number; message: string };

/** What a client must accept, since the server chooses. */
export const replyTypes = ["application/json", "text/event-stream"];

/** For what JSON-RPC has no code for; the SDK uses it the same way. */
const serverError = -32_000;

/** The JSON-RPC message that a request carries, or why it is refused. */
export async function readMessage(request: Request): Promise<{ message: unknown } | { refusal: Refusal }> {
  let message: unknown;
  try {
    const text = await readBodyText(request, maxBodyBytes);
    if (countValues(text) > maxValues) {
      return refuse(413, serverError, `The message holds more than ${maxValues.toLocaleString("en")} values`);
    }
    message = JSON.parse(text);
  } catch (error) {
    await drainBody(request, maxBodyBytes);
    if (!(error instanceof ApiError && error.status === 413)) {
      return refuse(400, ProtocolErrorCode.ParseError, errors.invalidJson().message);
    }
    const limit = `${maxBodyBytes / 1024 / 1024} MB`;
    return refuse(413, serverError, `The message is larger than ${limit}; upload larger files over HTTP`);
  }
  if (![isJSONRPCRequest, isJSONRPCNotification, isJSONRPCResponse].some((isMessage) => isMessage(message))) {
    // A batch, which newer revisions do not know, would get many calls for one unit of the limits.
    return refuse(400, ProtocolErrorCode.InvalidRequest, "The request body must be one JSON-RPC 2.0 message");
  }
  // The SDK asks only the clients of older revisions for it.
  const accepted = request.headers.get("Accept")?.toLowerCase() ?? "";
  if (!replyTypes.every((type) => accepted.includes(type))) {
    return refuse(406, serverError, `The header Accept must name ${replyTypes.join(" and ")}`);
  }
  return { message };
}

function refuse(status: Refusal["status"], code: number, message: string): { refusal: Refusal } {
  return { refusal: { status, code, message } };
}
