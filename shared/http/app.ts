import { Hono, type MiddlewareHandler } from "hono";
import type { Scope } from "../context.ts";
import { ApiError, errors } from "../errors.ts";
import type { CoreServices } from "../core_services.ts";
import { accessLog } from "./access_log.ts";
import type { AppEnv, Handler } from "./app_env.ts";
import { cors } from "./cors.ts";
import { drainBody, usualDrain } from "./drain_body.ts";
import { requestId } from "./request_id.ts";

/** One operation of the interface. */
export type Endpoint = {
  method: "GET" | "POST" | "DELETE";
  /** Begins with the name of the function, as the platform hands it over. */
  path: string;
  /** Left out where no API key is asked for. */
  scope?: Scope;
  /** The error of a failure that the verb does not word itself. */
  failure: string;
  /** Catches what leads nowhere, to say so in the words of the interface: no operation for the documents. */
  isStray?: boolean;
  /** Brings the handler; called with the first admitted request, so that a refusal needs no more than this file. */
  load: () => Promise<Handler>;
};

/** What a function has of its own. */
export type AppOptions = {
  /** Who is let in. */
  admit: MiddlewareHandler<AppEnv>;
  /** How much of a request body is read before a refusal is sent. */
  maxBodyBytes?: number;
};

/**
 * An edge function: endpoints behind what all functions share. Refusals come in one order everywhere: preflight,
 * key 401, limit 429, bearer 401, route 404, method 405, scope 403; then the handler reads its input.
 */
export function createApp(
  functionName: string,
  services: Pick<CoreServices, "createLog">,
  endpoints: Endpoint[],
  { admit, maxBodyBytes = usualDrain }: AppOptions,
): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const routes = [...Map.groupBy(endpoints, ({ path }) => path)]
    .map(([path, group]) => ({ path, methods: [...group.map(({ method }) => method), "OPTIONS"].join(", ") }));

  app.use(requestId(), accessLog(functionName, services), cors("OPTIONS"));
  for (const { path, methods } of routes) app.use(path, cors(methods));
  app.options("*", (c) => c.body(null, 204));
  app.use(admit);

  for (const { method, path, scope, failure, load } of endpoints) {
    app.on(method, path, async (c) => {
      if (scope && !c.var.ctx.caller.scopes.includes(scope)) throw errors.missingScope(scope);
      try {
        const handle = await load();
        return await handle(c);
      } catch (error) {
        throw error instanceof ApiError ? error : errors.failed(failure, error);
      }
    });
  }
  for (const { path, methods } of routes) {
    app.all(path, () => {
      throw errors.methodNotAllowed(methods);
    });
  }
  app.notFound(() => {
    throw errors.notFound();
  });
  app.onError(async (error, c) => {
    await drainBody(c.req.raw, maxBodyBytes);
    const failure = error instanceof ApiError ? error : errors.failed("Internal error", error);
    return c.json(failure.toJSON(), failure.status as 500, failure.options.headers);
  });
  return app;
}
