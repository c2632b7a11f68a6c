import * as z from "zod/mini";
import { replyObject } from "../db/reply_object.ts";

/** A valid API key. `spent` is null where the request was not counted. */
export const ValidKey = replyObject({
  id: z.string(),
  account_id: z.string(),
  scopes: z.array(z.string()),
  requests_per_minute: z.number(),
  requests_per_hour: z.number(),
  requests_per_day: z.number(),
  spent: z.nullable(replyObject({
    is_allowed: z.boolean(),
    limit: z.number(),
    remaining: z.number(),
    /** Seconds since 1970. */
    reset: z.number(),
    retry_after: z.number(),
  })),
});
export type ValidKey = z.infer<typeof ValidKey>;
