import { createApp, loadHandler, type Method, type Route } from "../../http/app.ts";
import type { Handler } from "../../http/app_env.ts";
import { requireSecretKey } from "../../http/require_secret_key.ts";
import type { CoreServices } from "../../core/core_services.ts";
import { lazy } from "../../libs/base/lazy.ts";

const loadHandlers = lazy(() => import("./handlers.ts"));
type Handlers = Awaited<ReturnType<typeof loadHandlers>>;

/** The function `mailer`: sends what is due, when the project calls it, and answers links in mails without a key. */
export function createMailerApp(services: CoreServices) {
  // Shared by all requests, because it measures the work of the isolate.
  const loadPostSweep = lazy(async () => {
    const startedAt = performance.now();
    const { createPostSweep } = await loadHandlers();
    return createPostSweep(services, { spent: services.loadingTime + performance.now() - startedAt });
  });
  const handle = loadHandler("Failed to send mails", loadPostSweep);
  type Create = (services: CoreServices) => Handler;
  const open = (method: Method, path: string, failure: string, choose: (all: Handlers) => Create): Route => ({
    method,
    path,
    handle: loadHandler(failure, lazy(async () => choose(await loadHandlers())(services))),
  });
  return createApp("mailer", services, [{ method: "POST", path: "/mailer", handle }], {
    admit: requireSecretKey(services.secretKeys),
    open: [
      open("POST", "/mailer/unsubscribe", "Failed to unsubscribe", (all) => all.createUnsubscribe),
      open("GET", "/mailer/unsubscribe", "Failed to open the page", (all) => all.createOpenUnsubscribe),
      open("POST", "/mailer/confirm", "Failed to confirm the address", (all) => all.createConfirm),
      open("GET", "/mailer/answer", "Failed to fetch the answer", (all) => all.createReadAnswer),
      open("GET", "/mailer/confirm", "Failed to open the page", (all) => all.createOpenConfirm),
    ],
  });
}
