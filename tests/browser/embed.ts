import { issuePublishableKey, publishableKey as supabaseKey } from "../support/project.ts";
import { serve } from "../support/serve.ts";
import type { Site } from "./site.ts";

/** The Content-Security-Policy of a strict site. */
const policy = (service: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${new URL(service).origin}; ` +
  `img-src ${new URL(service).origin}; ` +
  "base-uri 'none'; require-trusted-types-for 'script'; trusted-types lit-html";

/**
 * Serves a page that loads the element's file, and its parts and those of languages, if it needs one. In its body,
 * `{{settings}}` is replaced by the attributes that connect the element to the site's service, with a key for the page's
 * own origin unless another one is given.
 *
 * @param service where the element reaches the service, if that is not the site's own address
 */
export async function embed(
  site: Site,
  body: string,
  { key, element = "human-chat", script = "", service = site.url, hasOwnLogin = false }: {
    key?: string;
    /** The element whose script the page loads. */
    element?: "human-chat" | "human-chat-launcher";
    script?: string;
    service?: string;
    hasOwnLogin?: boolean;
  } = {},
) {
  const scripts = /^\/human-(?:chat(?:-launcher|-in-person|\.\w+)?|download|reader)\.js$/;
  const files: Record<string, [type: string, content: string]> = {
    "/page.js": ["text/javascript", script],
    "/page.css": ["text/css", "human-chat { height: 100vh }"],
    "/favicon.ico": ["image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  };
  const server = serve(async ({ url }) => {
    const { pathname } = new URL(url);
    const [type, content] = scripts.test(pathname)
      ? ["text/javascript", await (await fetch(new URL(pathname, site.url))).text()]
      : files[pathname] ?? ["text/plain", ""];
    return new Response(content, {
      headers: { "Content-Type": `${type}; charset=utf-8`, "Content-Security-Policy": policy(service) },
    });
  });
  const ownKey = key ?? (await issuePublishableKey(site.tenant.accountId, {
    origins: [server.url],
    requests_per_minute: 1_000,
  })).publishableKey;
  const settings = `base-url="${new URL(service).origin}" key="${ownKey}"` +
    (hasOwnLogin ? "" : ` supabase-key="${supabaseKey}"`);
  files["/"] = [
    "text/html",
    `<!doctype html><html lang="en"><title>A site</title><link rel="stylesheet" href="page.css">` +
    `<script type="module" src="${element}.js"></script><script type="module" src="page.js"></script>` +
    `<body>${body.replaceAll("{{settings}}", settings)}</body></html>`,
  ];
  return { url: `${server.url}/`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** A line to a site's service that can be cut. */
export type Line = AsyncDisposable & {
  url: string;
  /** The paths of the replies that are being sent. */
  open(): string[];
  /** Breaks all of them off. */
  cut(): void;
};

/** Opens a line to a site's service. */
export function openLine(site: Site): Line {
  const replies = new Map<AbortController, string>();
  const server = serve(async (request) => {
    const { pathname, search } = new URL(request.url);
    const line = new AbortController();
    replies.set(line, pathname);
    const close = () => replies.delete(line);
    request.signal.addEventListener("abort", close);
    const reply = await fetch(new URL(pathname + search, site.url), {
      method: request.method,
      headers: request.headers,
      body: request.body && await request.arrayBuffer(),
      signal: request.signal,
    });
    const cut = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({ flush: () => void close() });
    void reply.body?.pipeTo(cut.writable, { signal: line.signal }).catch(close);
    if (!reply.body) close();
    return new Response(reply.body && cut.readable, reply);
  });
  return {
    url: server.url,
    open: () => [...replies.values()],
    cut: () => [...replies.keys()].forEach((line) => line.abort(new Error("cut"))),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
