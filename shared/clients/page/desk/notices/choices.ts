import { languages } from "../../ui/language.ts";

/** A Monday at midnight. */
const monday = Date.UTC(2024, 0, 1);
const hour = 3_600_000;

/** The names of the days of the week, Monday first. */
export function namesOfWeekdays(locale: string): string[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" });
  return Array.from({ length: 7 }, (_, day) => format.format(monday + day * 24 * hour));
}

/** The hours of a day, from midnight on, as the locale writes them. */
export function hoursOfDay(locale: string): string[] {
  const format = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone: "UTC" });
  return Array.from({ length: 24 }, (_, place) => format.format(monday + place * hour));
}

/** The languages of the pages and mails, each by its own name. */
export function languagesByName(): { value: string; name: string }[] {
  return languages.map((value) => ({
    value,
    name: new Intl.DisplayNames(value, { type: "language" }).of(value) ?? value,
  }));
}
