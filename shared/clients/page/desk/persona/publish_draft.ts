import { html, nothing, type PropertyValues } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { state, styleSheets } from "../../ui/element.ts";
import { type Schemas, tellDesk } from "../desk.ts";
import { icons } from "../icons.ts";
import { showEmpty, showError, showLoading } from "../parts/show_state.ts";
import { showChange } from "../parts/show_words.ts";
import { linkTo } from "../route.ts";
import { Polling } from "../state/polling.ts";
import { type Cancelable, Loading } from "../state/work.ts";
import "../tests/test_result.ts";
import { isUnderWay, linkToRun, pausesOfRuns } from "../tests/test_runs.ts";
import { fill, plural, t } from "../texts.ts";
import "./draft_questions.ts";
import { type FieldName, nameOfChange, textOf } from "./fields.ts";
import { isOutdated } from "./persona_draft.ts";
import { PersonaPart } from "./persona_part.ts";
import { showFace } from "./persona_preview.ts";
import faceStyles from "./face.css" with { type: "text" };
import styles from "./publish_draft.css" with { type: "text" };

/** The last look at a draft before it is published: the changes, and the results of the tests. */
export class PublishDraft extends PersonaPart {
  static override styles = styleSheets(faceStyles, styles);

  /** True if the draft is another one than the expert has looked at. */
  #hasChanged = state(this, false);

  override render() {
    const { draft } = this;
    const show = () =>
      draft.changes.length === 0 && this.wasPublished
        ? showEmpty(t.persona.nothingToPublish, t.persona.nothingToPublishHint)
        : this.#renderChecks();
    return html`
      <section class="panel stack" aria-labelledby="title">
        <p><a class="back row" href=${linkTo("persona")}>${icons.back} ${t.parts.edit}</a></p>
        <h2 id="title" tabindex="-1">${t.persona.publishTitle}</h2>
        ${showLoading(draft, show, draft.shown === null ? undefined : nothing)}
      </section>
    `;
  }

  #renderChecks() {
    const { draft } = this;
    const names = draft.changes.filter((name) => name !== "picture") as FieldName[];
    const { based_on, version } = draft.draft!;
    return html`
      ${this.wasPublished ? nothing : html`<p>${t.persona.neverPublished}</p>`}
      ${draft.changes.length === 0 ? nothing : html`
        <section class="stack" aria-labelledby="changes">
          <h3 id="changes">${version === 0 ? t.persona.whatIsNew : fill(t.persona.whatChanges, { version })}</h3>
          ${based_on !== null && based_on < version
            ? html`<p class="small muted">${fill(t.persona.begunOn, { begun: based_on, version })}</p>`
            : nothing}
          ${names.map((name) => this.#renderChange(name))}
          ${draft.changes.includes("picture") ? this.#renderPicture() : nothing}
        </section>
      `}
      <section class="stack" aria-labelledby="tests">
        <h3 id="tests">${t.persona.whatTestsSay}</h3>
        <human-desk-draft-tests .desk=${this.desk}></human-desk-draft-tests>
      </section>
      ${this.wasPublished
        ? html`
          <section class="stack" aria-labelledby="asked">
            <h3 id="asked">${t.persona.lastQuestions}</h3>
            <human-desk-draft-questions .desk=${this.desk}></human-desk-draft-questions>
          </section>
        `
        : nothing}
      <div class="stack tight end">${this.#renderPublish()}</div>
    `;
  }

  #renderChange(name: FieldName) {
    const { shown, published } = this.draft;
    return html`
      <div class="change" role="group" aria-label=${nameOfChange(name)}>
        <h4 class="of-field">${nameOfChange(name)}</h4>
        ${showChange(textOf(name, published![name]), textOf(name, shown![name]))}
      </div>
    `;
  }

  #renderPicture() {
    const { shown, published, draft } = this.draft;
    return html`
      <div class="change" role="group" aria-label=${nameOfChange("picture")}>
        <h4 class="of-field">${nameOfChange("picture")}</h4>
        <p class="row">${showFace(published!.name, published!.picture_url)}
          <span class="visually-hidden">${t.persona.becomes}</span>${icons.next}
          ${showFace(shown!.name, draft!.picture_url)}</p>
      </div>
    `;
  }

  #renderPublish() {
    const { isBusy, error } = this.action;
    const { missing } = this.draft;
    if (!this.isOwner) return html`<p>${t.persona.mayNotPublish}</p>`;
    return html`
      ${this.#hasChanged.value
        ? html`<p class="error" role="alert">${t.persona.changedSince}</p>`
        : isOutdated(error)
        ? nothing
        : showError(error)}
      ${missing.length === 0 ? nothing : html`
        <p class="error">${fill(t.persona.missing, { fields: missing.map(nameOfChange).join(", ") })}</p>
      `}
      <div class="row">
        <button class="primary" ?disabled=${isBusy || missing.length > 0} @click=${this.#publish}>${isBusy
          ? t.persona.publishing
          : t.persona.publish}</button>
        <span class="hint">${t.persona.publishHint}</span>
      </div>
    `;
  }

  #publish = async (): Promise<void> => {
    const { draft } = this;
    this.#hasChanged.value = false;
    const before = this.wasPublished ? draft.draft!.version : null;
    const published = await this.ask(async () => {
      // A colleague's change is looked at before it is published.
      await this.saveDraft();
      return await draft.publish();
    });
    if (published === null) return void (this.#hasChanged.value = isOutdated(this.action.error));
    // Before the first time, nothing was published that could come back.
    const undo = before === null ? undefined : async () => {
      try {
        await draft.restore(before);
        tellDesk(this, "persona");
      } catch (error) {
        tellDesk(this, "failure", error);
      }
    };
    this.say(fill(t.persona.publishedNow, { version: published.reply }), undo);
    tellDesk(this, "persona");
    location.hash = linkTo("persona");
  };
}

customElements.define("human-desk-publish", PublishDraft);

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
