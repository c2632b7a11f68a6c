import { css, html, LitElement } from "lit";
import { defineOnce } from "./define_once.ts";
import { theme } from "./theme.ts";

/**
 * `<human-confirm question confirm>what to do</human-confirm>`: a button that asks before it does what cannot be undone.
 * The event `confirm` says that it was meant.
 */
export class HumanConfirm extends LitElement {
  static override styles = [
    theme,
    css`
      :host {
        display: inline-flex;
        background: none;
      }
      div {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem;
      }
      button {
        min-block-size: 2rem;
        padding: 0.15rem 0.6rem;
        font-size: 0.875rem;
      }
      .sure {
        border-color: var(--danger);
        color: var(--danger);
      }
    `,
  ];

  static override properties = { question: {}, confirm: {}, disabled: { type: Boolean }, isAsking: { state: true } };

  /** What is asked, such as "Delete it for good?". */
  declare question: string;
  /** The word on the button that means it. */
  declare confirm: string;
  declare disabled: boolean;
  declare private isAsking: boolean;

  constructor() {
    super();
    this.question = "";
    this.confirm = "Delete";
    this.disabled = false;
    this.isAsking = false;
  }

  override render() {
    if (!this.isAsking) return html`<button ?disabled=${this.disabled} @click=${this.ask}><slot></slot></button>`;
    return html`
      <div role="group" aria-label=${this.question} @keydown=${this.onKey}>
        <span>${this.question}</span>
        <button class="sure" ?disabled=${this.disabled} @click=${this.doIt}>${this.confirm}</button>
        <button class="keep" @click=${this.keep}>Keep</button>
      </div>
    `;
  }

  private async ask() {
    this.isAsking = true;
    await this.updateComplete;
    // Who presses Enter twice keeps it.
    this.renderRoot.querySelector<HTMLElement>(".keep")?.focus();
  }
  private async keep() {
    this.isAsking = false;
    await this.updateComplete;
    this.renderRoot.querySelector("button")?.focus();
  }
  private doIt() {
    this.isAsking = false;
    this.dispatchEvent(new CustomEvent("confirm"));
  }
  private onKey(event: KeyboardEvent) {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    void this.keep();
  }
}

defineOnce("human-confirm", HumanConfirm);
