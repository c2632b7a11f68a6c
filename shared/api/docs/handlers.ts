import type { Handler } from "../../http/app_env.ts";
import document from "./openapi.json" with { type: "json" };

/** Generated beforehand, to keep cold starts short. */
const text = JSON.stringify(document);

/** `GET /docs/openapi.json` */
export const getDocument: Handler = (c) => {
  return c.body(text, 200, { "Content-Type": "application/json", "Cache-Control": "public, max-age=300" });
};
