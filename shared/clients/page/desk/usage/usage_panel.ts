import { css, html, nothing } from "lit";
import { state } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart, deskStyles } from "../desk_part.ts";
import { enumerate, formatDay, formatHour, formatHundredths, formatNumber, formatShort } from "../format.ts";
import { showError } from "../parts/show_error.ts";
import { Loading } from "../state/work.ts";
import { fillDays } from "./fill_days.ts";
import { fill, plural, t } from "../texts.ts";
import { type Series, series } from "./series.ts";
import "./usage_chart.ts";

type Usage = Schemas["CoachUsage"];

/** The panel of the last 30 days: totals, which select what the chart shows, and the same as a table. */
export class UsagePanel extends DeskPart {
  static override styles = [
    deskStyles,
    css`
      .totals {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr));
        gap: 0.75rem;
      }
      .total {
        display: grid;
        place-content: start;
        justify-items: start;
        gap: 0;
        padding: 0.75rem 1rem;
        border-radius: var(--radius);
        text-align: start;
      }
      .total[aria-pressed="true"] {
        border-color: var(--accent);
        box-shadow: inset 0 0 0 1px var(--accent);
      }
      .number {
        font-size: 1.5rem;
        font-weight: 650;
        letter-spacing: -0.02em;
      }
      table {
        inline-size: 100%;
        border-collapse: collapse;
        font-size: 0.875rem;
        font-variant-numeric: tabular-nums;
      }
      th,
      td {
        padding: 0.25rem 0.5rem;
        border-block-end: 1px solid var(--line);
        text-align: end;
        white-space: nowrap;
      }
      th:first-child {
        text-align: start;
      }
      .scroll {
        overflow-x: auto;
      }
    `,
  ];

  #shown = state(this, series[0]!);
  #usage = this.use(
    new Loading<Usage>((signal) => this.desk.client.getUsage(this.desk.coach.id, {}, { signal })),
  );

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#usage.load();
  }

  override render() {
    const { value: usage, error } = this.#usage;
    return html`
      <section class="panel stack" aria-labelledby="title">
        <div class="row spread">
          <h2 id="title">${t.usage.title}</h2>
          <button class="small" ?disabled=${this.#usage.isBusy} @click=${() => this.#usage.load()}>
            ${t.usage.refresh}
          </button>
        </div>
        ${showError(error, () => this.#usage.load())}
        ${usage === null
          ? error === null ? html`<p class="muted" role="status">${t.parts.loading}</p>` : nothing
          : this.#renderUsage(usage)}
      </section>
    `;
  }

  #renderUsage(usage: Usage) {
    const days = fillDays(usage);
    return html`
      <div class="totals" role="group" aria-label=${t.usage.shown}>
        ${series.map((one) => this.#renderTotal(one, usage.totals))}
      </div>
      <human-desk-usage-chart .days=${days} .totals=${usage.totals} .series=${this.#shown
        .value}></human-desk-usage-chart>
      ${usage.totals.turns === 0 ? html`<p class="muted">${t.usage.empty}</p>` : renderCost(usage.totals)}
      <details>
        <summary>${t.usage.showTable}</summary>
        <div class="scroll" tabindex="0" role="region" aria-label=${t.usage.table}>${renderTable(days)}</div>
      </details>
      <p class="small muted">${fill(t.usage.daysHint, { time: formatHour(`${days[0]!.day}T00:00Z`) })}</p>
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
