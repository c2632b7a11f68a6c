import { html, nothing } from "lit";
import { type Property, state } from "../../ui/element.ts";
import { renderMarkdown } from "../../ui/markdown.ts";
import { DeskPart } from "../desk_part.ts";
import { drafts } from "../state/drafts.ts";
import { plural, t } from "../texts.ts";
import { showError } from "./show_state.ts";

/** The fields of a pinned answer. */
export type AnswerFields = { question: string; variants: string[]; answer: string };

const maxVariants = 20;

/**
 * The form for a pinned answer: the question, other ways to ask it, and the answer with a preview. The text is kept as a
 * draft until it is saved or given up.
 *
 * @slot - More to choose, above the buttons.
 */
export class AnswerForm extends DeskPart.with({
  question: { type: String, first: "" },
  variants: { attribute: false, first: [] } as Property<string[]>,
  answer: { type: String, first: "" },
  /** The name under which the draft is kept. */
  draft: {} as Property<string>,
  /** The label of the button that saves; empty for the usual one. */
  submit: { type: String, first: "" },
  /** Saves the answer. The form shows an error that it throws. */
  save: { attribute: false } as Property<(fields: AnswerFields) => Promise<unknown>>,
  /** Called when the answer was given up. */
  cancel: { attribute: false } as Property<() => void>,
}) {
  #text = state(this, "");
  #complaint = state(this, "");

  override firstUpdated(): void {
    const kept = drafts.read(this.draft);
    for (const [name, value] of Object.entries(kept)) {
      const field = this.renderRoot.querySelector<HTMLTextAreaElement>(`[name="${CSS.escape(name)}"]`);
      if (field) field.value = value;
    }
    this.#text.value = this.#fields().answer;
    const first = this.question && this.renderRoot.querySelector<HTMLElement>("[name=answer]") ||
      this.renderRoot.querySelector<HTMLElement>("textarea");
    first?.focus();
  }

  override render() {
    const { isBusy, error } = this.action;
    const [text, complaint] = [this.#text.value, this.#complaint.value];
    return html`
      <form class="stack" @submit=${this.#submit} @input=${this.#keep} @keydown=${this.#onKey} novalidate>
        <label class="field">${t.parts.question}
          <textarea name="question" rows="1" required
            .defaultValue=${this.question}></textarea>
        </label>
        <label class="field"><span>${t.parts.otherWays} <span class="hint">${t.parts.onePerLine}</span></span>
          <textarea name="variants" rows="1" .defaultValue=${this.variants.join("\n")}></textarea>
        </label>
        <label class="field">${t.parts.yourAnswer}
          <textarea name="answer" class="tall" required .defaultValue=${this.answer}></textarea>
        </label>
        ${text.trim() === "" ? nothing : html`
          <div class="stack tight" role="group" aria-label=${t.parts.preview}>
            <span class="hint">${t.parts.preview}</span>
            <div class="raised markdown" dir="auto">${renderMarkdown(text)}</div>
          </div>
        `}
        <slot></slot>
        ${complaint ? html`<p class="error" role="alert">${complaint}</p>` : showError(error)}
        <div class="row">
          <button class="primary" ?disabled=${isBusy}>${isBusy ? t.parts.saving : this.submit || t.parts.save}</button>
          <button type="button" @click=${this.#cancel}>${t.shared.cancel}</button>
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
    this.#text.value = answer;
    drafts.keep(this.draft, { question, variants: variants.join("\n"), answer });
  };

  #submit = async (event?: Event): Promise<void> => {
    event?.preventDefault();
    const fields = this.#fields();
    const complaint = this.#complaint.value = !fields.question
      ? t.parts.questionMissing
      : !fields.answer
      ? t.parts.answerMissing
      : fields.variants.length > maxVariants
      ? plural(t.parts.tooManyVariants, maxVariants)
      : "";
    if (complaint) return;
    if (await this.run(() => this.save(fields))) drafts.drop(this.draft);
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
