import type { Hono } from "hono";
import { lazy } from "../base/lazy.ts";
import { perform } from "../core/operation.ts";
import type { Services } from "../core/context.ts";
import { type AppOptions, createApp, type Endpoint } from "./app.ts";
import type { AppEnv, Handler } from "./app_env.ts";
import { authenticate } from "./authenticate.ts";
import type { AnyRoute, Reply } from "./route.ts";

/** An edge function that serves operations to callers with an API key. */
export function createOperationsApp(
  functionName: string,
  services: Services,
  routes: AnyRoute[],
  options: Partial<AppOptions> = {},
): Hono<AppEnv> {
  return createApp(functionName, services, routes.flatMap(serve), { admit: authenticate(services), ...options });
}

function serve(route: AnyRoute): Endpoint[] {
  const { method, path, pathWithoutParameter } = route;
  const handle = createHandler(route);
  const paths = pathWithoutParameter === undefined ? [path] : [path, pathWithoutParameter];
  return paths.map((path) => ({ method, path, handle }));
}

function createHandler(route: AnyRoute): Handler {
  const loadParts = lazy(async () => {
    const [{ createInputReader }, schema, readFields, reply = replyWithJson] = await Promise.all([
      import("./read_input.ts"),
      route.operation.input(),
      route.readFields?.(),
      route.reply?.(),
    ]);
    return { readInput: createInputReader(route, schema, readFields), reply };
  });
  return (c) =>
    perform(route.operation, c.get("incoming"), async () => {
      const { readInput, reply } = await loadParts();
      return { readInput: () => readInput(c), reply: (result) => reply(c, result) };
    });
}

const replyWithJson: Reply<unknown> = (c, result) => {
  // Postgres has built the JSON of these: it is passed on as it is.
  if (result instanceof Uint8Array) {
    return c.body(result as Uint8Array<ArrayBuffer>, 200, { "Content-Type": "application/json" });
  }
  return c.json(result);
};
