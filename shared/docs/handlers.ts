import type { Handler } from "../http/app_env.ts";
import { createApiDocument } from "./document.ts";

const document = JSON.stringify(createApiDocument());

/** `GET /docs/openapi.json` */
export const getDocument: Handler = (c) => {
  return c.body(document, 200, { "Content-Type": "application/json", "Cache-Control": "public, max-age=300" });
};
