import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type Fields, type Property } from "../../ui/element.ts";
import { renderMarkdown } from "../../ui/markdown.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { icons } from "../icons.ts";
import { isolate } from "../../../isolate.ts";
import "../parts/passage.ts";
import { showEmpty } from "../parts/show_list.ts";
import { showError } from "../parts/show_error.ts";
import { linkTo, type Route } from "../route.ts";
import { Loading } from "../state/work.ts";
import { mayEdit } from "../team/roles.ts";
import { triedQuestion } from "../state/tried.ts";
import { fill, t } from "../texts.ts";

type Tried = Schemas["TriedQuestion"];

/** The panel that shows the sources which the persona would use for a question. Nothing is stored. */
export class TryPanel extends DeskPart {
  static override properties = { route: {} as Property<Route> };

  #basis = this.use(new Loading<Tried>((signal) => this.#try(false, signal)));
  /** The same with an answer of the model, which takes longer. */
  #answer = this.use(new Loading<Tried>((signal) => this.#try(true, signal)));

  /** True if the button was pressed. Opening an address alone must not cost anything. */
  #isMeant = false;

  get #asked() {
    const { filters } = this.route;
    return { question: filters.get("question") ?? "", answer: filters.has("answer") };
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("route") && !changed.has("desk")) return;
    const before = changed.get("route")?.filters.toString();
    if (before === this.route.filters.toString()) return;
    this.#basis.clear();
    this.#answer.clear();
    this.#load();
  }

  override render() {
    const { question, answer } = this.#asked;
    const { value, error } = this.#basis;
    const isBusy = this.#basis.isBusy || this.#answer.isBusy;
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
            <label class="check"><input type="checkbox" name="answer" .checked=${answer}>
              <span>${t.try.write} <span class="hint">${t.try.writeHint}</span></span>
            </label>
            <button class="primary" ?disabled=${isBusy}>${isBusy ? t.try.trying : t.try.submit}</button>
          </div>
        </form>
        ${showError(error ?? this.#answer.error)}
        <p class="visually-hidden" role="status">${value && !isBusy ? t.try.done : ""}</p>
        <div class="stack">
          ${this.#renderAnswer()}
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

  #renderAnswer() {
    if (this.#answer.isBusy) return html`<p class="muted" role="status">${t.try.answering}</p>`;
    const answer = this.#answer.value?.answer;
    if (!answer) return nothing;
    const { text, author, asks_expert } = answer;
    return html`
      <article class="card" aria-label=${t.try.answer}>
        <p>${author === "ai"
          ? html`<span class="tag ai">${icons.ai} ${t.parts.ai}</span>`
          : html`<span class="tag person">${icons.person} ${t.parts.youWordForWord}</span>`}</p>
        <div class="markdown">${renderMarkdown(text)}</div>
        ${asks_expert === null ? nothing : html`
          <p class="small muted">${fill(t.try.wouldAsk, { question: isolate(asks_expert) })}</p>
        `}
      </article>
    `;
  }

  #try(answer: boolean, signal: AbortSignal): Promise<Tried> {
    const { client, coach } = this.desk;
    triedQuestion(coach.id).save(true);
    return client.tryQuestion(coach.id, { question: this.#asked.question, answer }, { signal });
  }
  #load(): void {
    const { question, answer } = this.#asked;
    if (question === "") return;
    void this.#basis.load();
    if (answer && this.#isMeant) void this.#answer.load();
    this.#isMeant = false;
  }

  #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const fields = new FormData(event.target as HTMLFormElement);
    const question = String(fields.get("question")).trim();
    if (question === "" || this.#basis.isBusy || this.#answer.isBusy) return;
    const hash = linkTo("try", null, [["question", question], ["answer", fields.has("answer") ? "1" : ""]]);
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
      <div class="markdown">${renderMarkdown(answer)}</div>
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
