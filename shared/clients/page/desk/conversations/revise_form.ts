import { css, html, nothing } from "lit";
import { theme } from "../../ui/theme.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { deskStyles } from "../desk_styles.ts";
import { isPassage } from "../parts/passage.ts";
import { showError } from "../parts/show_error.ts";
import { Action } from "../state/action.ts";
import { drafts } from "../state/drafts.ts";
import { RepeatKey } from "../state/repeat_key.ts";
import { compareWords } from "./compare_words.ts";

/** Corrects an answer: before and after, the question, the passages that misled. Fires `done` with what was done. */
export class ReviseForm extends DeskPart {
  static override styles = [
    theme,
    deskStyles,
    css`
      :host {
        container-type: inline-size;
      }
      .both {
        display: grid;
        gap: 0.75rem;
      }
      .both > * {
        align-content: start;
      }
      .before,
      .after {
        padding: 0.5rem 0.75rem;
        border-radius: calc(var(--radius) / 1.5);
        background: var(--raised);
      }
      .before {
        max-block-size: 24rem;
        overflow-y: auto;
      }
      del {
        background: color-mix(in oklab, var(--danger) 18%, transparent);
        text-decoration-color: var(--danger);
      }
      ins {
        background: color-mix(in oklab, var(--accent) 22%, transparent);
        text-decoration: none;
      }
      fieldset {
        display: grid;
        gap: 0.5rem;
        margin: 0;
        padding: 0;
        border: 0;
      }
      legend {
        padding: 0;
        font-size: 0.875rem;
        font-weight: 600;
      }
      @container (min-width: 34rem) {
        .both {
          grid-template-columns: repeat(2, minmax(0, 1fr));
        }
      }
    `,
  ];
  static override properties = { message: { attribute: false }, asked: {}, text: { state: true } };

  declare message: Schemas["Message"];
  declare asked: string;
  /** Gives it up. */
  close: () => void = () => {};
  declare private text: string;
  #action = new Action(this);
  #key = new RepeatKey();

  get #draft(): string {
    return `revision ${this.message.id}`;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.text = drafts.read(this.#draft).answer ?? this.message.content;
  }
  override firstUpdated(): void {
    this.#field("answer").focus();
  }

  override render() {
    const { message, text } = this;
    const { isBusy, error } = this.#action;
    const parts = compareWords(message.content, text);
    const passages = (message.sources ?? []).filter(isPassage);
    return html`
      <form class="stack" @submit=${this.#submit} @input=${this.#keep}>
        <div class="both">
          <div class="stack tight" role="group" aria-label="Before">
            <span class="small"><strong>Before</strong></span>
            <div class="before pre">${parts.filter(({ is }) => is !== "added").map(({ is, value }) =>
              is === "removed" ? html`<del>${value}</del>` : value
            )}</div>
          </div>
          <label class="field">After
            <textarea name="answer" class="tall" required .defaultValue=${text}></textarea>
          </label>
        </div>
        ${text === message.content ? nothing : html`
          <details open>
            <summary class="small">What changes</summary>
            <div class="after pre">${parts.map(({ is, value }) =>
              is === "added" ? html`<ins>${value}</ins>` : is === "removed" ? nothing : value
            )}</div>
          </details>
        `}
        <label class="field">
          <span>The question it answers
            <span class="hint">as anybody would ask it, without what is personal: whoever asks it is given your words</span></span>
          <textarea name="question" rows="1" .defaultValue=${drafts.read(this.#draft).question ?? ""}></textarea>
        </label>
        ${this.asked
          ? html`
            <p class="row small muted"><span class="text">They asked: ${this.asked}</span>
              <button class="quiet" type="button" @click=${this.#useTheirWords}>Use these words</button></p>
          `
          : nothing}
        ${passages.length === 0 ? nothing : html`
          <fieldset>
            <legend>Which passages misled? <span class="hint">No answer draws on them any more.</span></legend>
            ${passages.map(({ passageId, filename, page, quote }) =>
              html`
                <label class="check small"><input type="checkbox" name="bar" value=${passageId}>
                  <span class="text"><strong>${filename}${page === null ? "" : `, page ${page}`}</strong> ${shorten(
                    quote,
                  )}</span>
                </label>
              `
            )}
          </fieldset>
        `}
        <label class="check"><input type="checkbox" name="notify" checked>
          <span>Tell the person <span class="hint">Your correction appears in their conversation.</span></span></label>
        ${showError(error)}
        <div class="row">
          <button class="primary" ?disabled=${isBusy}>${isBusy ? "Saving …" : "Correct it"}</button>
          <button type="button" @click=${this.#cancel}>Cancel</button>
        </div>
      </form>
    `;
  }

  #field(name: string): HTMLTextAreaElement {
    return this.renderRoot.querySelector<HTMLTextAreaElement>(`[name=${name}]`)!;
  }

  #keep = (): void => {
    this.text = this.#field("answer").value;
    drafts.keep(this.#draft, { answer: this.text, question: this.#field("question").value });
  };

  #useTheirWords = (): void => {
    const field = this.#field("question");
    field.value = this.asked;
    field.focus();
    this.#keep();
  };

  #submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { id, thread_id } = this.message;
    const fields = new FormData(event.target as HTMLFormElement);
    const question = String(fields.get("question")).trim();
    const body = {
      answer: String(fields.get("answer")).trim(),
      // Left out, it is the open question that the answer has led to.
      question: question || null,
      notify: fields.has("notify"),
      bar_passages: fields.getAll("bar").map(String),
    };
    const isDone = await this.#action.run(() =>
      this.desk.client.reviseAnswer(thread_id, id, body, { idempotencyKey: this.#key.of(body) })
    );
    if (!isDone) return;
    drafts.drop(this.#draft);
    const detail = body.notify ? "Corrected, and the person was told." : "Corrected. The person was not told.";
    this.dispatchEvent(new CustomEvent("done", { detail }));
  };

  #cancel = (): void => {
    drafts.drop(this.#draft);
    this.close();
  };
}

function shorten(text: string): string {
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}

customElements.define("human-desk-revise", ReviseForm);
