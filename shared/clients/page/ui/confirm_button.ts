import { html } from "lit";
import { en, type Wording } from "../texts/texts.ts";
import { elementWith, type Property, state, styleSheets } from "./element.ts";
import styles from "./confirm_button.css" with { type: "text" };

/**
 * `<human-confirm question>label</human-confirm>`: a button that asks for confirmation before something that
 * cannot be undone.
 *
 * @slot - The label, also of the button that confirms.
 * @fires confirm - The user has confirmed.
 */
export class HumanConfirm extends elementWith({
  /** The question, such as "Delete this file?". */
  question: { type: String, first: "" },
  /** The texts of the other button. */
  words: { attribute: false, first: en.shared } as Property<Wording<typeof en.shared>>,
  disabled: { type: Boolean, first: false },
}) {
  static override styles = styleSheets(styles);

  #isAsking = state(this, false);

  override render() {
    if (!this.#isAsking.value) {
      return html`<button ?disabled=${this.disabled} @click=${this.#ask}><slot></slot></button>`;
    }
    return html`
      <div role="group" aria-label=${this.question} @keydown=${this.#onKey}>
        <span>${this.question}</span>
        <button class="sure" ?disabled=${this.disabled} @click=${this.#confirm}>${this.textContent?.trim()}</button>
        <button class="keep" @click=${this.#cancel}>${this.words.cancel}</button>
      </div>
    `;
  }

  async #ask() {
    this.#isAsking.value = true;
    await this.updateComplete;
    // Pressing Enter twice deletes nothing.
    this.renderRoot.querySelector<HTMLElement>(".keep")?.focus();
  }
  async #cancel() {
    this.#isAsking.value = false;
    await this.updateComplete;
    this.renderRoot.querySelector("button")?.focus();
  }
  #confirm() {
    this.#isAsking.value = false;
    this.dispatchEvent(new CustomEvent("confirm"));
  }
  #onKey(event: KeyboardEvent) {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    void this.#cancel();
  }
}

// A page may load both the chat and the desk, which share this element.
if (!customElements.get("human-confirm")) customElements.define("human-confirm", HumanConfirm);
