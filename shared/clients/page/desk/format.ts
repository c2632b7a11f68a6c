import type { components } from "../../client/api_types.ts";
import { fill, locale, t } from "./texts.ts";

/** Returns what formats in the locale of the desk. It is made again when the desk changes its language. */
function inLocale<Value, Format extends { format(value: Value): string }>(make: (locale: string) => Format) {
  let made: { locale: string; format: Format } | null = null;
  return (value: Value): string => {
    if (made?.locale !== locale) made = { locale, format: make(locale) };
    return made.format.format(value);
  };
}

const dates = (options: Intl.DateTimeFormatOptions) =>
  inLocale<Date, Intl.DateTimeFormat>((locale) => new Intl.DateTimeFormat(locale, options));
const numbers = (options?: Intl.NumberFormatOptions) =>
  inLocale<number, Intl.NumberFormat>((locale) => new Intl.NumberFormat(locale, options));
const decimals = (digits: number) => ({ minimumFractionDigits: digits, maximumFractionDigits: digits });

const moments = dates({ dateStyle: "medium", timeStyle: "short" });
const hours = dates({ timeStyle: "short" });
const days = dates({ day: "numeric", month: "short" });
const daysOfYears = dates({ day: "numeric", month: "short", year: "numeric" });
const utcDays = dates({ day: "numeric", month: "short", timeZone: "UTC" });
const utcDates = dates({ dateStyle: "medium", timeZone: "UTC" });
const bytes = numbers({ style: "unit", unit: "byte", unitDisplay: "long" });
const kilobytes = numbers({ style: "unit", unit: "kilobyte", maximumFractionDigits: 0 });
const megabytes = numbers({ style: "unit", unit: "megabyte", ...decimals(1) });
const shortNumbers = numbers({ notation: "compact", maximumFractionDigits: 1 });

/** Formats a moment with date and time. */
export function formatTime(instant: string): string {
  return moments(new Date(instant));
}

/** Formats a moment in short: the time if it is today, otherwise the day. */
export function formatMoment(instant: string, now = new Date()): string {
  const date = new Date(instant);
  if (isSameDay(date, now)) return hours(date);
  return (date.getFullYear() === now.getFullYear() ? days : daysOfYears)(date);
}

/** Formats a moment of the next hours: the time, and the day where it is not today. */
export function formatEnd(instant: string, now = new Date()): string {
  const date = new Date(instant);
  return (isSameDay(date, now) ? hours : moments)(date);
}

function isSameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString();
}

/** Formats a day such as 2026-12-31 without its year. */
export function formatDay(day: string): string {
  return utcDays(new Date(day));
}

/** Formats such a day with its year. */
export function formatDate(day: string): string {
  return utcDates(new Date(day));
}

/** The time zone in which the expert reads times. */
export function zoneOfBrowser(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  // So browsers name one that they cannot tell, and reckon in UTC.
  return timeZone === "Etc/Unknown" ? "UTC" : timeZone;
}

/** The day of a moment there, such as 2026-12-31. */
export function dayOf(date: Date): string {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}

export const formatNumber = numbers();

/** Formats a large number in a few characters, such as 12K. */
export function formatShort(number: number): string {
  return (number < 10_000 ? formatNumber : shortNumbers)(number);
}

/** Formats a number with two decimals, such as an amount or the score of a match. */
export const formatHundredths = numbers(decimals(2));

/** Formats a share of 0 to 1. */
export const formatShare = numbers({ style: "percent" });

/** Formats a duration in seconds. */
export const formatSeconds = numbers({ style: "unit", unit: "second", unitDisplay: "long", ...decimals(1) });

/** Formats a size in bytes. */
export function formatSize(size: number): string {
  if (size < 1_000) return bytes(size);
  return size < 999_500 ? kilobytes(size / 1_000) : megabytes(size / 1_000_000);
}

/** "a, b and c". */
export const formatList = inLocale<string[], Intl.ListFormat>((locale) =>
  new Intl.ListFormat(locale, { type: "conjunction" })
);

/** "a, b, c". */
export const enumerate = inLocale<string[], Intl.ListFormat>((locale) =>
  new Intl.ListFormat(locale, { type: "unit", style: "short" })
);

/** Returns the name of a language in the language of the desk; a tag that is none stays as it is. */
export function nameLanguage(tag: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** Returns whom an expert talks to: by the name or address of their login, if there is one. */
export function namePerson(
  { person, user_id }: Pick<components["schemas"]["Conversation"], "person" | "user_id">,
): string {
  return person.name ?? person.email ?? formatUser(user_id);
}

/** Returns the name of an expert for the others, or the address of one who has given none. */
export function nameExpert({ user_id, name, email }: components["schemas"]["ExpertName"]): string {
  return name ?? email ?? formatUser(user_id);
}

/** A short name for a user, whose ID says nothing. From the end of the ID: its beginning may be the time. */
export function formatUser(userId: string): string {
  const [, digits] = /^(?:anonymous-)?[0-9a-f]{8}-[0-9a-f-]{23}([0-9a-f]{4})$/i.exec(userId) ?? [];
  if (digits !== undefined) return fill(t.format.person, { digits });
  return userId.length > 24 ? `${userId.slice(0, 23)}…` : userId;
}
