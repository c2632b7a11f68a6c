import { html, nothing } from "lit";
import { isolate } from "../../../isolate.ts";
import { type Property, state, styleSheets } from "../../ui/element.ts";
import { type Schemas, tellDesk } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { formatEnd, nameExpert } from "../format.ts";
import { icons } from "../icons.ts";
import { showError } from "../parts/show_state.ts";
import { sourceList } from "../parts/sources.ts";
import { drafts } from "../state/drafts.ts";
import { Action, Loading, RepeatKey } from "../state/work.ts";
import { fill, fillIn, plural, t } from "../texts.ts";
import styles from "./in_person.css" with { type: "text" };

/**
 * The bar below a conversation: starts and ends a takeover, and sends messages of the expert.
 *
 * @fires done - Something has changed.
 */
export class InPerson extends DeskPart.with({
  thread: {} as Property<Schemas["Conversation"]>,
  experts: {} as Property<Schemas["Expert"][]>,
  /** The question that was asked in person, and is answered next; null: none was. */
  asked: {} as Property<Schemas["Message"] | null>,
  /** The number of questions that wait for the expert. */
  waiting: {} as Property<number>,
}) {
  static override styles = styleSheets(styles);

  #drafting = this.use(new Action());
  /** The sources of the draft that the expert edits; null: they began by themselves. */
  #sources = state<Schemas["Source"][] | null>(this, null);
  #key = new RepeatKey();
  /** The time at which the person was told last that the expert is typing. */
  #toldAt = -Infinity;

  get #draft(): string {
    return `conversation ${this.thread.id}`;
  }

  override render() {
    const isTaken = this.thread.handled_by === "expert";
    const { isBusy, error } = this.action;
    return html`
      <div class="bar ${isTaken ? "taken" : ""}">
        <div class="row spread">
          <p class="small" role="status">${isTaken ? this.#describeTakeover() : fillIn(t.conversations.aiAnswers, {
            ai: html`<span class="tag ai">${icons.ai} ${t.parts.ai}</span>`,
          })}</p>
          <div class="row">
            ${isTaken
              ? html`<button class="small" ?disabled=${isBusy} @click=${this.#release}>${t.conversations.handBack}</button>`
              : nothing}
            ${isTaken && this.#isMine
              ? nothing
              : html`<button class="small" ?disabled=${isBusy} @click=${this.#takeOver}>${t.conversations.takeOver}</button>`}
          </div>
        </div>
        ${this.asked === null ? nothing : html`
          <p class="small"><strong>${t.conversations.replyingTo}</strong>
            <span class="text" dir="auto">${cut(this.asked.content)}</span></p>
        `}
        <form @submit=${this.#send}>
          <textarea rows="1" name="content" aria-label=${t.conversations.yourMessage}
            placeholder=${t.conversations.answerInPerson} required
            .defaultValue=${drafts.read(this.#draft).content ?? ""} @input=${this.#onInput} @keydown=${this
              .#onKey}></textarea>
          <button class="primary" ?disabled=${isBusy}>${t.conversations.send}</button>
        </form>
        <div role="status" class="small">${this.#renderSources()}</div>
        <div class="tools row">
          <button class="small" aria-keyshortcuts="d" ?disabled=${this.#drafting.isBusy} @click=${this
            .draft}>${this.#drafting.isBusy ? t.conversations.drafting : t.conversations.draftReply}</button>
          <human-desk-replies .desk=${this.desk} .written=${() =>
            this.renderRoot.querySelector("textarea")!.value.trim()}
            @insert=${this.#onInsert}></human-desk-replies>
        </div>
        ${showError(error ?? this.#drafting.error)}
      </div>
    `;
  }

  #renderSources() {
    const sources = this.#sources.value;
    if (sources === null) return nothing;
    return sources.length === 0
      ? t.conversations.draftedFromNothing
      : html`${t.conversations.draftedFrom} ${sourceList(this, sources)}`;
  }

  /** Has a reply drafted, and puts it where the expert writes, below what they have written. */
  draft = async (): Promise<void> => {
    const { thread: { id }, asked } = this;
    // Right away: the expert may be writing a note when the draft comes.
    this.focusField();
    await this.#drafting.run(async () => {
      const { content, sources } = await this.client.draftReply(id, { in_reply_to: asked?.id });
      const field = this.renderRoot.querySelector("textarea")!;
      field.setSelectionRange(field.value.length, field.value.length);
      this.#insert(field.value.trim() === "" ? content : `\n\n${content}`);
      this.#sources.value = sources;
    });
  };

  #onInsert = ({ detail }: CustomEvent<string>): void => {
    this.#insert(detail);
    this.focusField();
  };

  /** Puts a text where the expert writes, to be changed and sent by them. */
  #insert(text: string): void {
    const field = this.renderRoot.querySelector("textarea")!;
    field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
    field.dispatchEvent(new Event("input"));
  }

  get #isMine(): boolean {
    return this.thread.taken_over_by === this.desk.userId;
  }

  #describeTakeover() {
    const { thread: { taken_over_until, taken_over_by }, experts, waiting } = this;
    const colleague = experts.find(({ user_id }) => user_id === taken_over_by);
    const time = formatEnd(taken_over_until!);
    const tag = (name: string) => html`<span class="tag person">${icons.person} <bdi>${name}</bdi></span>`;
    return html`
      ${this.#isMine
        ? fillIn(fill(t.conversations.youAnswerUntil, { time }), { you: tag(t.conversations.you) })
        : fillIn(fill(t.conversations.colleagueAnswersUntil, { time }), {
          name: tag(colleague === undefined ? t.conversations.colleague : nameExpert(colleague)),
        })}
      ${waiting > 0 ? html`<strong>${plural(t.conversations.waiting, waiting)}</strong>` : nothing}
    `;
  }

  #takeOver = (): Promise<void> => this.#do(() => this.client.takeOver(this.thread.id));
  #release = (): Promise<void> => this.#do(() => this.client.releaseThread(this.thread.id));

  #send = async (event?: Event): Promise<void> => {
    event?.preventDefault();
    const field = this.renderRoot.querySelector("textarea")!;
    const content = field.value.trim();
    if (content === "") return;
    const { thread: { id }, asked } = this;
    await this.#do(async () => {
      const said = { content, in_reply_to: asked?.id };
      await this.client.sayAsExpert(id, said, { idempotencyKey: this.#key.of([id, content]) });
      this.#key.done();
      // Text that was typed in the meantime stays.
      if (field.value.trim() === content) field.value = "";
      this.#sources.value = null;
      this.#keep();
    });
  };

  async #do(act: () => Promise<unknown>): Promise<void> {
    if (!await this.run(act)) return;
    tellDesk(this, "change");
    this.dispatchEvent(new CustomEvent("done"));
  }

  focusField(): void {
    this.renderRoot.querySelector("textarea")?.focus();
  }

  #onInput = (): void => {
    this.#keep();
    const now = performance.now();
    // Only who waits for the expert is shown it.
    if (now - this.#toldAt < 5_000 || this.thread.handled_by === "ai" && this.asked === null) return;
    this.#toldAt = now;
    this.client.tellTyping(this.thread.id).catch(() => {});
  };

  #keep = (): void => {
    const { value } = this.renderRoot.querySelector("textarea")!;
    if (value === "") drafts.drop(this.#draft);
    else drafts.keep(this.#draft, { content: value });
  };

  #onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void this.#send();
  };
}

/** The beginning of a long question. */
function cut(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}

customElements.define("human-desk-in-person", InPerson);

/**
 * Replies that the experts often write. The list is read when it is opened.
 *
 * @fires insert - A reply was chosen. The detail is its text.
 */
export class SavedReplies extends DeskPart.with({
  /** Returns what the expert has written. */
  written: {} as Property<() => string>,
}) {
  #replies = this.use(new Loading((options) => this.client.listReplies(this.coachId, {}, options)));
  /** The ID of the reply that gets another name; null: none does. */
  #renamed = state<string | null>(this, null);

  override render() {
    const { value, error } = this.#replies;
    const byName = value?.data.toSorted((one, other) => one.name.localeCompare(other.name)) ?? [];
    return html`
      <details @toggle=${this.#onToggle}>
        <summary class="small">${t.conversations.replies}</summary>
        <div class="stack tight">
          ${showError(error ?? this.action.error)}
          ${value === null
            ? nothing
            : byName.length === 0
            ? html`<p class="small muted">${t.conversations.noReplies}</p>`
            : html`<ul class="list" aria-label=${t.conversations.replies}>${
              byName.map((reply) => this.#renderReply(reply))
            }</ul>`}
          <form class="row" @submit=${this.#save}>
            <input name="name" required maxlength="80" aria-label=${t.conversations.replyName}
              placeholder=${t.conversations.replyName}>
            <button class="small" ?disabled=${this.isBusy}>${t.conversations.saveReply}</button>
          </form>
        </div>
      </details>
    `;
  }

  #renderReply({ id, name, content }: Schemas["SavedReply"]) {
    const named = { name: isolate(name) };
    if (this.#renamed.value === id) {
      return html`
        <li>
          <form class="row" @submit=${(event: SubmitEvent) => this.#rename(event, id)}>
            <input name="name" required maxlength="80" aria-label=${fill(t.conversations.renameReply, named)}
              .defaultValue=${name}>
            <button class="small" ?disabled=${this.isBusy}>${t.parts.save}</button>
            <button class="small" type="button" @click=${() => this.#renamed.value = null}>${t.shared.cancel}</button>
          </form>
        </li>
      `;
    }
    return html`
      <li class="row spread">
        <button class="small" title=${content} aria-label=${fill(t.conversations.insertReply, named)} @click=${() =>
          this.dispatchEvent(new CustomEvent("insert", { detail: content }))}><bdi>${name}</bdi></button>
        <span class="row">
          <button class="small" aria-label=${fill(t.conversations.renameReply, named)} @click=${() =>
            this.#startRenaming(id)}>${icons.pencil}</button>
          <button class="small" aria-label=${fill(t.conversations.deleteReply, named)} ?disabled=${this
            .isBusy} @click=${() => this.#change(() => this.client.deleteReply(this.coachId, id))}>${icons
            .remove}</button>
        </span>
      </li>
    `;
  }

  #onToggle = (event: Event): void => {
    if ((event.target as HTMLDetailsElement).open) void this.#replies.load();
  };

  #save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const content = this.written();
    if (content === "") return;
    const name = String(new FormData(form).get("name"));
    if (!await this.#change(() => this.client.createReply(this.coachId, { name, content }))) return;
    form.reset();
    this.say(t.conversations.replySaved);
  };

  async #startRenaming(id: string): Promise<void> {
    this.#renamed.value = id;
    await this.updateComplete;
    const field = this.renderRoot.querySelector<HTMLInputElement>("li input");
    field?.focus();
    field?.select();
  }

  async #rename(event: SubmitEvent, id: string): Promise<void> {
    event.preventDefault();
    const name = String(new FormData(event.target as HTMLFormElement).get("name"));
    if (await this.#change(() => this.client.updateReply(this.coachId, id, { name }))) this.#renamed.value = null;
  }

  async #change(act: () => Promise<unknown>): Promise<boolean> {
    const isDone = await this.run(act);
    if (isDone) await this.#replies.load();
    return isDone;
  }
}

customElements.define("human-desk-replies", SavedReplies);
