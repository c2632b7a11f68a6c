/** The longest time that a server is believed, in seconds. */
const longest = 86_400;

/** The seconds that the header Retry-After asks to wait, at most a day; null if it is missing or cannot be read. */
export function readRetryAfter(value: string | null, now: number): number | null {
  const text = value?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text), longest);
  const date = /[a-z]/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? null : Math.min(Math.max(0, Math.ceil((date - now) / 1_000)), longest);
}
