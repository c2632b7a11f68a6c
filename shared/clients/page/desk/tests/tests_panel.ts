import { html, nothing, type PropertyValues } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { type Property, state, styleSheets } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { icons } from "../icons.ts";
import { searchField } from "../parts/search_field.ts";
import { showEmpty, showError, showList, showTabs } from "../parts/show_state.ts";
import { linkTo, type Route } from "../route.ts";
import { PagedList } from "../state/work.ts";
import { plural, t } from "../texts.ts";
import { describeExpectations, emptyFields, readFields } from "./test_fields.ts";
import { hasDraft } from "./test_form.ts";
import { verdicts } from "./test_result.ts";
import { linkToRun } from "./test_runs.ts";
import styles from "./test_card.css" with { type: "text" };

/** The panel of tests: the list, a new test, the runs, or one run. */
export class TestsPanel extends DeskPart.with({ route: {} as Property<Route> }) {
  #list = this.use(
    new PagedList((page, options) => {
      const search = this.route.filters.get("search") || undefined;
      return this.client.listTests(this.coachId, { search, ...page }, options);
    }),
  );
  #chosen = state<ReadonlySet<string>>(this, new Set());

  override willUpdate(changed: PropertyValues<this>): void {
    // A test may have been added meanwhile.
    if ((changed.has("desk") || changed.has("route")) && this.route.id === null) void this.#list.restart();
  }

  override render() {
    const { id, filters } = this.route;
    if (id === "new" && this.mayEdit) return this.#renderNew();
    const run = id === "runs" ? filters.get("run") : null;
    if (run) return keyed(run, html`<human-desk-test-run .desk=${this.desk} .runId=${run}></human-desk-test-run>`);
    return html`
      <section class="panel stack" aria-labelledby="title">
        <div class="row spread">
          <h2 id="title" tabindex="-1">${t.tests.title}</h2>
          ${showTabs(t.tests.tabs, [
            [linkTo("tests"), t.tests.title, id !== "runs"],
            [linkTo("tests", "runs"), t.tests.runs, id === "runs"],
          ])}
        </div>
        ${id === "runs" ? html`<human-desk-test-runs .desk=${this.desk}></human-desk-test-runs>` : this.#renderTests()}
      </section>
    `;
  }

  #renderTests() {
    const search = this.route.filters.get("search") ?? "";
    return html`
      <div class="row nowrap">
        ${searchField({
          label: t.tests.search,
          value: search,
          search: (words) => location.hash = linkTo("tests", null, [["search", words]]),
        })}
        ${this.mayEdit
          ? html`<a class="button" href=${linkTo("tests", "new")}>${icons.plus} ${t.tests.new}</a>`
          : nothing}
      </div>
      ${!this.mayEdit
        ? html`<p class="muted">${t.team.tests}</p>`
        : this.#list.items?.length
        ? this.#renderStart()
        : nothing}
      ${showList(this.#list, {
        name: t.tests.title,
        key: ({ id }) => id,
        item: (test) =>
          html`
            <human-desk-test .desk=${this.desk} .test=${test} .isChosen=${this.#chosen.value.has(test.id)}
              @choose=${({ detail }: CustomEvent<boolean>) => this.#choose(test.id, detail)}
              @done=${this.#onDone}></human-desk-test>
          `,
        empty: search ? showEmpty(t.tests.noneFound, t.tests.noMatch) : showEmpty(t.tests.empty, t.tests.emptyHint),
      })}
    `;
  }

  #renderStart() {
    const { isBusy, error } = this.action;
    const chosen = this.#chosen.value.size;
    return html`
      <div class="row">
        <button class="primary" ?disabled=${isBusy} @click=${this.#start}>${isBusy
          ? t.tests.starting
          : chosen === 0
          ? t.tests.runAll
          : plural(t.tests.run, chosen)}</button>
        ${chosen === 0 ? nothing : html`
          <button class="quiet" @click=${() => this.#chosen.value = new Set()}>${t.tests.chooseNone}</button>
        `}
      </div>
      ${showError(error)}
    `;
  }

  #renderNew() {
    const back = () => location.hash = linkTo("tests");
    const onDone = () => {
      this.say(t.parts.saved);
      back();
    };
    return html`
      <section class="panel stack" aria-labelledby="title">
        <h2 id="title">${t.tests.new}</h2>
        <human-desk-test-form .desk=${this.desk} .fields=${emptyFields} draft="new test" .cancel=${back}
          @done=${onDone}></human-desk-test-form>
      </section>
    `;
  }

  #choose(id: string, isChosen: boolean): void {
    const chosen = new Set(this.#chosen.value);
    if (isChosen) chosen.add(id);
    else chosen.delete(id);
    this.#chosen.value = chosen;
  }

  #start = async (): Promise<void> => {
    const tests = this.#chosen.value.size > 0 ? [...this.#chosen.value] : undefined;
    const begun = await this.ask(() => this.client.startTestRun(this.coachId, { tests, judge: true }));
    if (begun === null) return;
    this.#chosen.value = new Set();
    location.hash = linkToRun(begun.reply.id);
  };

  #onDone = async (): Promise<void> => {
    // The element that had the focus was removed.
    this.renderRoot.querySelector("h2")?.focus();
    await this.#list.load();
  };
}

