import { html, type TemplateResult } from "lit";
import { Directive, directive, type ElementPart } from "lit/directive.js";

/** The styles of windows. */
export { default as modalStyles } from "./dialog.css" with { type: "text" };

/**
 * A window above the page, open as long as it is rendered. Escape and a click beside it close it, and the browser returns
 * the focus. The caller stops rendering it in `onClose`.
 */
export function modal(
  { title, content, onClose }: { title: string; content: TemplateResult; onClose: () => void },
): TemplateResult {
  return html`
    <dialog part="dialog" aria-label=${title} ${opened()} @close=${onClose} @click=${closeBeside}
      @keydown=${keepEscape}>
      <div class="window">${content}</div>
    </dialog>
  `;
}

/** Closes the window that an event comes from, which calls its `onClose`. */
export function closeModal(event: Event): void {
  (event.target as Element).closest("dialog")?.close();
}

const opened = directive(
  class extends Directive {
    #isOpened = false;
    override update({ element }: ElementPart): void {
      if (this.#isOpened) return;
      this.#isOpened = true;
      queueMicrotask(() => element.isConnected && (element as HTMLDialogElement).showModal());
    }
    override render() {}
  },
);

/** Escape closes the window, and nothing around it. */
function keepEscape(event: KeyboardEvent): void {
  if (event.key === "Escape") event.stopPropagation();
}

/** A click on the dialog itself is a click beside its window. */
function closeBeside(event: Event): void {
  if (event.target === event.currentTarget) (event.currentTarget as HTMLDialogElement).close();
}
