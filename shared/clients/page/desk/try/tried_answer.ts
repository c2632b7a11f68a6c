import { html, nothing, type TemplateResult } from "lit";
import { isolate } from "../../../isolate.ts";
import { type Property, state, styleSheets } from "../../ui/element.ts";
import { renderMarkdown } from "../../ui/markdown.ts";
import messageStyles from "../conversations/message.css" with { type: "text" };
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { icons } from "../icons.ts";
import type { AnswerFields } from "../parts/answer_form.ts";
import "../parts/answer_form.ts";
import { numberedSources, sourceList, withoutNumbers } from "../parts/sources.ts";
import "../parts/passage.ts";
import { showError } from "../parts/show_state.ts";
import { linkTo } from "../route.ts";
import { fieldsOfPinned } from "../tests/test_fields.ts";
import { fill, t } from "../texts.ts";
import type { Tried } from "./trial.ts";
import styles from "./tried_answer.css" with { type: "text" };

/** An answer of the persona that is tried, also while it is written, and what the expert may do about it. */
export class TriedAnswer extends DeskPart.with({
  answer: {} as Property<Tried>,
  /** Changes with every piece of text: the answer itself stays the same object. */
  version: {} as Property<string>,
  question: {} as Property<string>,
  /** The name of the version that answers, where two do; otherwise empty. */
  label: { type: String, first: "" },
}) {
  static override styles = styleSheets(messageStyles, styles);

  #isRewriting = state(this, false);
  #isOpen = state(this, false);
  /** The ID of the pinned answer that was made here. */
  #pinnedId = state<string | null>(this, null);
  #testId = state<string | null>(this, null);

  override render() {
    const { text, status, author, sources, error, asksExpert } = this.answer;
    const isOver = status === "complete" || status === "stopped" && text !== "";
    return html`
      <article class=${author === "ai" ? "ai" : "pinned"} aria-label=${this.label || t.try.answer}
        aria-busy=${status === "streaming"}>
        <p class="row small">${this.label === "" ? nothing : html`<strong>${this.label}</strong>`}
          ${author === "ai"
            ? html`<span class="tag ai">${icons.ai} ${t.parts.ai}</span>`
            : html`<span class="tag person">${icons.person} ${t.parts.youWordForWord}</span>`}
          ${status === "stopped" ? html`<span class="tag">${t.try.stopped}</span>` : nothing}</p>
        ${text === "" && status === "streaming" ? html`<p class="muted">${t.try.answering}</p>` : nothing}
        ${text === "" ? nothing : html`
          <div class="markdown" dir="auto">${renderMarkdown(text, numberedSources(this, sources))}</div>
        `}
        ${showError(error)}
        ${asksExpert === null ? nothing : html`
          <p class="small muted">${fill(t.try.wouldAsk, { question: isolate(asksExpert) })}</p>
        `}
        ${sourceList(this, sources)}
        ${isOver && this.mayEdit && !this.#isRewriting.value ? this.#renderActions() : nothing}
        ${this.#isRewriting.value ? this.#renderForm() : nothing}
        ${showError(this.action.error)}
        ${status === "streaming" ? nothing : this.#renderFound()}
      </article>
    `;
  }

  #renderActions() {
    const { author, found } = this.answer;
    const pinnedId = this.#pinnedId.value ?? found?.exact?.id ?? null;
    return html`
      <div class="row">
        ${pinnedId === null
          ? html`<button class="small" @click=${this.#rewrite}>${t.try.differently}</button>`
          : html`<a class="button small" href=${linkTo("answers", pinnedId)}>${icons.answers} ${t.try.yourAnswer}</a>`}
        ${this.#testId.value === null
          ? html`<button class="small" ?disabled=${this.isBusy} @click=${this.#keep}>${t.try.keep}</button>`
          : html`<a class="button small" href=${linkTo("tests")}>${icons.check} ${t.try.isKept}</a>`}
        ${author === "ai" && found !== null && found.passages.length > 0 && !this.#isOpen.value
          ? html`<button class="small" @click=${this.#showPassages}>${t.try.misled}</button>`
          : nothing}
      </div>
    `;
  }

  #renderForm() {
    const { text, sources, history } = this.answer;
    const close = () => this.#isRewriting.value = false;
    return html`
      <human-desk-answer-form .desk=${this.desk} .question=${this.question} .answer=${withoutNumbers(text, sources)}
        .draft=${`tried ${this.question}`} .save=${this.#pin} .cancel=${close}>
        ${history.length === 0 ? nothing : html`<p class="small muted">${t.try.standsAlone}</p>`}
      </human-desk-answer-form>
    `;
  }

  #renderFound() {
    const { found, sources } = this.answer;
    // A pinned answer needs nothing else.
    if (found === null || found.exact !== null) return nothing;
    const { near, passages } = found;
    const used = new Set(sources.flatMap((source) => source.kind === "passage" ? [source.passageId] : []));
    const sorted = passages.toSorted((one, other) => +used.has(other.passageId) - +used.has(one.passageId));
    return html`
      <details class="small" ?open=${this.#isOpen.value} @toggle=${this.#onToggle}>
        <summary>${t.try.lookedUp}</summary>
        <div class="stack basis">
          ${near.length + passages.length === 0 ? html`<p class="muted">${t.try.nothingFound}</p>` : nothing}
          ${near.length === 0 ? nothing : group(t.try.answersNear, near.map(showPinned))}
          ${passages.length === 0 ? nothing : group(
            t.try.passages,
            sorted.map((passage) =>
              html`
                <human-desk-passage .desk=${this.desk} .passage=${passage} .among=${passages}></human-desk-passage>
              `
            ),
          )}
        </div>
      </details>
    `;
  }

  #onToggle = (event: Event): void => {
    this.#isOpen.value = (event.target as HTMLDetailsElement).open;
  };

  #rewrite = (): Promise<void> => {
    this.#isRewriting.value = true;
    return this.#show("human-desk-answer-form");
  };
  #showPassages = async (): Promise<void> => {
    this.#isOpen.value = true;
    await this.#show("details");
    this.renderRoot.querySelector("summary")!.focus({ preventScroll: true });
  };

  /** Moves a part into view that was opened below, where the field for the next question may cover it. */
  async #show(part: string): Promise<void> {
    await this.updateComplete;
    this.renderRoot.querySelector(part)?.scrollIntoView({ block: "start" });
  }

  #pin = async (fields: AnswerFields): Promise<void> => {
    this.#pinnedId.value = (await this.client.createPinnedAnswer(this.coachId, fields)).id;
    this.#isRewriting.value = false;
    this.say(t.try.pinned);
  };

  /** Makes a test of it: the question, and the answer as the one that the expert would give. */
  #keep = async (): Promise<void> => {
    const { text, sources, history } = this.answer;
    const { question, reference } = fieldsOfPinned({ question: this.question, answer: withoutNumbers(text, sources) });
    const isSaved = await this.run(async () => {
      this.#testId.value = (await this.client.createTest(this.coachId, { question, history, reference })).id;
    });
    if (!isSaved) return;
    const id = this.#testId.value!;
    this.say(t.try.kept, async () => {
      await this.client.deleteTest(this.coachId, id);
      this.#testId.value = null;
    });
  };
}

function group(title: string, items: TemplateResult[]) {
  return html`
    <section class="stack tight" aria-label=${title}>
      <h4>${title}</h4>
      ${items}
    </section>
  `;
}

function showPinned({ id, question, answer }: Schemas["TriedPinnedAnswer"]) {
  return html`
    <div class="stack tight">
      <p class="text"><a href=${linkTo("answers", id)}><bdi>${question}</bdi></a></p>
      <blockquote class="markdown" dir="auto">${renderMarkdown(answer)}</blockquote>
    </div>
  `;
}

customElements.define("human-desk-tried", TriedAnswer);
