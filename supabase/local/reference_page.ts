import { join } from "deno-std/path/mod.js";
import viewerFolder from "swagger-ui-dist/absolute-path.js";

const pageFolder = join(import.meta.dirname!, "reference_page");

/** All that the page loads, by name. */
const assets = new Map([
  ["page.css", { folder: pageFolder, type: "text/css; charset=utf-8" }],
  ["page.js", { folder: pageFolder, type: "text/javascript; charset=utf-8" }],
  ["swagger-ui.css", { folder: viewerFolder(), type: "text/css; charset=utf-8" }],
  ["swagger-ui-bundle.js", { folder: viewerFolder(), type: "text/javascript; charset=utf-8" }],
  ["favicon-32x32.png", { folder: viewerFolder(), type: "image/png" }],
]);

const headers = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** The keys that the page fills in, by the names of their security schemes in the document. */
export type ReferenceKeys = { apiKey: string; publishableKey: string };

/**
 * The page at `/docs`: shows the OpenAPI document and sends requests with keys of this stack. The keys are in the page and
 * not in a script, which a page of any origin could load.
 *
 * @param readKeys gives null as long as there are none
 */
export function createReferencePage(readKeys: () => ReferenceKeys | null): (request: Request) => Promise<Response> {
  return async (request) => {
    const { hostname, pathname } = new URL(request.url);
    // A foreign site can make its own name lead to this machine, and its scripts would then read the keys.
    if (hostname !== "127.0.0.1" && hostname !== "localhost") {
      return refuse(403, "The reference is served at 127.0.0.1 and localhost only");
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      return refuse(405, "Method not allowed", { Allow: "GET, HEAD" });
    }
    const name = pathname.slice("/docs/".length);
    if (name === "") {
      const keys = readKeys();
      if (keys === null) return refuse(503, "The service is starting", { "Retry-After": "1" });
      const page = await Deno.readTextFile(join(pageFolder, "page.html"));
      return new Response(page.replace(/{{(apiKey|publishableKey)}}/g, (_, name: keyof ReferenceKeys) => keys[name]), {
        headers: { ...headers, "Content-Type": "text/html; charset=utf-8" },
      });
    }
    const asset = assets.get(name);
    if (asset === undefined) return refuse(404, "Not found");
    return new Response(await Deno.readFile(join(asset.folder, name)), {
      headers: { ...headers, "Content-Type": asset.type },
    });
  };
}

function refuse(status: number, error: string, extraHeaders: Record<string, string> = {}): Response {
  return Response.json({ error }, { status, headers: { ...headers, ...extraHeaders } });
}
