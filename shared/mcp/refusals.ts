import { errors } from "../errors.ts";
import { maxBodySize, maxValues } from "./limits.ts";

/** Why a request is not handled: an HTTP status and a JSON-RPC error. */
export type Refusal = { status: 400 | 406 | 413; code: number; message: string };

/** What a client must accept, since the server chooses. */
export const replyTypes = ["application/json", "text/event-stream"];

/** For what JSON-RPC has no code for; the SDK uses it the same way. */
const serverError = -32_000;

/** Every refusal before a message reaches the SDK. */
export const refusals = {
  notJson: { status: 400, code: -32_700, message: errors.invalidJson().message },
  noMessage: { status: 400, code: -32_600, message: "The request body must be one JSON-RPC 2.0 message" },
  notAcceptable: { status: 406, code: serverError, message: `The header Accept must name ${replyTypes.join(" and ")}` },
  tooLarge: {
    status: 413,
    code: serverError,
    message: `The message is larger than ${maxBodySize}; upload larger files over HTTP`,
  },
  tooManyValues: {
    status: 413,
    code: serverError,
    message: `The message holds more than ${maxValues.toLocaleString("en")} values`,
  },
} satisfies Record<string, Refusal>;
