import { keep } from "../../connection.ts";

/** The last look at the overview, and the visit before it, as instants. */
type Visits = { seen: string; before: string | null };

/** The pause, in milliseconds, after which looking again is another visit. */
const pause = 30 * 60_000;

/**
 * Notes that the expert looks at the overview, and returns when they were here before. Null on the first visit in this
 * browser. Looking again within half an hour, or reloading, belongs to the same visit.
 */
export function noteVisit(coachId: string, now = new Date()): string | null {
  const kept = keep<Visits>(`human-desk visit ${coachId}`, "browser");
  const visits = kept.load();
  const isAnother = visits !== null && now.getTime() - Date.parse(visits.seen) > pause;
  const before = isAnother ? visits.seen : visits?.before ?? null;
  kept.save({ seen: now.toISOString(), before });
  return before;
}
