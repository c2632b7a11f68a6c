import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../../http/app_env.ts";
import { authenticate } from "../../http/authenticate.ts";
import { allowTraces, exposedHeaders, setCors } from "../../http/cors.ts";
import { createOperationsApp } from "../../http/operations_app.ts";
import type { Address } from "../../http/endpoint.ts";
import { defineRoute } from "../../http/route.ts";
import { errors } from "../../base/errors.ts";
import { isPublishable, readBearer, type ReadKey } from "../../core/auth/shown_key.ts";
import type { Services } from "../../core/context.ts";
import type { ClientHeaders } from "./ask.ts";
import { OpenaiError } from "./openai_error.ts";
import {
  cancelResponse,
  createChatCompletion,
  createResponse,
  deleteResponse,
  getModel,
  getResponse,
  listModels,
} from "./operations.ts";

/** Clients send all of their conversation with every question. */
const maxBytes = 4 * 1024 * 1024;

/** The headers with these fields. They are apart from their schemas, which a refusal must not load. */
const headerNames: Record<keyof ClientHeaders, string> = {
  threadId: "X-Thread-Id",
  chatId: "X-Chat-Id",
  openWebuiChatId: "X-OpenWebUI-Chat-Id",
  conversationId: "X-Conversation-Id",
  openWebuiUserId: "X-OpenWebUI-User-Id",
  task: "X-OpenWebUI-Task",
  retryCount: "X-Stainless-Retry-Count",
  idempotencyKey: "Idempotency-Key",
};

const readFields = async () => (await import("./client_headers.ts")).readTaskHeader;

export const openaiRoutes: Address[] = [
  defineRoute({ operation: listModels, method: "GET", path: "/openai/v1/models" }),
  defineRoute({ operation: getModel, method: "GET", path: "/openai/v1/models/:model" }),
  defineRoute({
    operation: createChatCompletion,
    method: "POST",
    path: "/openai/v1/chat/completions",
    body: "application/json",
    maxBytes,
    headers: headerNames,
    readFields,
    reply: async () => (await import("./reply_with_completion.ts")).replyWithCompletion,
  }),
  defineRoute({
    operation: createResponse,
    method: "POST",
    path: "/openai/v1/responses",
    body: "application/json",
    maxBytes,
    headers: headerNames,
    readFields,
    reply: async () => (await import("./reply_with_response.ts")).replyWithResponse,
  }),
  defineRoute({
    operation: getResponse,
    method: "GET",
    path: "/openai/v1/responses/:responseId",
    reply: async () => (await import("./reply_with_stored.ts")).replyWithStored,
  }),
  defineRoute({ operation: deleteResponse, method: "DELETE", path: "/openai/v1/responses/:responseId" }),
  defineRoute({
    operation: cancelResponse,
    method: "POST",
    path: "/openai/v1/responses/:responseId/cancel",
    reply: async () => (await import("./reply_with_stored.ts")).replyWithStored,
  }),
];

/**
 * The function `openai`: coaches as models, for clients of OpenAI's API. Its turns are those of the function `chat`; only
 * the key's header, the CORS headers and the errors differ.
 */
export function createOpenaiApp(services: Services) {
  const routes = openaiRoutes.flatMap((route) => [route, { ...route, path: `${route.path}/` }]);
  return createOperationsApp("openai", services, routes, {
    admit: watched(authenticate(services, readOpenaiKey)),
    maxBodyBytes: maxBytes,
    cors: clientCors,
    describe: (error) => new OpenaiError(error),
  });
}

/** Has Deno notice that a client leaves before its question is accepted: it only does for a signal that was asked for. */
function watched(admit: MiddlewareHandler<AppEnv>): MiddlewareHandler<AppEnv> {
  return function admitWatched(c, next) {
    void c.req.raw.signal;
    return admit(c, next);
  };
}

/**
 * The key of a client of OpenAI's API: in `X-API-Key`, where `Authorization` may then hold a user's token, or else in
 * `Authorization` itself. @throws 401 for a publishable key.
 */
const readOpenaiKey: ReadKey = (header) => {
  const apiKey = header("X-API-Key") || readBearer(header("Authorization"));
  if (apiKey !== undefined && isPublishable(apiKey)) throw errors.publishableKeyRefused();
  return { apiKey, page: null };
};

const exposed = `${exposedHeaders}, x-should-retry`;

/**
 * CORS headers for clients of OpenAI's API. They send headers of their own, such as `X-Stainless-Lang`: all that a browser
 * asks for are allowed, and those of traces. Cookies never are. In a page, they also read whether another try can help.
 */
const clientCors: MiddlewareHandler = async function clientCors(c, next) {
  const asked = c.req.header("Access-Control-Request-Headers");
  const allowed = asked ?? "authorization, content-type";
  setCors(c, { allowed: c.req.method === "OPTIONS" ? allowTraces(allowed) : allowed, exposed });
  if (asked !== undefined) c.header("Vary", "Access-Control-Request-Headers");
  await next();
};
