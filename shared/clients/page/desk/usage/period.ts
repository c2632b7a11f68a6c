/** The periods that one can choose, in days. */
export const periods = [7, 30, 90] as const;
export const usualPeriod = 30;

/** The days that the filters of a place name, in the time zone of the browser: the last ones, or any two. */
export function readDays(filters: URLSearchParams, now = new Date()): { first: Date; last: Date } {
  const [from, to] = [readDay(filters.get("from")), readDay(filters.get("to"))];
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const days = Number(filters.get("days")) || usualPeriod;
  const last = to ?? today;
  const first = from ?? new Date(last.getFullYear(), last.getMonth(), last.getDate() - days + 1);
  return first <= last ? { first, last } : { first: last, last: first };
}

/** The same as moments: from the first midnight to the end of the last day. */
export function readPeriod(filters: URLSearchParams): { from: string; to: string } {
  const { first, last } = readDays(filters);
  const end = new Date(last.getFullYear(), last.getMonth(), last.getDate() + 1);
  return { from: first.toISOString(), to: new Date(end.getTime() - 1).toISOString() };
}

/** A day such as 2026-12-31 of the time zone of the browser; null if a text is none. */
function readDay(text: string | null): Date | null {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const day = new Date(`${text}T00:00`);
  return Number.isNaN(day.getTime()) ? null : day;
}

/** Writes a day of the time zone of the browser, such as 2026-12-31. */
export function writeDay(day: Date): string {
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}
