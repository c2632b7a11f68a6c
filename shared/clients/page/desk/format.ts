const moments = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const hours = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const days = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const utcDays = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
const daysOfYears = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const numbers = new Intl.NumberFormat();
const shortNumbers = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });

/** Formats a moment with date and time. */
export function formatTime(instant: string): string {
  return moments.format(new Date(instant));
}

/** Formats a moment in short: the time if it is today, otherwise the day. */
export function formatMoment(instant: string, now = new Date()): string {
  const date = new Date(instant);
  if (date.toDateString() === now.toDateString()) return hours.format(date);
  return (date.getFullYear() === now.getFullYear() ? days : daysOfYears).format(date);
}

/** Formats a day of UTC, such as 2026-12-31, without its year. */
export function formatDay(day: string): string {
  return utcDays.format(new Date(day));
}

export function formatNumber(number: number): string {
  return numbers.format(number);
}

/** Formats a large number in a few characters, such as 12K. */
export function formatShort(number: number): string {
  return number < 10_000 ? numbers.format(number) : shortNumbers.format(number);
}

/** Formats the score of a match. */
export function formatScore(score: number): string {
  return score.toFixed(2);
}

/** "once", "3 times". */
export function times(number: number): string {
  return number === 1 ? "once" : count(number, "time");
}

/** "1 person", "3 people". */
export function count(number: number, one: string, several = `${one}s`): string {
  return `${formatNumber(number)} ${number === 1 ? one : several}`;
}

/** Formats a size in bytes. */
export function formatSize(bytes: number): string {
  if (bytes < 1_000) return count(bytes, "byte");
  const kilobytes = bytes / 1_000;
  return kilobytes < 1_000 ? `${Math.round(kilobytes)} KB` : `${(kilobytes / 1_000).toFixed(1)} MB`;
}

/**
 * Returns a short name for a user, because an ID says nothing about a person. It is made from the end of the ID, since the
 * beginning may be the time.
 */
export function formatUser(userId: string): string {
  const [, digits] = /^(?:anonymous-)?[0-9a-f]{8}-[0-9a-f-]{23}([0-9a-f]{4})$/i.exec(userId) ?? [];
  if (digits !== undefined) return `Person ${digits}`;
  return userId.length > 24 ? `${userId.slice(0, 23)}…` : userId;
}
