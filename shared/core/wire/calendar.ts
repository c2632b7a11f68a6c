import * as z from "zod/mini";

const zoneError = "time_zone must be the name of a time zone, such as Europe/Berlin";

/** A time zone, by its IANA name. Offsets such as +02:00 have no daylight saving time. */
export function timeZoneField(description: string) {
  return z.optional(z.string(zoneError).check(z.maxLength(100, zoneError), z.refine(isTimeZone, zoneError))).check(
    z.describe(`${description}, by its IANA name, such as \`Europe/Berlin\``),
  );
}

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The time zone of the days that a request names and its reply tells of. */
export const zoneOfDays = timeZoneField("The time zone in which days begin and end (by default, UTC)");

/** A day, or an instant in any time zone. */
export function timeField(name: string, description: string) {
  const error = `${name} must be a day such as 2026-12-31 or a time such as 2026-12-31T23:59:59Z`;
  return z.optional(z.union([z.iso.date(), z.iso.datetime({ offset: true })], error)).check(z.describe(description));
}

/** The milliseconds of a day on which no clock is changed. */
export const dayLength = 86_400_000;

/** The day that is some days after another one. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayLength).toISOString().slice(0, 10);
}

/** The days of a time zone. */
export function calendarOf(timeZone = "UTC") {
  // Swedes write times as ISO 8601 has them, but for years of less or more than four digits.
  const clock = new Intl.DateTimeFormat("sv", { dateStyle: "short", timeStyle: "medium", timeZone });
  // Its clocks are so much ahead of UTC.
  const offsetAt = (time: number) => {
    const offset = Date.parse(`${clock.format(time)}Z`) - Math.floor(time / 1_000) * 1_000;
    return Math.abs(offset) < dayLength ? offset : 0;
  };
  // The clocks may be changed between the two, or go forward at midnight, which is left out then.
  const midnightOf = (day: number) => {
    const near = day - offsetAt(day);
    const midnight = day - offsetAt(near);
    return midnight + offsetAt(midnight) < day ? near : midnight;
  };
  return {
    /** The day at a moment. */
    dayOf: (time: number): string => new Date(time + offsetAt(time)).toISOString().slice(0, 10),
    /** The moment at which a day begins; that of a time is the time itself. */
    startOf: (time: string): number => time.includes("T") ? Date.parse(time) : midnightOf(Date.parse(time)),
    /** The moment that follows a day, or a time to the millisecond, as times in replies are rounded. */
    endOf: (time: string): number =>
      time.includes("T") ? Date.parse(time) + 1 : midnightOf(Date.parse(time) + dayLength),
    /** The midnights with which days begin, from a day on, and with which the last one ends. */
    midnightsFrom: (day: string, days: number): string[] =>
      Array.from(
        { length: days + 1 },
        (_, later) => new Date(midnightOf(Date.parse(day) + later * dayLength)).toISOString(),
      ),
  };
}

const first = Date.parse("0001-01-01T00:00:00Z");
const last = Date.parse("9999-12-31T23:59:59.999Z");

/** The nearest time whose year has four digits, as Postgres requires. */
export function within(time: number): string {
  return new Date(Math.min(Math.max(time, first), last)).toISOString();
}
