import type { Handler } from "../http/app_env.ts";
import { lazy } from "../lazy.ts";
import { createApiDocument } from "./document.ts";

/** Made once: it is the same for every request. */
const document = lazy(async () => JSON.stringify(await createApiDocument()));

/** `GET /docs/openapi.json` */
export const getDocument: Handler = async (c) => {
  return c.body(await document(), 200, { "Content-Type": "application/json", "Cache-Control": "public, max-age=300" });
};
