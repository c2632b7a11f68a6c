import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from "zod-openapi";
import type { ZodMiniType } from "zod/mini";
import { PassageSource, PinnedAnswerSource, Source } from "../../core/answers/stored_answer.ts";
import { release } from "../../infra/release.ts";
import { findEndpoints, functionOf } from "./find_endpoints.ts";
import { ErrorCode } from "../../core/wire/fields.ts";
import type { AnyEndpoint } from "../../http/endpoint.ts";
import { describeEndpoint, type Examples, type Prose, readProse } from "./describe_endpoint.ts";
import { chatExamples } from "./examples/chat.ts";
import { coachExamples } from "./examples/coaches.ts";
import { questionsExamples } from "./examples/questions.ts";
import { MailedAnswer } from "../../features/mailer/handlers.ts";
import { threadExamples } from "./examples/threads.ts";
import { knowledgeExamples } from "./examples/knowledge.ts";
import { OpenaiErrorBody, openaiErrors, openaiExamples } from "./examples/openai.ts";
import { BudgetErrorBody, ErrorBody, headers, RateLimitErrorBody, ServerErrorBody } from "./replies.ts";
import {
  confirmMail,
  getHealth,
  openConfirmation,
  openUnsubscribe,
  readMailedAnswer,
  Session,
  signIn,
  unsubscribe,
} from "./without_api_key.ts";
import { tools } from "../mcp/tools.ts";
import { describeMcpResource, mcp, mcpForApps } from "./mcp.ts";

const examples: Examples = {
  ...chatExamples,
  ...coachExamples,
  ...threadExamples,
  ...knowledgeExamples,
  ...questionsExamples,
  ...openaiExamples,
};

/** The operations that have no endpoint, or one with rules of its own. */
const otherOperations: Record<string, Record<string, ZodOpenApiOperationObject>> = {
  "/functions/v1/mcp": { post: mcp },
  "/functions/v1/mcp/{key}": { post: mcpForApps },
  "/functions/v1/mcp/{key}/.well-known/oauth-protected-resource": { get: describeMcpResource },
  "/functions/v1/mailer/answer": { get: readMailedAnswer },
  "/functions/v1/mailer/confirm": { get: openConfirmation, post: confirmMail },
  "/functions/v1/mailer/unsubscribe": { get: openUnsubscribe, post: unsubscribe },
  "/functions/v1/docs/health": { get: getHealth },
  "/auth/v1/token": { post: signIn },
};

/** The path of an endpoint in the document. */
export function pathOf({ path }: AnyEndpoint): string {
  return `/functions/v1${path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, "{$1}")}`;
}

/**
 * The OpenAPI document of the service, made from its endpoints. It describes neither itself nor the
 * indexer, which is not for clients.
 *
 * @throws when an operation is not described, or a description or an example has no operation.
 */
