import { css, html, nothing } from "lit";
import { type Fields, type Property } from "../../ui/element.ts";
import { isolate } from "../../../isolate.ts";
import "../../ui/confirm_button.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart, deskStyles } from "../desk_part.ts";
import { formatMoment, formatSize, formatTime } from "../format.ts";
import { icons } from "../icons.ts";
import { showError } from "../parts/show_error.ts";
import { Action } from "../state/work.ts";
import { mayEdit } from "../team/roles.ts";
import { fill, t } from "../texts.ts";
import { linkToWeb } from "./link_to_web.ts";

const states: Record<Schemas["FoundFile"]["status"], () => [name: string, look: string]> = {
  queued: () => [t.files.waitingTag, ""],
  indexing: () => [t.files.beingRead, ""],
  ready: () => [t.files.readyTag, "ai"],
  empty: () => [t.files.noText, "danger"],
  failed: () => [t.files.notRead, "danger"],
};

/**
 * A file, with its state or the reason why it cannot be read.
 *
 * @fires done - The file was deleted.
 */
export class FileRow extends DeskPart {
  static override styles = [
    deskStyles,
    css`
      div {
        display: flex;
        flex-wrap: wrap;
        align-items: start;
        gap: 0.25rem 0.75rem;
        padding-block: 0.625rem;
      }
      article {
        flex: 1 1 12rem;
        min-inline-size: 0;
      }
      svg {
        margin-block-start: 0.15rem;
        color: var(--muted);
      }
      .tag svg {
        margin: 0;
      }
      .name {
        overflow-wrap: anywhere;
      }
    `,
  ];
  static override properties = { file: {} as Property<Schemas["FoundFile"]> };

  #action = this.use(new Action());

  override render() {
    const { filename, size, uploadedAt, category, status, error, warning, snippet, source_url, fetched_at } = this.file;
    const [state, look] = states[status]();
    return html`
      <div>
        ${icons.files}
        <article class="stack tight" aria-label=${filename}>
          <p class="name"><bdi>${filename}</bdi></p>
          <p class="facts small muted">
            <span class="tag ${look}">${state}</span>
            <span>${formatSize(size)}</span>
            <span title=${formatTime(fetched_at ?? uploadedAt)}>${fetched_at === null
              ? formatMoment(uploadedAt)
              : fill(t.files.readAt, { time: formatMoment(fetched_at) })}</span>
            ${category === "documents" ? nothing : html`
              <span>${category === "images" ? t.files.image : t.files.video}</span>
            `}
          </p>
          ${source_url === null ? nothing : html`<p class="small">${linkToWeb(source_url)}</p>`}
          ${error === null
            ? nothing
            : html`<p class="small text ${status === "failed" ? "error" : "muted"}"><bdi>${error}</bdi></p>`}
          ${warning === null ? nothing : html`<p class="small text">${t.files.notAllRead} <bdi>${warning}</bdi></p>`}
          ${snippet === null ? nothing : html`<blockquote class="small" dir="auto">${snippet}</blockquote>`}
          ${showError(this.#action.error)}
        </article>
        ${mayEdit(this.desk.role)
          ? html`
            <human-confirm .words=${t.shared} question=${source_url === null
              ? t.files.deleteFile
              : t.files.deletePage} ?disabled=${this.#action.isBusy}
              @confirm=${this.#delete}>${t.parts.delete}</human-confirm>
          `
          : nothing}
      </div>
    `;
  }

  #delete = async (): Promise<void> => {
    const { client, coach } = this.desk;
    const { fileId, filename } = this.file;
    if (!await this.#action.run(() => client.deleteFile(coach.id, fileId))) return;
    this.say(fill(t.files.deleted, { name: isolate(filename) }));
    this.dispatchEvent(new CustomEvent("done"));
  };
}

export interface FileRow extends Fields<typeof FileRow.properties> {}

customElements.define("human-desk-file", FileRow);
