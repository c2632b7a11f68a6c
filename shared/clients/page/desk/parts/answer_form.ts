import { css, html, nothing } from "lit";
import { theme } from "../../ui/theme.ts";
import { renderMarkdown } from "../../ui/markdown.ts";
import { DeskPart } from "../desk_part.ts";
import { deskStyles } from "../desk_styles.ts";
import { Action } from "../state/action.ts";
import { drafts } from "../state/drafts.ts";
import { showError } from "./show_error.ts";

/** What the expert says, and to which question. */
export type AnswerFields = { question: string; variants: string[]; answer: string };

const maxVariants = 20;

/**
 * Writes what the expert says to a question: the question, other ways to ask it, and the answer with a look at what people
 * will read. What was typed is kept under the name of the draft until it was saved or given up.
 */
export class AnswerForm extends DeskPart {
  static override styles = [
    theme,
    deskStyles,
    css`
      :host {
        container-type: inline-size;
      }
      .write {
        display: grid;
        gap: 0.75rem;
      }
      .write > .stack {
        align-content: start;
      }
      .preview {
        padding: 0.5rem 0.75rem;
        border-radius: calc(var(--radius) / 1.5);
        background: var(--raised);
      }
      @container (min-width: 44rem) {
        .write {
          grid-template-columns: minmax(0, 3fr) minmax(0, 2fr);
        }
      }
    `,
  ];

  static override properties = {
    question: {},
    variants: { attribute: false },
    answer: {},
    draft: {},
    submit: {},
    save: { attribute: false },
    cancel: { attribute: false },
    text: { state: true },
    complaint: { state: true },
  };

  declare question: string;
  declare variants: string[];
  declare answer: string;
  declare draft: string;
  declare submit: string;
  /** Stores what was written; what it throws is shown. */
  declare save: (fields: AnswerFields) => Promise<unknown>;
  /** Gives it up. */
  declare cancel: () => void;

  declare private text: string;
  declare private complaint: string;

  constructor() {
    super();
    this.question = "";
    this.variants = [];
    this.answer = "";
    this.draft = "";
    this.submit = "Save";
    this.save = () => Promise.resolve();
    this.cancel = () => {};
    this.text = "";
    this.complaint = "";
  }
  #action = new Action(this);

  override firstUpdated(): void {
    const kept = drafts.read(this.draft);
    for (const [name, value] of Object.entries(kept)) {
      const field = this.renderRoot.querySelector<HTMLTextAreaElement>(`[name="${CSS.escape(name)}"]`);
      if (field) field.value = value;
    }
    this.text = this.#fields().answer;
    const first = this.question && this.renderRoot.querySelector<HTMLElement>("[name=answer]") ||
      this.renderRoot.querySelector<HTMLElement>("textarea");
    first?.focus();
  }

  override render() {
    const { isBusy, error } = this.#action;
    return html`
      <form class="stack" @submit=${this.#submit} @input=${this.#keep} @keydown=${this.#onKey} novalidate>
        <label class="field">Question
          <textarea name="question" rows="1" required
            .defaultValue=${this.question}></textarea>
        </label>
        <label class="field"><span>Other ways to ask it <span class="hint">one on each line</span></span>
          <textarea name="variants" rows="1" .defaultValue=${this.variants.join("\n")}></textarea>
        </label>
        <div class="write">
          <label class="field">Your answer
            <textarea name="answer" class="tall" required .defaultValue=${this.answer}></textarea>
          </label>
          ${this.text.trim() === "" ? nothing : html`
            <div class="stack tight" role="group" aria-label="As people will read it">
              <span class="hint">As people will read it</span>
              <div class="preview markdown">${renderMarkdown(this.text)}</div>
            </div>
          `}
        </div>
        ${this.complaint ? html`<p class="error" role="alert">${this.complaint}</p>` : showError(error)}
        <div class="row">
          <button class="primary" ?disabled=${isBusy}>${isBusy ? "Saving …" : this.submit}</button>
          <button type="button" @click=${this.#cancel}>Cancel</button>
        </div>
      </form>
    `;
  }

  #fields(): AnswerFields {
    const valueOf = (name: string) => this.renderRoot.querySelector<HTMLTextAreaElement>(`[name=${name}]`)?.value ?? "";
    return {
      question: valueOf("question").trim(),
      variants: valueOf("variants").split("\n").map((line) => line.trim()).filter((line) => line !== ""),
      answer: valueOf("answer").trim(),
    };
  }

  #keep = (): void => {
    const { question, variants, answer } = this.#fields();
    this.text = answer;
    drafts.keep(this.draft, { question, variants: variants.join("\n"), answer });
  };

  #submit = async (event?: Event): Promise<void> => {
    event?.preventDefault();
    const fields = this.#fields();
    this.complaint = !fields.question
      ? "Please say which question this answers."
      : !fields.answer
      ? "Please write an answer."
      : fields.variants.length > maxVariants
      ? `There can be ${maxVariants} other ways to ask it.`
      : "";
    if (this.complaint) return;
    if (await this.#action.run(() => this.save(fields))) drafts.drop(this.draft);
  };

  #onKey = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void this.#submit();
  };

  #cancel = (): void => {
    drafts.drop(this.draft);
    this.cancel();
  };
}

customElements.define("human-desk-answer-form", AnswerForm);
