import type { MiddlewareHandler } from "hono";
import { createApp, loadHandler } from "../../http/app.ts";
import type { AppEnv, Handler } from "../../http/app_env.ts";
import { openJournal, saveAtEnd } from "../../core/answers/answer_journal.ts";
import { type CoreServices, isOnPlatform } from "../../core/core_services.ts";
import { readBearer } from "../../core/auth/shown_key.ts";
import { errors } from "../../base/errors.ts";
import { lazy } from "../../base/lazy.ts";
import type { PostMessage } from "../webhooks/post_message.ts";

/**
 * The function `indexer`: makes uploaded files searchable, and does other background work. It is called by the project
 * itself, never by clients.
 */
export function createIndexerApp(services: CoreServices) {
  // Shared by all requests, because it measures the work of the isolate.
  let postSweep: Promise<Handler> | undefined;

  const loadPostMessage = lazy(async () =>
    (await import("../webhooks/post_message.ts")).createPostMessage({ allowsPrivate: services.allowsPrivateWebhooks })
  );

  async function loadPostSweep(): Promise<Handler> {
    const startedAt = performance.now();
    const [{ createPostSweep }, models] = await Promise.all([import("./handlers.ts"), services.loadModels()]);
    const journal = openJournal(services);
    if (isOnPlatform()) saveAtEnd(services, journal);
    const postMessage: PostMessage = async (message, signal) => await (await loadPostMessage())(message, signal);
    return createPostSweep({ ...services, ...models, journal, postMessage }, {
      spent: services.loadingTime + performance.now() - startedAt,
    });
  }

  const handle = loadHandler("Failed to index files", () => postSweep ??= loadPostSweep());
  return createApp("indexer", services, [{ method: "POST", path: "/indexer", handle }], {
    admit: requireSecretKey(services.secretKeys),
  });
}

/** Admits requests with a secret key of the project, as `apikey` or as bearer: those of its own clock and functions. */
function requireSecretKey(secretKeys: string[]): MiddlewareHandler<AppEnv> {
  return async function requireSecretKey(c, next) {
    const shown = c.req.header("apikey") ?? readBearer(c.req.header("Authorization")) ?? "";
    if (shown === "") throw errors.invalidSecretKey();
    // Loaded here, since it takes a while on newer versions of Deno: a refusal without a key does without it.
    const { createHash, timingSafeEqual } = await import("node:crypto");
    const digestOf = (key: string) => createHash("sha256").update(key).digest();
    // Digests all have one length: the time that it takes to compare them says nothing about the keys.
    const digest = digestOf(shown);
    if (!secretKeys.some((key) => timingSafeEqual(digestOf(key), digest))) throw errors.invalidSecretKey();
    await next();
  };
}
