import type { ZodOpenApiOperationObject } from "zod-openapi";
import * as z from "zod/mini";
import type { ErrorCode } from "../../infra/errors.ts";
import { mcpFailure } from "../mcp/app.ts";
import { type Refusal, refusals } from "../mcp/refusals.ts";
import { tools } from "../mcp/tools.ts";
import { commonParameters } from "./describe_endpoint.ts";
import { commonErrors, describeErrors } from "./error_replies.ts";
import { limitHeaders, nameErrors, refer } from "./headers.ts";

/** A JSON-RPC 2.0 message, of which the protocol has the details. */
const Message = z.looseObject({ jsonrpc: z.literal("2.0") });

const JsonRpcError = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.nullish(z.union([z.string(), z.int()])),
  error: z.looseObject({ code: z.int(), message: z.string() }),
});

const headers = { ...refer("X-Request-Id"), ...limitHeaders };

function describeRefusal(description: string, codes: ErrorCode[], error: { code: number; message: string }) {
  return {
    description,
    headers: { ...headers, ...nameErrors(codes) },
    content: { "application/json": { schema: JsonRpcError, example: { jsonrpc: "2.0", id: null, error } } },
  };
}

function describeOurs(description: string, ...group: [Refusal, ...Refusal[]]) {
  const [{ error: { message, status, code }, rpcCode }] = group;
  const example = { code: rpcCode, message, data: { status, code } };
  return describeRefusal(description, group.map(({ error }) => error.code), example);
}

/** `POST /mcp`. The protocol defines its own replies, so all of them are described here. */
export const mcp: ZodOpenApiOperationObject = {
  operationId: "mcp",
  summary: "Call the service as tools",
  description:
    "The Model Context Protocol over Streamable HTTP, stateless, in the revisions 2026-07-28 and 2025-11-25 and " +
    `before. Tools: ${tools.map(({ name }) => `\`${name}\``).join(", ")}; ` +
    "each needs the scope of its operation. What the caller can mend is a tool result with " +
    "`isError` and the code of the error as `_meta.error_code`; the rest is a JSON-RPC error with the code as " +
    "`data.code`. Errors of keys, tokens and limits also say in `message` what to do.",
  tags: ["Tools"],
  security: [{ apiKey: [] }, { apiKey: [], bearer: [] }],
  parameters: commonParameters,
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: Message,
        example: {
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: {
            name: "chat",
            arguments: { message: "How do I start with a new team?", context: { coachId: "demo-coach" } },
          },
        },
      },
    },
  },
  responses: {
    200: {
      description:
        "The answer. A tool call is answered by a stream of server-sent events, with its progress first if that " +
        "was requested",
      headers,
      content: {
        "application/json": { schema: Message },
        "text/event-stream": { schema: { type: "string" } },
      },
    },
    202: { description: "The notification was accepted", headers },
    400: describeOurs("The body is not a valid message", refusals.notJson, refusals.noMessage),
    404: describeRefusal("There is no such method", ["unknown_method"], { code: -32_601, message: "Method not found" }),
    406: describeOurs("The client does not accept a form that the server may send", refusals.notAcceptable),
    413: describeOurs("The message is too large", refusals.tooLarge, refusals.tooManyValues),
    415: describeRefusal("No JSON", ["unsupported_media_type"], {
      code: -32_000,
      message: "Unsupported Media Type: Content-Type must be application/json",
    }),
    ...describeErrors(commonErrors(mcpFailure)),
  },
};
