import { html, nothing } from "lit";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { count, formatTime } from "../format.ts";
import { showEmpty, showList } from "../parts/show_list.ts";
import { linkTo } from "../route.ts";
import { PagedList } from "../state/paged_list.ts";

type Run = Schemas["TestRunSummary"];

const states: Record<Run["status"], string> = {
  queued: "waiting",
  running: "under way",
  done: "done",
  stopped: "stopped",
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
      name: "Runs",
      key: ({ id }) => id,
      item: showRun,
      empty: showEmpty("No runs yet", "When you run your tests, the results are kept here."),
    });
  }
}

function showRun({ id, created_at, status, total, done, passed, failed, not_judged, ...run }: Run) {
  const state = run.waits_for_budget
    ? "waiting for budget"
    : run.waits_for_model
    ? "waiting for the model"
    : states[status];
  return html`
    <article class="card">
      <h3><a class="title" href=${linkToRun(id)}>${formatTime(created_at)}</a></h3>
      <p class="facts small muted">
        ${status === "done" ? nothing : html`<span class="tag">${state}</span>`}
        ${failed > 0 ? html`<span class="tag danger">${failed} failed</span>` : nothing}
        ${passed > 0 ? html`<span class="tag ai">${passed} passed</span>` : nothing}
        ${not_judged > 0 ? html`<span class="tag">${not_judged} not judged</span>` : nothing}
        <span>${done === total ? count(total, "test") : `${done} of ${count(total, "test")}`}</span>
        ${run.judge ? html`<span>with the judge</span>` : nothing}
        <span>instructions version ${run.coach_version}</span>
      </p>
    </article>
  `;
}

customElements.define("human-desk-test-runs", TestRuns);
