import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { ServiceError } from "../../../client/service_error.ts";
import { type Fields, type Property } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { enumerate, formatNumber, formatTime } from "../format.ts";
import { icons } from "../icons.ts";
import { showError } from "../parts/show_error.ts";
import { linkTo } from "../route.ts";
import { Polling } from "../state/polling.ts";
import { Action, Loading } from "../state/work.ts";
import { mayEdit } from "../team/roles.ts";
import { fill, plural, t } from "../texts.ts";
import { type ResultGroup, sortResults } from "./sort_results.ts";
import { linkToRun } from "./test_runs.ts";
import "./test_result.ts";

type Run = Schemas["TestRun"];

/** Between two requests for the progress. */
const pauses = { first: 1_000, longest: 10_000, factor: 1.25 };

const titles: Record<ResultGroup["kind"], () => string> = {
  newly_failing: () => t.tests.newlyFailing,
  newly_passing: () => t.tests.newlyPassing,
  failed: () => t.tests.failedTitle,
  not_judged: () => t.tests.notJudgedTitle,
  passed: () => t.tests.passedTitle,
};

/** One run of tests: its progress and its results, with what newly fails on top. */
export class DeskTestRun extends DeskPart {
  static override properties = {
    /** Never changes: each run has an element of its own. */
    runId: {} as Property<string>,
  };

  #run = this.use(
    new Loading<Run>((signal) => this.desk.client.getTestRun(this.desk.coach.id, this.runId, { signal })),
  );
  #action = this.use(new Action());

  constructor() {
    super();
    const isAwaited = () => this.#run.value !== null && isUnderWay(this.#run.value) && !this.#run.isBusy;
    new Polling(this, pauses, isAwaited, () => void this.#run.load());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#run.load();
  }

  override render() {
    const { value: run, error } = this.#run;
    const isGone = error instanceof ServiceError && error.status === 404;
    return html`
      <section class="panel stack" aria-labelledby="title">
        <p><a class="back row" href=${linkTo("tests", "runs")}>${icons.back} ${t.tests.runs}</a></p>
        ${isGone ? html`<h2 id="title">${t.tests.runGone}</h2>` : showError(error, () => this.#run.load())}
        ${run === null
          ? error === null ? html`<p class="muted" role="status">${t.parts.loading}</p>` : nothing
          : this.#renderRun(run)}
      </section>
    `;
  }

  #renderRun(run: Run) {
    const groups = sortResults(run);
    return html`
      <div class="stack tight">
        <h2 id="title">${fill(t.tests.runOf, { time: formatTime(run.created_at) })}</h2>
        ${run.is_draft ? html`<p><span class="tag person">${t.persona.ofDraft}</span></p>` : nothing}
        <p role="status">${describeRun(run)}</p>
        ${isUnderWay(run) ? this.#renderProgress(run) : this.#renderAgain(run)}
        ${showError(this.#action.error)}
      </div>
      ${groups.map((group) => this.#renderGroup(group))}
    `;
  }

  #renderProgress({ done, total }: Run) {
    return html`
      <div class="row nowrap">
        <progress max=${total} value=${done} aria-label=${t.tests.progress}></progress>
        <span class="small muted">${fill(t.tests.progressOf, { done, total })}</span>
        ${mayEdit(this.desk.role)
          ? html`<button class="small" ?disabled=${this.#action.isBusy} @click=${this.#stop}>${t.tests.stop}</button>`
          : nothing}
      </div>
    `;
  }

  #renderAgain({ results }: Run) {
    const { isBusy } = this.#action;
    const idsOf = (some: Run["results"]) => some.map(({ test_id }) => test_id);
    const others = results.filter(({ verdict }) => verdict !== "passed");
    if (results.length === 0 || !mayEdit(this.desk.role)) return nothing;
    return html`
      <div class="row">
        <button ?disabled=${isBusy} @click=${() => this.#again(idsOf(results))}>${t.tests.runAgain}</button>
        ${others.length === 0 || others.length === results.length ? nothing : html`
          <button ?disabled=${isBusy} @click=${() => this.#again(idsOf(others))}>${t.tests.onlyOthers}</button>
        `}
      </div>
    `;
  }

  #stop = async (): Promise<void> => {
    const { client, coach } = this.desk;
    if (!await this.#action.run(() => client.stopTestRun(coach.id, this.runId))) return;
    this.say(t.tests.stopped);
    await this.#run.load();
  };
  #renderGroup({ kind, results }: ResultGroup) {
    const title = titles[kind]();
    return html`
      <section class="stack tight">
        <h3>${title} <span class="hint">${formatNumber(results.length)}</span></h3>
        <ul class="list" aria-label=${title}>
          ${repeat(results, ({ test_id }) => test_id, (result) =>
            html`
              <li>
                <human-desk-test-result .desk=${this.desk} .result=${result} .isOfDraft=${this.#run.value!.is_draft}
                  .open=${kind === "newly_failing"}></human-desk-test-result>
              </li>
            `)}
        </ul>
      </section>
    `;
  }

  async #again(tests: string[]): Promise<void> {
    const { client, coach } = this.desk;
    const { is_draft: draft } = this.#run.value!;
    let id = "";
    const isStarted = await this.#action.run(async () => {
      ({ id } = await client.startTestRun(coach.id, { tests, judge: true, draft }));
    });
    if (isStarted) location.hash = linkToRun(id);
  }
}

function isUnderWay({ status }: Pick<Run, "status">): boolean {
  return status === "queued" || status === "running";
}

/** Describes how far a run is, or what has come out. */
function describeRun({ status, waits_for_budget, waits_for_model, newly_failing, ...run }: Run): string {
  if (isUnderWay({ status })) {
    if (waits_for_budget) return t.tests.waitsBudget;
    if (waits_for_model) return t.tests.waitsModel;
    return status === "queued" ? t.tests.waitsBegin : t.tests.waitsGoesOn;
  }
  const newly = newly_failing.length;
  const results = [
    plural(t.tests.passed, run.passed),
    run.failed > 0 && newly === 0 && plural(t.tests.failed, run.failed),
    run.failed > 0 && newly > 0 && plural(t.tests.failedNewly, run.failed, { newly }),
    run.not_judged > 0 && plural(t.tests.notJudged, run.not_judged),
  ].filter((result) => result !== false);
  const sum = status === "stopped" ? t.tests.sumStopped : t.tests.sum;
  return plural(sum, run.total, { results: enumerate(results) });
}

export interface DeskTestRun extends Fields<typeof DeskTestRun.properties> {}

customElements.define("human-desk-test-run", DeskTestRun);
