import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { isolate } from "../../../isolate.ts";
import { observe, type Property, state, styleSheets } from "../../ui/element.ts";
import { renderMarkdown } from "../../ui/markdown.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { icons } from "../icons.ts";
import type { AnswerFields } from "../parts/answer_form.ts";
import "../parts/answer_form.ts";
import "../parts/passage.ts";
import { showError } from "../parts/show_state.ts";
import { numberedSources, sourceList, withoutNumbers } from "../parts/sources.ts";
import { PersonaPart } from "../persona/persona_part.ts";
import { showFace } from "../persona/persona_preview.ts";
import { linkTo, type Route } from "../route.ts";
import { fieldsOfPinned } from "../tests/test_fields.ts";
import { fill, t } from "../texts.ts";
import { type Trial, trialOf, type Tried, type TriedTurn, type Version } from "./trial.ts";
import messageStyles from "../conversations/message.css" with { type: "text" };
import faceStyles from "../persona/face.css" with { type: "text" };
import answerStyles from "./tried_answer.css" with { type: "text" };
import styles from "./try_panel.css" with { type: "text" };

type Choice = Version | "both";

/** The panel that talks to the persona, as it is or as it would be. Nothing of it is stored. */
export class TryPanel extends PersonaPart.with({ route: {} as Property<Route> }) {
  static override styles = styleSheets(faceStyles, styles);

  #choice = state<Choice>(this, "draft");

  constructor() {
    super();
    observe(this, () => this.desk ? this.#trial : null);
  }

  get #trial(): Trial {
    return trialOf(this.desk);
  }

  /** The versions to choose from: a draft only where it differs, and what was published only if anything was. */
  get #choices(): Choice[] {
    if (this.draft.changes.length === 0) return ["published"];
    return this.wasPublished ? ["draft", "published", "both"] : ["draft"];
  }
  get #chosen(): Choice {
    const [first = "published"] = this.#choices;
    return this.#choices.includes(this.#choice.value) ? this.#choice.value : first;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("desk") && this.draft.draft === null) void this.draft.load();
  }
  override firstUpdated(): void {
    const field = this.#field;
    field.value = this.route.filters.get("question") ?? "";
    field.focus({ preventScroll: true });
  }

  override render() {
    const { turns, isAnswering } = this.#trial;
    const name = this.draft.shown?.name ?? this.desk.coach.name;
    const last = turns.at(-1);
    return html`
      <section class="panel" aria-labelledby="title">
        <div class="row spread">
          <div class="stack tight">
            <h2 id="title">${fill(t.try.title, { name })}</h2>
            <p class="muted">${t.try.hint}</p>
          </div>
          <div class="row">
            ${this.#renderChoices()}
            ${turns.length === 0
              ? nothing
              : html`<button class="small" @click=${this.#clear}>${t.try.startOver}</button>`}
          </div>
        </div>
        <div class="stack talk" role="log" aria-live="off" aria-label=${t.try.conversation}>
          ${turns.length === 0 ? this.#renderStart() : turns.map((turn) => this.#renderTurn(turn))}
          ${last === undefined || isAnswering
            ? nothing
            : html`<p><button class="quiet small" @click=${this.#askAgain}>${t.try.again}</button></p>`}
        </div>
        <p class="visually-hidden" role="status">${last !== undefined && !isAnswering ? t.try.done : ""}</p>
        <form @submit=${this.#submit}>
          <textarea name="question" rows="1" required maxlength="32000" aria-label=${fill(t.try.message, { name })}
            placeholder=${t.try.example} enterkeyhint="send" @keydown=${submitOnEnter}></textarea>
          ${isAnswering
            ? html`<button type="button" @click=${() => this.#trial.stop()}>${t.try.stop}</button>`
            : html`<button class="primary">${t.try.send}</button>`}
        </form>
      </section>
    `;
  }

  #renderChoices() {
    const choices = this.#choices;
    if (choices.length === 1) return nothing;
    return html`
      <div class="toggles" role="group" aria-label=${t.try.whoAnswers}>
        ${choices.map((choice) =>
          html`
            <button aria-pressed=${choice === this.#chosen}
              @click=${() => this.#choice.value = choice}>${nameOf(choice)}</button>
          `
        )}
      </div>
    `;
  }

  /** The beginning of a chat, as people see it. */
  #renderStart() {
    const { shown, published, draft } = this.draft;
    const persona = this.#chosen === "published" ? published : shown;
    if (persona === null || draft === null) return nothing;
    const picture = this.#chosen === "published" ? published!.picture_url : draft.picture_url;
    const starters = persona.starters.filter((starter) => starter.trim() !== "");
    return html`
      <div class="start">
        ${showFace(persona.name, picture)}
        ${persona.greeting?.trim() ? html`<p class="pre" dir="auto">${persona.greeting.trim()}</p>` : nothing}
        <div class="row">${starters.map((starter) =>
          html`<button dir="auto" @click=${() => this.#ask(starter)}>${starter}</button>`
        )}</div>
      </div>
    `;
  }

  #renderTurn({ question, answers }: TriedTurn) {
    return html`
      <div class="stack turn">
        <div class="question raised pre" dir="auto">${question}</div>
        <div class="both">
          ${answers.map((answer) =>
            html`
              <human-desk-tried .desk=${this.desk} .answer=${answer} .question=${question}
                .version=${`${answer.status} ${answer.text.length} ${answer.sources.length} ${answer.found !== null}`}
                .label=${answers.length > 1 ? nameOf(answer.version) : ""}></human-desk-tried>
            `
          )}
        </div>
      </div>
    `;
  }

  get #field(): HTMLTextAreaElement {
    return this.renderRoot.querySelector("textarea")!;
  }

  #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const question = this.#field.value.trim();
    if (question === "" || this.#trial.isAnswering) return;
    this.#field.value = "";
    void this.#ask(question);
  };
  #askAgain = async (): Promise<void> => {
    const answered = this.#trial.askAgain();
    this.#field.focus({ preventScroll: true });
    await answered;
  };
  #clear = (): void => {
    this.#trial.clear();
    this.#field.focus();
  };

  async #ask(question: string): Promise<void> {
    const versions: Version[] = this.#chosen === "both" ? ["published", "draft"] : [this.#chosen];
    const answered = this.#trial.ask(question, versions);
    this.#field.focus({ preventScroll: true });
    await this.updateComplete;
    [...this.renderRoot.querySelectorAll(".turn")].at(-1)?.scrollIntoView({ block: "start" });
    await answered;
  }
}

function nameOf(choice: Choice): string {
  const names: Record<Choice, () => string> = {
    published: () => t.persona.publishedAnswer,
    draft: () => t.persona.draftAnswer,
    both: () => t.try.both,
  };
  return names[choice]();
}

function submitOnEnter(event: KeyboardEvent): void {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  (event.target as HTMLTextAreaElement).form?.requestSubmit();
}

customElements.define("human-desk-try", TryPanel);

/** An answer of the persona that is tried, also while it is written, and what the expert may do about it. */
export class TriedAnswer extends DeskPart.with({
  answer: {} as Property<Tried>,
  /** Changes with every piece of text: the answer itself stays the same object. */
  version: {} as Property<string>,
  question: {} as Property<string>,
  /** The name of the version that answers, where two do; otherwise empty. */
  label: { type: String, first: "" },
}) {
  static override styles = styleSheets(messageStyles, answerStyles);

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
