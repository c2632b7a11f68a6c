import * as z from "zod/mini";
import type { Database } from "../../infra/db/database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";

/** What shows whether the service works, as SQL `read_status` has it. Ages are in seconds. */
export const Status = replyObject({
  /** Since something last looked for work in the background; null: nothing ever has. */
  clock_seconds: z.nullable(z.number()),
  model: replyObject({
    /** Since the model's server last answered; null: it was not asked yet. */
    checked_seconds: z.nullable(z.number()),
    /** Since it does not answer; null: it does. */
    failed_seconds: z.nullable(z.number()),
    failure: z.nullable(z.string()),
  }),
  /** What is due in the background: how much, and since when the first of it is; null: nothing is. */
  queues: z.array(replyObject({ name: z.string(), waiting: z.number(), seconds: z.nullable(z.number()) })),
  /** Null where they were not asked for. */
  details: z.nullable(replyObject({
    /** The versions of those that the database has; null where that is not known. */
    migrations: z.nullable(z.array(z.string())),
    /** Of the last day. */
    errors: z.array(replyObject({ kind: z.string(), code: z.nullable(z.string()), count: z.number() })),
    /** Of the last week. */
    last_error: z.nullable(
      replyObject({ seconds: z.number(), kind: z.string(), error: z.string(), request_id: z.nullable(z.string()) }),
    ),
    webhooks: replyObject({ count: z.number(), failing: z.number(), last_error: z.nullable(z.string()) }),
    mails: replyObject({ failing: z.number(), last_error: z.nullable(z.string()), refused_addresses: z.number() }),
    /** Those that are used up to the percentage from which they run low. */
    budgets: z.array(replyObject({ account_name: z.string(), id: z.string(), percent: z.number() })),
    sizes: replyObject({
      database_bytes: z.number(),
      file_bytes: z.number(),
      /** Estimates of the planner. */
      rows: z.record(z.string(), z.number()),
    }),
  })),
});
export type Status = z.infer<typeof Status>;

/** Reads what decides whether the service works, and nothing else. */
export async function readStatus(database: Database): Promise<Status> {
  return await database.call("read_status", { has_details: false }, Status);
}

/** The clock ticks each minute. */
const patienceWithClock = 5 * 60;

/** Long backlogs are no trouble while something works on them, but what waits in turn seldom waits as long. */
const patienceWithQueue = 60 * 60;

/** What of a service does not work: `clock`, `model`, or a queue by its name, but for mails that wait. */
export function findTroubles({ clockSeconds, model, queues }: Status): string[] {
  const late = queues.filter(({ name, seconds }) => name !== "mails" && (seconds ?? 0) > patienceWithQueue);
  return [
    ...(clockSeconds === null || clockSeconds > patienceWithClock ? ["clock"] : []),
    ...(model.failedSeconds === null ? [] : ["model"]),
    ...late.map(({ name }) => name),
  ];
}
