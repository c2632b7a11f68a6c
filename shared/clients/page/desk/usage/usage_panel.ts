import { html, nothing, type PropertyValues, svg } from "lit";
import type { Plural } from "../../texts/texts.ts";
import { type Property, state, styleSheets } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { dayOf, enumerate, formatDay, formatHundredths, formatNumber, formatShort } from "../format.ts";
import { showLoading } from "../parts/show_state.ts";
import { linkTo, type Route } from "../route.ts";
import { Loading } from "../state/work.ts";
import { fill, plural, t } from "../texts.ts";
import { fillDays, periods, readDays, readPeriod, usualPeriod } from "./days.ts";
import type { Topics } from "./topics.ts";
import "./topics.ts";
import chartStyles from "./usage_chart.css" with { type: "text" };
import styles from "./usage_panel.css" with { type: "text" };

type Usage = Schemas["CoachUsage"];

/** The panel of a period: what people asked, and the numbers, as a picture and as a table. */
export class UsagePanel extends DeskPart.with({ route: {} as Property<Route> }) {
  static override styles = styleSheets(styles);

  #shown = state(this, series[0]!);
  #usage = this.use(
    new Loading((options) => this.client.getUsage(this.coachId, readPeriod(this.route.filters), options)),
  );

  override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("route");
    if (changed.has("desk") || changed.has("route") && before?.filters.toString() !== this.route.filters.toString()) {
      void this.#usage.load();
    }
  }

  override render() {
    return html`
      <section class="panel stack" aria-labelledby="title">
        <div class="row spread">
          <h2 id="title">${t.topics.title}</h2>
          <button class="small" ?disabled=${this.#usage.isBusy} @click=${this.#refresh}>${t.usage.refresh}</button>
        </div>
        ${this.#renderPeriod()}
        <human-desk-topics .desk=${this.desk} .route=${this.route}></human-desk-topics>
        ${this.route.id !== null ? nothing : html`
          <h3>${t.topics.numbers}</h3>
          ${showLoading(this.#usage, (usage) => this.#renderUsage(usage))}
        `}
      </section>
    `;
  }

  #renderPeriod() {
    const { filters } = this.route;
    const isOwn = filters.has("from") || filters.has("to");
    const days = Number(filters.get("days")) || usualPeriod;
    const choose = (wanted: Record<string, string>) =>
      location.hash = linkTo("usage", this.route.id, Object.entries(wanted));
    const { first, last } = readDays(filters);
    const own = { from: dayOf(first), to: dayOf(last) };
    const day = (name: keyof typeof own, label: string) =>
      html`<label class="small">${label}
        <input type="date" .value=${own[name]} @change=${({ target }: Event) =>
        choose({ ...own, [name]: (target as HTMLInputElement).value })}></label>`;
    return html`
      <div class="stack tight" role="group" aria-label=${t.topics.period}>
        <div class="row">
        ${periods.map((period) =>
          html`
            <button class="small toggle" aria-pressed=${!isOwn && period === days}
              @click=${() => choose({ days: String(period) })}>${plural(t.topics.days, period)}</button>
          `
        )}
        </div>
        <div class="row">${day("from", t.conversations.from)} ${day("to", t.conversations.to)}</div>
      </div>
    `;
  }

  #refresh = (): void => {
    void this.#usage.load();
    this.renderRoot.querySelector<Topics>("human-desk-topics")?.refresh();
  };

  #renderUsage(usage: Usage) {
    const days = fillDays(usage);
    return html`
      <div class="totals" role="group" aria-label=${t.usage.shown}>
        ${series.map((one) => this.#renderTotal(one, usage.totals))}
      </div>
      <human-desk-usage-chart .days=${days} .totals=${usage.totals} .series=${this.#shown
        .value}></human-desk-usage-chart>
      ${usage.totals.turns === 0 ? html`<p class="muted">${t.usage.empty}</p>` : nothing}
      <details>
        <summary>${t.usage.showTable}</summary>
        <div class="scroll" tabindex="0" role="region" aria-label=${t.usage.table}>${renderTable(days)}</div>
      </details>
      ${this.isOwner && usage.totals.turns > 0
        ? html`<details><summary>${t.topics.costs}</summary>${renderCost(usage.totals)}</details>`
        : nothing}
      <p class="small muted">${t.usage.daysHint}</p>
    `;
  }

  #renderTotal(one: Series, totals: Usage["totals"]) {
    const [first, second] = one.counts;
    const number = totals[first.count];
    const words = [one.unit(number), ...second ? [second.say(totals[second.count], formatShort)] : []];
    return html`
      <button class="total" aria-pressed=${one === this.#shown.value} @click=${() => this.#shown.value = one}>
        <span class="small muted">${one.title()}</span>
        <span class="number">${formatShort(number)}</span>
        <span class="small muted">${enumerate(words)}</span>
      </button>
    `;
  }
}

/** What the answers cost, as far as that is known. */
function renderCost({ estimated_turns, cost_micro_usd, unpriced_turns }: Usage["totals"]) {
  const cost = formatHundredths(cost_micro_usd / 1_000_000);
  const sentences = [
    estimated_turns > 0 ? plural(t.usage.estimated, estimated_turns) : "",
    unpriced_turns === 0
      ? fill(t.usage.cost, { cost })
      : cost_micro_usd === 0
      ? t.usage.costUnknown
      : plural(t.usage.costWithout, unpriced_turns, { cost }),
  ];
  return html`<p class="small muted">${sentences.filter((sentence) => sentence !== "").join(" ")}</p>`;
}

function renderTable(days: Schemas["UsageOfDay"][]) {
  const counts = series.flatMap(({ counts }) => counts).filter((counted) => counted !== undefined);
  return html`
    <table>
      <thead>
        <tr><th scope="col">${t.usage.day}</th>${counts.map(({ name }) => html`<th scope="col">${name()}</th>`)}</tr>
      </thead>
      <tbody>
        ${days.map((day) =>
          html`
            <tr><th scope="row">${formatDay(day.day)}</th>${counts.map(({ count }) =>
              html`<td>${formatNumber(day[count])}</td>`
            )}</tr>
          `
        )}
      </tbody>
    </table>
  `;
}

customElements.define("human-desk-usage", UsagePanel);

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
type Series = {
  title: () => string;
  /** Returns what follows the number of the first count, which stands alone above it. */
  unit: (number: number) => string;
  counts: [Counted, Counted?];
};

function counted(count: Count, name: () => string, words: () => Plural): Counted {
  return { count, name, say: (number, format = formatNumber) => plural(words(), number, { number: format(number) }) };
}

/** What the chart can show. */
const series: Series[] = [
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
  static override styles = styleSheets(chartStyles);

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