customElements.define("human-desk-tests", TestsPanel);

/**
 * A test in the list, with its actions.
 *
 * @fires choose - The test was ticked or not. The detail is true or false.
 * @fires done - The test was changed or deleted.
 */
export class TestCard extends DeskPart.with({
  test: {} as Property<Schemas["PersonaTest"]>,
  isChosen: { attribute: false, first: false },
}) {
  static override styles = styleSheets(styles);

  #isEditing = state(this, false);

  override firstUpdated(): void {
    this.#isEditing.value = hasDraft(this.#draft);
  }

  get #draft(): string {
    return `test ${this.test.id}`;
  }

  override render() {
    const { test } = this;
    const verdict = test.last_verdict && verdicts[test.last_verdict]();
    const after = test.history.length > 0 && plural(t.tests.after, test.history.length);
    return html`
      <article class="card split" aria-label=${test.question}>
        <div class="stack tight">
          <h3>${this.mayEdit
            ? html`<label class="check"><input type="checkbox" .checked=${this.isChosen} @change=${this.#choose}>
              <span class="text">${test.question}</span></label>`
            : html`<span class="text">${test.question}</span>`}</h3>
          <p class="facts small muted">
            ${verdict ? html`<span class="tag ${verdict[1]}">${verdict[0]}</span>` : nothing}
            <span class="text">${[after, ...describeExpectations(test)].filter(Boolean).join(" · ")}</span>
            ${test.thread_id === null ? nothing : html`
              <a href=${linkTo("conversations", test.thread_id)}>${t.tests.seeConversation}</a>
            `}
          </p>
        </div>
        ${this.#isEditing.value
          ? html`
            <human-desk-test-form class="wide" .desk=${this.desk} .testId=${test.id} .fields=${readFields(test)}
              .draft=${this.#draft} .cancel=${this.#close} @done=${this.#onSaved}></human-desk-test-form>
          `
          : this.mayEdit
          ? html`
            <div class="row">
              <button class="small" @click=${() => this.#isEditing.value = true}>${t.parts.edit}</button>
              ${this.confirmButton(t.parts.delete, t.tests.deleteTest, this.#delete)}
            </div>
          `
          : nothing}
        ${showError(this.action.error)}
      </article>
    `;
  }

  #choose = (event: Event): void => {
    this.dispatchEvent(new CustomEvent("choose", { detail: (event.target as HTMLInputElement).checked }));
  };
  #close = (): Promise<void> => {
    this.#isEditing.value = false;
    return this.focusOn("button");
  };
  #onSaved = (): void => {
    this.#isEditing.value = false;
    this.done(t.parts.saved);
  };
  #delete = async (): Promise<void> => {
    if (await this.run(() => this.client.deleteTest(this.coachId, this.test.id))) this.done(t.parts.deleted);
  };
}

customElements.define("human-desk-test", TestCard);
