import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Property } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { enumerate, formatNumber, formatTime } from "../format.ts";
import { showEmpty, showError, showList, showLoading } from "../parts/show_state.ts";
import { linkTo } from "../route.ts";
import { Loading, PagedList } from "../state/work.ts";
import { fill, plural, t } from "../texts.ts";
import { icons } from "../icons.ts";
import { Polling } from "../state/polling.ts";
import { type ResultGroup, sortResults } from "./sort_results.ts";
import "./test_result.ts";

type Run = Schemas["TestRun"];

const states: Record<Run["status"], () => string> = {
  queued: () => t.tests.stateQueued,
  running: () => t.tests.stateRunning,
  done: () => t.tests.stateDone,
  stopped: () => t.tests.stateStopped,
};

/** The address of a run at the desk. */
export function linkToRun(runId: string): string {
  return linkTo("tests", "runs", [["run", runId]]);
}

/** The runs of a persona's tests, newest first. */
export class TestRuns extends DeskPart {
  #list = this.show(new PagedList((page, options) => this.client.listTestRuns(this.coachId, page, options)));

  override render() {
    return showList(this.#list, {
      name: t.tests.runs,
      key: ({ id }) => id,
      item: showRun,
      empty: showEmpty(t.tests.runsEmpty, t.tests.runsEmptyHint),
    });
  }
}

function showRun(
  { id, created_at, status, total, done, passed, failed, not_judged, ...run }: Schemas["TestRunSummary"],
) {
  const state = run.waits_for_budget
    ? t.tests.waitsBudgetTag
    : run.waits_for_model
    ? t.tests.waitsModelTag
    : states[status]();
  return html`
    <article class="card">
      <h3><a class="title" href=${linkToRun(id)}>${formatTime(created_at)}</a></h3>
      <p class="facts small muted">
        ${status === "done" ? nothing : html`<span class="tag">${state}</span>`}
        ${failed > 0 ? html`<span class="tag danger">${plural(t.tests.failed, failed)}</span>` : nothing}
        ${passed > 0 ? html`<span class="tag ai">${plural(t.tests.passed, passed)}</span>` : nothing}
        ${not_judged > 0 ? html`<span class="tag">${plural(t.tests.notJudged, not_judged)}</span>` : nothing}
        <span>${done === total ? plural(t.tests.all, total) : plural(t.tests.doneOf, total, { done })}</span>
        ${run.is_draft ? html`<span class="tag person">${t.persona.ofDraft}</span>` : nothing}
        ${run.coach_version === 0
          ? nothing
          : html`<span>${fill(t.parts.instructionsVersion, { version: run.coach_version })}</span>`}
      </p>
    </article>
  `;
}

customElements.define("human-desk-test-runs", TestRuns);

/** Between two requests for the progress of a run. */
export const pausesOfRuns = { first: 1_000, longest: 10_000, factor: 1.25 };

const titles: Record<ResultGroup["kind"], () => string> = {
  newly_failing: () => t.tests.newlyFailing,
  newly_passing: () => t.tests.newlyPassing,
  failed: () => t.tests.failedTitle,
  not_judged: () => t.tests.notJudgedTitle,
  passed: () => t.tests.passedTitle,
};

/** One run of tests: its progress and its results, with what newly fails on top. */
export class DeskTestRun extends DeskPart.with({
  /** Never changes: each run has an element of its own. */
  runId: {} as Property<string>,
}) {
  #run = this.show(new Loading((options) => this.client.getTestRun(this.coachId, this.runId, options)));

  constructor() {
    super();
    new Polling(this, this.#run, isUnderWay, pausesOfRuns);
  }

  override render() {
    const gone = this.#run.isGone ? html`<h2 id="title">${t.tests.runGone}</h2>` : undefined;
    return html`
      <section class="panel stack" aria-labelledby="title">
        <p><a class="back row" href=${linkTo("tests", "runs")}>${icons.back} ${t.tests.runs}</a></p>
        ${showLoading(this.#run, (run) => this.#renderRun(run), gone)}
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
        ${showError(this.action.error)}
      </div>
      ${groups.map((group) => this.#renderGroup(group))}
    `;
  }

  #renderProgress({ done, total }: Run) {
    return html`
      <div class="row nowrap">
        <progress max=${total} value=${done} aria-label=${t.tests.progress}></progress>
        <span class="small muted">${fill(t.tests.progressOf, { done, total })}</span>
        ${this.mayEdit
          ? html`<button class="small" ?disabled=${this.isBusy} @click=${this.#stop}>${t.tests.stop}</button>`
          : nothing}
      </div>
    `;
  }

  #renderAgain({ results }: Run) {
    const { isBusy } = this.action;
    const idsOf = (some: Run["results"]) => some.map(({ test_id }) => test_id);
    const others = results.filter(({ verdict }) => verdict !== "passed");
    if (results.length === 0 || !this.mayEdit) return nothing;
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
    if (!await this.run(() => this.client.stopTestRun(this.coachId, this.runId))) return;
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
    const { is_draft: draft } = this.#run.value!;
    const begun = await this.ask(() => this.client.startTestRun(this.coachId, { tests, judge: true, draft }));
    if (begun !== null) location.hash = linkToRun(begun.reply.id);
  }
}

/** Returns true if a run waits or has not ended. */
export function isUnderWay(run: Pick<Run, "status"> | null): boolean {
  return run?.status === "queued" || run?.status === "running";
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

customElements.define("human-desk-test-run", DeskTestRun);
