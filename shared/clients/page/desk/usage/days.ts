import { dayOf, zoneOfBrowser } from "../format.ts";
import type { Schemas } from "../desk.ts";

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

/** The same as the service takes them. */
export function readPeriod(filters: URLSearchParams): { from: string; to: string; time_zone: string } {
  const { first, last } = readDays(filters);
  return { from: dayOf(first), to: dayOf(last), time_zone: zoneOfBrowser() };
}

/** A day such as 2026-12-31 of the time zone of the browser; null if a text is none. */
function readDay(text: string | null): Date | null {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const day = new Date(`${text}T00:00`);
  return Number.isNaN(day.getTime()) ? null : day;
}

type UsageOfDay = Schemas["UsageOfDay"];

const day = 86_400_000;

/** Returns every day from the first to the last, also days without usage. */
export function fillDays({ from, to, data }: Pick<Schemas["CoachUsage"], "from" | "to" | "data">): UsageOfDay[] {
  const known = new Map(data.map((entry) => [entry.day, entry]));
  const days: UsageOfDay[] = [];
  for (let time = Date.parse(from); time <= Date.parse(to); time += day) {
    const name = new Date(time).toISOString().slice(0, 10);
    days.push(known.get(name) ?? { ...nothing, day: name });
  }
  return days;
}

const nothing = {
  cached_tokens: 0,
  cost_micro_usd: 0,
  estimated_turns: 0,
  feedback_down: 0,
  feedback_up: 0,
  input_tokens: 0,
  output_tokens: 0,
  people: 0,
  questions_opened: 0,
  reasoning_tokens: 0,
  turns: 0,
  unpriced_turns: 0,
};
