import { css, html, nothing } from "lit";
import { state } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart, deskStyles } from "../desk_part.ts";
import { formatDay, formatNumber, formatShort } from "../format.ts";
import { showError } from "../parts/show_error.ts";
import { Loading } from "../state/work.ts";
import { fillDays } from "./fill_days.ts";
import type { Series } from "./usage_chart.ts";
import "./usage_chart.ts";

type Usage = Schemas["CoachUsage"];

const series: Series[] = [
  {
    title: "Answers",
    counts: [{ count: "turns", names: ["answer", "answers"] }, { count: "people", names: ["person", "people"] }],
  },
  { title: "Questions", counts: [{ count: "questions_opened", names: ["opened", "opened"] }] },
  {
    title: "Thumbs",
    counts: [{ count: "feedback_up", names: ["up", "up"] }, { count: "feedback_down", names: ["down", "down"] }],
  },
  {
    title: "Tokens",
    counts: [{ count: "input_tokens", names: ["read", "read"] }, {
      count: "output_tokens",
      names: ["written", "written"],
    }],
  },
];

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
          <h2 id="title">The last 30 days</h2>
          <button class="small" ?disabled=${this.#usage.isBusy} @click=${() => this.#usage.load()}>Refresh</button>
        </div>
        ${showError(error, () => this.#usage.load())}
        ${usage === null
          ? error === null ? html`<p class="muted" role="status">Loading…</p>` : nothing
          : this.#renderUsage(usage)}
      </section>
    `;
  }

  #renderUsage(usage: Usage) {
    const days = fillDays(usage);
    return html`
      <div class="totals" role="group" aria-label="What the chart shows">
        ${series.map((one) => this.#renderTotal(one, usage.totals))}
      </div>
      <human-desk-usage-chart .days=${days} .totals=${usage.totals} .series=${this.#shown
        .value}></human-desk-usage-chart>
      ${usage.totals.turns === 0
        ? html`<p class="muted">Nobody has asked anything in this period. Usage is counted here automatically.</p>`
        : renderTokens(usage.totals)}
      <details>
        <summary>Show as a table</summary>
        <div class="scroll" tabindex="0" role="region" aria-label="Usage by day">${renderTable(days)}</div>
      </details>
      <p class="small muted">Days are in UTC. The total counts each person once.</p>
    `;
  }

  #renderTotal(one: Series, totals: Usage["totals"]) {
    const [first, second] = one.counts;
    const nameOf = ({ count, names: [one, several] }: Series["counts"][number]) => totals[count] === 1 ? one : several;
    return html`
      <button class="total" aria-pressed=${one === this.#shown.value} @click=${() => this.#shown.value = one}>
        <span class="small muted">${one.title}</span>
        <span class="number">${formatShort(totals[first!.count])}</span>
        <span class="small muted">${nameOf(first!)}${second &&
          `, ${formatShort(totals[second.count])} ${nameOf(second)}`}</span>
      </button>
    `;
  }
}

/** The tokens by kind, and what they cost. */
function renderTokens(totals: Usage["totals"]) {
  const { cached_tokens, reasoning_tokens, estimated_turns, cost_micro_usd, unpriced_turns } = totals;
  const answers = (count: number) => `${formatNumber(count)} ${count === 1 ? "answer" : "answers"}`;
  const usd = (cost_micro_usd / 1_000_000).toFixed(2);
  const sentences = [
    `Tokens read: ${formatNumber(totals.input_tokens)}, of which ${formatNumber(cached_tokens)} from the cache.`,
    `Tokens written: ${formatNumber(totals.output_tokens)}, of which ${formatNumber(reasoning_tokens)} for thinking.`,
    estimated_turns > 0 ? `Estimated in part: ${answers(estimated_turns)}.` : "",
    unpriced_turns === 0
      ? `Cost: ${usd} USD.`
      : cost_micro_usd === 0
      ? "Cost: not known."
      : `Cost: ${usd} USD, without ${answers(unpriced_turns)} of unknown cost.`,
  ];
  return html`<p class="small muted">${sentences.filter((sentence) => sentence !== "").join(" ")}</p>`;
}

function renderTable(days: Schemas["UsageOfDay"][]) {
  const counts = series.flatMap(({ title, counts }) =>
    counts.map(({ count, names: [, name] }) => ({ count, title: title === "Answers" ? name : `${title} ${name}` }))
  );
  return html`
    <table>
      <thead>
        <tr><th scope="col">Day</th>${counts.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr>
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
