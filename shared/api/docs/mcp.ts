import type { ZodOpenApiOperationObject } from "zod-openapi";
import * as z from "zod/mini";
import { type ErrorCode, errors } from "../../infra/errors.ts";
import { mcpFailure } from "../mcp/app.ts";
import { type Refusal, refusals } from "../mcp/refusals.ts";
import { commonParameters } from "./describe_endpoint.ts";
import {
  commonErrors,
  describeErrors,
  describeOpenErrors,
  type Headers,
  limitHeaders,
  nameErrors,
  refer,
  usualForm,
} from "./replies.ts";

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

const path = z.object({
  key: z.string().check(z.describe("A publishable key of an account that was issued for AI clients")),
});

const challenge: Headers = {
  "WWW-Authenticate": {
    schema: { type: "string" },
    description:
      "Present once the key is known to be valid: `Bearer`, with the address of the document that says where to sign " +
      'in as `resource_metadata` and, if a token was sent, with `error="invalid_token"`',
  },
};

const unauthenticated = [
  errors.invalidApiKey(),
  errors.secretKeyInAddress(),
  errors.appMustSignIn(""),
  errors.invalidAppToken(""),
];

const others = [
  errors.originNotAllowed(),
  errors.rateLimitExceeded(12),
  errors.failed(mcpFailure, undefined),
  errors.unavailable(undefined),
];

/** `POST /mcp/{key}`: the same server, for AI clients that sign their user in. */
export const mcpForApps: ZodOpenApiOperationObject = {
  ...mcp,
  operationId: "mcpForApps",
  security: [{ oauth: [] }],
  requestParams: { path },
  responses: {
    ...mcp.responses,
    ...describeErrors(unauthenticated, {}, { ...usualForm, headers: challenge }),
    ...describeErrors(others),
  },
};

const ResourceMetadata = z.object({
  resource: z.string().check(z.describe("The address of the server")),
  authorization_servers: z.array(z.string()).check(z.describe("The issuer of the tokens: Supabase Auth")),
  bearer_methods_supported: z.array(z.literal("header")),
  scopes_supported: z.array(z.string()).check(z.describe("Scopes of Supabase Auth, of which it grants at least one")),
});

/** `GET /mcp/{key}/.well-known/oauth-protected-resource` */
export const describeMcpResource: ZodOpenApiOperationObject = {
  operationId: "describeMcpResource",
  tags: ["Tools"],
  security: [],
  parameters: commonParameters,
  requestParams: { path },
  responses: {
    200: {
      description: "The metadata",
      headers: refer("X-Request-Id"),
      content: {
        "application/json": {
          schema: ResourceMetadata,
          example: {
            resource: "https://ref.supabase.co/functions/v1/mcp/hi_pub_3Vd…",
            authorization_servers: ["https://ref.supabase.co/auth/v1"],
            bearer_methods_supported: ["header"],
            scopes_supported: ["email"],
          },
        },
      },
    },
    ...describeOpenErrors(errors.notFound(), errors.failed("Internal error", null), errors.unavailable(undefined)),
  },
};
