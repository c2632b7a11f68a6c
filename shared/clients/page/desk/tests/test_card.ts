import { html, nothing } from "lit";
import "../../ui/confirm_button.ts";
import { type Property, state, styleSheets } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { showError } from "../parts/show_state.ts";
import { linkTo } from "../route.ts";
import { plural, t } from "../texts.ts";
import { describeExpectations, readFields } from "./test_fields.ts";
import { hasDraft } from "./test_form.ts";
import { verdicts } from "./test_result.ts";
import styles from "./test_card.css" with { type: "text" };

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
              <human-confirm .words=${t.shared} question=${t.tests.deleteTest} ?disabled=${this.isBusy}
                @confirm=${this.#delete}>${t.parts.delete}</human-confirm>
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
