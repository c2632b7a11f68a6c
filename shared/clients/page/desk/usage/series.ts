import type { Schemas } from "../desk.ts";
import { formatNumber } from "../format.ts";
import { plural, t } from "../texts.ts";

/** A count, by its name in the API. */
export type Count = Exclude<keyof Schemas["UsageOfDay"], "day">;

/** A count with its words. */
export type Counted = {
  count: Count;
  /** Returns its name. */
  name: () => string;
  /** Returns its name with a number, written in the given way. */
  say: (number: number, format?: (number: number) => string) => string;
};

/** One or two counts that are shown together. */
export type Series = {
  title: () => string;
  /** Returns what follows the number of the first count, which stands alone above it. */
  unit: (number: number) => string;
  counts: [Counted, Counted?];
};

const answers: Counted = {
  count: "turns",
  name: () => t.usage.answersName,
  say: (number, format = formatNumber) => plural(t.usage.answersCount, number, { number: format(number) }),
};
const people: Counted = {
  count: "people",
  name: () => t.usage.peopleName,
  say: (number, format = formatNumber) => plural(t.usage.peopleCount, number, { number: format(number) }),
};
const opened: Counted = {
  count: "questions_opened",
  name: () => t.usage.openedName,
  say: (number, format = formatNumber) => plural(t.usage.openedCount, number, { number: format(number) }),
};
const up: Counted = {
  count: "feedback_up",
  name: () => t.usage.upName,
  say: (number, format = formatNumber) => plural(t.usage.upCount, number, { number: format(number) }),
};
const down: Counted = {
  count: "feedback_down",
  name: () => t.usage.downName,
  say: (number, format = formatNumber) => plural(t.usage.downCount, number, { number: format(number) }),
};
/** What the chart can show. */
export const series: Series[] = [
  {
    title: () => t.usage.answers,
    unit: (number) => plural(t.usage.answersUnit, number),
    counts: [answers, people],
  },
  {
    title: () => t.usage.questions,
    unit: (number) => plural(t.usage.openedUnit, number),
    counts: [opened],
  },
  { title: () => t.usage.thumbs, unit: (number) => plural(t.usage.upUnit, number), counts: [up, down] },
];
