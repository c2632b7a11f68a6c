import { html, nothing, type PropertyValues } from "lit";
import { observe, type Property, state, styleSheets } from "../../ui/element.ts";
import { PersonaPart } from "../persona/persona_part.ts";
import { showFace } from "../persona/persona_preview.ts";
import faceStyles from "../persona/face.css" with { type: "text" };
import type { Route } from "../route.ts";
import { fill, t } from "../texts.ts";
import { type Trial, trialOf, type TriedTurn, type Version } from "./trial.ts";
import "./tried_answer.ts";
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
