import type { Hono } from "hono";
import { lazy } from "../libs/base/lazy.ts";
import { perform } from "../core/operation.ts";
import type { Services } from "../core/context.ts";
import { type AppOptions, createApp, type Route } from "./app.ts";
import type { AppEnv, Handler } from "./app_env.ts";
import { authenticate } from "./authenticate.ts";
import type { Address, Reply } from "./endpoint.ts";

/** An edge function that serves operations to callers with an API key. Of two paths that match, the first is meant. */
export function createOperationsApp(
  functionName: string,
  services: Services,
  addresses: Address[],
  options: Partial<AppOptions> = {},
): Hono<AppEnv> {
  return createApp(functionName, services, addresses.flatMap(serve), { admit: authenticate(services), ...options });
}

function serve({ method, path, pathWithoutParameter, load }: Address): Route[] {
  const handle = createHandler(load);
  const paths = pathWithoutParameter === undefined ? [path] : [path, pathWithoutParameter];
  // A parameter that may be empty.
  return paths.map((path) => ({ method, path: path.replaceAll(/:(\w+)(?!\{|\w)/g, ":$1{[^/]*}"), handle }));
}

function createHandler(load: Address["load"]): Handler {
  // What is loaded is kept: an `import()` costs something each time, also of a module that is there.
  const loadParts = lazy(async () => {
    const [{ createInputReader }, { operation }] = await Promise.all([import("./read_input.ts"), load()]);
    return { operation, readInput: createInputReader(operation), reply: operation.reply ?? replyWithJson };
  });
  return async function handle(c) {
    // All of it before the verb is called: nothing that the verb has begun may wait for a module.
    const { operation, readInput, reply } = await loadParts();
    return await perform(operation, c.get("incoming"), {
      readInput: () => readInput(c),
      reply: (result) => reply(c, result),
    });
  };
}

const replyWithJson: Reply<unknown> = (c, result) => {
  // Postgres has built the JSON of these: it is passed on as it is.
  if (result instanceof Uint8Array) {
    return c.body(result as Uint8Array<ArrayBuffer>, 200, { "Content-Type": "application/json" });
  }
  return c.json(result);
};
