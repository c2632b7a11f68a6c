import * as z from "zod/mini";
import { replyObject } from "../../infra/db/reply_object.ts";

/** The admission in a SQL function's reply. `spent` is null if Postgres did not count. */
export const AdmissionReply = replyObject({
  key_id: z.string(),
  account_id: z.string(),
  scopes: z.array(z.string()),
  options: z.array(z.string()),
  /** False: a publishable key was shown by a page of another origin, and nothing was counted. */
  is_origin_allowed: z.boolean(),
  is_budgeted: z.boolean(),
  spent: z.nullable(replyObject({
    is_allowed: z.boolean(),
    limit: z.number(),
    remaining: z.number(),
    /** Seconds since 1970. */
    reset: z.number(),
    retry_after: z.number(),
  })),
});

const Limits = z.tuple([z.number(), z.number(), z.number()]);

/** A valid API key, and its limits by minute, hour and day. */
export const KeyReply = replyObject({
  key_id: z.string(),
  is_origin_allowed: z.boolean(),
  /** Of a publishable key: of each user who is not anonymous. */
  requests: Limits,
  /** Null for a secret key. */
  publishable: z.nullable(replyObject({
    /** Of all users together. */
    totals: Limits,
    /** Of each anonymous user. */
    anonymous_requests: Limits,
    /** Of all anonymous users together. */
    anonymous_totals: Limits,
  })),
});

/** The token issuers of an account. */
export const IssuersReply = z.array(replyObject({
  name: z.string(),
  issuer: z.string(),
  jwks_url: z.string(),
  audience: z.string(),
}));
