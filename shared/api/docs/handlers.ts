import type { Handler } from "../../http/app_env.ts";
import pieces from "./openapi_text.json" with { type: "json" };

const text = pieces.join("");

/** `GET /docs/openapi.json` */
export const getDocument: Handler = (c) => {
  return c.body(text, 200, { "Content-Type": "application/json", "Cache-Control": "public, max-age=300" });
};
