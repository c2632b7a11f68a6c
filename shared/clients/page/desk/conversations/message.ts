import { html, nothing, type TemplateResult } from "lit";
import { type Fields, type Property, state } from "../../ui/element.ts";
import { renderMarkdown } from "../../ui/markdown.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart, deskStyles } from "../desk_part.ts";
import { count, formatMoment, formatTime } from "../format.ts";
import { icons } from "../icons.ts";
import { isPassage } from "../parts/passage.ts";
import { numberedSources } from "../parts/numbered_sources.ts";
import { linkTo } from "../route.ts";
import { fieldsOfMessage } from "../tests/fields_of.ts";
import "../tests/save_as_test.ts";
import { messageStyles } from "./message_styles.ts";
import "./revise_form.ts";

type Message = Schemas["Message"];

const statuses: Partial<Record<NonNullable<Message["status"]>, string>> = {
  waiting: "waiting for your reply",
  streaming: "being written",
  stopped: "stopped",
  failed: "failed",
};

/**
 * A message. An answer also shows its sources and the feedback of the person.
 *
 * @fires done - The answer was corrected.
 */
export class DeskMessage extends DeskPart {
  static override styles = [deskStyles, messageStyles];
  static override properties = {
    message: {} as Property<Message>,
    /** The question before the message. */
    asked: {} as Property<string>,
    /** The messages before that question. */
    earlier: { attribute: false, first: [] } as Property<Message[]>,
  };

  #isRevising = state(this, false);

  override render() {
    const { message } = this;
    const isRevising = this.#isRevising.value;
    const author = authorOf(message);
    const isAnswer = message.role === "assistant";
    const hasFoot = isAnswer && (author !== "expert" || this.asked !== "");
    const status = message.status && statuses[message.status];
    return html`
      <article class=${author} aria-label=${namesOfAuthors[author]}>
        <p class="row small">
          ${tags[author]}
          <time class="muted" datetime=${message.created_at} title=${formatTime(message.created_at)}
            >${formatMoment(message.created_at)}</time>
          ${status ? html`<span class="tag ${message.status === "failed" ? "danger" : ""}">${status}</span>` : nothing}
          ${message.basis?.revised_at ? html`<span class="tag person">corrected by you</span>` : nothing}
        </p>
        ${isRevising ? this.#renderForm() : this.#renderText()}
        ${isAnswer ? this.#renderFeedback() : nothing}
        ${hasFoot && !isRevising ? this.#renderFoot() : nothing}
      </article>
    `;
  }

  #renderText() {
    const { content, sources = [] } = this.message;
    return content === ""
      ? nothing
      : html`<div class="markdown">${
        renderMarkdown(content, numberedSources(this, { coachId: this.desk.coach.id, sources }))
      }</div>`;
  }

  #renderFeedback() {
    const { feedback } = this.message;
    if (!feedback) return nothing;
    const isDown = feedback.rating === "down";
    return html`
      <p class="row small">
        <span class="tag ${isDown ? "danger" : "ai"}">${isDown ? icons.down : icons.up} ${isDown
          ? "thumbs down"
          : "thumbs up"}</span>
        ${feedback.comment === null ? nothing : html`<q class="text">${feedback.comment}</q>`}
      </p>
    `;
  }

  #renderFoot() {
    const { message } = this;
    const isOver = message.status === "complete" || message.status === "stopped";
    // A pinned answer is changed in its own panel.
    const canRevise = message.author === "ai" && isOver;
    return html`
      <div class="foot small">
        ${authorOf(message) === "expert" ? nothing : html`
          <details>
            <summary>${describeSources(message.sources ?? [])}</summary>
            <div class="stack basis">${this.#renderBasis()}</div>
          </details>
        `}
        ${canRevise
          ? html`<button class="small" @click=${() => this.#isRevising.value = true}>Correct it</button>`
          : nothing}
        ${isOver && this.asked ? this.#renderSave() : nothing}
      </div>
    `;
  }

  #renderSave() {
    const { message, asked, earlier } = this;
    return html`
      <human-desk-save-as-test .desk=${this.desk} .of=${message.id}
        .read=${() => fieldsOfMessage(message, asked, earlier)}></human-desk-save-as-test>
    `;
  }

  #renderBasis() {
    const { sources = [], basis, error_code } = this.message;
    const made = [
      basis?.model && `model ${basis.model}`,
      basis?.coach_version != null && `instructions version ${basis.coach_version}`,
      basis?.mode && `mode ${basis.mode}`,
      error_code && `error ${error_code}`,
    ].filter(Boolean);
    return html`
      ${sources.map((source) =>
        isPassage(source)
          ? html`<human-desk-passage .desk=${this.desk} .passage=${source} .among=${sources}></human-desk-passage>`
          : html`
            <div class="stack tight">
              <p class="row"><strong>Your answer to</strong>
                <a class="text" href=${linkTo("answers", source.pinnedAnswerId)}>${source.question}</a>
                <span class="muted">version ${source.version}${source.isWordForWord ? ", word for word" : ""}</span></p>
              <blockquote class="pre">${source.quote}</blockquote>
            </div>
          `
      )}
      ${basis?.revision_id ? html`<p><a href=${linkTo("answers", basis.revision_id)}>Your correction</a></p>` : nothing}
      ${made.length === 0 ? nothing : html`<p class="muted text">${made.join(" · ")}</p>`}
    `;
  }

  #renderForm() {
    return html`
      <human-desk-revise .desk=${this.desk} .message=${this.message} .asked=${this.asked}
        .close=${() => this.#isRevising.value = false} @done=${this.#onRevised}></human-desk-revise>
    `;
  }

  #onRevised = (event: CustomEvent<string>): void => {
    this.#isRevising.value = false;
    this.say(event.detail);
    this.dispatchEvent(new CustomEvent("done"));
  };
}

type Author = NonNullable<Message["author"]> | "pinned";

/** Returns the author of a message. A pinned answer is told apart from a message that the expert has written in person. */
export function authorOf({ author = "user", sources }: Message): Author {
  const isPinned = sources?.some((source) => !isPassage(source) && source.isWordForWord);
  return author === "expert" && isPinned ? "pinned" : author;
}

/** The names of the authors, for screen readers. */
export const namesOfAuthors: Record<Author, string> = {
  user: "The person",
  ai: "The persona, an AI",
  expert: "You, in person",
  pinned: "Your pinned answer",
};

const tags: Record<Author, TemplateResult> = {
  user: html`<strong>The person</strong>`,
  ai: html`<span class="tag ai">${icons.ai} AI</span>`,
  expert: html`<span class="tag person">${icons.person} You, in person</span>`,
  pinned: html`<span class="tag person">${icons.answers} Your pinned answer</span>`,
};

function describeSources(sources: Schemas["Source"][]): string {
  const passages = sources.filter(isPassage).length;
  const pinned = sources.length - passages;
  const parts = [
    pinned > 0 && count(pinned, "pinned answer"),
    passages > 0 && count(passages, "passage"),
  ];
  const said = parts.filter(Boolean).join(" and ");
  return said ? `Based on ${said}` : "No sources";
}

export interface DeskMessage extends Fields<typeof DeskMessage.properties> {}

customElements.define("human-desk-message", DeskMessage);
