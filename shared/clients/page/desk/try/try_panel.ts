import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type Fields, observe, type Property } from "../../ui/element.ts";
import { renderMarkdown } from "../../ui/markdown.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart, deskStyles } from "../desk_part.ts";
import { icons } from "../icons.ts";
import "../parts/passage.ts";
import { showEmpty } from "../parts/show_list.ts";
import { showError } from "../parts/show_error.ts";
import { draftOf } from "../persona/draft_of.ts";
import { linkTo, type Route } from "../route.ts";
import { Loading } from "../state/work.ts";
import { mayEdit } from "../team/roles.ts";
import { triedQuestion } from "../state/tried.ts";
import { fill, t } from "../texts.ts";
import { showTriedAnswer, type Tried } from "./tried_answer.ts";

/**
 * The panel that shows the sources which the persona would use for a question, and its answer: that of the published
 * persona, and beside it that of the draft. Nothing is stored.
 */
export class TryPanel extends DeskPart {
  static override styles = [
    deskStyles,
    css`
      .both {
        display: grid;
        gap: 0.75rem;
      }
      .both > * {
        align-content: start;
      }
      @container desk (min-width: 44rem) {
        .both {
          grid-template-columns: repeat(2, minmax(0, 1fr));
        }
      }
    `,
  ];
  static override properties = { route: {} as Property<Route> };

  #basis = this.use(new Loading<Tried>((signal) => this.#try(false, signal)));
  /** The same with an answer of the model, which takes longer. */
  #answer = this.use(new Loading<Tried>((signal) => this.#try(true, signal)));
  #draftAnswer = this.use(
    new Loading<Tried>(async (signal) => {
      // What was written last is tried, too.
      await draftOf(this.desk).save();
      return await this.#try(true, signal, true);
    }),
  );

  /** True if the button was pressed. Opening an address alone must not cost anything. */
  #isMeant = false;

  constructor() {
    super();
    observe(this, () => this.desk ? draftOf(this.desk) : null);
  }

  get #asked() {
    const { filters } = this.route;
    const draft = filters.has("draft") && this.#hasDraft;
    return { question: filters.get("question") ?? "", answer: filters.has("answer") || draft, draft };
  }

  /** True if there is a draft that differs from what is published. */
  get #hasDraft(): boolean {
    return draftOf(this.desk).changes.length > 0;
  }
  get #isBusy(): boolean {
    return this.#basis.isBusy || this.#answer.isBusy || this.#draftAnswer.isBusy;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("desk") && draftOf(this.desk).draft === null) void draftOf(this.desk).load();
    if (!changed.has("route") && !changed.has("desk")) return;
    const before = changed.get("route")?.filters.toString();
    if (before === this.route.filters.toString()) return;
    this.#basis.clear();
    this.#answer.clear();
    this.#draftAnswer.clear();
    this.#load();
  }

  override render() {
    const { question, answer, draft } = this.#asked;
    const { value, error } = this.#basis;
    const isBusy = this.#isBusy;
    return html`
      <section class="panel stack" aria-labelledby="title">
        <div class="stack tight">
          <h2 id="title">${t.try.title}</h2>
          <p class="muted">${t.try.hint}</p>
        </div>
        <form class="stack" @submit=${this.#submit}>
          <textarea name="question" rows="1" required maxlength="2000" aria-label=${t.parts.question}
            placeholder=${t.try.example} .value=${question} @keydown=${submitOnEnter}></textarea>
          <div class="row spread">
            <div class="stack tight">
              <label class="check"><input type="checkbox" name="answer" .checked=${answer}>
                <span>${t.try.write} <span class="hint">${t.try.writeHint}</span></span>
              </label>
              ${this.#hasDraft
                ? html`<label class="check"><input type="checkbox" name="draft" .checked=${draft}>
                    <span>${t.persona.alsoAskDraft} <span class="hint">${t.persona.alsoAskDraftHint}</span></span>
                  </label>`
                : nothing}
            </div>
            <button class="primary" ?disabled=${isBusy}>${isBusy ? t.try.trying : t.try.submit}</button>
          </div>
        </form>
        ${showError(error ?? (draft ? null : this.#answer.error))}
        <p class="visually-hidden" role="status">${value && !isBusy ? t.try.done : ""}</p>
        <div class="stack">
          ${draft
            ? html`<div class="both">${showTriedAnswer(this.#answer, t.persona.publishedAnswer)}
                ${showTriedAnswer(this.#draftAnswer, t.persona.draftAnswer)}</div>`
            : showTriedAnswer(this.#answer)}
          ${value === null ? nothing : this.#renderTried(value)}
        </div>
      </section>
    `;
  }

  #renderTried({ exact, near, passages }: Tried) {
    const pin = exact === null && mayEdit(this.desk.role)
      ? html`<p><a class="button" href=${linkTo("answers", "new", [["question", this.#asked.question]])}>${icons.plus}
          ${t.try.pin}</a></p>`
      : nothing;
    return html`
      ${pin}
      ${exact === null ? nothing : group(t.try.exact, [showPinned(exact)])}
      ${near.length === 0 ? nothing : group(t.try.answersNear, near.map(showPinned))}
      ${passages.length === 0 ? nothing : group(
        exact === null ? t.try.passages : t.try.passagesOtherwise,
        passages.map((passage) =>
          html`
            <div class="card">
              <human-desk-passage .desk=${this.desk} .passage=${passage} .among=${passages}></human-desk-passage>
            </div>
          `
        ),
      )}
      ${exact === null && near.length + passages.length === 0 ? showEmpty(t.try.empty, t.try.emptyHint) : nothing}
    `;
  }

  #try(answer: boolean, signal: AbortSignal, draft = false): Promise<Tried> {
    const { client, coach } = this.desk;
    triedQuestion(coach.id).save(true);
    const body = { question: this.#asked.question, answer, ...(draft ? { draft } : {}) };
    return client.tryQuestion(coach.id, body, { signal });
  }
  #load(): void {
    const { question, answer, draft } = this.#asked;
    if (question === "") return;
    void this.#basis.load();
    if (answer && this.#isMeant) void this.#answer.load();
    if (draft && this.#isMeant) void this.#draftAnswer.load();
    this.#isMeant = false;
  }

  #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const fields = new FormData(event.target as HTMLFormElement);
    const question = String(fields.get("question")).trim();
    if (question === "" || this.#isBusy) return;
    const chosen = (name: string): [string, string] => [name, fields.has(name) ? "1" : ""];
    const hash = linkTo("try", null, [["question", question], chosen("answer"), chosen("draft")]);
    this.#isMeant = true;
    if (location.hash === hash) this.#load();
    else location.hash = hash;
  };
}

function group(title: string, items: TemplateResult[]) {
  return html`
    <section class="stack tight">
      <h3>${title}</h3>
      ${items}
    </section>
  `;
}

function showPinned({ id, question, answer, version }: Schemas["TriedPinnedAnswer"]) {
  return html`
    <div class="card">
      <p class="row"><a class="text" href=${linkTo("answers", id)}>${question}</a>
        <span class="small muted">${fill(t.parts.version, { version })}</span></p>
      <div class="markdown" dir="auto">${renderMarkdown(answer)}</div>
    </div>
  `;
}

function submitOnEnter(event: KeyboardEvent): void {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  (event.target as HTMLTextAreaElement).form?.requestSubmit();
}

export interface TryPanel extends Fields<typeof TryPanel.properties> {}

customElements.define("human-desk-try", TryPanel);
