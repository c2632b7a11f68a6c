import type { Schemas } from "../desk.ts";

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
