import { type Context as HonoContext, Hono, type MiddlewareHandler } from "hono";
import { type ApiError, errors, toApiError } from "../infra/errors.ts";
import type { CoreServices } from "../core/core_services.ts";
import { accessLog, followRequest, requestId } from "./follow_request.ts";
import type { AppEnv, Handler } from "./app_env.ts";
import { allowMethods, cors as usualCors } from "./cors.ts";
import { drainBody, usualDrain } from "./drain_body.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A method and path that a function answers. */
export type Route = {
  method: Method;
  /** Begins with the name of the function, as the platform hands it over. */
  path: string;
  /** Handles a request. It loads its modules when it is called, because a refusal must not wait for them. */
  handle: Handler;
};

/** The options in which functions differ. */
export type AppOptions = {
  /** Lets a request through to its endpoint, or throws a refusal. */
  admit: MiddlewareHandler<AppEnv>;
  /** Endpoints that need no key. */
  open?: Route[];
  /** The most bytes of a request body that are read before a refusal is sent. */
  maxBodyBytes?: number;
  /** The CORS headers, if they are not those of the interface. */
  cors?: MiddlewareHandler;
  /** Adds to an error what clients of this function need. */
  describe?: (error: ApiError, c: HonoContext<AppEnv>) => ApiError;
};

/**
 * An edge function: routes behind what all functions share. Refusals come in one order everywhere: preflight,
 * key 401, limit 429, bearer 401, route 404, method 405; those of the endpoint come last. With a publishable key: key 401,
 * origin 403, limit of all users 429, bearer 401, limit of the user 429, and then the same. A request that fails before
 * its key and limits were checked has them checked then, so that a refusal of these comes first.
 */
export function createApp(
  functionName: string,
  services: Pick<CoreServices, "createLog" | "tracing">,
  routes: Route[],
  { admit, open = [], maxBodyBytes = usualDrain, cors = usualCors, describe = (error) => error }: AppOptions,
): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const paths = [...Map.groupBy([...open, ...routes], ({ path }) => path)]
    .map(([path, group]) => ({ path, methods: [...group.map(({ method }) => method), "OPTIONS"].join(", ") }));

  app.use(requestId(), followRequest(functionName, services), accessLog(functionName, services), sharedHeaders, cors);
  // The first path that a request fits is the one that answers: its methods are set last.
  for (const { path, methods } of paths.toReversed()) app.use(path, allowMethods(methods));
  app.options("*", (c) => c.body(null, 204));
  for (const { method, path, handle } of open) app.on(method, path, handle);
  for (const { path, methods } of paths.filter(({ path }) => open.some((endpoint) => endpoint.path === path))) {
    app.all(path, () => {
      throw errors.methodNotAllowed(methods);
    });
  }
  // Authentication. Where the key is an API key, the endpoint's first call of Postgres completes it: see `authenticate`.
  app.use(admit);

  for (const { method, path, handle } of routes) app.on(method, path, handle);
  for (const { path, methods } of paths) {
    app.all(path, () => {
      throw errors.methodNotAllowed(methods);
    });
  }
  app.notFound(() => {
    throw errors.notFound();
  });
  app.onError(async (error, c) => {
    // Refusals of the key and its limits come first, so a request that failed before they were checked is checked now.
    const [reason] = await Promise.all([
      c.get("incoming")?.admission.judge(error) ?? error,
      drainBody(c.req.raw, maxBodyBytes),
    ]);
    const failure = describe(toApiError(reason, "Internal error"), c);
    // For the log line, which tells why the reply is what it is.
    c.error = failure;
    const { status, code, options } = failure;
    return c.json(failure.toJSON(), status as 500, { ...options.headers, "X-Error-Code": code });
  });
  return app;
}

/** A handler that is loaded with its first request; `failure` is the sentence of a 500. */
export function loadHandler(failure: string, load: () => Promise<Handler>): Handler {
  return async function handle(c) {
    try {
      const handle = await load();
      return await handle(c);
    } catch (error) {
      throw toApiError(error, failure);
    }
  };
}

/**
 * Shows what a request has left of its limits, on every reply to one whose key is valid. Where a publishable key signs
 * nobody in, that is what all its users share. And no cache keeps a reply that does not allow it: none would see that
 * another key may not have it.
 */
const sharedHeaders: MiddlewareHandler<AppEnv> = async function sharedHeaders(c, next) {
  await next();
  const { headers } = c.res;
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  const spent = c.get("incoming")?.admission.spent;
  if (!spent) return;
  headers.set("X-RateLimit-Limit", String(spent.limit));
  headers.set("X-RateLimit-Remaining", String(spent.remaining));
  headers.set("X-RateLimit-Reset", String(spent.reset));
};
