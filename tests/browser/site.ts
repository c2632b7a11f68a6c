/// <reference lib="dom" />
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { createChatPages } from "../../supabase/platform/chat_pages.ts";
import { bundleScripts, readCoaches, shrinkScripts } from "../../supabase/commands/page/build_page.ts";
import { ask, gatewayOf } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { mailEnv, startMailServer } from "../support/mail_server.ts";
import { madeFrom } from "../support/made_once.ts";
import {
  createTenant,
  createUser,
  issuePublishableKey,
  operator,
  publishableKey as supabaseKey,
  type PublishableKeyOptions,
  secretKey,
  type Tenant,
  type User,
} from "../support/project.ts";
import { serve } from "../support/serve.ts";
import { type Service, startService } from "../support/service.ts";
import { sharedBrowser } from "./browser.ts";

/** The pages of a test's own account, at one origin with its service, as `npm start` has them. */
export type Site = AsyncDisposable & {
  /** The address of the chat page. The desk is at `desk/` below it. */
  url: string;
  service: Service;
  tenant: Tenant;
  /** The user behind the tenant's coach, whose address and password the desk's form is filled in with. */
  expert: User;
  /** Another user of the project, whose credentials are filled in on the chat page. */
  visitor: User;
  publishableKey: string;
};

/** Somebody's browser profile with one page of the site, and what has gone wrong on it. */
export type Visit = AsyncDisposable & {
  context: BrowserContext;
  page: Page;
  /** Errors that the page has thrown or logged, without refusals of the service, which it displays. */
  errors: string[];
  /** Every origin that a page of the profile has sent a request to. */
  origins: Set<string>;
};

/** What the scripts of the pages are made from. */
const scriptSources = ["deno.json", "deno.lock", "package.json", "shared", "supabase/commands/page"];

let scripts: ReturnType<typeof bundleScripts> | undefined;

/** The scripts of the pages, small, as they are put on a host. */
export function pageScripts(): ReturnType<typeof bundleScripts> {
  return scripts ??= makeScripts();
}

async function makeScripts(): Promise<Map<string, string>> {
  const made = await madeFrom(scriptSources, "page-scripts", async (path) => {
    await Deno.writeTextFile(path, JSON.stringify([...await shrinkScripts(await bundleScripts())]));
  });
  return new Map(JSON.parse(await Deno.readTextFile(made)));
}

type SiteOptions = {
  /** True if the chat page greets new visitors without a request. */
  hasCards?: boolean;
  /** True if visitors choose a coach of the account. */
  isChosen?: boolean;
  /** True if the pages may show pictures of coaches, which have to be at their own origin. */
  hasPictures?: boolean;
  env?: Record<string, string>;
};

/**
 * Starts a service with pages, a coach and its expert.
 *
 * @param keyOptions of the pages' key; by default its users may do more than people, since tests are faster
 */
export async function openSite(
  coach: Parameters<typeof createTenant>[1] = {},
  keyOptions: PublishableKeyOptions = { requests_per_minute: 1_000 },
  { hasCards = false, isChosen = false, hasPictures = false, env = {} }: SiteOptions = {},
): Promise<Site> {
  // What begins in a step of a test has to end in it, and the browser goes on.
  await sharedBrowser();
  // The address is known before the service is there, which is told of it.
  const { promise: gateway, resolve: setGateway } = Promise.withResolvers<ReturnType<typeof gatewayOf>>();
  const server = serve(async (request) => await (await gateway)(request));
  const service = await startService({
    timeouts: { poll: 20, flush: 20 },
    env: hasPictures ? { PUBLIC_URL: server.url, ...env } : env,
  });
  const tenant = await createTenant({ requests_per_minute: 1_000 }, {
    name: "Ada Byron",
    title: "Engines",
    greeting: "Hello, I am Ada.",
    starters: ["How do I sleep well?", "What is an engine?"],
    ...coach,
  });
  const [expert, visitor] = [await createUser(), await createUser()];
  await operator.from("coach_profiles").update({ owner_id: expert.id }).eq("id", tenant.coachId).throwOnError();

  let key = "";
  const shown = isChosen ? "" : tenant.coachId;
  const pages = createChatPages(
    async () => {
      const coaches = hasCards ? await readCoaches(server.url, tenant.apiKey, shown).catch(() => "") : "";
      return { baseUrl: "", coach: shown, key, supabaseKey, coaches, visitor, expert };
    },
    pageScripts,
  );
  await pages.build();
  setGateway(gatewayOf(service.url, pages.fetch));
  ({ publishableKey: key } = await issuePublishableKey(tenant.accountId, { origins: [server.url], ...keyOptions }));
  return {
    url: `${server.url}/`,
    service,
    tenant,
    expert,
    visitor,
    publishableKey: key,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** Opens a site whose service sends mails, when `callMailer` has it do so. */
export async function openSiteWithMails() {
  await using stack = new AsyncDisposableStack();
  const mails = stack.use(await startMailServer());
  const site = stack.use(await openSite({}, undefined, { env: mailEnv(mails) }));
  const callMailer = () => ask(site.service, "POST", "/mailer", {}, undefined, { headers: { apikey: secretKey } });
  return handOver(stack, { mails, site, callMailer });
}

/** Opens a page in a browser profile of its own. */
export async function visit(url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  const errors: string[] = [];
  const origins = new Set<string>();
  context.on("request", (request) => origins.add(new URL(request.url()).origin));
  context.on("weberror", (error) => errors.push(String(error.error())));
  context.on("console", (message) => {
    const isRefusal = /\/(functions|auth)\/v1\//.test(message.location().url) && /status of 4/.test(message.text());
    if (message.type() === "error" && !isRefusal) errors.push(message.text());
  });
  const page = await context.newPage();
  await page.goto(url);
  return { context, page, errors, origins, [Symbol.asyncDispose]: () => context.close() };
}
