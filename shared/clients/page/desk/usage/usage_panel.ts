import { html, nothing, type PropertyValues } from "lit";
import { type Property, state, styleSheets } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { dayOf, enumerate, formatDay, formatHundredths, formatNumber, formatShort } from "../format.ts";
import { showLoading } from "../parts/show_state.ts";
import { linkTo, type Route } from "../route.ts";
import { Loading } from "../state/work.ts";
import { fill, plural, t } from "../texts.ts";
import { fillDays, periods, readDays, readPeriod, usualPeriod } from "./days.ts";
import { type Series, series } from "./usage_chart.ts";
import type { Topics } from "./topics.ts";
import "./topics.ts";
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
