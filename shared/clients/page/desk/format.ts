import type { components } from "../../client/api_types.ts";
import { fill, locale, t } from "./texts.ts";

const moments = inLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }));
const hours = inLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle: "short" }));
const days = inLocale((locale) => new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" }));
const utcDays = inLocale((locale) =>
  new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" })
);
const utcDates = inLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }));
const daysOfYears = inLocale((locale) =>
  new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" })
);
const languageNames = inLocale((locale) => new Intl.DisplayNames(locale, { type: "language" }));
const numbers = inLocale((locale) => new Intl.NumberFormat(locale));
const shortNumbers = inLocale((locale) =>
  new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 })
);
const hundredths = inLocale((locale) =>
  new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
);
const percents = inLocale((locale) => new Intl.NumberFormat(locale, { style: "percent" }));
const seconds = inLocale((locale) =>
  new Intl.NumberFormat(locale, {
    ...{ style: "unit", unit: "second", unitDisplay: "long" },
    ...{ minimumFractionDigits: 1, maximumFractionDigits: 1 },
  })
);
const bytes = inLocale((locale) => new Intl.NumberFormat(locale, { style: "unit", unit: "byte", unitDisplay: "long" }));
const kilobytes = inLocale((locale) =>
  new Intl.NumberFormat(locale, { style: "unit", unit: "kilobyte", maximumFractionDigits: 0 })
);
const megabytes = inLocale((locale) =>
  new Intl.NumberFormat(locale, {
    ...{ style: "unit", unit: "megabyte" },
    ...{ minimumFractionDigits: 1, maximumFractionDigits: 1 },
  })
);
const lists = inLocale((locale) => new Intl.ListFormat(locale, { type: "conjunction" }));
const enumerations = inLocale((locale) => new Intl.ListFormat(locale, { type: "unit", style: "short" }));

/** Returns what belongs to the locale of the desk. It is made again when the desk changes its language. */
function inLocale<Made>(make: (locale: string) => Made): () => Made {
  let made: { locale: string; value: Made } | null = null;
  return () => {
    if (made?.locale !== locale) made = { locale, value: make(locale) };
    return made.value;
  };
}

/** Formats a moment with date and time. */
export function formatTime(instant: string): string {
  return moments().format(new Date(instant));
}

/** Formats a moment in short: the time if it is today, otherwise the day. */
export function formatMoment(instant: string, now = new Date()): string {
  const date = new Date(instant);
  if (isSameDay(date, now)) return hours().format(date);
  return (date.getFullYear() === now.getFullYear() ? days : daysOfYears)().format(date);
}

/** Formats a moment of the next hours: the time, and the day where it is not today. */
export function formatEnd(instant: string, now = new Date()): string {
  const date = new Date(instant);
  return (isSameDay(date, now) ? hours() : moments()).format(date);
}

function isSameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString();
}

/** Formats a day such as 2026-12-31 without its year. */
export function formatDay(day: string): string {
  return utcDays().format(new Date(day));
}

/** Formats such a day with its year. */
export function formatDate(day: string): string {
  return utcDates().format(new Date(day));
}

/** The time zone in which the expert reads times. */
export function zoneOfBrowser(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  // So browsers name one that they cannot tell, and reckon in UTC.
  return timeZone === "Etc/Unknown" ? "UTC" : timeZone;
}

/** The day of a moment there, such as 2026-12-31. */
export function dayOf(date: Date): string {
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join(
    "-",
  );
}

export function formatNumber(number: number): string {
  return numbers().format(number);
}

/** Formats a large number in a few characters, such as 12K. */
export function formatShort(number: number): string {
  return (number < 10_000 ? numbers : shortNumbers)().format(number);
}

/** Formats a number with two decimals, such as an amount or the score of a match. */
export function formatHundredths(number: number): string {
  return hundredths().format(number);
}

/** Formats a share of 0 to 1. */
export function formatShare(share: number): string {
  return percents().format(share);
}

/** Formats a duration in seconds. */
export function formatSeconds(number: number): string {
  return seconds().format(number);
}

/** Formats a size in bytes. */
export function formatSize(size: number): string {
  if (size < 1_000) return bytes().format(size);
  return size < 999_500 ? kilobytes().format(size / 1_000) : megabytes().format(size / 1_000_000);
}

/** "a, b and c". */
export function formatList(texts: string[]): string {
  return lists().format(texts);
}

/** "a, b, c". */
export function enumerate(texts: string[]): string {
  return enumerations().format(texts);
}

/** Returns the name of a language in the language of the desk; a tag that is none stays as it is. */
export function nameLanguage(tag: string): string {
  try {
    return languageNames().of(tag) ?? tag;
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

/**
 * Returns a short name for a user, because an ID says nothing about a person. It is made from the end of the ID, since the
 * beginning may be the time.
 */
export function formatUser(userId: string): string {
  const [, digits] = /^(?:anonymous-)?[0-9a-f]{8}-[0-9a-f-]{23}([0-9a-f]{4})$/i.exec(userId) ?? [];
  if (digits !== undefined) return fill(t.format.person, { digits });
  return userId.length > 24 ? `${userId.slice(0, 23)}…` : userId;
}
