import type { Handler } from "../http/app_env.ts";
import { createApiDocument } from "./document.ts";

/** Made once: it is the same for every request. */
let document: Promise<string> | undefined;

/** `GET /docs/openapi.json` */
export const getDocument: Handler = async (c) => {
  const written = await (document ??= createApiDocument().then(JSON.stringify));
  return c.body(written, 200, { "Content-Type": "application/json", "Cache-Control": "public, max-age=300" });
};
