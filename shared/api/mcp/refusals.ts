import { ApiError, errors } from "../../infra/errors.ts";
import { maxValues } from "../../http/measure_json.ts";
import { withCommas } from "../../libs/base/text.ts";

/** Bytes of one message, files included. */
export const maxBodyBytes = 4 * 1024 * 1024;
/** The same, for people. */
export const maxBodySize = `${maxBodyBytes / 1024 / 1024} MB`;

/** Messages of a batch. Each spends a unit of the limits. */
export const maxBatch = 50;

/** The maximum length of a progress token, which is repeated in every report. */
export const maxTokenLength = 256;

/** A refused request: an error of the service, and its JSON-RPC code. */
export type Refusal = { error: ApiError; rpcCode: number };

/** The types that a client must accept, because the server chooses between them. */
export const replyTypes = ["application/json", "text/event-stream"];

/** The JSON-RPC code for errors that have no code of their own. */
const serverError = -32_000;

/** Every refusal before a message reaches the SDK. */
export const refusals = {
  notJson: { error: errors.invalidJson(), rpcCode: -32_700 },
  noMessage: {
    error: new ApiError(400, "invalid_message", "The request body must be one JSON-RPC 2.0 message"),
    rpcCode: -32_600,
  },
  notAcceptable: {
    error: new ApiError(406, "not_acceptable", `The header Accept must name ${replyTypes.join(" and ")}`),
    rpcCode: serverError,
  },
  tooLarge: {
    error: new ApiError(
      413,
      "body_too_large",
      `The message is larger than ${maxBodySize}; upload larger files over HTTP`,
    ),
    rpcCode: serverError,
  },
  tooManyValues: {
    error: new ApiError(
      413,
      "too_many_values",
      `The message has more than ${withCommas(maxValues)} values, or is nested too deeply`,
    ),
    rpcCode: serverError,
  },
} satisfies Record<string, Refusal>;
