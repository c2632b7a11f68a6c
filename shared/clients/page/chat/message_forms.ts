import { html, type TemplateResult } from "lit";
import { fill } from "../ui/fill.ts";
import type { Texts } from "./texts.ts";

/** The parameters of a form under a message. */
export type MessageFormOptions = {
  texts: Texts;
  onDone: (text: string) => void;
  onCancel: () => void;
};

/** The form that edits a question. */
export function questionForm(content: string, { texts, onDone, onCancel }: MessageFormOptions): TemplateResult {
  return form({ texts, onDone, onCancel }, {
    send: texts.send,
    hint: texts.editHint,
    field: html`
      <label class="visually-hidden" for="field">${texts.edit}</label>
      <div class="growing">
        <div aria-hidden="true">${content} </div>
        <textarea id="field" dir="auto" required .value=${content} @input=${grow}></textarea>
      </div>
    `,
  });
}

/** The form for a comment on an answer. */
export function commentForm(name: string, { texts, onDone, onCancel }: MessageFormOptions): TemplateResult {
  return form({ texts, onDone, onCancel }, {
    send: texts.sendComment,
    hint: fill(texts.commentHint, { name }),
    field: html`
      <label for="field">${texts.comment}</label>
      <textarea id="field" dir="auto" rows="2" maxlength="2000"></textarea>
    `,
  });
}

function form(
  { texts, onDone, onCancel }: MessageFormOptions,
  { send, hint, field }: { send: string; hint: string; field: TemplateResult },
): TemplateResult {
  const submit = (event: Event) => {
    event.preventDefault();
    onDone((event.currentTarget as HTMLFormElement).querySelector("textarea")!.value);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      onCancel();
    }
    if (event.key === "Enter" && !event.shiftKey && event.target instanceof HTMLTextAreaElement) {
      event.preventDefault();
      (event.currentTarget as HTMLFormElement).requestSubmit();
    }
  };
  return html`
    <form class="editor" @submit=${submit} @keydown=${onKey}>
      ${field}
      <p class="note">${hint}</p>
      <div class="buttons">
        <button class="plain" type="button" @click=${onCancel}>${texts.cancel}</button>
        <button class="primary">${send}</button>
      </div>
    </form>
  `;
}

/** Updates the invisible copy of a text, which gives its field the height. */
function grow(event: Event): void {
  const field = event.target as HTMLTextAreaElement;
  field.previousElementSibling!.textContent = `${field.value} `;
}
