import { html, nothing } from "lit";
import { type Property, styleSheets } from "../../ui/element.ts";
import { type Schemas, tellDesk } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { dayOf, formatDay, nameExpert, nameLanguage } from "../format.ts";
import { showError } from "../parts/show_state.ts";
import { fill, plural, t } from "../texts.ts";
import styles from "./person_bar.css" with { type: "text" };

type Conversation = Schemas["Conversation"];

/**
 * The person of a conversation, as far as it is known, and what the experts arrange among each other: who sees to it,
 * whether it is closed, and a note.
 *
 * @fires changed - What they have arranged. The detail is the conversation.
 */
export class PersonBar extends DeskPart.with({
  conversation: {} as Property<Conversation>,
  /** Those to whom it can be assigned. */
  experts: {} as Property<Schemas["Expert"][]>,
  /** The address of the next conversation; null: there is none. */
  next: {} as Property<string | null>,
  isNoting: { attribute: false, first: false },
}) {
  static override styles = styleSheets(styles);

  override render() {
    const { note } = this.conversation;
    return html`
      ${this.#renderFacts()}
      <div class="row spread">
        ${this.#renderAssignee()}
        <div class="row">
          ${this.isNoting
            ? nothing
            : html`<button class="small" aria-keyshortcuts="n" @click=${this.startNote}>${
              note === null ? t.conversations.addNote : t.conversations.changeNote
            }</button>`}
          ${this.#renderClose()}
          ${this.next === null || !this.conversation.is_closed ? nothing : html`
            <a class="button small" aria-keyshortcuts="j" href=${this.next}>${t.conversations.keyNext}</a>
          `}
        </div>
      </div>
      ${this.isNoting
        ? this.#renderNote()
        : note === null
        ? nothing
        : html`<p class="note small" dir="auto">${note}</p>`}
      ${showError(this.action.error)}
    `;
  }

  #renderFacts() {
    const { name, email, language, page_url, threads, first_seen_at } = this.conversation.person;
    return html`
      <p class="facts small muted">
        ${name !== null && email !== null ? html`<bdi>${email}</bdi>` : nothing}
        <span>${threads === 1
          ? t.conversations.firstChat
          : plural(t.conversations.chats, threads, { date: formatDay(dayOf(new Date(first_seen_at))) })}</span>
        ${language === null ? nothing : html`<span>${nameLanguage(language)}</span>`}
        ${page_url === null
          ? nothing
          : html`<span>${t.conversations.onPage} <bdi>${page_url.replace(/^https?:\/\//, "")}</bdi></span>`}
      </p>
    `;
  }

  #renderAssignee() {
    const { conversation: { assigned_to }, experts } = this;
    if (experts.length < 2) return html`<span></span>`;
    return html`
      <label class="row small">${t.conversations.assignedTo}
        <select .value=${assigned_to ?? ""} ?disabled=${this.isBusy} @change=${(event: Event) =>
          this.change({ assigned_to: (event.target as HTMLSelectElement).value || null })}>
          <option value="" ?selected=${assigned_to === null}>${t.conversations.nobody}</option>
          ${experts.map((expert) =>
            html`
              <option value=${expert.user_id} ?selected=${expert.user_id === assigned_to}>${expert.is_you
                ? fill(t.conversations.me, { name: nameExpert(expert) })
                : nameExpert(expert)}</option>
            `
          )}
        </select>
      </label>
    `;
  }

  #renderClose() {
    const { is_closed } = this.conversation;
    return html`
      <button class="small" aria-keyshortcuts="e" ?disabled=${this.isBusy} @click=${() =>
        this.change({ is_closed: !is_closed })}>${is_closed ? t.conversations.reopen : t.conversations.close}</button>
    `;
  }

  #renderNote() {
    return html`
      <form class="stack tight" @submit=${this.#saveNote}>
        <textarea name="note" rows="3" maxlength="4000" dir="auto" aria-label=${t.conversations.note}
          .defaultValue=${this.conversation.note ?? ""} @keydown=${(event: KeyboardEvent) => {
            if (event.key === "Escape") this.isNoting = false;
          }}></textarea>
        <p class="hint">${t.conversations.noteHint}</p>
        <div class="row">
          <button class="primary small" ?disabled=${this.isBusy}>${t.conversations.saveNote}</button>
          <button type="button" class="small" @click=${() => this.isNoting = false}>${t.shared.cancel}</button>
        </div>
      </form>
    `;
  }

  #saveNote = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const note = String(new FormData(event.target as HTMLFormElement).get("note"));
    if (await this.change({ note })) this.isNoting = false;
  };

  startNote = (): Promise<void> => {
    this.isNoting = true;
    return this.focusOn("textarea");
  };

  /** Changes what the experts have arranged, and returns whether that was possible. */
  async change(changes: Schemas["UpdateConversationBody"]): Promise<boolean> {
    const { id, needs_reply_at } = this.conversation;
    const update = async (changes: Schemas["UpdateConversationBody"]) => {
      const conversation = await this.client.updateConversation(this.coachId, id, changes);
      this.dispatchEvent(new CustomEvent("changed", { detail: conversation }));
      tellDesk(this, "change");
    };
    if (!await this.run(() => update(changes))) return false;
    const { is_closed } = changes;
    if (is_closed !== undefined) {
      const isAnswered = needs_reply_at === null;
      const closed = isAnswered ? t.conversations.closed : t.conversations.closedWaiting;
      const undo = async () => void await this.run(() => update({ is_closed: !is_closed }));
      this.say(is_closed ? closed : t.conversations.reopened, undo);
    }
    return true;
  }
}

customElements.define("human-desk-person", PersonBar);
