import type { Status } from "./read_status.ts";

/** The clock ticks each minute. */
const patienceWithClock = 5 * 60;

/** Long backlogs are no trouble while something works on them, but what waits in turn seldom waits as long. */
const patienceWithQueue = 60 * 60;

/**
 * What of a service does not work: `clock`, `model`, or a queue by its name. Mails that wait are no trouble, since a
 * deployment may have no mail server.
 */
export function findTroubles({ clockSeconds, model, queues }: Status): string[] {
  const late = queues.filter(({ name, seconds }) => name !== "mails" && (seconds ?? 0) > patienceWithQueue);
  return [
    ...(clockSeconds === null || clockSeconds > patienceWithClock ? ["clock"] : []),
    ...(model.failedSeconds === null ? [] : ["model"]),
    ...late.map(({ name }) => name),
  ];
}
