import { createApp, loadHandler } from "../../http/app.ts";
import { requireSecretKey } from "../../http/require_secret_key.ts";
import { openJournal, saveAtEnd } from "../../core/answers/answer_journal.ts";
import type { CoreServices } from "../../core/core_services.ts";
import { isOnPlatform } from "../../core/platform.ts";
import { lazy } from "../../libs/base/lazy.ts";
import type { PostMessage } from "../webhooks/post_message.ts";

/** The function `indexer`, which the project calls: makes files searchable, and does other background work. */
export function createIndexerApp(services: CoreServices) {
  // Shared by all requests, because it measures the work of the isolate.
  const loadPostSweep = lazy(async () => {
    const startedAt = performance.now();
    const [{ createPostSweep }, models] = await Promise.all([import("./sweeper.ts"), services.loadModels()]);
    const journal = openJournal(services);
    if (isOnPlatform()) saveAtEnd(services, journal);
    const postMessage: PostMessage = async (message, signal) => await (await loadPostMessage())(message, signal);
    return createPostSweep({ ...services, ...models, journal, postMessage }, {
      spent: services.loadingTime + performance.now() - startedAt,
    });
  });
  const loadPostMessage = lazy(async () =>
    (await import("../webhooks/post_message.ts")).createPostMessage({ allowsPrivate: services.allowsPrivateWebhooks })
  );
  const handle = loadHandler("Failed to index files", loadPostSweep);
  return createApp("indexer", services, [{ method: "POST", path: "/indexer", handle }], {
    admit: requireSecretKey(services.secretKeys),
  });
}
