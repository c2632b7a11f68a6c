import { html, nothing, svg } from "lit";
import type { Plural } from "../../texts/texts.ts";
import { type Property, state, styleSheets } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { enumerate, formatDay, formatNumber, formatShort } from "../format.ts";
import { fill, plural, t } from "../texts.ts";
import styles from "./usage_chart.css" with { type: "text" };

/** A count, by its name in the API. */
type Count = Exclude<keyof Schemas["UsageOfDay"], "day">;

/** A count with its words. */
type Counted = {
  count: Count;
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

function counted(count: Count, name: () => string, words: () => Plural): Counted {
  return { count, name, say: (number, format = formatNumber) => plural(words(), number, { number: format(number) }) };
}

/** What the chart can show. */
export const series: Series[] = [
  {
    title: () => t.usage.answers,
    unit: (number) => plural(t.usage.answersUnit, number),
    counts: [
      counted("turns", () => t.usage.answersName, () => t.usage.answersCount),
      counted("people", () => t.usage.peopleName, () => t.usage.peopleCount),
    ],
  },
  {
    title: () => t.usage.questions,
    unit: (number) => plural(t.usage.openedUnit, number),
    counts: [counted("questions_opened", () => t.usage.openedName, () => t.usage.openedCount)],
  },
  {
    title: () => t.usage.thumbs,
    unit: (number) => plural(t.usage.upUnit, number),
    counts: [
      counted("feedback_up", () => t.usage.upName, () => t.usage.upCount),
      counted("feedback_down", () => t.usage.downName, () => t.usage.downCount),
    ],
  },
];

/** The units of the chart: a day is ten wide, and the axis a hundred high. */
const dayWidth = 10;
const height = 100;

/** A chart with one or two bars for each day. Pointing at a day shows its numbers. */
export class UsageChart extends DeskPart.with({
  days: {} as Property<Schemas["UsageOfDay"][]>,
  /** Not the sums of the days: a person who asks on several days is counted once. */
  totals: {} as Property<Schemas["CoachUsage"]["totals"]>,
  series: {} as Property<Series>,
}) {
  static override styles = styleSheets(styles);

  #pointed = state<number | null>(this, null);

  get #counts() {
    return this.series.counts.filter((counted) => counted !== undefined);
  }

  override render() {
    const { days, series: { title } } = this;
    const top = roundUp(Math.max(...days.flatMap((day) => this.#counts.map(({ count }) => day[count]))));
    return html`
      <figure>
        <figcaption class="row spread small">
          <span class="row">${this.#counts.map(({ name }, index) =>
            html`<span class="key ${index === 1 ? "other" : ""}">${name()}</span>`
          )}</span>
          <span class="muted">${this.#describePointed()}</span>
        </figcaption>
        <div class="scale small muted" aria-hidden="true">
          <span>${formatShort(top)}</span><span>${formatShort(top / 2)}</span><span>${formatNumber(0)}</span>
        </div>
        <svg viewBox="0 0 ${days.length * dayWidth} ${height}" preserveAspectRatio="none" role="img"
          aria-label=${fill(t.usage.picture, {
            title: title(),
            counts: enumerate(this.#say(this.totals)),
          })} @pointerleave=${() => this.#pointed.value = null}>
          ${[0, height / 2, height].map((y) => svg`<line x1="0" x2=${days.length * dayWidth} y1=${y} y2=${y}></line>`)}
          ${days.map((_, index) => this.#renderDay(index, top))}
        </svg>
        <div class="days small muted" aria-hidden="true">
          ${[0, 1, 2].map((third) => days[Math.round(third * (days.length - 1) / 2)])
            .map((day) => day ? html`<span>${formatDay(day.day)}</span>` : nothing)}
        </div>
      </figure>
    `;
  }

  #renderDay(index: number, top: number) {
    const counts = this.#counts;
    const width = 7 / counts.length;
    return svg`
      <rect class="day" x=${index * dayWidth} y="0" width=${dayWidth} height=${height}
        @pointerenter=${() => this.#pointed.value = index}></rect>
      ${counts.map(({ count }, place) => {
        const bar = this.days[index]![count] / top * height;
        return svg`
          <rect class=${place === 0 ? "first" : "second"} pointer-events="none"
            x=${index * dayWidth + 1.5 + place * width} y=${height - bar} width=${width} height=${bar}></rect>
        `;
      })}
    `;
  }

  #describePointed(): string {
    const pointed = this.#pointed.value;
    const day = pointed === null ? undefined : this.days[pointed];
    if (day === undefined) return "";
    return [formatDay(day.day), ...this.#say(day)].join(" · ");
  }

  /** Describes the counts of a day, or of all days. */
  #say(counted: Record<Count, number>): string[] {
    return this.#counts.map(({ count, say }) => say(counted[count]));
  }
}

/** Returns the end of the axis: an even number that is easy to read. */
function roundUp(number: number): number {
  if (number <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(number));
  return [1, 2, 4, 6, 8, 10].map((step) => step * power).find((end) => end >= number)!;
}

customElements.define("human-desk-usage-chart", UsageChart);
