import { html, nothing } from "lit";
import { type Property, state, styleSheets } from "../../ui/element.ts";
import { DeskPart } from "../desk_part.ts";
import { showError } from "../parts/show_state.ts";
import { t } from "../texts.ts";
import type { TestFields } from "./test_fields.ts";
import { hasDraft } from "./test_form.ts";
import styles from "./save_as_test.css" with { type: "text" };

/** A button that makes a test of what is shown beside it. The form opens in its place, and takes a line of its own. */
export class SaveAsTest extends DeskPart.with({
  open: { type: Boolean, reflect: true, first: false },
  /** Tells apart what tests are made of. */
  of: {} as Property<string>,
  /** Returns the fields to begin with. */
  read: {} as Property<() => TestFields | Promise<TestFields>>,
}) {
  static override styles = styleSheets(styles);

  #fields = state<TestFields | null>(this, null);

  override firstUpdated(): void {
    // A draft that was begun before a reload is shown again.
    if (hasDraft(this.#draft)) void this.#open();
  }

  get #draft(): string {
    return `test of ${this.of}`;
  }

  override render() {
    if (!this.mayEdit) return nothing;
    const fields = this.#fields.value;
    if (!this.open || fields === null) {
      return html`
        <button class="small" ?disabled=${this.isBusy} @click=${this.#open}>${t.tests.saveAsTest}</button>
        ${showError(this.action.error)}
      `;
    }
    return html`
      <human-desk-test-form .desk=${this.desk} .fields=${fields} .draft=${this.#draft} .cancel=${this.#close}
        @done=${this.#onDone}></human-desk-test-form>
    `;
  }

  #open = async (): Promise<void> => {
    this.open = await this.run(async () => this.#fields.value = await this.read());
  };
  #close = (): Promise<void> => {
    this.open = false;
    return this.focusOn("button");
  };
  #onDone = (): void => {
    this.say(t.tests.savedHere);
    void this.#close();
  };
}

customElements.define("human-desk-save-as-test", SaveAsTest);
