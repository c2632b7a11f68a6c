import { css, html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { ServiceError } from "../../../client/service_error.ts";
import { type Fields, type Property } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart, deskStyles } from "../desk_part.ts";
import { count, formatTime } from "../format.ts";
import { icons } from "../icons.ts";
import { showError } from "../parts/show_error.ts";
import { linkTo } from "../route.ts";
import { Polling } from "../state/polling.ts";
import { Action, Loading } from "../state/work.ts";
import { newlyFailing, type ResultGroup, sortResults } from "./sort_results.ts";
import { linkToRun } from "./test_runs.ts";
import "./test_result.ts";

type Run = Schemas["TestRun"];

/** Between two requests for the progress. */
const pauses = { first: 1_000, longest: 10_000, factor: 1.25 };

/** One run of tests: its progress and its results, with what newly fails on top. */
export class DeskTestRun extends DeskPart {
  static override styles = [
    deskStyles,
    css`
      progress {
        flex: 1;
        min-inline-size: 4rem;
        accent-color: var(--accent);
      }
    `,
  ];
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
        <p><a class="back row" href=${linkTo("tests", "runs")}>${icons.back} Runs</a></p>
        ${isGone ? html`<h2 id="title">This run no longer exists</h2>` : showError(error, () => this.#run.load())}
        ${run === null
          ? error === null ? html`<p class="muted" role="status">Loading…</p>` : nothing
          : this.#renderRun(run)}
      </section>
    `;
  }

  #renderRun(run: Run) {
    const groups = sortResults(run);
    return html`
      <div class="stack tight">
        <h2 id="title">Run of ${formatTime(run.created_at)}</h2>
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
        <progress max=${total} value=${done} aria-label="Progress"></progress>
        <span class="small muted">${done} of ${total}</span>
        <button class="small" ?disabled=${this.#action.isBusy} @click=${this.#stop}>Stop</button>
      </div>
    `;
  }

  #renderAgain({ results }: Run) {
    const { isBusy } = this.#action;
    const idsOf = (some: Run["results"]) => some.map(({ test_id }) => test_id);
    const others = results.filter(({ verdict }) => verdict !== "passed");
    if (results.length === 0) return nothing;
    return html`
      <div class="row">
        <button ?disabled=${isBusy} @click=${() => this.#again(idsOf(results))}>Run again</button>
        ${others.length === 0 || others.length === results.length ? nothing : html`
          <button ?disabled=${isBusy} @click=${() => this.#again(idsOf(others))}>Only what did not pass</button>
        `}
      </div>
    `;
  }

  #stop = async (): Promise<void> => {
    const { client, coach } = this.desk;
    if (!await this.#action.run(() => client.stopTestRun(coach.id, this.runId))) return;
    this.say("Stopped. The results until now are kept.");
    await this.#run.load();
  };
  #renderGroup({ title, results }: ResultGroup) {
    return html`
      <section class="stack tight">
        <h3>${title} <span class="hint">${results.length}</span></h3>
        <ul class="list" aria-label=${title}>
          ${repeat(results, ({ test_id }) => test_id, (result) =>
            html`
              <li>
                <human-desk-test-result .desk=${this.desk} .result=${result}
                  .open=${title === newlyFailing}></human-desk-test-result>
              </li>
            `)}
        </ul>
      </section>
    `;
  }

  async #again(tests: string[]): Promise<void> {
    const { client, coach } = this.desk;
    const { judge } = this.#run.value!;
    let id = "";
    const isStarted = await this.#action.run(async () => {
      ({ id } = await client.startTestRun(coach.id, { tests, judge }));
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
    if (waits_for_budget) return "The budget of this persona is used up. The run goes on once there is some again.";
    if (waits_for_model) return "The model does not answer at the moment. The run tries again by itself.";
    return status === "queued" ? "The run begins in a moment." : "You can leave this page: the run goes on.";
  }
  const newly = newly_failing.length > 0 ? ` (${newly_failing.length} newly)` : "";
  const counts = [
    `${run.passed} passed`,
    run.failed > 0 && `${run.failed} failed${newly}`,
    run.not_judged > 0 && `${run.not_judged} not judged`,
  ].filter(Boolean).join(", ");
  return `${status === "stopped" ? "Stopped. " : ""}${count(run.total, "test")}: ${counts}.`;
}

export interface DeskTestRun extends Fields<typeof DeskTestRun.properties> {}

customElements.define("human-desk-test-run", DeskTestRun);
