import * as z from "zod/mini";
import { replyObject } from "../db/reply_object.ts";

/** How a SQL function has admitted a request. `spent` is null where Postgres did not count. */
export const AdmissionReply = z.object({
  admission: replyObject({
    key_id: z.string(),
    account_id: z.string(),
    scopes: z.array(z.string()),
    spent: z.nullable(replyObject({
      is_allowed: z.boolean(),
      limit: z.number(),
      remaining: z.number(),
      /** Seconds since 1970. */
      reset: z.number(),
      retry_after: z.number(),
    })),
  }),
});

/** A valid API key, and its limits. */
export const KeyReply = replyObject({
  key_id: z.string(),
  requests_per_minute: z.number(),
  requests_per_hour: z.number(),
  requests_per_day: z.number(),
});
