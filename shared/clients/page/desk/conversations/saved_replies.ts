import { html, nothing } from "lit";
import { isolate } from "../../../isolate.ts";
import { type Fields, type Property } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { icons } from "../icons.ts";
import { showError } from "../parts/show_error.ts";
import { Action, Loading } from "../state/work.ts";
import { fill, t } from "../texts.ts";

/**
 * Replies that the experts often write. The list is read when it is opened.
 *
 * @fires insert - A reply was chosen. The detail is its text.
 */
export class SavedReplies extends DeskPart {
  static override properties = {
    /** Returns what the expert has written. */
    written: {} as Property<() => string>,
  };

  #replies = this.use(
    new Loading<Schemas["SavedReplyList"]>((signal) =>
      this.desk.client.listReplies(this.desk.coach.id, {}, { signal })
    ),
  );
  #action = this.use(new Action());

  override render() {
    const { value, error } = this.#replies;
    const byName = value?.data.toSorted((one, other) => one.name.localeCompare(other.name)) ?? [];
    return html`
      <details @toggle=${this.#onToggle}>
        <summary class="small">${t.conversations.replies}</summary>
        <div class="stack tight">
          ${showError(error ?? this.#action.error)}
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
            <button class="small" ?disabled=${this.#action.isBusy}>${t.conversations.saveReply}</button>
          </form>
        </div>
      </details>
    `;
  }

  #renderReply({ id, name, content }: Schemas["SavedReply"]) {
    const named = { name: isolate(name) };
    return html`
      <li class="row spread">
        <button class="small" title=${content} aria-label=${fill(t.conversations.insertReply, named)} @click=${() =>
          this.dispatchEvent(new CustomEvent("insert", { detail: content }))}><bdi>${name}</bdi></button>
        <button class="small" aria-label=${fill(t.conversations.deleteReply, named)} ?disabled=${this.#action
          .isBusy} @click=${() => this.#change(() => this.desk.client.deleteReply(this.desk.coach.id, id))}>${icons
          .remove}</button>
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
    const { client, coach } = this.desk;
    const name = String(new FormData(form).get("name"));
    if (!await this.#change(() => client.createReply(coach.id, { name, content }))) return;
    form.reset();
    this.say(t.conversations.replySaved);
  };

  async #change(act: () => Promise<unknown>): Promise<boolean> {
    const isDone = await this.#action.run(act);
    if (isDone) await this.#replies.load();
    return isDone;
  }
}

export interface SavedReplies extends Fields<typeof SavedReplies.properties> {}

customElements.define("human-desk-replies", SavedReplies);
