import { html, nothing } from "lit";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { formatTime } from "../format.ts";
import { showEmpty, showList } from "../parts/show_list.ts";
import { linkTo } from "../route.ts";
import { PagedList } from "../state/paged_list.ts";
import { fill, plural, t } from "../texts.ts";

type Run = Schemas["TestRunSummary"];

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
  #list = this.use(
    new PagedList<Run>((page, signal) => this.desk.client.listTestRuns(this.desk.coach.id, page, { signal })),
  );

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#list.restart();
  }

  override render() {
    return showList(this.#list, {
      name: t.tests.runs,
      key: ({ id }) => id,
      item: showRun,
      empty: showEmpty(t.tests.runsEmpty, t.tests.runsEmptyHint),
    });
  }
}

function showRun({ id, created_at, status, total, done, passed, failed, not_judged, ...run }: Run) {
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
