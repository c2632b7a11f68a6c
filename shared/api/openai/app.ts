import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../../http/app_env.ts";
import { authenticate } from "../../http/authenticate.ts";
import { createOperationsApp } from "../../http/operations_app.ts";
import { type AnyRoute, defineRoute } from "../../http/route.ts";
import type { Services } from "../../core/context.ts";
import { headerNames } from "./header_names.ts";
import { clientCors } from "./client_cors.ts";
import { OpenaiError } from "./openai_error.ts";
import { readOpenaiKey } from "./openai_key.ts";
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

const readFields = async () => (await import("./client_headers.ts")).readTaskHeader;

export const openaiRoutes: AnyRoute[] = [
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
