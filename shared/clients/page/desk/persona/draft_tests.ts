import { html, nothing, type PropertyValues } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Schemas } from "../desk.ts";
import { showError, showLoading } from "../parts/show_state.ts";
import { linkTo } from "../route.ts";
import { Polling } from "../state/polling.ts";
import { type Cancelable, Loading } from "../state/work.ts";
import "../tests/test_result.ts";
import { isUnderWay, linkToRun, pausesOfRuns } from "../tests/test_runs.ts";
import { fill, plural, t } from "../texts.ts";
import { PersonaPart } from "./persona_part.ts";

type Run = Schemas["TestRun"];
/** The number of tests, and the last run of this draft. */
type Tested = { tests: number; run: Run | null };

/** The tests of the draft: begins a run, and shows what the draft would break. */
export class DraftTests extends PersonaPart {
  /** The run that was begun here, until the list has it. */
  #begun: string | null = null;
  #tested = this.use(new Loading((options) => this.#read(options)));
  #polling = new Polling(this, this.#tested, ({ run }) => isUnderWay(run), pausesOfRuns);

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("desk")) void this.#tested.load();
  }

  override render() {
    return showLoading(this.#tested, (tested) => this.#renderTests(tested));
  }

  #renderTests({ tests, run }: Tested) {
    if (tests === 0) {
      return html`<p class="muted">${t.persona.noTests} <a href=${
        linkTo("tests", "new")
      }>${t.persona.writeTest}</a></p>`;
    }
    return html`
      <div class="stack tight">
        ${run === null ? html`<p>${plural(t.persona.testsNotRun, tests)}</p>` : this.#renderRun(run)}
        ${isUnderWay(run) ? nothing : this.#renderStart(run)}
        ${showError(this.action.error)}
      </div>
    `;
  }

  #renderStart(run: Run | null) {
    return html`
      <div class="row">
        <button ?disabled=${this.isBusy} @click=${this.#start}>${run === null
          ? t.persona.runTests
          : t.persona.runTestsAgain}</button>
      </div>
    `;
  }

  #renderRun(run: Run) {
    if (isUnderWay(run)) {
      const { done, total } = run;
      return html`
        <p role="status">${run.waits_for_budget
          ? t.persona.testsWaitForBudget
          : run.waits_for_model
          ? t.persona.testsWaitForModel
          : t.persona.testsUnderWay}</p>
        <div class="row nowrap">
          <progress max=${total} value=${done} aria-label=${t.persona.progress}></progress>
          <span class="small muted">${fill(t.tests.progressOf, { done, total })}</span>
        </div>
      `;
    }
    const failing = new Set(run.newly_failing);
    const broken = run.results.filter(({ test_id }) => failing.has(test_id));
    // Of these, nobody knows whether they would pass without the draft.
    const unknown = run.results.filter(({ verdict, compared }) => verdict === "failed" && compared === null).length;
    return html`
      <p role="status"><span class="tag ${broken.length + unknown > 0 ? "danger" : "ai"}">${broken.length > 0
        ? plural(t.persona.breaks, broken.length)
        : unknown > 0
        ? plural(t.persona.failed, run.failed)
        : t.persona.breaksNothing}</span></p>
      <p class="small muted">${this.#describe(run)} <a href=${linkToRun(run.id)}>${t.persona.seeRun}</a></p>
      ${this.#isOutdated(run) ? html`<p class="small">${t.persona.runOutdated}</p>` : nothing}
      ${broken.length === 0 ? nothing : html`
        <ul class="list" aria-label=${t.persona.broken}>
          ${repeat(broken, ({ test_id }) => test_id, (result) =>
            html`
              <li>
                <human-desk-test-result .desk=${this.desk} .result=${result} .isOfDraft=${true}
                  .open=${true}></human-desk-test-result>
              </li>
            `)}
        </ul>
      `}
    `;
  }

  #describe({ passed, failed, not_judged, newly_passing }: Run): string {
    return [
      plural(t.persona.passed, passed),
      failed > 0 && plural(t.persona.failed, failed),
      not_judged > 0 && plural(t.persona.notJudged, not_judged),
      newly_passing.length > 0 && plural(t.persona.mends, newly_passing.length),
    ].filter(Boolean).join(" · ");
  }

  /** Returns true if the draft was changed after a run of it had begun. */
  #isOutdated({ created_at }: Run): boolean {
    const { draft } = this.draft;
    return draft?.saved_at != null && Date.parse(draft.saved_at) > Date.parse(created_at);
  }

  async #read(options: Cancelable): Promise<Tested> {
    const [{ count }, runs] = await Promise.all([
      this.client.listTests(this.coachId, { limit: 100 }, options),
      this.#begun === null ? this.client.listTestRuns(this.coachId, { limit: 20 }, options) : null,
    ]);
    const id = this.#begun ??
      runs?.data.find(({ is_draft, coach_version }) => is_draft && coach_version === this.draft.draft?.version)?.id ??
      null;
    return { tests: count, run: id === null ? null : await this.client.getTestRun(this.coachId, id, options) };
  }

  #start = async (): Promise<void> => {
    const isBegun = await this.run(async () => {
      await this.saveDraft();
      ({ id: this.#begun } = await this.client.startTestRun(this.coachId, { draft: true, judge: true }));
    });
    if (!isBegun) return;
    this.#polling.restart();
    await this.#tested.load();
  };
}

customElements.define("human-desk-draft-tests", DraftTests);