export async function createApiDocument() {
  const { endpoints, schemas } = await findEndpoints();
  const given = { tools: tools.map(({ name }) => `\`${name}\``).join(", ") };
  const prose = readProse(await Deno.readTextFile(new URL("operations.md", import.meta.url)), given);
  const others = Object.fromEntries(
    Object.entries(otherOperations).map(([path, operations]) => [path, describeOthers(operations, prose)]),
  );
  const { paths, bodies } = describeEndpoints(endpoints.map(({ endpoint }) => endpoint), prose);
  return createDocument({
    openapi: "3.1.1",
    info: {
      ...release,
      summary: "Conversations with personas that are built on real human expertise.",
      description:
        "Every function requires an API key in `X-API-Key`. A signed-in user's access token can be added as " +
        "bearer token: the request then reaches only what belongs to that user. Keep these keys on servers, " +
        "never in a browser.\n\nPages send a publishable key (`hi_pub_…`) in `apikey` instead, always with an " +
        "access token, which anonymous users have, too. Such a key only works from the origins it lists, and " +
        "each user reaches only their own data.\n\nEach request counts against three limits: by default 60 a " +
        "minute, 1,000 an hour and 10,000 a day. After a 429, wait as long as `Retry-After` says, and longer " +
        "after each further one. `Retry-After` of a 503 says when to send the same request again.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "The project that serves this document: `https://<ref>.supabase.co`" }],
    security: [{ apiKey: [] }, { apiKey: [], bearer: [] }, { publishableKey: [], bearer: [] }],
    tags: [
      { name: "Chat", description: "Talking to a coach" },
      { name: "Coaches", description: "The coaches to talk to" },
      { name: "Threads", description: "Conversations and their messages" },
      { name: "Knowledge", description: "The files that a coach answers from" },
      { name: "Expert", description: "For the real person behind a coach" },
      { name: "OpenAI-compatible", description: "Coaches as models, for clients of OpenAI's API" },
      { name: "Tools", description: "The same operations for AI clients" },
      { name: "Monitors", description: "For operators" },
      { name: "Sessions", description: "Supabase Auth" },
    ],
    paths: {
      ...paths,
      ...others,
    },
    components: {
      schemas: {
        MailedAnswer,
        ...bodies,
        Source,
        PassageSource,
        PinnedAnswerSource,
        ...schemas,
        Session,
        ErrorCode,
        Error: ErrorBody,
        OpenaiError: OpenaiErrorBody,
        RateLimitError: RateLimitErrorBody,
        BudgetError: BudgetErrorBody,
        ServerError: ServerErrorBody,
      },
      headers,
      parameters: {
        "X-Request-Id": {
          name: "X-Request-Id",
          in: "header",
          description:
            "Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters " +
            "and digits in a row. An ID that looks like a key is replaced",
          schema: { type: "string" },
        },
      },
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "A secret key of an account" },
        openaiKey: {
          type: "http",
          scheme: "bearer",
          description: "A secret key of an account; only the function `openai` takes it here",
        },
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "A signed-in user's access token" },
        oauth: {
          type: "oauth2",
          description: "An AI client that the user has allowed in",
          flows: {
            authorizationCode: {
              authorizationUrl: "/auth/v1/oauth/authorize",
              tokenUrl: "/auth/v1/oauth/token",
              refreshUrl: "/auth/v1/oauth/token",
              scopes: { email: "The client learns the user's email address" },
            },
          },
        },
        publishableKey: {
          type: "apiKey",
          in: "header",
          name: "apikey",
          description: "A publishable key of an account, for pages",
        },
        projectKey: {
          type: "apiKey",
          in: "header",
          name: "apikey",
          description: "The project's own publishable key, for Supabase Auth alone",
        },
      },
    },
  }, {
    override({ jsonSchema, io }) {
      // Replies may gain fields without a new version.
      if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // zod writes these bounds for every integer.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
}

/** Adds what is said about operations, and takes it out of the prose. */
function describeOthers(operations: Record<string, ZodOpenApiOperationObject>, prose: Record<string, Prose>) {
  return Object.fromEntries(
    Object.entries(operations).map(([method, { operationId = "", ...operation }]) => {
      const { [operationId]: told } = prose;
      if (told === undefined) throw new Error(`operations.md does not describe ${operationId}`);
      delete prose[operationId];
      return [method, { operationId, summary: told.summary, description: told.description, ...operation }];
    }),
  );
}

/** The paths of all operations, and the schemas of their JSON bodies under the names that the document has for them. */
function describeEndpoints(endpoints: AnyEndpoint[], prose: Record<string, Prose>) {
  const unknown = new Set([...Object.keys(prose), ...Object.keys(examples)]);
  const paths: ZodOpenApiPathsObject = {};
  const bodies: Record<string, ZodMiniType> = {};
  for (const endpoint of endpoints) {
    const { method, name } = endpoint;
    const told = prose[name];
    if (told === undefined || told.reply === "") throw new Error(`operations.md does not describe ${name}`);
    unknown.delete(name);
    const form = functionOf(endpoint) === "openai" ? openaiErrors : undefined;
    const { operation, jsonBody } = describeEndpoint(endpoint, { ...told, ...examples[name] }, form);
    if (jsonBody) bodies[`${name.charAt(0).toUpperCase()}${name.slice(1)}Body`] = jsonBody;
    const path = pathOf(endpoint);
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  if (unknown.size > 0) throw new Error(`There is no operation ${[...unknown].join(", ")}`);
  return { paths, bodies };
}
