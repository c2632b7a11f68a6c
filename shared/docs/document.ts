import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from "zod-openapi";
import { chatEndpoints } from "../chat/app.ts";
import * as chatReplies from "../chat/replies.ts";
import { ChatBody } from "../chat/schemas.ts";
import { Source } from "../answers/schemas.ts";
import { errors } from "../errors.ts";
import type { Endpoint } from "../http/app.ts";
import { knowledgeEndpoints } from "../knowledge/app.ts";
import { FileList, FoundFile, UploadReply } from "../knowledge/replies.ts";
import { KnowledgeFile } from "../knowledge/schemas.ts";
import { mcpEndpoints } from "../mcp/app.ts";
import { release } from "../release.ts";
import { MessageList, Thread, ThreadList } from "../threads/replies.ts";
import { threadsEndpoints, usersEndpoints } from "../threads/app.ts";
import { describeErrors, ErrorBody, RateLimitErrorBody, ServerErrorBody } from "./error_replies.ts";
import { headers, limitHeaders, refer } from "./headers.ts";
import type { Operation, Operations } from "./operation.ts";
import { chatOperations } from "./operations/chat.ts";
import { knowledgeOperations } from "./operations/knowledge.ts";
import { mcpOperations } from "./operations/mcp.ts";
import { threadOperations } from "./operations/threads.ts";
import { Session, signIn } from "./sign_in.ts";

/** What the document describes: neither itself, nor the indexer, which is not for clients. */
const endpoints = [
  ...chatEndpoints,
  ...usersEndpoints,
  ...threadsEndpoints,
  ...knowledgeEndpoints,
  ...mcpEndpoints,
].filter(({ isStray }) => !isStray);

const operations: Operations = {
  ...chatOperations,
  ...threadOperations,
  ...knowledgeOperations,
  ...mcpOperations,
};

/**
 * The OpenAPI document of the service, from the endpoints as they are routed, the schemas that parse what comes in and
 * describe what goes out, and the catalogue of errors.
 *
 * @throws when an endpoint is not described, or a description has no endpoint.
 */
export function createApiDocument() {
  return createDocument({
    openapi: "3.1.1",
    info: {
      ...release,
      summary: "Conversations with personas that are built on real human expertise.",
      description:
        "Every function wants an API key in `X-API-Key`. A signed-in user's access token is added as bearer: it " +
        "narrows what the key may see to that user. Keys belong on servers, never into a browser.\n\n" +
        "Each request spends one unit of three limits: by default 60 a minute, 1,000 an hour, 10,000 a day. " +
        "After a 429 wait as long as `Retry-After` says, and longer after every further one.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "The project that serves this document: `https://<ref>.supabase.co`" }],
    security: [{ apiKey: [] }, { apiKey: [], bearer: [] }],
    tags: [
      { name: "Chat", description: "Talking to a coach" },
      { name: "Threads", description: "What was said" },
      { name: "Knowledge", description: "The files that a coach answers from" },
      { name: "Tools", description: "The same for AI clients" },
      { name: "Sessions", description: "Supabase Auth" },
    ],
    paths: { ...describeEndpoints(), "/auth/v1/token": { post: signIn } },
    components: {
      schemas: {
        Thread,
        ThreadList,
        MessageList,
        ChatBody,
        Source,
        ...chatReplies,
        KnowledgeFile,
        FoundFile,
        FileList,
        UploadReply,
        Session,
        Error: ErrorBody,
        RateLimitError: RateLimitErrorBody,
        ServerError: ServerErrorBody,
      },
      headers,
      parameters: {
        "X-Request-Id": {
          name: "X-Request-Id",
          in: "header",
          description: "Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and " +
            "no more than 32 letters and digits in a row. What looks like a key is replaced",
          schema: { type: "string" },
        },
      },
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "A key of an account" },
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "A signed-in user's access token" },
        publishableKey: {
          type: "apiKey",
          in: "header",
          name: "apikey",
          description: "The project's publishable key, for Supabase Auth alone",
        },
      },
    },
  }, {
    override({ jsonSchema, io }) {
      // Replies may gain fields without a new version.
      if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Said of every integer, this tells nobody anything.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
}

function describeEndpoints(): ZodOpenApiPathsObject {
  const undescribed = new Set(Object.keys(operations));
  const paths: ZodOpenApiPathsObject = {};
  for (const endpoint of endpoints) {
    // Parameters without the patterns that the router has for them.
    const path = endpoint.path.replaceAll(/\{[^}]*\}/g, "");
    const name = `${endpoint.method} ${path}`;
    const operation = operations[name];
    if (operation === undefined) throw new Error(`The document does not describe ${name}`);
    undescribed.delete(name);
    const url = `/functions/v1${path.replaceAll(/:(\w+)/g, "{$1}")}`;
    paths[url] = { ...paths[url], [endpoint.method.toLowerCase()]: describeEndpoint(endpoint, operation) };
  }
  if (undescribed.size > 0) throw new Error(`There is no endpoint ${[...undescribed].join(", ")}`);
  return paths;
}

function describeEndpoint(
  { scope, failure }: Endpoint,
  { replies, errors: ownErrors, failureHeaders, description, ...operation }: Operation,
): ZodOpenApiOperationObject {
  return {
    ...operation,
    parameters: [{ $ref: "#/components/parameters/X-Request-Id" }],
    description: scope ? `${description}\n\nNeeds a key with the scope \`${scope}\`.` : description,
    responses: {
      ...Object.fromEntries(
        Object.entries(replies).map((
          [status, reply],
        ) => [status, { ...reply, headers: { ...refer("X-Request-Id"), ...limitHeaders, ...reply.headers } }]),
      ),
      ...describeErrors({
        missingApiKey: errors.missingApiKey(),
        invalidApiKey: errors.invalidApiKey(),
        invalidAccessToken: errors.invalidAccessToken(),
        ...(scope && { missingScope: errors.missingScope(scope) }),
        ...ownErrors,
        rateLimitExceeded: errors.rateLimitExceeded(12),
        failed: errors.failed(failure, undefined),
        unavailable: errors.unavailable(undefined),
      }, failureHeaders),
    },
  };
}
