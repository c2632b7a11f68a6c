import { html, nothing } from "lit";
import { isolate } from "../../../isolate.ts";
import { type Property, state } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { icons } from "../icons.ts";
import { showError } from "../parts/show_state.ts";
import { Loading } from "../state/work.ts";
import { fill, t } from "../texts.ts";

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
