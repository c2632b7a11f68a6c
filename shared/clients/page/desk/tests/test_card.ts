import { css, html, nothing } from "lit";
import "../../ui/confirm_button.ts";
import { type Fields, type Property, state } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart, deskStyles } from "../desk_part.ts";
import { showError } from "../parts/show_error.ts";
import { linkTo } from "../route.ts";
import { Action } from "../state/work.ts";
import { mayEdit } from "../team/roles.ts";
import { plural, t } from "../texts.ts";
import { describeExpectations, readFields } from "./test_fields.ts";
import { hasDraft } from "./test_form.ts";
import { verdicts } from "./test_result.ts";

/**
 * A test in the list, with its actions.
 *
 * @fires choose - The test was ticked or not. The detail is true or false.
 * @fires done - The test was changed or deleted. The detail is a sentence about it.
 */
export class TestCard extends DeskPart {
  static override styles = [
    deskStyles,
    css`
      label.check {
        min-inline-size: 0;
      }
    `,
  ];
  static override properties = {
    test: {} as Property<Schemas["PersonaTest"]>,
    isChosen: { attribute: false, first: false },
  };

  #isEditing = state(this, false);
  #action = this.use(new Action());

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
          <h3>${mayEdit(this.desk.role)
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
          : mayEdit(this.desk.role)
          ? html`
            <div class="row">
              <button class="small" @click=${() => this.#isEditing.value = true}>${t.parts.edit}</button>
              <human-confirm .words=${t.shared} question=${t.tests.deleteTest} ?disabled=${this.#action.isBusy}
                @confirm=${this.#delete}>${t.parts.delete}</human-confirm>
            </div>
          `
          : nothing}
        ${showError(this.#action.error)}
      </article>
    `;
  }

  #choose = (event: Event): void => {
    this.dispatchEvent(new CustomEvent("choose", { detail: (event.target as HTMLInputElement).checked }));
  };
  #close = async (): Promise<void> => {
    this.#isEditing.value = false;
    await this.updateComplete;
    this.renderRoot.querySelector("button")?.focus();
  };
  #onSaved = (): void => {
    this.#isEditing.value = false;
    this.#done(t.parts.saved);
  };
  #delete = async (): Promise<void> => {
    const { client, coach } = this.desk;
    if (await this.#action.run(() => client.deleteTest(coach.id, this.test.id))) this.#done(t.parts.deleted);
  };
  #done(sentence: string): void {
    this.dispatchEvent(new CustomEvent("done", { detail: sentence }));
  }
}

export interface TestCard extends Fields<typeof TestCard.properties> {}

customElements.define("human-desk-test", TestCard);
