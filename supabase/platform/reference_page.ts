import { join } from "node:path";
import viewerFolder from "swagger-ui-dist/absolute-path.js";
import { serveLocalFiles } from "./local_files.ts";

const pageFolder = join(import.meta.dirname!, "reference_page");

/** The files that the page loads, by name. */
const assets = new Map([
  ["page.css", { folder: pageFolder, type: "text/css; charset=utf-8" }],
  ["page.js", { folder: pageFolder, type: "text/javascript; charset=utf-8" }],
  ["swagger-ui.css", { folder: viewerFolder(), type: "text/css; charset=utf-8" }],
  ["swagger-ui-bundle.js", { folder: viewerFolder(), type: "text/javascript; charset=utf-8" }],
  ["favicon-32x32.png", { folder: viewerFolder(), type: "image/png" }],
]);

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The keys that the page fills in, by the names of their security schemes in the document. */
export type ReferenceKeys = { apiKey: string; publishableKey: string };

/**
 * The page at `/docs`: shows the OpenAPI document and sends requests with keys of this stack. The keys are in the page
 * and not in a script, which a page of any origin could load.
 *
 * @param readKeys returns null as long as there are none
 */
export function createReferencePage(readKeys: () => ReferenceKeys | null): (request: Request) => Promise<Response> {
  return serveLocalFiles({
    contentSecurityPolicy,
    async read(path) {
      const name = path.slice("/docs/".length);
      if (name === "") {
        const keys = readKeys();
        if (keys === null) return undefined;
        const page = await Deno.readTextFile(join(pageFolder, "page.html"));
        return {
          type: "text/html; charset=utf-8",
          content: page.replace(/{{(apiKey|publishableKey)}}/g, (_, name: keyof ReferenceKeys) => keys[name]),
        };
      }
      const asset = assets.get(name);
      return asset === undefined ? null : { type: asset.type, content: await Deno.readFile(join(asset.folder, name)) };
    },
  });
}
