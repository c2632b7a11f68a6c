/**
 * A sentence about today's date for the model, in a person's time zone; in UTC if the zone is not known. It has no time of
 * day: for the rest of the day, a model's server finds the same instructions in its cache.
 */
export function describeToday(timeZone = "UTC", now: Date = new Date()): string {
  const date = formatDate(timeZone, now);
  return date === null ? describeToday("UTC", now) : `Today is ${date}, in the time zone ${timeZone}.`;
}

function formatDate(timeZone: string, now: Date): string | null {
  try {
    return now.toLocaleDateString("en", { dateStyle: "full", timeZone });
  } catch {
    return null;
  }
}
